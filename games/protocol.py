"""The protocol of a game, from which trees are built: states, players, actions, chance, infosets, payoffs."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

CHANCE = -1
"""The player of a chance node."""
TERMINAL = -2
"""The player of a leaf."""

S = TypeVar("S", bound=Hashable)


class Game(Protocol[S]):
    """A finite two-player zero-sum game of imperfect information.

    States are opaque, hashable values that the game itself understands. Players are 0 and 1; player 0
    maximises. Chance weights and payoffs are exact: integers or Fractions, never floats.

    A game may also have ``least_histories``, an integer: a number of histories that it has at least. If that
    is too many, none is walked.
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
