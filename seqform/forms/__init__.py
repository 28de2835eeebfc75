"""Treeplexes, payoffs, sequence forms, normal forms and profiles."""
