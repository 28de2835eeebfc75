"""Claims tried on random games, and the smallest case that breaks one."""
