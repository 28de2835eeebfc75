"""The second table of docs/SUBGAMES.md: answers to bets that nobody planned for, on no-limit Leduc."""

from treeplex.bench.reproductions.nips2017_table2 import PRINTED
from treeplex.bench.reproductions.printed_table import PrintedRow, PrintedTable
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.core.progress import Progress
from treeplex.games.base.number_texts import MEBIBYTE, Estimate
from treeplex.games.poker.named import no_limit_leduc
from treeplex.subgames.off_tree import COMPARED, compare_off_tree

BETS, KEPT = (0.5, 0.75, 1), (0.5, 1)
RAISES = ((1, 2), (2, 2))
"""The most bets and raises of each round, in both games."""


def _estimate(settings: Settings) -> Estimate:
    return Estimate(20.0, 400 * MEBIBYTE)


def _run(settings: Settings, progress: Progress) -> tuple[PrintedTable, ...]:
    chosen = LEDUC_NESTED.chosen(settings)
    found: dict[str, list[float]] = {row: [] for row in chosen}
    for raises in RAISES:
        game = no_limit_leduc(bets=BETS, max_raises=raises)
        for row in compare_off_tree(game, [*KEPT], rows=chosen, progress=progress):
            found[row.method] += row.exploitability
    columns = [f"{raises}, player {defender}" for raises in RAISES for defender in (0, 1)]
    return (
        PrintedTable(
            title="No-limit Leduc with bets of 0.5 and 1 pot against 0.75 too: exploitability",
            source="after Brown and Sandholm 2017, Table 2, on a small game",
            unit="chips; the paper's column mbb/hand on no-limit flop hold'em",
            columns=tuple(columns),
            printed=("paper",),
            rows=tuple(PrintedRow(row, tuple(found[row]), (PRINTED.get(row),)) for row in chosen),
            notes=("Columns are the most bets and raises of each round, and the defender.",),
            decimals=5,
        ),
    )


LEDUC_NESTED = Reproduction(
    name="leduc-nested",
    what="Translation and nested solving of bets that the defender's abstraction of no-limit Leduc lacks",
    source="Brown and Sandholm 2017, Table 2, on a small game",
    rows=tuple(COMPARED),
    estimate=_estimate,
    run=_run,
)
