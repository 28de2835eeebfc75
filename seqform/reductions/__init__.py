"""Reductions to smaller games of the same value, and the lift of their solutions."""
