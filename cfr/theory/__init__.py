"""Regrets of runs measured exactly, beside the bounds that theory proves."""
