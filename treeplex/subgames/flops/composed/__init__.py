"""Flop subgames all solved again, one by one: the composed strategy is judged exactly and never stored."""
