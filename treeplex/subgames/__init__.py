"""Subgames of a strategy solved again, with exploitability before and after."""
