"""Strategies over all flops from a betting state before the flop on: reaches, gifts and values there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.poker.betting import BettingState
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.last_board import LastBoard
from treeplex.seqform.judge.range_hands import RangeHands
from treeplex.subgames.flops.early_street import EarlyStreet
from treeplex.subgames.flops.layout.flop import Flop
from treeplex.subgames.flops.layout.forest import Forest, Forests, Step, step_at
from treeplex.subgames.flops.layout.lines import Menus
from treeplex.subgames.flops.respond import Play


@dataclass(frozen=True)
class EarlyBet:
    """An off-tree bet before the flop.

    Attributes
    ----------
    label : str
        Of the action.
    after : BettingState
        The betting after it.
    node : int
        At which it is made.
    at : Step
    own : int
        The row of the opponent's reach there.
    """

    label: str
    after: BettingState
    node: int
    at: Step
    own: int


@dataclass(frozen=True)
class Part:
    """Both players' strategies over all flops from a betting state before the flop on; E lines to the flop.

    Attributes
    ----------
    menus : Menus
    strategy : FactoredStrategy
    before : EarlyStreet
        Before the flop.
    forest : Forest
        On the flop.
    early : LastBoard
        Of no board.
    entering : pair of (H,) float64
        The players' reaches at the state; the defender's with the weights of chance.
    bets : tuple of EarlyBet
    """

    menus: Menus
    strategy: FactoredStrategy
    before: EarlyStreet
    forest: Forest
    early: LastBoard
    entering: tuple[Floats, Floats]
    bets: tuple[EarlyBet, ...]

    @staticmethod
    def of(forests: Forests, strategy: FactoredStrategy, entering: tuple[Floats, Floats]) -> "Part":
        """Return the part of a strategy on a tree of the coarse menus."""
        menus, tree = forests.menus, strategy.tree
        betting, opponent = tree.betting, menus.opponent
        acting = ((betting.player == opponent) & (betting.street == 0)).nonzero()[0].tolist()
        before = EarlyStreet.of(menus, tree, 0)
        street = before.street
        bets = []
        for node in acting:
            at, own = step_at(betting, street, node, -1, menus), street.reach_row[opponent][node]
            bets += [
                EarlyBet(label, after, node, at, own) for label, after in menus.off_tree(betting.line[node])
            ]
        cards = RangeHands(menus.full, 0).cards, RangeHands(menus.full, 1).cards
        return Part(
            menus=menus,
            strategy=strategy,
            before=before,
            forest=forests.on_street(tree, 1),
            early=LastBoard.of(menus.full, (), cards),
            entering=entering,
            bets=tuple(bets),
        )

    def reach(self, player: int) -> Floats:
        """Return a player's reach at each row before the flop, (rows, H)."""
        return self.early.reach(
            self.before.street, player, self.entering[player][None], table_on(self.strategy, player, 0)
        )

    def play(self, flop: Flop, reaches: tuple[Floats, Floats], gifts: Floats) -> Play:
        """Return the strategies on a flop.

        Parameters
        ----------
        flop : Flop
        reaches : pair of (rows, H) float64
            Before the flop, as :meth:`reach` returns them.
        gifts : (E, H) float64
        """
        d, o = self.menus.defender, self.menus.opponent
        entering = [reaches[p][self.before.street.chance_reach[p]][:, flop.hand[p]] for p in (0, 1)]
        tables = [table_on(self.strategy, p, flop.number) for p in (0, 1)]
        return Play(tables[d], tables[o], entering[d], entering[o], gifts[:, flop.hand[o]])

    def values(self, own_reach: Floats, flops: Floats) -> Floats:
        """Return the opponent's values at leaves before the flop and at its lines to the flop, (V, H).

        Parameters
        ----------
        own_reach : (rows, H) float64
            The defender's.
        flops : (E, H) float64
            What the lines are worth.
        """
        return self.before.values(self.early, own_reach, flops)

    def best(self, values: Floats) -> Floats:
        """Return the opponent's best-response values at all rows before the flop, (V, H)."""
        return self.before.best(values)


def table_on(strategy: FactoredStrategy, player: int, board: int) -> NDArray[Any]:
    """Return a player's weights on a board, (actions, live hands)."""
    tree = strategy.tree
    lo, hi = tree.base[player][board : board + 2]
    width = int(np.diff(tree.boards.hands[player].start[board : board + 2])[0])
    return strategy.weight[player][lo:hi].reshape(-1, width)
