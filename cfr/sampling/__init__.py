"""Monte Carlo CFR on histories, public trees, rules and poker games of any size."""
