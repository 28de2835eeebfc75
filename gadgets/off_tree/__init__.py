"""Moves that an abstraction lacks: translation, nested solving, depth-limited solving."""
