"""Exact best responses to strategies that do not look at cards."""
