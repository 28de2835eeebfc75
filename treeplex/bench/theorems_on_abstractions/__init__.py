"""Theorems on abstractions: what buckets cost, and learning in them."""
