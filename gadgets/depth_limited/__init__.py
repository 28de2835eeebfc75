"""Depth-limited solving."""
