"""Players that ignore their cards and answer any bet: always call, raise half of the time, act at random."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import BettingState
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.local_response import CALL, FOLD
from treeplex.seqform.forms.treeplex import Floats, Index

NO_BETS = Sizes((), ())
RAISES = ("any", "largest")
"""How a raise is chosen: every legal number of whole chips as often as another, or all-in."""


@dataclass(frozen=True)
class BlindPlayer:
    """A player of a game with every whole number of chips who folds, calls and raises by fixed weights.

    Where a fold or a raise is not legal the others are in the same proportions; what folds alone checks.

    Attributes
    ----------
    game : PokerGame
    fold, call, raising : float
        Weights of folding, of checking or calling, and of raising.
    raises : str
        One of ``RAISES``.
    each_size : bool
        Whether the last weight is that of each legal size, not of all together.

    Raises
    ------
    ValueError
        If weights are negative or all 0, a word is not known, or the game has a menu or fixed bets.
    """

    game: PokerGame
    fold: float
    call: float
    raising: float
    raises: str = "any"
    each_size: bool = False

    def __post_init__(self) -> None:
        weights = (self.fold, self.call, self.raising)
        if not (min(weights) >= 0 and sum(weights) > 0):
            raise BadInputError(f"weights must be at least 0 and not all 0, got {shown(weights)}")
        if self.raises not in RAISES:
            raise BadInputError(f"raises must be one of {', '.join(RAISES)}, got {shown(self.raises)}")
        if self.game.betting.sizes is not None or self.game.betting.raise_sizes is not None:
            raise BadInputError(
                f"the game must allow every whole number of chips, got {shown(self.game.name)}"
            )

    def odds(self, state: BettingState) -> tuple[float, float, float]:
        """Return the probabilities of folding, calling and raising."""
        is_facing = state.put[state.player] < max(state.put)
        legal = self.game.betting.raise_range(state)
        sizes = 0 if legal is None else _n_sizes(*legal) if self.each_size else 1
        weights = (self.fold * is_facing, self.call, self.raising * sizes)
        total = sum(weights)
        return (weights[0] / total, weights[1] / total, weights[2] / total) if total else (0.0, 1.0, 0.0)

    def folds(self, state: BettingState, board: Cards, hands: Index) -> Floats:
        """Return the probability of folding, the same for each hand."""
        return np.full(len(hands), self.odds(state)[0])

    def act(
        self, state: BettingState, board: Cards, hands: Index, held: int, rng: np.random.Generator
    ) -> tuple[BettingState, Floats]:
        """Return the betting after a random action, as likely with each hand as with another."""
        fold, call, _ = self.odds(state)
        draw, likely = rng.random(), np.ones(len(hands))
        legal = self.game.betting.raise_range(state)
        if draw >= fold + call and legal is not None:
            return self.game.betting.raise_to(state, self._total(*legal, rng))[1], likely
        return dict(self.game.moves(state, NO_BETS))[FOLD if draw < fold else CALL], likely

    def _total(self, least: Fraction, most: Fraction, rng: np.random.Generator) -> Fraction:
        """Return the chips in the pot after a raise."""
        k, last = ceil(least), _n_sizes(least, most) - 1
        drawn = last if self.raises == "largest" else int(rng.integers(last + 1))
        return most if drawn == last else Fraction(k + drawn)


def _n_sizes(least: Fraction, most: Fraction) -> int:
    """Return how many raises there are: every whole number of chips from the least on, and all-in."""
    return ceil(most) - ceil(least) + 1
