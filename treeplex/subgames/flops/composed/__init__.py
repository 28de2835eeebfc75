"""Subgames of the last street all solved again, one by one: the composed strategy is judged, never stored."""
