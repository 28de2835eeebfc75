"""Betting lines walked step by step, and the labels of actions that are no bets."""

from collections.abc import Iterator

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.base.reading import shown
from treeplex.games.poker.game import PokerGame

FOLD, CALL = "f", "c"
"""Labels of folds, and of checks and calls; all others are bets and raises."""


def line_steps(game: PokerGame, line: str, start: str | None = None) -> Iterator[tuple[str, str | None, str]]:
    """Yield the steps of a betting line: the line before, the action's label, the line after.

    The label is None where board cards are dealt.

    Parameters
    ----------
    game : PokerGame
    line : str
    start : str, optional
        A line on the way, from which the steps are; the game's first line unless given.

    Raises
    ------
    ValueError
        If it is no line of the game, or ``start`` does not lie on it.
    """
    here = game.first_line if start is None else start
    while here != line:
        point = game.point(here)
        nexts = {None: point.after} if point.player == CHANCE else {**point.moves}
        fitting = [step for step in nexts.items() if line.startswith(step[1])]
        if not fitting:
            raise BadInputError(f"{shown(line)} is no betting line of {game.name}")
        # The longest is right ("r50", not "r5"): no label starts with a digit.
        label, after = max(fitting, key=lambda step: len(step[1]))
        yield here, label, after
        here = after
