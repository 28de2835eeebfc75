"""Subgames of poker games on boards: blueprints, and solutions by regret minimisers and linear programs."""
