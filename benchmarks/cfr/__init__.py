"""Minimisers: time an iteration, and how it grows with the game."""
