"""Auction: two spiteful bidders with private values bid sealed for one item after another."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, check_word, spec_of
from treeplex.games.base.protocol import CHANCE, TERMINAL, histories_of_widths
from treeplex.games.base.reading import shown
from treeplex.games.zoo.texts import bids_text

MAX_VALUE = MAX_BID = 99
MAX_ITEMS = 9
CHOICES = {
    "kind": ("first_price", "second_price", "all_pay"),
    "tie": ("split", "first", "second"),
    "information": ("winner", "price", "bids"),
}
Bids = tuple[int, ...]
"""A history: both values, then round by round player 0's bid and player 1's."""


@dataclass(frozen=True)
class Auction:
    """A sealed-bid auction: chance draws each bidder's value of an item, then both bid once a round.

    Values are integers from 1, all equally likely, and are the same for all items. Player 1 bids without
    seeing player 0's bid of the same round. The higher bid wins if it reaches the reserve; a bid below the
    reserve can only be 0, which is to stay out. The winner pays the own bid, or with ``second_price`` the
    other's or the reserve, whichever is more; with ``all_pay`` both pay their bids. A tie makes each win
    half of the item at half of the price, or one of them all.

    Bidders want a surplus above the other's: the payoff is the difference, which is zero-sum. These are
    bidders of the greatest spite in Morgan, Steiglitz and Reis (The spite motive and equilibrium behavior
    in auctions, 2003) and Brandt, Sandholm and Shoham (Spiteful bidding in sealed-bid auctions, 2007).

    Keys are the own value, colon, rounds: the own bid and ``?`` for the other's, player 0's first, with
    ``>`` or ``<`` between them towards who lost, ``=`` for a tie that is split, ``-`` for an item unsold.
    So ``3:2>?/1`` has value 3, won with 2 and bids 1 on the next item. With ``information=price`` a round
    that sold ends on the price: ``2>?@1``; with ``bids`` both bids are seen. The other's key is
    ``2:?>1/?``, the public state ``:?>?/?``; everything is ``start`` before the values are drawn.

    Attributes
    ----------
    values : pair of int
        Each bidder's highest value, 1 to 99.
    bids : int
        The highest bid, 0 to 99.
    kind : {"first_price", "second_price", "all_pay"}
        What is paid.
    items : int
        How many are sold one after the other, 1 to 9.
    reserve : int
        The least bid that wins, 0 to ``bids``.
    tie : {"split", "first", "second"}
        Who wins a tie: each one half, player 0, or player 1.
    information : {"winner", "price", "bids"}
        What a round reveals: who won, also the price, or both bids.
    """

    values: tuple[int, int] = (3, 4)
    bids: int = 3
    kind: str = "first_price"
    items: int = 2
    reserve: int = 0
    tie: str = "split"
    information: str = "winner"

    @property
    def name(self) -> str:
        """The spec of this game."""
        return spec_of("auction", self)

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "points"

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the bids: 0, and from the reserve up."""
        return ("0", *map(str, range(max(self.reserve, 1), self.bids + 1)))

    @cached_property
    def outcomes(self) -> dict[Bids, tuple[int | None, int]]:
        """By pair of bids: half items that player 0 wins (0, 1, 2 or None: unsold), and the price."""
        pairs = list(product(map(int, self.labels), repeat=2))
        return {pair: (self._halves(*pair), self._price(*pair)) for pair in pairs}

    @cached_property
    def texts(self) -> dict[int, dict[Bids, str]]:
        """The text of every complete or started round, as each player and the public see it."""
        bids = [int(label) for label in self.labels]
        rounds: list[Bids] = [(a,) for a in bids] + list(self.outcomes)
        return {who: {pair: self._text(pair, who) for pair in rounds} for who in (0, 1, TERMINAL)}

    @property
    def least_histories(self) -> int:
        """The number of histories: both values, and for each item both bids."""
        first, second = self.values
        return histories_of_widths((first * second, *(len(self.labels),) * 2 * self.items))

    def root(self) -> Bids:
        """Return the state before the values are drawn."""
        return ()

    def player(self, state: Bids) -> int:
        """Return who acts: chance at the root, then player 0 and player 1 in turn."""
        if not state:
            return CHANCE
        return TERMINAL if len(state) == 2 + 2 * self.items else len(state) % 2

    def actions(self, state: Bids) -> Sequence[str]:
        """Return the bids, which are the same in each round."""
        return self.labels

    def chance(self, state: Bids) -> Sequence[tuple[str, Fraction]]:
        """Return the values of both bidders, as ``2/3``, all equally likely."""
        first, second = self.values
        odds = Fraction(1, first * second)
        return [(f"{v}/{w}", odds) for v in range(1, first + 1) for w in range(1, second + 1)]

    def child(self, state: Bids, action: str) -> Bids:
        """Return the state after the draw or a bid."""
        if state:
            return (*state, int(action))
        first, second = action.split("/")
        return int(first), int(second)

    def infoset(self, state: Bids, player: int) -> str:
        """Return what ``player`` knows: the own value and bids, and what rounds revealed."""
        return f"{state[player]}{self._line(state, player)}" if state else "start"

    def public(self, state: Bids) -> str:
        """Return what rounds revealed."""
        return self._line(state, TERMINAL) if state else "start"

    def payoff(self, state: Bids) -> Fraction:
        """Return player 0's surplus less player 1's, all items together."""
        first, second = state[:2]
        twice = 0
        for a, b in zip(state[2::2], state[3::2], strict=True):
            halves, price = self.outcomes[a, b]
            # With h halves of the item at price p: h (v - p) for one, (2 - h) (w - p) for the other.
            if halves is not None:
                twice += halves * (first - price) - (2 - halves) * (second - price)
            if self.kind == "all_pay":
                twice -= 2 * (a - b)
        return Fraction(twice, 2)

    def _halves(self, a: int, b: int) -> int | None:
        """Return how many halves of the item player 0 wins; None if it is not sold."""
        if max(a, b) < self.reserve:
            return None
        if a == b:
            return {"split": 1, "first": 2, "second": 0}[self.tie]
        return 2 if a > b else 0

    def _price(self, a: int, b: int) -> int:
        """Return the price that the winner pays; 0 with ``all_pay``, where both pay their bids."""
        return {"first_price": max(a, b), "second_price": max(min(a, b), self.reserve), "all_pay": 0}[
            self.kind
        ]

    def _line(self, state: Bids, player: int) -> str:
        texts = self.texts[player]
        return ":" + "/".join([texts[state[k : k + 2]] for k in range(2, len(state), 2)])

    def _text(self, pair: Bids, player: int) -> str:
        """Return the text of a complete or started round for a player, or with ``TERMINAL`` the public."""
        halves, price = self.outcomes[pair] if len(pair) == 2 else (None, 0)
        mark = "-" if halves is None else "<=>"[halves]
        shows_price = halves is not None and self.information == "price"
        text = bids_text(pair, player, self.information == "bids", mark)
        return text + (f"@{max(pair) if self.kind == 'all_pay' else price}" * shows_price)


def auction(
    values: int | Sequence[int] = (3, 4),
    bids: int = 3,
    kind: str = "first_price",
    items: int = 2,
    reserve: int = 0,
    tie: str = "split",
    information: str = "winner",
) -> Auction:
    """Return an auction between two spiteful bidders.

    Parameters
    ----------
    values : int or pair of int
        Each bidder's highest value, 1 to 99; one number is for both.
    bids : int
        The highest bid, 0 to 99.
    kind : {"first_price", "second_price", "all_pay"}
        Whether the winner pays the own bid, the other's, or both pay their own.
    items : int
        How many are sold one after the other, 1 to 9.
    reserve : int
        The least bid that wins, 0 to ``bids``.
    tie : {"split", "first", "second"}
        Who wins a tie: each one half, player 0, or player 1.
    information : {"winner", "price", "bids"}
        What a round reveals: who won, also the price (of all pay the winner's bid), or both bids.

    Raises
    ------
    ValueError
        If a parameter is out of its range or not one of its words.
    """
    pair = tuple(values) if isinstance(values, list | tuple) else (values, values)
    if len(pair) != 2:
        raise BadInputError(f"auction: values must be one integer or two, got {shown(values)}")
    for highest in pair:
        check_integer("auction: values", highest, 1, MAX_VALUE)
    for key, number, least, most in (
        ("bids", bids, 0, MAX_BID),
        ("items", items, 1, MAX_ITEMS),
        ("reserve", reserve, 0, bids),
    ):
        check_integer(f"auction: {key}", number, least, most)
    for key, word in (("kind", kind), ("tie", tie), ("information", information)):
        check_word(f"auction: {key}", word, CHOICES[key])
    return Auction((pair[0], pair[1]), bids, kind, items, reserve, tie, information)
