"""Regret minimisation on sequence forms, warm starts, and CFR-D with its trunk."""
