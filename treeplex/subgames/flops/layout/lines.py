"""Betting lines around bets that the defender's menu lacks, and the betting that follows them."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treeplex.games.cards.deck import Cards
from treeplex.games.poker.betting import BettingState
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.subgame import subgame_of
from treeplex.games.protocol import TERMINAL
from treeplex.seqform.factored.betting_tree import BettingTree
from treeplex.seqform.trees.poker_deals import narrow

Shape = tuple[object, ...]
"""What two betting trees have in common that differ in the unit of their stakes alone."""


@dataclass(frozen=True)
class Menus:
    """A game and the defender's version of it with fewer sizes of bets.

    Attributes
    ----------
    full, coarse : PokerGame
        Alike but for the menus, the coarse game's sizes among the full game's.
    defender : int
    """

    full: PokerGame
    coarse: PokerGame
    defender: int

    @property
    def opponent(self) -> int:
        """The player who may bet what the coarse game lacks."""
        return 1 - self.defender

    def off_tree(self, line: str) -> list[tuple[str, BettingState]]:
        """Return the bets at a line that the coarse menus lack, and the betting after each."""
        state = self.full.point(line).betting
        known = {label for label, _ in self.coarse.moves(state)}
        return [(label, after) for label, after in self.full.moves(state) if label not in known]

    def betting(self, state: BettingState, board: Cards) -> BettingTree:
        """Return the betting from a state on by the coarse menus."""
        return BettingTree.of(subgame_of(self.coarse, state, board))


def with_move(tree: BettingTree, action: str, after: BettingTree) -> BettingTree:
    """Return a betting tree with one more action at its root, the last, and the betting after that.

    The nodes of ``after`` come last in it.
    """
    shift, den = tree.n_nodes, tree.stake_den * after.stake_den
    parent = after.parent + shift
    parent[0] = 0
    stake = [int(s) * after.stake_den for s in tree.stake] + [int(s) * tree.stake_den for s in after.stake]
    return BettingTree(
        parent=np.concatenate([tree.parent, parent]).astype(np.int32),
        player=np.concatenate([tree.player, after.player]),
        street=np.concatenate([tree.street, after.street]),
        action=(*tree.action, action, *after.action[1:]),
        line=(*tree.line, *after.line),
        showdown=np.concatenate([tree.showdown, after.showdown]),
        stake=narrow(stake),
        stake_den=den,
    )


def shape_of(tree: BettingTree) -> tuple[Shape, Fraction]:
    """Return the shape of a betting tree and the unit of its stakes: the size of its first leaf's."""
    first = int(np.flatnonzero(tree.player == TERMINAL)[0])
    stakes = [int(s) for s in tree.stake]
    unit = Fraction(abs(stakes[first]), tree.stake_den)
    ratios = tuple(Fraction(s, tree.stake_den) / unit for s in stakes)
    arrays = tree.parent, tree.player, tree.street, tree.showdown
    return (*(tuple(one.tolist()) for one in arrays), ratios), unit
