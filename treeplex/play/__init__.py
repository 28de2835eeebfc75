"""Agents that play hands, matches between them, and what a match proves; estimators judged."""
