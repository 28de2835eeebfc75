"""Figures of the notebooks, each drawn from results on given axes."""
