"""Quasi-perfect equilibria."""
