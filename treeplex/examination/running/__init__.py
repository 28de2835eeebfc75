"""Solvers called in processes of their own, which end at a limit."""
