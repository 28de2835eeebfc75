"""Abstractions of enumerated games: infosets put into buckets, the merged game, and its exact price."""
