"""Theorems on Monte Carlo regret minimisation: unbiased samples, bounds that hold with high probability."""
