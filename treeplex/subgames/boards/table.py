"""What is shown of subgames solved again on boards: classes of hands or subgames, best responses below."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from treeplex.core.result_table import completed_text
from treeplex.gadgets.core.top_report import TopReport
from treeplex.games.display.blocks import Block, Columns, Line
from treeplex.games.display.numbers import six_decimals
from treeplex.subgames.boards.resolution import BoardResolution
from treeplex.subgames.resolution import top_columns

CLASSES = ("class", "hands", "reach", "cbv", "value", "least margin")
SUBGAMES = ("subgame", "gadget value from", "to", "least margin", "error", "iterations")
MOST_SUBGAMES = 50
"""Rows of a table of subgames; of more those with the least margins are shown."""


def board_resolution_table(found: BoardResolution, *, hands: bool = False) -> tuple[Block, ...]:
    """Return one row a class of hands or a subgame, and below them what became of the whole strategy.

    Parameters
    ----------
    found : BoardResolution
    hands : bool
        One row for each of the opponent's hands instead.
    """
    title = f"{found.game}: player {found.defender} solves again by {found.method}, all hands"
    if hands:
        table = top_columns(title, found.tops)
    elif len(found.subgames) == 1:
        table = Columns(f"{title}, at {found.subgames[0]}", CLASSES, _classes(found.tops), left=("class",))
    else:
        table = Columns(title, SUBGAMES, _subgames(found), left=("subgame",))
    return table, *map(Line, _footer(found))


def hand_class(label: str) -> str:
    """Return the class of a hand's label: ranks, and whether two are of one suit.

    >>> hand_class("AsKs"), hand_class("AhKs"), hand_class("7h7c"), hand_class("Qs")
    ('AKs', 'AKo', '77', 'Q')
    """
    if len(label) != 4:
        return label[0]
    first, second = label[0], label[2]
    if first == second:
        return first + second
    return f"{first}{second}{'s' if label[1] == label[3] else 'o'}"


def _classes(tops: Iterable[TopReport]) -> tuple[tuple[str, ...], ...]:
    """Return a row a class of hands, those with the least margins first."""
    groups: dict[str, list[TopReport]] = {}
    for top in tops:
        groups.setdefault(hand_class(top.top), []).append(top)
    rows = sorted((min(top.margin for top in group), name, group) for name, group in groups.items())
    return tuple(_class_row(name, group, margin) for margin, name, group in rows)


def _class_row(name: str, group: Sequence[TopReport], margin: float) -> tuple[str, ...]:
    reach = sum(top.reach for top in group)
    cbv = sum(top.reach * top.cbv for top in group) / reach
    value = sum(top.reach * top.value for top in group) / reach
    return name, str(len(group)), f"{reach:.4g}", six_decimals(cbv), six_decimals(value), six_decimals(margin)


def _subgames(found: BoardResolution) -> tuple[tuple[str, ...], ...]:
    """Return a row a subgame that was solved, those with the least margins first if they are too many."""
    least = {
        name: min(top.margin for top in tops) for name, tops in groupby(found.tops, lambda top: top.subgame)
    }
    solved = list(found.solved)
    if len(solved) > MOST_SUBGAMES:
        solved = sorted(solved, key=lambda one: least[one.name])[:MOST_SUBGAMES]
    return tuple(
        (
            one.name,
            *map(six_decimals, (*one.gadget_value, least[one.name])),
            f"{one.error:.3g}",
            f"{one.iterations:,}",
        )
        for one in solved
    )


def _footer(found: BoardResolution) -> Iterator[str]:
    yield ""
    yield f"values are what player {1 - found.defender} gets, in {found.unit} per unit of reach"
    if len(found.solved) > MOST_SUBGAMES:
        yield f"{MOST_SUBGAMES} of {len(found.solved):,} subgames, those with the least margins"
    yield from (
        f"{name!r} keeps the blueprint: {why}" for name, why in list(found.kept.items())[:MOST_SUBGAMES]
    )
    if len(found.kept) > MOST_SUBGAMES:
        yield f"{len(found.kept) - MOST_SUBGAMES:,} more keep the blueprint"
    if completed := completed_text(found.parameters):
        yield f"blueprint completed: {completed}"
    if found.min_margin is not None:
        yield f"smallest margin         {found.min_margin:.6g}"
    if found.gadget_value is not None:
        yield "gadget value proved     {:.6g} to {:.6g}".format(*found.gadget_value)
    yield f"best response before    {found.best_response_before:.6g}"
    yield f"              after     {found.best_response_after:.6g}"
    if found.exploitability_before is not None and found.exploitability_after is not None:
        yield f"exploitability before   {found.exploitability_before:.6g}"
        yield f"               after    {found.exploitability_after:.6g}"
    yield f"error                   {found.error:.3g}, the most that a best response can have gained"
    yield f"seconds                 {found.seconds:.3f}"
    yield _safety(found)


def _safety(found: BoardResolution) -> str:
    """Return in a line whether solving again made the strategy worse, and what the method promises."""
    added = found.best_response_after - found.best_response_before
    allowed = f"up to the tolerance of {found.tolerance * found.size:.3g}"
    here = (
        f"safe here: a best response gains nothing, {allowed}"
        if found.safe
        else f"NOT SAFE here: a best response gains {added:.6g}"
    )
    return here if found.promised else f"{here}; nothing is promised by this method"
