"""Nested solving in games that end on the flop: every off-tree bet answered, the answers judged exactly."""
