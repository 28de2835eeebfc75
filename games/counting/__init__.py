"""Sizes of poker games, counted exactly without building them."""
