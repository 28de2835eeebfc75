"""Certificates of factored strategies: best responses on every real board."""
