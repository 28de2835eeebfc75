"""Table 2 of Brown and Sandholm (2017): nested subgame solving of no-limit flop hold'em."""

from collections.abc import Mapping
from types import MappingProxyType

from treeplex.core.progress import Progress
from treeplex.reproductions.reproduction import GIBIBYTE, Estimate, Reproduction, Settings
from treeplex.reproductions.table import Table

PRINTED: Mapping[str, float] = MappingProxyType(
    {
        "translation": 1465.0,
        "resolve": 150.2,
        "reach-maxmargin (expensive)": 149.2,
        "unsafe (expensive)": 148.3,
        "maxmargin": 122.0,
        "reach-maxmargin": 119.1,
    }
)
"""The paper's rows in its order, in mbb/hand."""
N_FLOPS = 1755
"""Classes of flops of the whole game."""
BLUEPRINT_MEMORY = 7.1 * GIBIBYTE
"""Of regrets and averages of the defender's blueprint on all flops."""
SOLVE_MINUTES = MappingProxyType({"translation": 5.0, "inexpensive": 20.0, "expensive": 120.0})
"""Minutes of two threads for both seats, over all flops."""
BLUEPRINT_MINUTES = 20.0


def _estimate(settings: Settings) -> Estimate:
    part = min(settings.flops or N_FLOPS, N_FLOPS) / N_FLOPS
    minutes = BLUEPRINT_MINUTES + sum(_minutes(row) for row in NIPS2017_TABLE2.chosen(settings))
    return Estimate(60 * minutes * part, max(BLUEPRINT_MEMORY * part, 0.5 * GIBIBYTE))


def _minutes(row: str) -> float:
    kind = "expensive" if "(expensive)" in row else row
    return SOLVE_MINUTES.get(kind, SOLVE_MINUTES["inexpensive"])


def _run(settings: Settings, progress: Progress) -> tuple[Table, ...]:
    raise ValueError("nips2017-table2 cannot be computed yet")


NIPS2017_TABLE2 = Reproduction(
    name="nips2017-table2",
    what="No-limit flop hold'em: exploitability of a blueprint without bets of 0.75 pot, by answers to them",
    source="Brown and Sandholm 2017, Table 2",
    rows=tuple(PRINTED),
    takes=frozenset({"flops", "keep", "checkpoint", "threads"}),
    estimate=_estimate,
    run=_run,
)
