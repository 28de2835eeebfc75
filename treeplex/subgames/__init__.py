"""Subgames of a strategy solved again and judged."""
