"""Liar's dice: each player rolls in secret, bids rise, and the last bid is called a lie or stands."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, spec_of
from treeplex.games.base.protocol import CHANCE, TERMINAL

MAX_DICE = MAX_FACES = 9
"""A die is written as one digit."""
MOST_ROLLS = 2_000_000
"""Most rolls of both players that chance lists, which takes seconds."""
WON, LOST = Fraction(1), Fraction(-1)


class Bidding(NamedTuple):
    """A history.

    first, second : the dice of players 0 and 1, lowest first, as ``36``; empty before the roll.
    line : the public line, as ``1x3/2x5/liar``.
    bid : the number of the last bid, -1 before the first.
    bidder : who made it; player 1 before the first.
    called : whether it was called a lie, which ends the game.
    """

    first: str
    second: str
    line: str
    bid: int
    bidder: int
    called: bool


@dataclass(frozen=True)
class LiarsDice:
    """Liar's dice; a bid claims how many of all dice show a face. The highest face counts as every face.

    Player 0 bids first. Bids rise by quantity, then by face; instead of a higher bid a player may call the
    other a liar, and must after the highest bid. The bidder wins 1 if at least as many dice as bid show the
    face or the wild one, and loses 1 otherwise. The rules are those of OpenSpiel (Lanctot et al. 2019).

    Here one chance node rolls all dice, and dice that differ in order only are one outcome. Bids are
    ``2x5`` for two fives. Keys are dice, colon, public line: ``36:1x3/2x5`` for the roll 3 and 6,
    ``:1x3/2x5`` for the public state; everything is ``start`` before the roll.

    Attributes
    ----------
    dice : int
        How many dice each player has, 1 to 9.
    faces : int
        How many faces a die has, 2 to 9.
    """

    dice: int = 1
    faces: int = 6

    @property
    def name(self) -> str:
        """The spec of this game."""
        return spec_of("liars_dice", self)

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "wins"

    @cached_property
    def bids(self) -> tuple[str, ...]:
        """The labels of all bids, lowest first, then ``liar``."""
        bids = [f"{n}x{face}" for n in range(1, 2 * self.dice + 1) for face in range(1, self.faces + 1)]
        return (*bids, "liar")

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The number of each bid by its label."""
        return {label: number for number, label in enumerate(self.bids)}

    @property
    def least_histories(self) -> int:
        """The number of histories: any set of bids may be made, and each that is not empty be called."""
        return 1 + self._n_rolls * self._n_rolls * ((1 << len(self.bids)) - 1)

    def root(self) -> Bidding:
        """Return the state before the roll."""
        return Bidding("", "", "", -1, 1, False)

    def player(self, state: Bidding) -> int:
        """Return who acts: chance at the root, then the players in turn until one calls."""
        if state.called:
            return TERMINAL
        return 1 - state.bidder if state.first else CHANCE

    def actions(self, state: Bidding) -> Sequence[str]:
        """Return the higher bids and, after a bid, ``liar``."""
        return self.bids[state.bid + 1 :] if state.line else self.bids[:-1]

    def chance(self, state: Bidding) -> Sequence[tuple[str, Fraction]]:
        """Return the rolls of both players, as ``36/14``.

        Raises
        ------
        ValueError
            If there are too many to be listed.
        """
        if self._n_rolls**2 > MOST_ROLLS:
            raise BadInputError(
                f"{self.name}: both players' rolls must be at most {MOST_ROLLS:,} to be listed, got "
                f"{self._n_rolls**2:,}"
            )
        rolls = [(dice, self._odds(dice)) for dice in self._rolls()]
        return [(f"{first}/{second}", p * q) for first, p in rolls for second, q in rolls]

    def child(self, state: Bidding, action: str) -> Bidding:
        """Return the state after the roll, a bid or a call."""
        if not state.first:
            first, second = action.split("/")
            return Bidding(first, second, "", -1, 1, False)
        first, second, line, bid, bidder, _ = state
        line = f"{line}/{action}" if line else action
        if action == "liar":
            return Bidding(first, second, line, bid, bidder, True)
        return Bidding(first, second, line, self.number_of[action], 1 - bidder, False)

    def infoset(self, state: Bidding, player: int) -> str:
        """Return what ``player`` knows: the own dice and the public line."""
        return f"{state[player]}:{state.line}" if state.first else "start"

    def public(self, state: Bidding) -> str:
        """Return the public line."""
        return f":{state.line}" if state.first else "start"

    def payoff(self, state: Bidding) -> Fraction:
        """Return 1 if player 0 bid and the bid holds, or called and it does not; -1 otherwise."""
        quantity, face = divmod(state.bid, self.faces)
        shown = state.first + state.second
        count = sum(shown.count(str(number)) for number in {face + 1, self.faces})
        return WON if (count > quantity) == (state.bidder == 0) else LOST

    @property
    def _n_rolls(self) -> int:
        """How many multisets of faces a player's dice may show."""
        return comb(self.dice + self.faces - 1, self.dice)

    def _rolls(self) -> list[str]:
        """Return the multisets of faces of a player's dice, as text, lowest face first."""
        digits = "123456789"[: self.faces]
        return ["".join(dice) for dice in combinations_with_replacement(digits, self.dice)]

    def _odds(self, dice: str) -> Fraction:
        """Return the probability of rolling these dice in any order."""
        orders = factorial(self.dice) // prod(factorial(n) for n in Counter(dice).values())
        return Fraction(orders, self.faces**self.dice)


def liars_dice(dice: int = 1, faces: int = 6) -> LiarsDice:
    """Return liar's dice.

    Parameters
    ----------
    dice : int
        How many dice each player has, 1 to 9.
    faces : int
        How many faces each has, 2 to 9; the highest is wild.

    Raises
    ------
    ValueError
        If a number is not an integer of its range.
    """
    for key, value, least, most in (("dice", dice, 1, MAX_DICE), ("faces", faces, 2, MAX_FACES)):
        check_integer(f"liars_dice: {key}", value, least, most)
    return LiarsDice(dice, faces)
