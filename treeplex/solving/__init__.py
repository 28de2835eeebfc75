"""Games solved, strategies certified, methods compared; abstractions made; split runs."""
