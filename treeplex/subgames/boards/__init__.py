"""Subgames of poker games on boards, solved with all hands by regret minimisers and linear programs."""
