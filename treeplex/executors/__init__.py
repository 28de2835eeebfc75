"""Executors of jobs on subgames: one worker here, workers in processes, workers on a cluster through Ray."""
