"""Regret minimisers run again step by step, to be held against strategies of others."""
