"""Poker games as betting trees times board trees, whole, by bucket or split, and strategies on them."""
