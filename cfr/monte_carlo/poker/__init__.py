"""Monte Carlo CFR on poker games of any size, infosets in a hash table."""
