"""Agents that play hands, with each other or with a person, and what a match proves; estimators judged."""
