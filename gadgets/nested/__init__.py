"""Nested solving: answers to moves that the defender's abstraction lacks."""
