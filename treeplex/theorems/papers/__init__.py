"""Statements of the papers that are arithmetic: counts, sizes, printed figures, action translation."""
