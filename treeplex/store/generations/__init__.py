"""Stores of split runs: files of subgames' tables by generation, compressed, checked, with random access."""
