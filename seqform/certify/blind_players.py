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
from treeplex.games.poker.lines import CALL, FOLD
from treeplex.seqform.forms.treeplex import Floats, Index

NO_BETS = Sizes((), ())
ALL_IN = Sizes(("a",), ("a",))
MOST_WEIGHT = 1e300
"""Of a blind player's actions together: times the number of raises it is still a float."""


@dataclass(frozen=True)
class BlindPlayer:
    """A player of a game with every whole number of chips who folds, calls and raises by fixed weights.

    Where a fold or a raise is not legal the others are in the same proportions; what folds alone checks.

    Attributes
    ----------
    game : PokerGame
    fold, call, raising : float
        Weights of folding, of checking or calling, and of raising.
    sizes : Sizes or None
        Its raises, one as often as another; None is every legal number of whole chips.
    each_size : bool
        Whether the last weight is that of each legal size, not of all together.

    Raises
    ------
    ValueError
        If weights are negative, too large or all 0, or the game has a menu or fixed bets.
    """

    game: PokerGame
    fold: float
    call: float
    raising: float
    sizes: Sizes | None = None
    each_size: bool = False

    def __post_init__(self) -> None:
        weights = (self.fold, self.call, self.raising)
        if not (min(weights) >= 0 and 0 < sum(weights) <= MOST_WEIGHT):
            raise BadInputError(
                f"weights must be at least 0, not all 0, at most {MOST_WEIGHT} in all, got {shown(weights)}"
            )
        if self.game.betting.sizes is not None or self.game.betting.raise_sizes is not None:
            raise BadInputError(
                f"the game must allow every whole number of chips, got {shown(self.game.name)}"
            )

    def odds(self, state: BettingState) -> tuple[float, float, float]:
        """Return the probabilities of folding, calling and raising."""
        is_facing = state.put[state.player] < max(state.put)
        n = self._n_raises(state)
        sizes = n if self.each_size else min(n, 1)
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
        if draw >= fold + call and self._n_raises(state):
            return self._raised(state, rng), likely
        return dict(self.game.moves(state, NO_BETS))[FOLD if draw < fold else CALL], likely

    def _menu(self, state: BettingState, sizes: Sizes) -> list[BettingState]:
        """Return the betting after each raise of a menu."""
        return [after for label, after in self.game.moves(state, sizes) if label not in (FOLD, CALL)]

    def _n_raises(self, state: BettingState) -> int:
        """Return how many raises there are: of the menu, or every whole number of chips and all-in."""
        if self.sizes is not None:
            return len(self._menu(state, self.sizes))
        legal = self.game.betting.raise_range(state)
        return 0 if legal is None else ceil(legal[1]) - ceil(legal[0]) + 1

    def _raised(self, state: BettingState, rng: np.random.Generator) -> BettingState:
        """Return the betting after a raise drawn evenly."""
        drawn = int(rng.integers(self._n_raises(state)))
        if self.sizes is not None:
            return self._menu(state, self.sizes)[drawn]
        least, most = self.game.betting.raise_range(state) or (Fraction(0), Fraction(0))
        return self.game.betting.raise_to(state, min(Fraction(ceil(least) + drawn), most))[1]
