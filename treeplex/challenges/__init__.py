"""Claims about gadgets, averages, strategies and minimisers, searched for the smallest game that breaks them."""
