"""Subgames of a strategy solved again and off-tree bets answered, with exploitability before and after."""
