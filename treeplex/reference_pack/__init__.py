"""Exact values of games with sizes, sources and optimal strategies, in one file for other projects."""
