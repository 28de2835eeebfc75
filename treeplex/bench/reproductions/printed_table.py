"""Tables of computed numbers beside printed ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treeplex.games.base.display import Block, Columns, Line, Shown
from treeplex.games.base.errors import BadInputError

PAPER = "(paper)"
"""The header of printed numbers beside ours."""
Number = float | None
"""A number, or None where there is none."""


@dataclass(frozen=True)
class PrintedRow:
    """A row: computed and printed numbers under their columns.

    Attributes
    ----------
    name : str
    ours : tuple of float or None
        A number for each of the table's columns.
    printed : tuple of float or None
        A number for each of the table's printed columns.
    note : str
        Such as an erratum, or why a number is missing.
    """

    name: str
    ours: tuple[Number, ...]
    printed: tuple[Number, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True, repr=False)
class PrintedTable(Shown):
    """A table of a paper, or one like it: ours and, where there are any, the printed numbers.

    Attributes
    ----------
    title : str
    source : str
        Paper and table, figure or section of the printed numbers; or of what the table is like.
    unit : str
        Of the numbers.
    columns : tuple of str
        Of computed numbers.
    printed : tuple of str
        Of printed numbers: names of our columns, beside which they stand, or others.
    rows : tuple of PrintedRow
    notes : tuple of str
        Sentences below the table: menus and stacks, differences.
    decimals : int
        Of numbers in texts; JSON has all digits.
    along : str
        What columns count whose names are whole numbers; rows are drawn as curves along them.
    """

    title: str
    source: str
    unit: str
    columns: tuple[str, ...]
    printed: tuple[str, ...] = ()
    rows: tuple[PrintedRow, ...]
    notes: tuple[str, ...] = ()
    decimals: int = 3
    along: str = "iterations"

    def __post_init__(self) -> None:
        for row in self.rows:
            widths = len(row.ours), len(row.printed)
            if widths != (len(self.columns), len(self.printed)):
                wanted = f"{len(self.columns)} and {len(self.printed)}"
                raise BadInputError(
                    f"row {row.name!r} must have {wanted} numbers, got {widths[0]} and {widths[1]}"
                )

    @property
    def headers(self) -> tuple[str, ...]:
        """The header of each column as texts are printed: printed numbers right beside ours."""
        headers = [part for column in self.columns for part in self._with_printed(column, column, PAPER)]
        return ("", *headers, *self._alone)

    def cells(self, row: PrintedRow) -> tuple[str, ...]:
        """Return the texts of a row, one for each header."""
        printed = dict(zip(self.printed, map(self._text, row.printed), strict=True))
        alone = dict(zip(self.printed, map(_as_printed, row.printed), strict=True))
        ours = zip(self.columns, map(self._text, row.ours), strict=True)
        cells = [
            part
            for column, text in ours
            for part in self._with_printed(column, text, printed.get(column, ""))
        ]
        return (row.name, *cells, *(alone[column] for column in self._alone))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is said below the table: notes on rows, then on the table."""
        return (*(f"{row.name}: {row.note}" for row in self.rows if row.note), *self.notes)

    def blocks(self) -> tuple[Block, ...]:
        """Return the table, its source and its notes."""
        table = Columns(self.title, self.headers, tuple(map(self.cells, self.rows)), left=("",))
        return table, Line(f"source: {self.source}; in {self.unit}"), *map(Line, self.sentences)

    def brief(self) -> str:
        """Return the title and the number of rows."""
        return f"{self.title}: {len(self.rows)} rows"

    def as_json(self) -> dict[str, Any]:
        """Return the table as an object."""
        return {
            "title": self.title,
            "source": self.source,
            "unit": self.unit,
            "rows": [
                {
                    "row": row.name,
                    "ours": dict(zip(self.columns, row.ours, strict=True)),
                    "printed": dict(zip(self.printed, row.printed, strict=True)),
                    "note": row.note,
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
        }

    def markdown(self) -> str:
        """Return the table as Markdown, with title, source and notes."""
        head = f"**{self.title}** ({self.source}; {self.unit})\n\n"
        lines = [_line(self.headers), "|" + "---|" * len(self.headers)]
        lines += [_line(self.cells(row)) for row in self.rows]
        notes = "".join(f"\n{sentence}\n" for sentence in self.sentences)
        return head + "\n".join(lines) + "\n" + notes

    def _with_printed(self, column: str, ours: str, printed: str) -> tuple[str, ...]:
        return (ours, printed) if column in self.printed else (ours,)

    @property
    def _alone(self) -> tuple[str, ...]:
        """The printed columns that are none of ours."""
        return tuple(column for column in self.printed if column not in self.columns)

    def _text(self, number: Number) -> str:
        if number is None:
            return "-"
        return f"{number + 0.0 if abs(number) >= 0.5 * 10**-self.decimals else 0.0:,.{self.decimals}f}"


def _as_printed(number: Number) -> str:
    """Return a number with the digits that it has."""
    return "-" if number is None else f"{number:,.12g}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
