"""Treeplexes, payoffs, sequence forms and profiles."""
