"""The published gadgets."""
