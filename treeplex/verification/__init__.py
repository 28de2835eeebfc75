"""Strategies checked, methods held against each other and against their theory."""
