"""Trees, sequence forms, linear programs, best responses and certificates. Floor 1: imports ``games``."""
