"""Matching pennies with a dummy move: linear programs whose flow rows are inequalities fail on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.inputs.reading import shown
from treeplex.games.protocol import TERMINAL

Pennies = tuple[str, ...]
"""A history: player 0's side, player 1's side, the dummy move."""


@dataclass(frozen=True)
class DummyPennies:
    """Matching pennies in which each "-1" outcome is followed by one more, meaningless, move.

    Equal sides pay player 0 +1. Different sides lead to a dummy decision whose two leaves both pay -1, so
    the value remains 0. A program that shifts payoffs by their minimum and writes its flow rows as
    inequalities has nothing to gain below the dummy move, may leave behaviour there all zero and may report
    another value. Correct: value 0, behaviour normalised at every infoset.

    Keys are the sides in order of play with ``?`` for what the player has not seen; before the dummy move
    both are shown, so that keys there read ``h/t``.

    Attributes
    ----------
    mover : int
        Who makes the dummy move, player 0 or 1.
    """

    mover: int = 1

    @property
    def name(self) -> str:
        """The spec of this game."""
        return "dummy_pennies" if self.mover == 1 else f"dummy_pennies(mover={self.mover})"

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "pennies"

    def root(self) -> Pennies:
        """Return the state before any choice."""
        return ()

    def player(self, state: Pennies) -> int:
        """Return who acts: 0, 1, then the mover where the sides differ."""
        if len(state) < 2:
            return len(state)
        return self.mover if len(state) == 2 and state[0] != state[1] else TERMINAL

    def actions(self, state: Pennies) -> Sequence[str]:
        """Return heads and tails, or the two dummy moves."""
        return ("h", "t") if len(state) < 2 else ("x", "y")

    def chance(self, state: Pennies) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the game has no chance moves."""
        return ()

    def child(self, state: Pennies, action: str) -> Pennies:
        """Return the state after a choice."""
        return (*state, action)

    def infoset(self, state: Pennies, player: int) -> str:
        """Return what ``player`` has seen of the sides and the dummy move."""
        if len(state) == 1:
            return state[0] if player == 0 else "?"
        return "/".join(state) or "start"

    def public(self, state: Pennies) -> str:
        """Return what both have seen."""
        return self.infoset(state, TERMINAL)

    def payoff(self, state: Pennies) -> Fraction:
        """Return +1 for equal sides, -1 for different ones."""
        return Fraction(1 if state[0] == state[1] else -1)


def dummy_pennies(mover: int = 1) -> DummyPennies:
    """Return matching pennies with a dummy move of ``mover`` after each "-1".

    Raises
    ------
    ValueError
        If ``mover`` is neither 0 nor 1.
    """
    if isinstance(mover, bool) or mover not in (0, 1):
        raise ValueError(f"dummy_pennies: mover must be 0 or 1, got {shown(mover)}")
    return DummyPennies(int(mover))
