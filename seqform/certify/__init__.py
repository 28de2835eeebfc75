"""Certificates of profiles by best responses, in floats and in rationals."""
