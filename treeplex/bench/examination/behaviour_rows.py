"""Rows of behaviour as other packages leave them, made distributions."""

from collections.abc import Mapping

Table = dict[tuple[int, str], dict[str, float]]
"""The probability of each action by player and infoset."""


def distribution(row: Mapping[str, float]) -> dict[str, float]:
    """Return a row without what is below zero, divided by its sum; uniform where nothing is left.

    Solvers of linear programs leave such rows at infosets that their plans reach by rounding alone, or not
    at all. Where play does arrive, the certificate judges what is returned here.
    """
    kept = {label: max(p, 0.0) for label, p in row.items()}
    total = sum(kept.values())
    return {label: p / total if total > 0.0 else 1.0 / len(kept) for label, p in kept.items()}
