"""Certificates of given strategies, comparison of methods, bounds of theory."""
