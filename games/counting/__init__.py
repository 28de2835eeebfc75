"""Sizes of games without building them: poker counted exactly, others and values as published."""
