"""Exact rational optima from the bases of float solvers."""
