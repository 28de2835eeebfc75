"""Sequence-form linear programs: assembly, HiGHS, exact rational optima, quasi-perfect equilibria."""
