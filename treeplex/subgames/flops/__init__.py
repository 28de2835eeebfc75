"""Nested solving in games that end on the flop: every off-tree bet answered, and the answers judged exactly."""
