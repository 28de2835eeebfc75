"""A resolution as a table: one row a top, exploitabilities of the whole strategy below."""

from collections.abc import Iterable

from rich.console import Group

from treeplex.gadgets.core.top_report import TopReport
from treeplex.store.completion import completed_text
from treeplex.subgames.resolution import HARMLESS, Resolution
from treeplex.tables.layout import Columns, Line
from treeplex.tables.numbers import six_decimals

COLUMNS = ("subgame", "top", "reach", "cbv", "alternative", "gift", "value", "margin")


def resolution_table(resolution: Resolution) -> Group:
    """Return one row a top, and below them what became of the whole strategy."""
    title = f"{resolution.game}: player {resolution.defender} solves again by {resolution.method}"
    return Group(top_columns(title, resolution.tops), *map(Line, _footer(resolution)))


def top_columns(title: str, tops: Iterable[TopReport]) -> Columns:
    """Return a table with one row a top."""
    return Columns(title, COLUMNS, tuple(map(_cells, tops)), left=("subgame", "top"))


def _cells(top: TopReport) -> tuple[str, ...]:
    alternative = "-" if top.alternative is None else six_decimals(top.alternative)
    numbers = (top.cbv, top.gift, top.value, top.margin)
    cbv, gift, value, margin = map(six_decimals, numbers)
    return top.subgame, top.top, f"{top.reach:.4g}", cbv, alternative, gift, value, margin


def _footer(resolution: Resolution) -> list[str]:
    lines = [
        "",
        f"values are what player {1 - resolution.defender} gets, in {resolution.unit} per unit of reach",
        *(f"{name!r} keeps the blueprint: {why}" for name, why in resolution.kept.items()),
    ]
    if completed := completed_text(resolution.parameters):
        lines.append(f"blueprint completed: {completed}")
    if resolution.discretisation is not None:
        lines.append(f"atoms understate what a draw is worth by {resolution.discretisation:.3g} at most")
    if resolution.min_margin is not None:
        lines.append(f"smallest margin         {resolution.min_margin:.6g}")
    return [
        *lines,
        f"exploitability before   {resolution.exploitability_before:.6g}",
        f"               after    {resolution.exploitability_after:.6g}",
        f"               jointly  {resolution.exploitability_joint:.6g}, the least that these subgames allow",
        f"seconds                 {resolution.seconds:.3f}",
        _safety(resolution),
    ]


def _safety(resolution: Resolution) -> str:
    """Return in a line whether solving again made the strategy more exploitable."""
    added = resolution.exploitability_after - resolution.exploitability_before
    allowed = f"up to {HARMLESS * resolution.spread:.3g} for rounding"
    if resolution.safe:
        return f"safe here: not more exploitable than the blueprint, {allowed}"
    return f"NOT SAFE here: more exploitable than the blueprint by {added:.6g}"
