"""The rules of games: what can happen and what it pays. Floor 0: imports nothing of the project above it."""
