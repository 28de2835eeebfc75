"""Problems from specs, files and objects that satisfy ``Game``."""

from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.games.base.own_games import METHODS, as_game
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import shown
from treeplex.games.formats.specs import file_of, load_game
from treeplex.games.poker.game import PokerGame

COMPILED_SEQUENCES = 200_000
"""Poker games of at most so many sequences, both players' together, are compiled as they are loaded."""
GameLike: TypeAlias = str | Path | Game[Any] | type[Game[Any]] | Problem
"""What is taken wherever a game is: a spec, a file, an object or class that satisfies ``Game``, a problem."""


def path_of(game: GameLike) -> str | None:
    """Return the path of a game's own file; None if it is not given by one."""
    return file_of(str(game)) if isinstance(game, str | Path) else None


def game_of(
    game: GameLike, *, bets: str | None = None, raises: str | None = None, progress: Progress = silent
) -> Game[Any]:
    """Return the rules of a game; parameters and errors as for :func:`load`."""
    if isinstance(game, Problem):
        return game.game
    if not isinstance(game, str | Path):
        if not any(hasattr(game, method) for method in METHODS):
            raise TypeError(
                "a game must be a spec, a path, a problem or an object that satisfies Game, "
                f"got {shown(game)}"
            )
        return as_game(game, game.__name__ if isinstance(game, type) else type(game).__name__)
    return load_game(str(game), bets=bets, raises=raises, report=lambda text: progress(text, inf))


def unwalked(
    game: GameLike, *, bets: str | None = None, raises: str | None = None, progress: Progress = silent
) -> Problem:
    """Return a problem of which no form is built yet; parameters and errors as for :func:`load`."""
    if isinstance(game, Problem):
        return game
    return Problem(game_of(game, bets=bets, raises=raises, progress=progress), progress)


def ready(game: GameLike, *, progress: Progress = silent) -> Problem:
    """Return a game to be played; parameters and errors as for :func:`load`.

    Games that are not poker are walked, up to ``MOST_WALKED`` histories, so that what is wrong with them is
    known; no form is built.
    """
    problem = unwalked(game, progress=progress)
    if not isinstance(problem.game, PokerGame):
        problem.walked  # noqa: B018
    return problem


def load(
    game: GameLike, *, bets: str | None = None, raises: str | None = None, progress: Progress = silent
) -> Problem:
    """Make a game ready: from a spec, a file's path or any object that satisfies ``Game``.

    Poker games are counted, small ones compiled, and all other games walked, so that whatever is wrong with
    them is known here. Of larger ones each form is made, or refused, when it is first asked for.

    Parameters
    ----------
    game : str, Path, Game, class or Problem
        Such as ``leduc_poker(ranks=5)`` or ``examples/river.toml``; a class is called without arguments, a
        problem is returned as it is.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional
        Called with what is being done, here and when a form is made later; a problem that is given keeps its
        own.

    Raises
    ------
    TypeError
        If it is none of these, or lacks methods of a game, which are listed.
    ValueError
        If the spec is unknown or malformed, or the game is not one that can be solved here.

    Examples
    --------
    >>> load("kuhn_poker").form.n_sequences
    (13, 13)
    """
    if isinstance(game, Problem):
        return game
    problem = unwalked(game, bets=bets, raises=raises, progress=progress)
    if not isinstance(problem.game, PokerGame) or sum(problem.sizes.sequences) <= COMPILED_SEQUENCES:
        problem.whole  # noqa: B018
    return problem
