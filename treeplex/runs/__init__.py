"""Runs: the loop from check to check, checkpoints, traces of what was proved on the way."""
