"""Which hand is better, and how often: evaluator, equities, the preflop table."""
