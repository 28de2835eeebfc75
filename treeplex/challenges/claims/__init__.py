"""Claims about gadgets, averages, strategies, minimisers and estimates, each measured exactly on a case."""
