"""Poker games split after a street: a trunk, and subgames for the lines that go on from its last boards."""
