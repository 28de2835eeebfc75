"""Hands played, and what they say of strength: estimators of it, and their judge."""
