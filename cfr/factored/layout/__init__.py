"""Factored trees laid out as flat arrays for compiled kernels."""
