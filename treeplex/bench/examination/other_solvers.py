"""Gambit's linear program, and methods of LiteEFG, as solvers to be examined; each is imported if asked for.

Of LiteEFG its tabular methods, which are given a game.
"""

import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from treeplex.bench.examination.behaviour_rows import Table, distribution
from treeplex.bench.examination.openspiel_solvers import OpenSpielSolver
from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
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
        raise BadInputError(f"gambit: solvers are {', '.join(NUMBERS)}, got {name!r}")
    try:
        import pygambit
    except ImportError:
        raise BadInputError("gambit: needs pygambit: pip install 'treeplex[gambit]'") from None
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


BASELINES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "cfr": ("CFR", "avg-iterate"),
        "cfr+": ("CFRplus", "linear-avg-iterate"),
        "dcfr": ("DCFR", "linear-avg-iterate"),
        "pcfr+": ("PCFR", "linear-avg-iterate"),
    }
)
"""Module of each method in ``LiteEFG.baselines``, and the average that is asked of its environment."""


def liteefg_solver(name: str) -> OpenSpielSolver:
    """Return a method of LiteEFG.

    Raises
    ------
    ValueError
        If there is none of that name, or LiteEFG is not installed.
    """
    if name not in BASELINES:
        raise BadInputError(f"liteefg: solvers are {', '.join(BASELINES)}, got {name!r}")
    try:
        import LiteEFG
    except ImportError:
        raise BadInputError("liteefg: needs LiteEFG: pip install LiteEFG") from None
    return OpenSpielSolver(partial(_averaged, LiteEFG, *BASELINES[name]))


def _averaged(liteefg: Any, module: str, average: str, game: Any, iterations: int) -> Any:
    """Return the average policy after so many iterations on a game of OpenSpiel."""
    with _home():
        environment = liteefg.OpenSpielEnv(game, traverse_type="Enumerate", regenerate=True)
    graph = getattr(liteefg.baselines, module).graph()
    environment.set_graph(graph)
    for _ in range(iterations):
        graph.update_graph(environment)
        environment.update_strategy(graph.current_strategy())
    return environment.get_strategy(graph.current_strategy(), average)[0]


@contextmanager
def _home() -> Iterator[None]:
    """Set another home directory for a while: LiteEFG keeps a file of every game there."""
    before = os.environ.get("HOME")
    with TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        try:
            yield
        finally:
            os.environ.pop("HOME")
            if before is not None:
                os.environ["HOME"] = before
