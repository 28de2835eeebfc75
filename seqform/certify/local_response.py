"""The local best response to a strategy: what it wins is a lower bound on what a best response does.

One hand of it at a time, from a seat; at the end, how often one hand beats each of the opponent's, over the
boards to come.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Protocol

import numpy as np
from numba import njit

from treeplex.games.base.display import Shown
from treeplex.games.base.number_texts import Units, exploitability_text
from treeplex.games.base.parameters import check_integer
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.cards.cards import Cards
from treeplex.games.cards.evaluator import Tables, add_up, strength_of, tables
from treeplex.games.poker.game import Point, PokerGame
from treeplex.seqform.forms.treeplex import Floats, Index


def shares_won(game: PokerGame, mine: Cards, hands: Index, board: Cards) -> Floats:
    """Return the probability that a hand wins, ties counted half, against each other hand, (H,).

    Parameters
    ----------
    game : PokerGame
    mine : tuple of int
        Card ids of the hand.
    hands : (H, K) int64
        Hands without cards of ``mine`` and of the board.
    board : tuple of int
        The board so far; all ways to complete it without cards of either hand are equally likely.
    """
    left = [card for card in game.deck.cards if card not in (*mine, *board)]
    due = game.n_board - len(board)
    every = [*combinations(left, due)]
    ends = np.array(every, np.int64).reshape(len(every), due)
    points, count = np.zeros((2, len(hands)))
    if game.ranking == "holdem":
        _add_holdem(tables(), np.array(board, np.int64), ends, np.array(mine, np.int64), hands, points, count)
    else:
        for end in ends.tolist():
            apart = ~np.isin(hands, end).any(axis=1)
            points[apart] += _points(game, mine, hands[apart], (*board, *end))
            count += apart
    return points / (2.0 * count)


def _points(game: PokerGame, mine: Cards, hands: Index, board: Cards) -> Floats:
    """Return 2 where a hand wins on a full board, 1 where it ties, 0 where it loses."""
    own = game.strength(mine, board)
    others = np.array([game.strength(tuple(hand), board) for hand in hands.tolist()])
    return np.asarray(1.0 + np.sign(own - others))


@njit(cache=True)
def _add_holdem(
    tables: Tables, board: Index, ends: Index, mine: Index, hands: Index, points: Floats, count: Floats
) -> None:
    """Add what :func:`_points` returns, and 1, for each end (E, cards) without a card of the hand."""
    board_word, board_suited = add_up(tables, board)
    own_word, own_suited = add_up(tables, mine)
    held_word, held_suited = np.empty(len(hands), np.int64), np.empty(len(hands), np.int64)
    for h in range(len(hands)):
        held_word[h], held_suited[h] = add_up(tables, hands[h])
    none = add_up(tables, ends[0, :0])[0]
    for end in ends:
        end_word, suited = add_up(tables, end)
        word = board_word + end_word - none
        own = strength_of(tables, word + own_word - none, board_suited | suited | own_suited)
        for h in range(len(hands)):
            if suited & held_suited[h]:
                continue
            other = strength_of(tables, word + held_word[h] - none, board_suited | suited | held_suited[h])
            points[h] += 2.0 if own > other else 1.0 if own == other else 0.0
            count[h] += 1.0


FOLD, CALL = "f", "c"


class HandPlay(Protocol):
    """A strategy that says what all hands do at a betting line on a board."""

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return the probabilities of actions of hands (H, K) that are not on the board, (H, actions)."""


@dataclass
class ResponderSeat:
    """A local best responder in one hand; the opponent's range is known, and its hand is not.

    Attributes
    ----------
    game : PokerGame
    strategy : HandPlay
        The opponent's.
    player : int
        The responder.
    mine, other : tuple of int
        Both hands.
    board : tuple of int
        All board cards of the hand.
    first_street : int
        On earlier streets, which are deals of board cards, the responder checks and calls.
    """

    game: PokerGame
    strategy: HandPlay
    player: int
    mine: Cards
    other: Cards
    board: Cards
    first_street: int
    hands: Index = field(init=False)
    weight: Floats = field(init=False)

    def __post_init__(self) -> None:
        range_of = np.array([*self.game.reach[1 - self.player]], dtype=np.int64)
        self.hands = range_of[~np.isin(range_of, self.mine).any(axis=1)]
        self.weight = np.ones(len(self.hands))
        self._shares: dict[int, Floats] = {}

    def winnings(self, rng: np.random.Generator) -> float:
        """Play the hand; return what the responder wins, expected over the opponent's range at the end."""
        game, line, known = self.game, self.game.first_line, 0
        while (point := game.point(line)).player != TERMINAL:
            if point.player == CHANCE:
                known = point.n_board
                self._drop(self.board[:known])
                line = point.after
            elif point.player == self.player:
                line = point.moves[self._choice(point, known)]
            else:
                play = self.strategy.play(line, self.board[:known], self.hands)
                row = play[self._place]
                a = int(np.searchsorted(np.cumsum(row), rng.random() * row.sum(), side="right"))
                a = min(a, int(np.flatnonzero(row)[-1]))
                self.weight = self.weight * play[:, a]
                line = [*point.moves.values()][a]
        return self._end(point, known)

    @property
    def _place(self) -> int:
        """The position of the opponent's hand among those that are left."""
        return int(np.flatnonzero((self.hands == np.array(self.other)).all(axis=1))[0])

    def _drop(self, board: Cards) -> None:
        """Drop hands that a board rules out."""
        live = ~np.isin(self.hands, board).any(axis=1)
        self.hands, self.weight = self.hands[live], self.weight[live]

    def _choice(self, point: Point, known: int) -> str:
        """Return the action that is best if both players only check and call after the answer to it."""
        if self._street(known) < self.first_street:
            return CALL
        worth = {action: self._worth(point, action, known) for action in point.moves}
        return max(worth, key=lambda action: worth[action])

    def _worth(self, point: Point, action: str, known: int) -> float:
        """Return what an action is worth: the opponent answers a bet by its strategy, folding or not."""
        after = self.game.point(point.moves[action])
        put = after.betting.put
        if action == FOLD:
            return -float(put[self.player])
        if action == CALL:
            return float(min(put)) * self._lead(self.weight, known)
        stays, mass = self.weight, float(self.weight.sum())
        answers = [*after.moves]
        if after.player == 1 - self.player and FOLD in answers:
            play = self.strategy.play(point.moves[action], self.board[:known], self.hands)
            stays = self.weight * (1.0 - play[:, answers.index(FOLD)])
        folds = 1.0 - float(stays.sum()) / mass
        called = self.game.point(after.moves[CALL]).betting.put if CALL in answers else put
        return folds * float(put[1 - self.player]) + (1.0 - folds) * float(min(called)) * self._lead(
            stays, known
        )

    def _lead(self, weight: Floats, known: int) -> float:
        """Return P(win) - P(lose) at showdown against a range, 0 against an empty one."""
        if known not in self._shares:
            self._shares[known] = shares_won(self.game, self.mine, self.hands, self.board[:known])
        mass = float(weight.sum())
        return float(weight @ (2.0 * self._shares[known] - 1.0)) / mass if mass > 0 else 0.0

    def _end(self, point: Point, known: int) -> float:
        """Return what the responder wins at an end, expected over the opponent's range."""
        if not point.betting.is_showdown:
            return float(point.wins[0]) * (1 if self.player == 0 else -1)
        return float(point.wins[2]) * self._lead(self.weight, known)

    def _street(self, known: int) -> int:
        return self._streets[known]

    @cached_property
    def _streets(self) -> dict[int, int]:
        """The street of each number of board cards."""
        dealt = np.cumsum([0, *(n for n in self.game.board_cards if n)]).tolist()
        return {n: street for street, n in enumerate(dealt)}


STREETS = 2
"""The responder acts on the last streets alone, so many, unless given: earlier ones lose it money."""


@dataclass(frozen=True, repr=False)
class LowerBounds(Shown):
    """What a local best response won from a strategy, in the game's unit a hand.

    The responder is one strategy among all, so the expectation of what it wins is at most what a best
    response wins; the sum over seats, by which the game's value cancels, is at most NashConv. These are
    statistical bounds: samples of that expectation, with standard errors. A low one says nothing.

    Attributes
    ----------
    winnings : pair of float
        Mean winnings of a responder in either seat against the other seat's strategy.
    errors : pair of float
        Their standard errors.
    hands : int
        Of each seat.
    first_street : int
        The street, a number of deals of board cards, before which the responder checks and calls.
    seed : int
    """

    winnings: tuple[float, float]
    errors: tuple[float, float]
    hands: int
    first_street: int
    seed: int

    @property
    def nash_conv(self) -> float:
        """The sum over seats, an estimated lower bound on NashConv."""
        return sum(self.winnings)

    @property
    def error(self) -> float:
        """The standard error of the sum."""
        return math.hypot(*self.errors)

    def brief(self) -> str:
        """Return the bound on NashConv with its standard error."""
        return f"NashConv above {self.nash_conv:.4g} +- {self.error:.2g}, {self.hands:,} hands a seat"

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        hands = f"{self.hands:,} hands a seat"
        yield "lower bounds", f"a local best response from street {self.first_street}, {hands}"
        won = (f"{won:.4g} +- {error:.2g}" for won, error in zip(self.winnings, self.errors, strict=True))
        yield "it won", f"{', '.join(won)} {units.unit} a hand"
        text, error = (
            exploitability_text(one, units.pot, units.big_blind, units.unit)
            for one in (self.nash_conv, self.error)
        )
        yield "exploitability", f"above about {text}, standard error {error}"

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        lower_bounds = {
            "method": "local best response",
            "winnings": [*self.winnings],
            "standard_errors": [*self.errors],
            "nash_conv": self.nash_conv,
            "standard_error": self.error,
            "hands": self.hands,
            "first_street": self.first_street,
            "seed": self.seed,
        }
        return {"lower_bounds": lower_bounds}


def local_best_response(
    game: PokerGame,
    strategy: HandPlay,
    *,
    hands: int,
    seed: int = 0,
    first_street: int | None = None,
    report: Report = quiet,
) -> LowerBounds:
    """Play a local best response against a strategy from both seats.

    The responder knows the opponent's range exactly. At each decision it takes the action that is best if the
    opponent answers a bet by its strategy, folding or not, and both players only check and call afterwards
    (Lisy and Bowling, Equilibrium approximation quality of current no-limit poker bots, 2017). Its bets are
    those of the game. Hands and boards are dealt evenly; at the end of a hand winnings are expected over the
    opponent's range. The same seed gives the same numbers.

    Parameters
    ----------
    game : PokerGame
        Without starting board, ranges and locks.
    strategy : HandPlay
        Of both players.
    hands : int
        Of each seat, at least 2.
    seed : int
    first_street : int, optional
        The first street, a number of deals of board cards, on which the responder does more than check and
        call; unless given the last but one, or the only one.
    report : callable, optional
        Told a few times a second how many hands were played.

    Raises
    ------
    ValueError
        If a number is out of range.
    """
    streets = 1 + sum(1 for n in game.board_cards if n)
    first = max(streets - STREETS, 0) if first_street is None else first_street
    check_integer("hands", hands, 2)
    check_integer("seed", seed, 0)
    check_integer("first_street", first, 0, streets - 1)
    won = np.empty((2, hands))
    deals = [(player, k) for player in range(2) for k in range(hands)]
    told = reported(deals, report, lambda n: f"local best response: {n:,} of {2 * hands:,} hands")
    for player, k in told:
        rng = np.random.default_rng([seed, player, k])
        won[player, k] = _dealt(game, strategy, player, first, rng).winnings(rng)
    means, errors = won.mean(axis=1).tolist(), (won.std(axis=1, ddof=1) / math.sqrt(hands)).tolist()
    return LowerBounds((means[0], means[1]), (errors[0], errors[1]), hands, first, seed)


def _dealt(
    game: PokerGame, strategy: HandPlay, player: int, first: int, rng: np.random.Generator
) -> ResponderSeat:
    """Return a responder with a hand, and an opponent and a board with theirs."""
    hole, flop = game.hole_cards, _listed_flop(game, rng)
    left = [card for card in game.deck.cards if card not in flop]
    cards = rng.choice(np.array(left), 2 * hole + game.n_board - len(flop), replace=False).tolist()
    mine, other = tuple(sorted(cards[:hole])), tuple(sorted(cards[hole : 2 * hole]))
    return ResponderSeat(game, strategy, player, mine, other, (*flop, *cards[2 * hole :]), first)


def _listed_flop(game: PokerGame, rng: np.random.Generator) -> Cards:
    """Return a flop drawn by its weight, which comes before hands if flops are listed; else no cards."""
    if game.flops is None:
        return ()
    odds = np.cumsum([weight for _, weight in game.flops])
    return game.flops[int(np.searchsorted(odds, rng.integers(odds[-1]), side="right"))][0]
