"""Numbers of histories that are known before any is walked."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic

from treeplex.games.protocol import CHANCE, TERMINAL, Game, S

MOST_MOVES = 150_000
"""Moves that are tried to count histories, for about a second at most."""


def histories_of_widths(widths: Iterable[int]) -> int:
    """Return the number of histories of a game that has so many moves after 0, 1, ... moves, all alike."""
    found = longest = 1
    for width in widths:
        longest *= width
        found += longest
    return found


def merged_histories(game: Game[S], alike: Callable[[S], Hashable]) -> int:
    """Return the number of histories of a game, or of as many as ``MOST_MOVES`` moves are enough to count.

    Parameters
    ----------
    game : Game
    alike : callable
        States after equally many moves for which it returns the same have equally many histories below
        them; these are counted once.
    """
    known: dict[Hashable, int] = {}
    path: list[_Counted[S]] = [_Counted(None, _children(game, game.root()))]
    for _ in range(MOST_MOVES):
        while (child := next(path[-1].children, None)) is None:
            done = path.pop()
            known[done.key] = done.found
            if not path:
                return done.found
            path[-1].found += done.found
        key = len(path), alike(child)
        if key in known:
            path[-1].found += known[key]
        else:
            path.append(_Counted(key, _children(game, child)))
    return sum(part.found for part in path)


@dataclass
class _Counted(Generic[S]):
    """A history, the children that are still to be counted, and how many histories were found so far."""

    key: Hashable
    children: Iterator[S]
    found: int = 1


def _children(game: Game[S], state: S) -> Iterator[S]:
    player = game.player(state)
    if player == TERMINAL:
        return
    labels = (label for label, _ in game.chance(state)) if player == CHANCE else game.actions(state)
    for label in labels:
        yield game.child(state, label)
