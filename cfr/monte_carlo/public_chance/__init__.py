"""Public-chance sampling: one way for the public cards to fall an iteration, all hands on it updated."""
