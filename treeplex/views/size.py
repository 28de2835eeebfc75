"""Sizes of a poker game, counted from its rules."""

from __future__ import annotations

from treeplex.core.loading import GameLike, game_of
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError
from treeplex.games.counting.game_sizes import GameSizes, game_sizes
from treeplex.games.poker.game import PokerGame


def size(
    game: GameLike,
    *,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> GameSizes:
    """Count how big a poker game is; nothing is built.

    Parameters
    ----------
    game : str, Path, PokerGame or Problem
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional

    Raises
    ------
    ValueError
        If the spec is unknown or malformed, or the game is no poker game.

    Examples
    --------
    >>> size("kuhn_poker")
    GameSizes(kuhn_poker: 12 infosets, 24 decision states)
    """
    rules = game_of(game, bets=bets, raises=raises, progress=progress)
    if not isinstance(rules, PokerGame):
        raise BadInputError(f"sizes are counted for poker games only, got {rules.name}")
    return game_sizes(rules, lambda stage: progress(stage, float("inf")))
