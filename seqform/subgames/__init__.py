"""Subgames: games cut at public states, with a blueprint's reaches and values."""
