"""The local best response to a strategy: what it wins is a lower bound on what a best response does."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from treeplex.games.cards.deck import Cards
from treeplex.games.display.shown import Shown
from treeplex.games.inputs.parameters import check_integer
from treeplex.games.poker.game import PokerGame
from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.local_response.seat import HandPlay, Seat

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

    def as_json(self) -> dict[str, Any]:
        """Return the bounds as the object that ``--json`` prints."""
        return {
            "method": "local best response",
            "winnings": [*self.winnings],
            "standard_errors": [*self.errors],
            "nash_conv": self.nash_conv,
            "standard_error": self.error,
            "hands": self.hands,
            "first_street": self.first_street,
            "seed": self.seed,
        }


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


def _dealt(game: PokerGame, strategy: HandPlay, player: int, first: int, rng: np.random.Generator) -> Seat:
    """Return a responder with a hand, and an opponent and a board with theirs."""
    hole, flop = game.hole_cards, _listed_flop(game, rng)
    left = [card for card in game.deck.cards if card not in flop]
    cards = rng.choice(np.array(left), 2 * hole + game.n_board - len(flop), replace=False).tolist()
    mine, other = tuple(sorted(cards[:hole])), tuple(sorted(cards[hole : 2 * hole]))
    return Seat(game, strategy, player, mine, other, (*flop, *cards[2 * hole :]), first)


def _listed_flop(game: PokerGame, rng: np.random.Generator) -> Cards:
    """Return a flop drawn by its weight, which comes before hands if flops are listed; else no cards."""
    if game.flops is None:
        return ()
    odds = np.cumsum([weight for _, weight in game.flops])
    return game.flops[int(np.searchsorted(odds, rng.integers(odds[-1]), side="right"))][0]
