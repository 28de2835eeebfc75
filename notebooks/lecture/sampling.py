"""Figures of Monte Carlo CFR: what a traversal visits, how its results scatter, and what they cost."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lecture.style import BLUE, GREY, INK, ORANGE
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


def placed(game: Game[Any]) -> tuple[dict[Hashable, tuple[float, float]], dict[Hashable, Hashable]]:
    """Return a place for each history of a small game, and the history above each but the first.

    Leaves lie side by side from left to right, other histories above the middle of those below them; the
    second coordinate is the number of moves, negative.
    """
    places: dict[Hashable, tuple[float, float]] = {}
    above: dict[Hashable, Hashable] = {}
    leaves = 0

    def place(state: Any, depth: int) -> float:
        nonlocal leaves
        children = [game.child(state, move) for move in _moves(game, state)]
        above.update(dict.fromkeys(children, state))
        across = [place(child, depth + 1) for child in children]
        places[state] = (sum(across) / len(across) if across else float(leaves), -float(depth))
        leaves += not across
        return places[state][0]

    place(game.root(), 0)
    return places, above


def _moves(game: Game[Any], state: Any) -> Sequence[str]:
    """Return the labels of all moves at a history."""
    player = game.player(state)
    if player == TERMINAL:
        return ()
    return [label for label, _ in game.chance(state)] if player == CHANCE else game.actions(state)


def visited_tree(axes: Axes, game: Game[Any], visited: Collection[Hashable]) -> None:
    """Draw the tree of a small game, the histories that a traversal visited in blue."""
    places, above = placed(game)
    for state, parent in above.items():
        (x0, y0), (x1, y1) = places[parent], places[state]
        met = state in visited
        axes.plot([x0, x1], [y0, y1], color=BLUE if met else "#dddddd", lw=1.6 if met else 0.8, zorder=met)
    for met, colour in ((False, "#cccccc"), (True, BLUE)):
        points = [place for state, place in places.items() if (state in visited) == met]
        axes.plot(*np.array(points).reshape(-1, 2).T, "o", color=colour, ms=5 if met else 3, zorder=2)
    axes.axis("off")


def scatter_of(axes: Axes, values: Sequence[float], chances: Sequence[float], exact: float) -> None:
    """Draw the probability of each value that a sample can give, and the exact value as a line.

    Parameters
    ----------
    axes : Axes
    values, chances : K floats
        A value for each sample and the sample's probability; equal values are put together.
    exact : float
        What the values are on average.
    """
    found, place = np.unique(np.round(values, 9), return_inverse=True)
    axes.vlines(found, 0, np.bincount(place, chances), color=BLUE, lw=4)
    axes.axvline(exact, color=ORANGE, lw=2, ls="--", label="exact regret")
    axes.axvline(0, color=GREY, lw=0.8, zorder=0)
    axes.set(xlabel="sampled regret, chips", ylabel="probability", ylim=(0, 1))


def by_cost(
    axes: Axes, curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]], cost: str
) -> None:
    """Draw NashConv in chips against what was spent, on logarithmic axes.

    Parameters
    ----------
    axes : Axes
    curves : mapping of str to pairs of (K,) f64
        What was spent and NashConv then; sampled methods, whose names begin with "MCCFR", are dashed.
    cost : str
        What is spent, and its unit.
    """
    for name, (spent, conv) in curves.items():
        axes.loglog(spent, conv, "o--" if name.startswith("MCCFR") else "o-", ms=3.5, label=name)
    axes.set(xlabel=cost, ylabel="NashConv, chips")
    axes.grid(alpha=0.25)


def seeds_apart(axes: Axes, groups: Mapping[str, Sequence[float]], unit: str = "chips") -> None:
    """Draw NashConv of runs that differ in the seed alone: a row for each group, medians as bars."""
    for k, values in enumerate(groups.values()):
        axes.plot(values, np.full(len(values), k), "o", color=BLUE, alpha=0.55, ms=7)
        axes.plot([np.median(values)] * 2, [k - 0.25, k + 0.25], color=INK, lw=2.5)
    axes.set_yticks(range(len(groups)), groups)
    axes.set(xlabel=f"NashConv, {unit}", ylim=(len(groups) - 0.5, -0.5), xscale="log")
