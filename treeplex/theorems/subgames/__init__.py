"""Theorems on subgames solved again: safety, margins, gifts, estimates, nested and depth-limited solving."""
