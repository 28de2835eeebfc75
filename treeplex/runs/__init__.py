"""Runs on disk: checkpoints, and traces of what was proved on the way."""
