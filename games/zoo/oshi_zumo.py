"""Oshi-Zumo: both players bid coins at once to push a wrestler off the other's edge of a ring."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NamedTuple

from treeplex.games.base.parameters import check_integer, check_word, spec
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.zoo.texts import bids_text, comparison, sign

MAX_COINS = MAX_SIZE = 99
INFORMATION = ("bids", "winner")
RESULTS = (Fraction(0), Fraction(1), Fraction(-1))
"""By the sign of the place: in the middle, on player 1's side, on player 0's."""


class Bout(NamedTuple):
    """A history.

    bids : round by round player 0's bid and player 1's.
    coins : what each player has left, a bid still unanswered taken off.
    place : how far the wrestler has been pushed towards player 1.
    """

    bids: tuple[int, ...]
    coins: tuple[int, int]
    place: int


@dataclass(frozen=True)
class OshiZumo:
    """Oshi-Zumo: the higher bid moves the wrestler one place towards the other player; both bids are spent.

    Player 1 bids without seeing player 0's bid of the same round. The wrestler starts in the middle of
    2 * ``size`` + 1 places. The game ends when it is pushed off the edge, when both players are out of
    coins, or after ``horizon`` rounds; player 0 is paid 1 if the wrestler is then on player 1's side, 0 in
    the middle, -1 on the own side. Whoever has less than the minimum bids all that is left. The rules are
    those of OpenSpiel (Lanctot et al. 2019) and Buro (2003), with the horizon part of the game.

    Keys are rounds in order, player 0's bid first: ``3>1/0=0``; where bids are not shown, ``3>?/0=?``. A
    bid still unanswered stands alone, ``3>1/2``, and ``3>1/?`` to the other player. Everything is ``start``
    before the first bid; ``/over`` follows the last round.

    Attributes
    ----------
    coins : int
        What each player starts with, 1 to 99.
    size : int
        Places on each side of the middle, 0 to 99.
    min_bid : int
        The least bid, 0 to ``coins``.
    horizon : int
        How many rounds there are at most, 1 to 99.
    information : {"bids", "winner"}
        What a round reveals: both bids, or only who won it or that it was tied.
    """

    coins: int
    size: int
    min_bid: int
    horizon: int
    information: str

    @property
    def name(self) -> str:
        """The spec of this game."""
        default = {"coins": 4, "size": 1, "min_bid": 0, "horizon": self.coins, "information": "bids"}
        return spec("oshi_zumo", {key: getattr(self, key) for key in default}, default)

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "wins"

    @cached_property
    def texts(self) -> dict[int, dict[tuple[int, ...], str]]:
        """The text of every complete or started round, as each player and the public see it."""
        numbers = range(self.coins + 1)
        rounds = [bids for k in (1, 2) for bids in product(numbers, repeat=k)]
        return {who: {bids: self._text(bids, who) for bids in rounds} for who in (0, 1, TERMINAL)}

    @property
    def least_histories(self) -> int:
        """Histories in which all rounds but the last ``size`` + 1 are tied, so that nobody was pushed off.

        Each player's bids are then free of the other's. Those of both who ran out of coins earlier, after
        which there is no round, are taken off.
        """
        last = min(self.size + 1, self.horizon)
        lines, spent = self._sequences([1] * (self.coins + 1), last), self._sequences([1], last)
        found, tied = 1, [0] * self.coins + [1]
        for number in range(1, self.horizon + 1):
            k = min(number, last)
            for ways, now, before, over in zip(tied, lines[k], lines[k - 1], spent[k - 1], strict=True):
                found += ways * (now * now + now * before - 2 * over * over)
            if number >= last:
                tied = self._after_ties(tied)
        return found

    def root(self) -> Bout:
        """Return the state before the first bid."""
        return Bout((), (self.coins, self.coins), 0)

    def player(self, state: Bout) -> int:
        """Return who bids: player 0, then player 1, until the game is over."""
        bids, coins, place = state
        if len(bids) % 2:
            return 1
        over = abs(place) > self.size or coins == (0, 0) or len(bids) == 2 * self.horizon
        return TERMINAL if over else 0

    def actions(self, state: Bout) -> Sequence[str]:
        """Return the bids from the minimum to all coins, or all coins if they are fewer than the minimum."""
        return [str(bid) for bid in self._bids(state.coins[len(state.bids) % 2])]

    def chance(self, state: Bout) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the game has no chance moves."""
        return []

    def child(self, state: Bout, action: str) -> Bout:
        """Return the state after a bid; the second of a round moves the wrestler."""
        bids, (first, second), place = state
        bid = int(action)
        if len(bids) % 2 == 0:
            return Bout((*bids, bid), (first - bid, second), place)
        return Bout((*bids, bid), (first, second - bid), place + sign(bids[-1] - bid))

    def infoset(self, state: Bout, player: int) -> str:
        """Return what ``player`` knows: the own bids, what rounds revealed, and that the game is over."""
        bids, texts = state.bids, self.texts[player]
        rounds = [texts[bids[k : k + 2]] for k in range(0, len(bids), 2)]
        if self.player(state) == TERMINAL:
            rounds.append("over")
        return "/".join(rounds) or "start"

    def public(self, state: Bout) -> str:
        """Return what both have seen: what rounds revealed, and that the game is over."""
        return self.infoset(state, TERMINAL)

    def payoff(self, state: Bout) -> Fraction:
        """Return the sign of the wrestler's place."""
        return RESULTS[sign(state.place)]

    def _bids(self, left: int) -> range:
        return range(min(self.min_bid, left), left + 1)

    def _sequences(self, ends: Sequence[int], rounds: int) -> list[list[int]]:
        """Return for 0 to so many rounds and each number of coins how many sequences of bids a player has.

        ``ends`` says how many there are of no bids; it is 0 for the coins that are left out.
        """
        table = [[*ends, *[0] * (self.coins + 1 - len(ends))]]
        for _ in range(rounds):
            before = table[-1]
            table.append(
                [sum(before[left - bid] for bid in self._bids(left)) for left in range(self.coins + 1)]
            )
        return table

    def _after_ties(self, ways: Sequence[int]) -> list[int]:
        """Return the number of tied lines by the coins that they leave, one round later; 0 coins are over."""
        after = [0] * len(ways)
        for left, number in enumerate(ways):
            for bid in self._bids(left):
                after[left - bid] += number
        return [0, *after[1:]]

    def _text(self, bids: tuple[int, ...], player: int) -> str:
        """Return the text of a complete or started round for a player, or with ``TERMINAL`` the public."""
        return bids_text(bids, player, self.information == "bids", comparison(bids))


def oshi_zumo(
    coins: int = 4,
    size: int = 1,
    min_bid: int = 0,
    horizon: int | None = None,
    information: str = "bids",
) -> OshiZumo:
    """Return Oshi-Zumo.

    Parameters
    ----------
    coins : int
        What each player starts with, 1 to 99.
    size : int
        Places on each side of the middle, 0 to 99.
    min_bid : int
        The least bid, 0 to ``coins``.
    horizon : int or None
        How many rounds there are at most, 1 to 99; None for as many as coins, a limit that is never reached
        early if the minimum is at least 1.
    information : {"bids", "winner"}
        What both learn of a round: both bids, or only who won it or that it was tied; then the other's
        coins are not known.

    Raises
    ------
    ValueError
        If a number is not an integer of its range, or ``information`` is not one of its words.
    """
    check_integer("oshi_zumo: coins", coins, 1, MAX_COINS)
    horizon = coins if horizon is None else horizon
    check_integer("oshi_zumo: size", size, 0, MAX_SIZE)
    check_integer("oshi_zumo: min_bid", min_bid, 0, coins)
    check_integer("oshi_zumo: horizon", horizon, 1, MAX_COINS)
    check_word("oshi_zumo: information", information, INFORMATION)
    return OshiZumo(coins, size, min_bid, horizon, information)
