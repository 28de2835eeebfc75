"""The expected value of two agents whose plans are known, by a walk through all histories of a game."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

from treeplex.core.progress import Progress, silent
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.play.agents import Entrant
from treeplex.play.hand import View

MOST_WALKED = 500_000
"""Most histories of a game that is walked, for a few seconds."""
BETWEEN_REPORTS = 5_000
"""Histories between two reports."""

Plans = dict[tuple[int, int, str], Mapping[str, float]]
"""Plans by agent, player and infoset."""


def expected_values(
    game: Game[Any], entrants: tuple[Entrant, Entrant], progress: Progress = silent
) -> tuple[float, float] | None:
    """Return what A wins on average as player 0, and as player 1, in floats from exact chances and payoffs.

    None if an agent's plan is not known, or the game has more than ``MOST_WALKED`` histories.

    Parameters
    ----------
    game : Game
    entrants : tuple of Entrant
        A and B.
    progress : callable, optional
    """
    if any(one.planned is None for one in entrants) or getattr(game, "least_histories", 0) > MOST_WALKED:
        return None
    terms: tuple[list[float], list[float]] = [], []
    plans: Plans = {}
    # Histories still to be walked: state, and how likely it is by the seat of A.
    ahead: list[tuple[Hashable, float, float]] = [(game.root(), 1.0, 1.0)]
    found = 1
    walked = 0
    while ahead:
        state, *reach = ahead.pop()
        player = game.player(state)
        if not walked % BETWEEN_REPORTS:
            progress(f"walking the game for the exact value: {walked:,} histories", math.inf)
        walked += 1
        if player == TERMINAL:
            payoff = float(game.payoff(state))
            terms[0].append(reach[0] * payoff)
            terms[1].append(-reach[1] * payoff)
            continue
        if player == CHANCE:
            outcomes = game.chance(state)
            shares = [(label, float(p), float(p)) for label, p in outcomes]
        else:
            view = View.of(game, state)
            by_seat = [_plan(entrants, player ^ seat, view, plans) if reach[seat] else {} for seat in (0, 1)]
            shares = [(a, by_seat[0].get(a, 0.0), by_seat[1].get(a, 0.0)) for a in view.actions]
        found += len(shares)
        if found > MOST_WALKED:
            return None
        for label, first, second in shares:
            likely = reach[0] * first, reach[1] * second
            if any(likely):
                ahead.append((game.child(state, label), *likely))
    return math.fsum(terms[0]), math.fsum(terms[1])


def _plan(entrants: tuple[Entrant, Entrant], who: int, view: View, plans: Plans) -> Mapping[str, float]:
    key = who, view.player, view.infoset
    if key not in plans:
        plan = entrants[who].plan(view)
        assert plan is not None
        plans[key] = plan
    return plans[key]
