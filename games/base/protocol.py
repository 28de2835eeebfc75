"""The protocol of a game, from which trees are built, and numbers of histories known beforehand.

A game has states, players, actions, chance, infosets and payoffs.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, TypeVar, runtime_checkable

CHANCE = -1
"""The player of a chance node."""
TERMINAL = -2
"""The player of a leaf."""

S = TypeVar("S", bound=Hashable)
S_contra = TypeVar("S_contra", bound=Hashable, contravariant=True)


class Game(Protocol[S]):
    """A finite two-player zero-sum game of imperfect information.

    States are opaque, hashable values that the game itself understands. Players are 0 and 1; player 0
    maximises. Chance weights and payoffs are exact: integers or Fractions, never floats.

    A game may also have ``least_histories``, an integer: a number of histories that it has at least. If that
    is too many, none is walked. One with very many deals may be :class:`Drawing`.
    """

    @property
    def name(self) -> str:
        """The spec of this game, such as ``kuhn_poker(ranks=4)``."""

    @property
    def unit(self) -> str:
        """The unit of payoffs, such as ``chips``."""

    def root(self) -> S:
        """Return the state at which play starts."""

    def player(self, state: S) -> int:
        """Return who acts: 0, 1, ``CHANCE`` or ``TERMINAL``."""

    def actions(self, state: S) -> Sequence[str]:
        """Return the labels of the legal actions of the player who acts; the order is the game's own."""

    def chance(self, state: S) -> Sequence[tuple[str, Fraction]]:
        """Return outcomes and their probabilities at a chance node; they sum to exactly one."""

    def child(self, state: S, action: str) -> S:
        """Return the state after an action's or an outcome's label."""

    def infoset(self, state: S, player: int) -> str:
        """Return what ``player`` knows here, also where the player does not act.

        The player cannot distinguish states with equal keys. Keys of the player who does not act identify the
        tops of a subgame.
        """

    def public(self, state: S) -> str:
        """Return the key of what is common knowledge of both players."""

    def payoff(self, state: S) -> Fraction:
        """Return player 0's exact payoff at a leaf; player 1 gets its negative."""


@runtime_checkable
class Drawing(Protocol[S_contra]):
    """What a game may also have, so that hands can be played of which not all deals can be listed."""

    def drawn(self, state: S_contra, number: float) -> str | None:
        """Return the outcome of a chance node on whose share of [0, 1) a number lies.

        Outcomes have the order and, up to rounding, the probabilities of ``chance``. None where that must be
        asked.
        """

    def is_dealt(self, state: S_contra, label: str) -> bool | None:
        """Return whether a label is an outcome that may come; None where ``chance`` must be asked."""

    def forget(self) -> None:
        """Drop what was looked up of states if that has become much; called after each hand."""


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
