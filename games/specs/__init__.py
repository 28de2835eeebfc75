"""Specs: one line of text for any game."""
