"""Runs on split games: what they take, their stores, executors and certificates; stores read and proved."""
