"""Subgames solved again by name, and both sides of theorems on them."""
