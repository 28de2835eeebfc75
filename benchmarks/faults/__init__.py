"""Faults planted on purpose, to measure what the theorems and the certificates catch."""
