"""Gambit's linear program as a solver to be examined."""

import io
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from treeplex.core.problem import Problem
from treeplex.examination.adapters.rows import Table, distribution
from treeplex.games.protocol import Game
from treeplex.seqform.trees.efg_writer import efg_text

MOST_HISTORIES = 2_000
"""Most histories of a game for Gambit's linear program, whose tableau is dense."""
NUMBERS: Mapping[str, bool] = MappingProxyType({"lp": False, "lp-rational": True})
"""Whether each program is solved in rationals."""


def gambit_solver(name: str) -> Callable[[Game[Any], int], object]:
    """Return Gambit's linear program, ``lp`` in floats or ``lp-rational``.

    Raises
    ------
    ValueError
        If the name is another, or pygambit is not installed.
    """
    if name not in NUMBERS:
        raise ValueError(f"gambit: solvers are {', '.join(NUMBERS)}, got {name!r}")
    try:
        import pygambit
    except ImportError:
        raise ValueError("gambit: needs pygambit: pip install 'treeplex[gambit]'") from None
    return partial(_program, pygambit, NUMBERS[name])


def _program(pygambit: Any, rational: bool, game: Game[Any], iterations: int) -> Table:
    """Return the behaviour of the equilibrium that Gambit finds."""
    problem = Problem(game)
    tree = problem.enumerated.tree
    if tree.n_nodes > MOST_HISTORIES:
        raise NotImplementedError(f"more than {MOST_HISTORIES:,} histories for a dense program")
    theirs = pygambit.read_efg(io.BytesIO(efg_text(tree, problem.constant).encode()))
    behaviour = pygambit.nash.lp_solve(theirs, rational=rational).equilibria[0]
    return {
        (player, infoset.label): distribution({a.label: float(behaviour[a]) for a in infoset.actions})
        for player, who in enumerate(theirs.players)
        for infoset in who.infosets
    }
