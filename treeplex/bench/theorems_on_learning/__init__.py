"""Theorems on regret minimisers: identities, bounds, sampling, decomposition."""
