"""Certificates of profiles by best responses, in floats and in rationals, and how wide they may be."""
