"""A result of nested solving or action translation as a table: a row for each off-tree public state."""

from collections import defaultdict

from rich.console import Group

from treeplex.gadgets.core.top_report import OffTreeTop
from treeplex.store.completion import completed_text
from treeplex.subgames.off_tree_result import OffTreeResult
from treeplex.tables.layout import Columns, Line
from treeplex.tables.numbers import six_decimals

COLUMNS = ("after", "off-tree moves", "tops", "reach", "smallest margin")


def off_tree_table(result: OffTreeResult) -> Group:
    """Return a row for each public state right after an off-tree move, and the exploitabilities."""
    how = f" ({result.approach})" if result.approach else ""
    title = (
        f"{result.game}: player {result.defender} plays {result.abstraction}, "
        f"answers the rest by {result.method}{how}"
    )
    states: dict[tuple[str, int], list[OffTreeTop]] = defaultdict(list)
    for top in result.tops:
        states[top.state, top.level].append(top)
    rows = tuple(_cells(state, level, tops) for (state, level), tops in states.items())
    return Group(Columns(title, COLUMNS, rows, left=("after",)), *map(Line, _footer(result)))


def _cells(state: str, level: int, tops: list[OffTreeTop]) -> tuple[str, ...]:
    reach, margin = sum(top.reach for top in tops), min(top.margin for top in tops)
    return state, str(level), str(len(tops)), f"{reach:.4g}", six_decimals(margin)


def _footer(result: OffTreeResult) -> list[str]:
    lines = [
        "",
        f"a margin is what player {1 - result.defender} gets by the abstraction's best move less what by "
        f"this one, in {result.unit} per unit of reach",
    ]
    if completed := completed_text(result.parameters):
        lines.append(f"blueprint completed: {completed}")
    if result.min_margin is not None:
        lines.append(f"smallest margin         {result.min_margin:.6g}")
    return [
        *lines,
        f"exploitability before   {result.exploitability_before:.6g}, uniform after off-tree moves",
        f"               after    {result.exploitability_after:.6g}",
        f"               jointly  {result.exploitability_joint:.6g}, the least that play after them allows",
        f"seconds                 {result.seconds:.3f}",
    ]
