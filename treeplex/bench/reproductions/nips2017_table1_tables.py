"""Table 1 of Brown and Sandholm (2017) from computed cells: ours beside the printed numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from treeplex.bench.reproductions.nips2017_table1_printed import (
    BLUEPRINT,
    ERRATUM,
    GIFTS,
    NO_ABSTRACTION,
    SOURCE,
    ordered_pairs,
    printed,
    printed_parts,
)
from treeplex.bench.reproductions.printed_table import PrintedRow, PrintedTable


@dataclass(frozen=True)
class Cell:
    """A row of a column, in mbb/hand.

    Attributes
    ----------
    lost : pair of float
        What the best response earns against either seat.
    note : str
    """

    lost: tuple[float, float]
    note: str = ""

    @property
    def exploitability(self) -> float:
        """Half the sum of both."""
        return sum(self.lost) / 2


Cells = Mapping[str, list[Cell]]
"""By row, a cell for each column."""


def tables_of(
    found: Mapping[str, Mapping[str, Cell]], rows: tuple[str, ...], notes: tuple[str, ...]
) -> tuple[PrintedTable, ...]:
    """Return exploitabilities, parts of the blueprint's, what seats lose, how far that is, and gifts scaled.

    Parameters
    ----------
    found : mapping from columns to mappings from rows to Cell
        Every column with the blueprint's row.
    rows : tuple of str
        Those to show.
    notes : tuple of str
        Below the first table.
    """
    columns = tuple(found)
    cells = {row: [found[column][row] for column in columns] for row in rows}
    distances = [_distances(columns, cells)] if NO_ABSTRACTION in rows else []
    return (
        _exploitability(columns, cells, notes),
        _parts(columns, cells, [found[column][BLUEPRINT].exploitability for column in columns]),
        _lost(columns, cells),
        *distances,
        *_gifts(columns, cells),
    )


def _exploitability(columns: tuple[str, ...], cells: Cells, notes: tuple[str, ...]) -> PrintedTable:
    rows = (
        PrintedRow(
            row,
            tuple(cell.exploitability for cell in line),
            printed(row, columns),
            "; ".join(cell.note for cell in line if cell.note),
        )
        for row, line in cells.items()
    )
    return PrintedTable(
        title="No-limit flop and turn hold'em, all last subgames solved again: exploitability",
        source=SOURCE,
        unit="mbb/hand",
        columns=columns,
        printed=columns,
        rows=tuple(rows),
        notes=(*notes, *_orders(columns, cells), *([ERRATUM] if "small/30000" in columns else [])),
    )


def _orders(columns: tuple[str, ...], cells: Cells) -> list[str]:
    """Return for each column how many pairs of the paper's rows are in its order, and how many are alike."""
    told = []
    for k, column in enumerate(columns):
        found = {row: line[k].exploitability for row, line in cells.items()}
        ordered, alike, pairs = ordered_pairs(column, found)
        others = f"; {alike} are alike" if alike else ""
        if pairs:
            told.append(f"{column}: {ordered} of {pairs} pairs of rows are in the paper's order{others}.")
    return told


def _parts(columns: tuple[str, ...], cells: Cells, whole: list[float]) -> PrintedTable:
    rows = (
        PrintedRow(
            row,
            tuple(cell.exploitability / before for cell, before in zip(line, whole, strict=True)),
            printed_parts(row, columns),
        )
        for row, line in cells.items()
    )
    return PrintedTable(
        title="The same in parts of the blueprint's",
        source=SOURCE,
        unit="parts; 1 is no gain, more is harm",
        columns=columns,
        printed=columns,
        rows=tuple(rows),
    )


def _gifts(columns: tuple[str, ...], cells: Cells) -> list[PrintedTable]:
    """Return Figure 8 if any of its rows beyond Maxmargin and Reach-Maxmargin is there."""
    scales = [scale for scale, row in GIFTS.items() if row in cells]
    if not any(scale > 1 for scale in scales):
        return []
    return [
        PrintedTable(
            title="Reach-Maxmargin by what gifts are multiplied by: exploitability",
            source="Brown and Sandholm 2017, Figure 8 of the version with appendices, which shows no numbers",
            unit="mbb/hand",
            columns=tuple(map(str, scales)),
            along="gifts times",
            rows=tuple(
                PrintedRow(column, tuple(cells[GIFTS[scale]][k].exploitability for scale in scales))
                for k, column in enumerate(columns)
            ),
        )
    ]


def _lost(columns: tuple[str, ...], cells: Cells) -> PrintedTable:
    rows = (
        PrintedRow(row, tuple(lost for cell in line for lost in cell.lost)) for row, line in cells.items()
    )
    return PrintedTable(
        title="What the best response earns against either seat",
        source="computed here",
        unit="mbb/hand, the game's value included",
        columns=tuple(f"{column}, player {d}" for column in columns for d in (0, 1)),
        rows=tuple(rows),
    )


def _distances(columns: tuple[str, ...], cells: Cells) -> PrintedTable:
    """Return how far either seat is from the game's value, which the strategies without abstraction bound."""
    bounds = [cell.lost for cell in cells[NO_ABSTRACTION]]
    rows = (
        PrintedRow(
            row,
            tuple(
                end
                for cell, bound in zip(line, bounds, strict=True)
                for d in (0, 1)
                for end in (cell.lost[d] - bound[d], cell.lost[d] + bound[1 - d])
            ),
        )
        for row, line in cells.items()
        if row != NO_ABSTRACTION
    )
    ends = ("at least", "at most")
    return PrintedTable(
        title="Distance of either seat from the value of the game",
        source="computed here",
        unit="mbb/hand",
        columns=tuple(f"{column}, player {d}, {end}" for column in columns for d in (0, 1) for end in ends),
        rows=tuple(rows),
    )
