"""Claims about gadgets, averages, strategies and minimisers, and the smallest games that break them."""
