"""Subgames solved again by gadgets, nested and depth-limited solving; imports ``seqform`` and below."""
