"""Medians of runs before and after, their ratios, and which of them are too slow."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from benchmarks.compare.printed import Figure
from benchmarks.compare.running import Run, Sides

LIMIT = 1.10
"""Ratios above it are flagged."""


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Attributes
    ----------
    name : str
        The benchmark's and the printed row's.
    before, after : Figure or None
        Medians over the runs that printed the row; None if none did.
    """

    name: str
    before: Figure | None
    after: Figure | None

    @property
    def slower(self) -> bool:
        """Whether CPU time has grown beyond the limit by more than the rounding of both figures."""
        if self.before is None or self.after is None:
            return False
        return self.after.cpu - self.after.step / 2 > LIMIT * (self.before.cpu + self.before.step / 2)

    def cells(self) -> tuple[str, ...]:
        """Return the row's texts."""
        before, after = self.before, self.after
        cpu = ["-" if f is None else f"{f.cpu:.4g}" for f in (before, after)]
        if before is None or after is None:
            return self.name, *cpu, "-", "-", ""
        wall = "-" if before.wall is None or after.wall is None else _ratio(before.wall, after.wall)
        return self.name, *cpu, _ratio(before.cpu, after.cpu), wall, "SLOWER" if self.slower else ""


def rows(found: dict[str, Sides]) -> Iterator[Row]:
    """Yield a row for each that was printed on either side, and one for each job that printed none."""
    for name, sides in found.items():
        benchmark = name.partition(":")[0]
        printed = dict.fromkeys(row for side in sides for run in side for row in run.figures)
        if not printed:
            yield Row(name, None, None)
        for row in printed:
            before, after = (_median(side, row) for side in sides)
            yield Row(f"{benchmark}: {row}", before, after)


def _median(side: list[Run], row: str) -> Figure | None:
    own = [run.figures[row] for run in side if row in run.figures]
    if not own:
        return None
    walls = [f.wall for f in own if f.wall is not None]
    return Figure(median(f.cpu for f in own), median(walls) if walls else None, max(f.step for f in own))


def _ratio(before: float, after: float) -> str:
    return f"{after / before:.2f}" if before > 0 else "-"


def markdown(table: list[Row]) -> str:
    """Write the table as Markdown, its columns aligned."""
    head = ("case", "before, CPU s", "after, CPU s", "ratio", "wall ratio", "")
    lines = [head, *(row.cells() for row in table)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]

    def text(cells: tuple[str, ...]) -> str:
        first, *others = (
            c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(zip(cells, widths, strict=True))
        )
        return f"| {' | '.join([first, *others])} |"

    rule = "|" + "|".join("-" * (w + 1) + (":" if k else "-") for k, w in enumerate(widths)) + "|"
    return "\n".join([text(head), rule, *map(text, lines[1:])])
