"""Bucket sampling: blueprints by external sampling with a card abstraction on flat tables."""
