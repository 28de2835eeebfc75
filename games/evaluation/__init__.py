"""Strengths and equities of hands: evaluator, equities, the preflop table."""
