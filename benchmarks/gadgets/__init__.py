"""Subgames solved again; and the study whose tables docs/SUBGAMES.md shows."""
