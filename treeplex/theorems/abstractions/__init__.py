"""Theorems on abstractions: infosets in buckets, what they cost, and what is proved of learning in them."""
