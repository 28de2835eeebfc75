"""The process of a command: signals and requests to stop."""
