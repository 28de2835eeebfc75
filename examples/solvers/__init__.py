"""Solvers with one planted bug each, and the textbook CFR that they are made from."""
