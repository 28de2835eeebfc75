"""Best responses to strategies that ignore their cards, in poker games too large to enumerate.

The opponent's hand remains uniform over the cards left, whatever its actions. So the value of the responder's
hand depends only on the betting and, on a full board, on its wins minus losses against a uniform hand: no
ranges are stored, and boards are visited one by one.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from treeplex.bench.theorems_on_games.card_blind_betting import (
    BEST,
    LEAF,
    BettingRow,
    Street,
    blind_betting,
    pack_street,
)
from treeplex.bench.theorems_on_games.card_blind_boards import stream_boards
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.payoff import UNIT_ROUNDOFF


@dataclass(frozen=True)
class BlindStrategy:
    """A strategy that depends on the betting alone.

    Attributes
    ----------
    name : str
    mix : callable
        From the labels of the legal actions ("f" where there is a bet to call, "c", raises) to an exact
        probability for each.
    """

    name: str
    mix: Callable[[tuple[str, ...]], Sequence[Fraction]]


def _only(labels: tuple[str, ...], action: str) -> list[Fraction]:
    return [Fraction(label == action) for label in labels]


def _fold(labels: tuple[str, ...]) -> list[Fraction]:
    return _only(labels, "f" if "f" in labels else "c")


def _call(labels: tuple[str, ...]) -> list[Fraction]:
    return _only(labels, "c")


def _uniform(labels: tuple[str, ...]) -> list[Fraction]:
    return [Fraction(1, len(labels))] * len(labels)


BLIND_STRATEGIES: Mapping[str, BlindStrategy] = MappingProxyType(
    {
        name: BlindStrategy(name, mix)
        for name, mix in (("always-fold", _fold), ("always-call", _call), ("uniform", _uniform))
    }
)
"""By name: fold to any bet, else check; always check or call; all legal actions equally likely."""


@dataclass(frozen=True)
class BlindBestResponse:
    """The value of the best response to a card-blind strategy.

    Attributes
    ----------
    game, strategy : str
    seat : int
        The player who responds; the other plays the strategy.
    value : float
        The responder's expected payoff, in the game's unit.
    lower, upper : float
        An interval that contains the exact value: ``value`` widened by a bound on all rounding.
    blind : Fraction
        The larger investment before the first action: the big blind, or the ante.
    boards : int
        Full boards visited, one for each class under permutations of suits; 0 if there is no showdown.
    seconds : float
    """

    game: str
    strategy: str
    seat: int
    value: float
    lower: float
    upper: float
    blind: Fraction
    boards: int
    seconds: float

    @property
    def mbb(self) -> float:
        """The value in thousandths of the blind a hand."""
        return 1000.0 * self.value / float(self.blind)


def best_response_to_blind(game: PokerGame, strategy: BlindStrategy, seat: int) -> BlindBestResponse:
    """Return the value of ``seat``'s best response to a strategy that ignores its cards.

    Parameters
    ----------
    game : PokerGame
        With one or two hole cards, uniform hands and no starting board. Suits may be invisible: against such
        an opponent hands of one rank have equal values, so that seeing suits would not help.
    strategy : BlindStrategy
        Of the other player, one of ``BLIND_STRATEGIES`` or another.
    seat : int
        The responder, 0 or 1.

    Raises
    ------
    ValueError
        If the game or the seat is not as above, the strategy's numbers are not probabilities, or the betting
        has too many states.
    OverflowError
        If a payoff is too large for a float.

    Notes
    -----
    Johanson, Waugh, Bowling and Zinkevich, Accelerating best response calculation in large extensive games
    (IJCAI 2011), print such values for limit hold'em.
    """
    clock = time.perf_counter()
    _check(game)
    if seat not in (0, 1):
        raise BadInputError(f"seat must be 0 or 1, got {seat!r}")
    betting = blind_betting(game, strategy.mix, seat)
    value, off, boards = float(betting.lower), 0.0, 0
    if betting.lower != betting.upper:
        means = stream_boards(game, betting.streets)
        # factor 2 for the rounding of the bound itself and of the payoffs
        off = 2.0 * means.roundings * UNIT_ROUNDOFF * float(betting.largest)
        value, boards = float(means.values[0]), means.boards
    return BlindBestResponse(
        game=game.name,
        strategy=strategy.name,
        seat=seat,
        value=value,
        lower=float(np.nextafter(value - off, -np.inf)),
        upper=float(np.nextafter(value + off, np.inf)),
        blind=max(game.betting.invested),
        boards=boards,
        seconds=time.perf_counter() - clock,
    )


def mean_advantages(game: PokerGame) -> tuple[float, ...]:
    """Return E[max(2 e - 1, 0)] before any board card and after each deal of the board.

    e = P(win) + P(tie) / 2 is the equity of a hand against a uniform hand, over the boards to come. In limit
    games the best response to always-call bets when e > 1/2, and wins these means times the bets if folding
    the blind is never better.

    Raises
    ------
    ValueError
        If the game's hands are not uniform, it has a starting board or more than two hole cards.
    """
    _check(game)
    n_levels = 1 + sum(size > 0 for size in game.board_cards)
    streets = [_advantages(n_levels - level) for level in range(n_levels)]
    return tuple(stream_boards(game, streets).values[1:].tolist())


def _advantages(n_levels: int) -> Street:
    """Return a street with the start rows 2 e - 1, max(2 e - 1, 0), and the means of the latter later on.

    Its inputs are the next street's start rows; on a full board the input is 2 e - 1.
    """
    rows = [BettingRow(BEST, (1, 2)), BettingRow(LEAF, scale=1.0, source=0), BettingRow(LEAF)]
    rows += [BettingRow(LEAF, scale=1.0, source=k) for k in range(1, n_levels)]
    return pack_street(rows, [1, 0, *range(3, len(rows))])


def _check(game: PokerGame) -> None:
    if game.hole_cards > 2:
        raise BadInputError(f"{game.name}: hands must have 1 or 2 cards, got {game.hole_cards}")
    if game.ranges is not None:
        raise BadInputError(f"{game.name}: all hands must weigh the same, got ranges")
    if game.flops is not None:
        raise BadInputError(f"{game.name}: all flops must weigh the same, got a list of flops")
    if game.locks:
        raise BadInputError(f"{game.name}: no hand may be locked, got locks")
    if game.board:
        raise BadInputError(f"{game.name}: no board may lie at the start, got {game.deck.text(game.board)}")
