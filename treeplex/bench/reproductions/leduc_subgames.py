"""The first table of docs/SUBGAMES.md: methods of subgame solving on Leduc poker, from several blueprints."""

import numpy as np

from treeplex.bench.reproductions.printed_table import PrintedRow, PrintedTable
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.core.progress import Progress
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.games.base.number_texts import MEBIBYTE, Estimate
from treeplex.subgames.resolution import Resolution
from treeplex.subgames.resolve import resolve

SPEC = "leduc_poker"
BLUEPRINTS = ("uniform", "cfr+:5", "cfr+:10", "cfr+:20", "cfr+:50", "cfr+:100", "cfr+:300")
ROWS = {
    "unsafe": ("unsafe", "any"),
    "resolve": ("resolve", "any"),
    "resolve (quasi-perfect)": ("resolve", "quasi-perfect"),
    "maxmargin": ("maxmargin", "any"),
    "maxmargin (quasi-perfect)": ("maxmargin", "quasi-perfect"),
    "lexicographic": ("lexicographic", "any"),
    "distributional": ("distributional", "any"),
    "estimated-maxmargin": ("estimated-maxmargin", "any"),
    "estimated-distributional": ("estimated-distributional", "any"),
}
"""Method and equilibrium of each row."""
JOINT = "joint optimum"
SECONDS_A_ROW = 4.0


def _estimate(settings: Settings) -> Estimate:
    return Estimate(SECONDS_A_ROW * len(LEDUC_SUBGAMES.chosen(settings)), 400 * MEBIBYTE)


def _run(settings: Settings, progress: Progress) -> tuple[PrintedTable, ...]:
    rows = []
    for name in LEDUC_SUBGAMES.chosen(settings):
        parts = []
        for blueprint in BLUEPRINTS:
            progress(f"{SPEC}: {name} from {blueprint}", float("inf"))
            parts.append(_part_left(name, blueprint, progress))
        rows.append(PrintedRow(name, tuple(parts)))
    return (
        PrintedTable(
            title="Part of the blueprint's exploitability that is left, Leduc poker, mean of both seats",
            source="after Brown and Sandholm 2017, Table 1, on a small game",
            unit="parts; 1 is no gain, more is harm",
            columns=BLUEPRINTS,
            rows=tuple(rows),
        ),
    )


def _part_left(row: str, blueprint: str, progress: Progress) -> float:
    """Return the part of the blueprint's exploitability that is left, the mean of both seats."""
    method, equilibrium = ROWS.get(row, ("unsafe", "any"))
    options = GadgetOptions(equilibrium=equilibrium)
    parts = []
    for defender in (0, 1):
        found = resolve(
            SPEC, defender, "all", method, blueprint=blueprint, options=options, progress=progress
        )
        assert isinstance(found, Resolution)
        after = found.exploitability_joint if row == JOINT else found.exploitability_after
        parts.append(after / found.exploitability_before)
    return float(np.mean(parts))


LEDUC_SUBGAMES = Reproduction(
    name="leduc-subgames",
    what="All 15 boards of Leduc poker solved again by each method, from blueprints of growing quality",
    source="Brown and Sandholm 2017, Table 1, on a small game",
    rows=(*ROWS, JOINT),
    estimate=_estimate,
    run=_run,
)
