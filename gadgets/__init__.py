"""Subgames and safe re-solving: floor 2, beside ``cfr``; empty until the first gadget."""
