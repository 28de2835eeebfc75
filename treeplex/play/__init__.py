"""Agents that play hands, with each other or a person; what a match proves, and how agents learn from it."""
