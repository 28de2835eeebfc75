"""A depth-limited result as a table: one row a round, exploitabilities below."""

from rich.console import Group

from treeplex.store.completion import completed_text
from treeplex.subgames.depth_limited_result import DepthLimitedResult
from treeplex.tables.layout import Columns, Line

COLUMNS = ("continuations", "value", "conceded", "gap")


def depth_limited_table(result: DepthLimitedResult) -> Group:
    """Return one row a round, and the exploitabilities below."""
    title = (
        f"{result.game}: player {result.defender} solves above {len(result.subgames)} subgames, "
        f"continuations {result.continuations}"
    )
    rows = tuple(
        (str(one.continuations), *(f"{x + 0.0:.6g}" for x in (one.value, one.conceded, one.gap)))
        for one in result.rounds
    )
    return Group(Columns(title, COLUMNS, rows, left=()), *map(Line, _footer(result)))


def _footer(result: DepthLimitedResult) -> list[str]:
    lines = ["", f"values are what player {1 - result.defender} gets, in {result.unit}"]
    if completed := completed_text(result.parameters):
        lines.append(f"blueprint completed: {completed}")
    if result.converged is False:
        lines.append("the last gap is above the tolerance: more rounds would add continuations")
    return [
        *lines,
        f"exploitability before   {result.exploitability_before:.6g}",
        f"               after    {result.exploitability_after:.6g}",
        f"               jointly  {result.exploitability_joint:.6g}, the least above this blueprint",
        f"seconds                 {result.seconds:.3f}",
    ]
