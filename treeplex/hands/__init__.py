"""Strategies at a node by classes of hands."""
