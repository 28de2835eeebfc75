"""Buckets of hands over all boards of a factored tree, and strategies by bucket."""
