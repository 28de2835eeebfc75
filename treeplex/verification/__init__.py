"""Certificates of given strategies and where these lose, comparison of methods, bounds of theory."""
