"""Theorems on subgames on boards: values at tops, gadget values in several ways, safety with errors."""
