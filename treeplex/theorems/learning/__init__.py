"""Theorems on regret minimisers: identities, bounds, tracking, sampling, decomposition."""
