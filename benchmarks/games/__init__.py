"""Ranking hands, counting equities and sizes of games."""
