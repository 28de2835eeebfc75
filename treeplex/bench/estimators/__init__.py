"""Estimators of what an agent wins, judged on enumerated games: bias, variance, which term is wrong."""
