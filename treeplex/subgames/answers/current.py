"""How both players play from a public state of a poker game on, and with what hands they come there."""

from dataclasses import dataclass

import numpy as np

from treeplex.seqform.factored.strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.certificate import pair_weight


@dataclass(frozen=True)
class CurrentPlay:
    """A strategy on the tree of a public state, by menus, with the reaches of all hands.

    Nested solving goes from one to the next: each answer to a bet beside the menus is the strategy that the
    next such bet is made against, so that its alternatives are values of the answer.

    Attributes
    ----------
    strategy : FactoredStrategy
        Both players', from the public state on.
    defender : int
    reaches : pair of (H,) f64
        The weight with which each hand of the tree's ranges comes to its root: the defender's by the whole
        game's range, the opponent's by the tree's.
    gifts : (T,) f64
        Lower-bound gifts on the way to the root, per unit of reach, of each of the opponent's hands.
    share : float
        The factor from unnormalised values at the root to payoffs a hand of the whole game, on its board.
    """

    strategy: FactoredStrategy
    defender: int
    reaches: tuple[Floats, Floats]
    gifts: Floats
    share: float

    @property
    def tree(self) -> FactoredTree:
        """The tree of the strategy."""
        return self.strategy.tree

    @staticmethod
    def of(strategy: FactoredStrategy, defender: int) -> "CurrentPlay":
        """Return the play of a strategy from the start of its game."""
        first, second = (hands.weight for hands in strategy.tree.boards.hands)
        gifts = np.zeros(len((first, second)[1 - defender]))
        return CurrentPlay(
            strategy, defender, (first, second), gifts, 1.0 / float(pair_weight(strategy.tree.game))
        )
