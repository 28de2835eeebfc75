"""Theorems as objects, how they are measured, and what many of them share."""
