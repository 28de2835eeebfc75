"""Theorems of the field as objects, both sides of each measured on games."""
