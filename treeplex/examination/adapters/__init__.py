"""Solvers of this and of other packages as functions of a game and a number of iterations."""
