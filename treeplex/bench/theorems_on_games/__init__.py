"""Theorems on games and their forms: sequence form, duality, best responses, reductions."""
