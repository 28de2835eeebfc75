"""Methods of LiteEFG as solvers to be examined; its tabular ones, which are given a game of OpenSpiel."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from treeplex.examination.adapters.openspiel import OpenSpielSolver

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
        raise ValueError(f"liteefg: solvers are {', '.join(BASELINES)}, got {name!r}")
    try:
        import LiteEFG
    except ImportError:
        raise ValueError("liteefg: needs LiteEFG: pip install LiteEFG") from None
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
