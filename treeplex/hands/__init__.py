"""Strategies shown by classes of hands."""
