"""Statements of papers that are arithmetic: counts, sizes, printed figures, translation."""
