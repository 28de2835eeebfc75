"""The local best response to a strategy: what it wins is a lower bound on what a best response does.

One hand of it at a time, from a seat; at the end, how often one hand beats each of the opponent's, over the
boards to come.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import Units, exploitability_text
from treeplex.games.base.parameters import check_integer
from treeplex.games.base.reading import shown
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.cards.cards import N_CARDS, Cards
from treeplex.games.cards.evaluator import Tables, add_up, strength_of, tables
from treeplex.games.cards.preflop import N_BOARDS, class_of, preflop_matchups
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, BettingState
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.lines import CALL, FOLD
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

    Returns
    -------
    (H,) float64
        Before the flop of whole hold'em means over each class of hands, from a table.
    """
    if not board and _is_tabled(game):
        return _by_classes(mine, hands)
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


def _is_tabled(game: PokerGame) -> bool:
    """Return whether a game is whole hold'em, whose shares before the flop are in a table."""
    return game.ranking == "holdem" and (len(game.deck.cards), game.n_board) == (N_CARDS, 5)


def _by_classes(mine: Cards, hands: Index) -> Floats:
    """Return the shares of a hand before the flop, means over the other hands of each class."""
    counts, own, classes = preflop_matchups(), class_of((mine[0], mine[1])), _classes()
    points = counts.wins[own] + 0.5 * counts.ties[own]
    shares: Floats = (points / (counts.pairs[own] * N_BOARDS))[classes[hands[:, 0], hands[:, 1]]]
    return shares


@cache
def _classes() -> Index:
    """Return the class of each pair of cards before the flop, (52, 52)."""
    return np.array([[class_of((a, b)) for a in range(N_CARDS)] for b in range(N_CARDS)])


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


def _holding(hands: Index, cards: Cards) -> NDArray[np.bool_]:
    """Return which hands (H, K) have one of some cards, (H,)."""
    held = np.zeros(1 + max(int(hands.max(initial=0)), *cards, 0), bool)
    held[[*cards]] = True
    return np.asarray(held[hands].any(axis=1))


class HandPlay(Protocol):
    """A strategy that says what all hands do at a betting line on a board."""

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return the probabilities of actions of hands (H, K) that are not on the board, (H, actions)."""


@runtime_checkable
class Opponent(Protocol):
    """A strategy as a responder asks for it: how often it folds, and what it does, after any bet.

    Both methods take a betting state at which it acts, the board so far, and hands (H, K) not on the board.
    """

    def folds(self, state: BettingState, board: Cards, hands: Index) -> Floats:
        """Return the probability that each hand folds to a bet, (H,)."""

    def act(
        self, state: BettingState, board: Cards, hands: Index, held: int, rng: np.random.Generator
    ) -> tuple[BettingState, Floats]:
        """Return the betting after an action of the hand ``hands[held]``, drawn at random.

        Beside it, up to a factor, the probability of this action with each hand, (H,).
        """


@dataclass(frozen=True)
class ByLine:
    """The opponent that a strategy on the lines of a game is."""

    game: PokerGame
    strategy: HandPlay

    def folds(self, state: BettingState, board: Cards, hands: Index) -> Floats:
        """Return the probability that each hand folds."""
        actions = [*self.game.point(state.line).moves]
        folds: Floats = self.strategy.play(state.line, board, hands)[:, actions.index(FOLD)]
        return folds

    def act(
        self, state: BettingState, board: Cards, hands: Index, held: int, rng: np.random.Generator
    ) -> tuple[BettingState, Floats]:
        """Return the betting after an action drawn from the hand's row, and the action's column."""
        play = self.strategy.play(state.line, board, hands)
        row = play[held]
        a = int(np.searchsorted(np.cumsum(row), rng.random() * row.sum(), side="right"))
        a = min(a, int(np.flatnonzero(row)[-1]))
        line = [*self.game.point(state.line).moves.values()][a]
        return self.game.point(line).betting, play[:, a]


@dataclass
class ResponderSeat:
    """A local best responder in one hand; the opponent's range is known, and its hand is not.

    Attributes
    ----------
    game : PokerGame
    opponent : Opponent
    range_of : (H, K) int64
        The opponent's hands before any card is seen, all as likely.
    player : int
        The responder.
    mine, other : tuple of int
        Both hands.
    board : tuple of int
        All board cards of the hand.
    first_street : int
        On earlier streets, which are deals of board cards, the responder checks and calls.
    sizes : Sizes or None
        The responder's bets; None are those of the game.
    """

    game: PokerGame
    opponent: Opponent
    range_of: Index
    player: int
    mine: Cards
    other: Cards
    board: Cards
    first_street: int
    sizes: Sizes | None = None
    hands: Index = field(init=False)
    weight: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.hands = self.range_of[~_holding(self.range_of, self.mine)]
        self.weight = np.ones(len(self.hands))
        self._shares: dict[int, Floats] = {}

    def winnings(self, rng: np.random.Generator) -> float:
        """Play the hand; return what the responder wins, expected over the opponent's range at the end.

        Where both are all-in it is expected over boards to come too, if their shares are known already.
        """
        state, known = self.game.start(), 0
        while state.player != HAND_OVER:
            if state.player == ROUND_OVER:
                dealt, after = self.game.dealt(state)
                if after.player < 0 and self._is_exact(known):
                    return float(min(state.put)) * self._lead(self.weight, known)
                known, state = dealt, after
                self.drop(self.board[:known])
            elif state.player == self.player:
                state = self.moves(state)[self.choice(state, known)]
            else:
                state, likely = self.opponent.act(state, self.board[:known], self.hands, self._place, rng)
                self.weight = self.weight * likely
        if state.is_showdown:
            return float(state.stake) * self._lead(self.weight, known)
        return float(state.stake) * (1 if self.player == 0 else -1)

    @property
    def _place(self) -> int:
        """The position of the opponent's hand among those that are left."""
        return int(np.flatnonzero((self.hands == np.array(self.other)).all(axis=1))[0])

    def drop(self, board: Cards) -> None:
        """Drop hands that a board rules out."""
        live = ~_holding(self.hands, board)
        self.hands, self.weight = self.hands[live], self.weight[live]

    def _is_exact(self, known: int) -> bool:
        """Return whether shares are known at this board, and boards to come are as likely as they say.

        Before the flop they may be means over classes of hands, and a flop may be one of a list.
        """
        if known > 0:
            return known in self._shares
        even = self.game.flops is None and self.weight.min() == self.weight.max()
        return bool(even) and (known in self._shares or _is_tabled(self.game))

    def moves(self, state: BettingState) -> dict[str, BettingState]:
        """Return the betting after each of the responder's actions, fold and call first."""
        if self.sizes is not None:
            return dict(self.game.moves(state, self.sizes))
        moves = self.game.point(state.line).moves
        return {action: self.game.point(line).betting for action, line in moves.items()}

    def choice(self, state: BettingState, known: int) -> str:
        """Return the action that is best if both players only check and call after the answer to it."""
        if self._street(known) < self.first_street:
            return CALL
        moves = self.moves(state)
        if len(moves) == 1:
            return next(iter(moves))
        worth = {action: self._worth(action, after, known) for action, after in moves.items()}
        return max(worth, key=lambda action: worth[action])

    def _worth(self, action: str, after: BettingState, known: int) -> float:
        """Return what an action is worth: the opponent answers a bet by its strategy, folding or not."""
        put = after.put
        if action == FOLD:
            return -float(put[self.player])
        if action == CALL:
            return float(min(put)) * self._lead(self.weight, known)
        mass = float(self.weight.sum())
        stays = self.weight * (1.0 - self.opponent.folds(after, self.board[:known], self.hands))
        folds = 1.0 - float(stays.sum()) / mass
        return folds * float(put[1 - self.player]) + (1.0 - folds) * float(max(put)) * self._lead(
            stays, known
        )

    def _lead(self, weight: Floats, known: int) -> float:
        """Return P(win) - P(lose) at showdown against a range, 0 against an empty one."""
        if known not in self._shares:
            self._shares[known] = shares_won(self.game, self.mine, self.hands, self.board[:known])
        mass = float(weight.sum())
        return float(weight @ (2.0 * self._shares[known] - 1.0)) / mass if mass > 0 else 0.0

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
    strategy: HandPlay | Opponent,
    *,
    hands: int,
    seed: int = 0,
    first_street: int | None = None,
    sizes: Sizes | None = None,
    report: Report = quiet,
) -> LowerBounds:
    """Play a local best response against a strategy from both seats.

    The responder knows the opponent's range exactly. At each decision it takes the action that is best if the
    opponent answers a bet by its strategy, folding or not, and both players only check and call afterwards
    (Lisy and Bowling, Equilibrium approximation quality of current no-limit poker bots, 2017). Hands and
    boards are dealt evenly; at the end of a hand winnings are expected over the opponent's range, and over
    boards to come where both are all-in and their shares are known. The same seed gives the same numbers.

    Parameters
    ----------
    game : PokerGame
        Without starting board, ranges and locks.
    strategy : HandPlay or Opponent
        Of both players: by the lines of the game, or what is asked of an opponent.
    hands : int
        Of each seat, at least 2.
    seed : int
    first_street : int, optional
        The first street, a number of deals of board cards, on which the responder does more than check and
        call; unless given the last but one, or the only one.
    sizes : Sizes, optional
        The responder's bets and raises, in whole chips, where the game allows every whole number of chips;
        empty menus are none, and unless given they are those of the game.
    report : callable, optional
        Told a few times a second how many hands were played.

    Raises
    ------
    ValueError
        If a number is out of range, the game has a starting board, ranges or locks, or sizes are given in a
        game with a menu or fixed bets.
    """
    if game.board or game.ranges is not None or game.locks:
        raise BadInputError(
            f"local best responses are to whole hands without ranges and locks, got {shown(game.name)}"
        )
    if sizes is not None and not (game.betting.sizes is None and game.betting.raise_sizes is None):
        raise BadInputError(
            f"sizes are a responder's in games of every whole number of chips, got {shown(game.name)}"
        )
    streets = 1 + sum(1 for n in game.board_cards if n)
    first = max(streets - STREETS, 0) if first_street is None else first_street
    check_integer("hands", hands, 2)
    check_integer("seed", seed, 0)
    check_integer("first_street", first, 0, streets - 1)
    ranges = [np.array([*game.reach[1 - player]], dtype=np.int64) for player in range(2)]
    opponent = strategy if isinstance(strategy, Opponent) else ByLine(game, strategy)
    won = np.empty((2, hands))
    deals = [(player, k) for player in range(2) for k in range(hands)]
    told = reported(deals, report, lambda n: f"local best response: {n:,} of {2 * hands:,} hands")
    for player, k in told:
        rng = np.random.default_rng([seed, player, k])
        won[player, k] = _dealt(game, opponent, ranges[player], player, first, sizes, rng).winnings(rng)
    means, errors = won.mean(axis=1).tolist(), (won.std(axis=1, ddof=1) / math.sqrt(hands)).tolist()
    return LowerBounds((means[0], means[1]), (errors[0], errors[1]), hands, first, seed)


def _dealt(
    game: PokerGame,
    opponent: Opponent,
    range_of: Index,
    player: int,
    first: int,
    sizes: Sizes | None,
    rng: np.random.Generator,
) -> ResponderSeat:
    """Return a responder with a hand, and an opponent and a board with theirs."""
    hole, flop = game.hole_cards, _listed_flop(game, rng)
    left = [card for card in game.deck.cards if card not in flop]
    cards = rng.choice(np.array(left), 2 * hole + game.n_board - len(flop), replace=False).tolist()
    mine, other = tuple(sorted(cards[:hole])), tuple(sorted(cards[hole : 2 * hole]))
    board = (*flop, *cards[2 * hole :])
    return ResponderSeat(game, opponent, range_of, player, mine, other, board, first, sizes)


def _listed_flop(game: PokerGame, rng: np.random.Generator) -> Cards:
    """Return a flop drawn by its weight, which comes before hands if flops are listed; else no cards."""
    if game.flops is None:
        return ()
    odds = np.cumsum([weight for _, weight in game.flops])
    return game.flops[int(np.searchsorted(odds, rng.integers(odds[-1]), side="right"))][0]
