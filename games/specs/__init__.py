"""Specs: games named by one line of text."""
