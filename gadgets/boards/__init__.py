"""Subgames on boards: a hand is a top, and all hands are solved at once."""
