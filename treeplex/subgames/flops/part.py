"""Strategies over all flops from a betting state before the flop on: reaches, gifts and values there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.poker.betting import BettingState
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.betting_rows import BettingStreet, betting_street
from treeplex.seqform.judge.last_board import LastBoard, best_responses
from treeplex.seqform.judge.range_hands import RangeHands
from treeplex.subgames.flops.layout.flop import Flop
from treeplex.subgames.flops.layout.forest import Forest, Forests, Step, endings_of, path_to, step_at
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
    street : BettingStreet
        Before the flop.
    forest : Forest
        On the flop.
    early : LastBoard
        Of no board.
    entering : pair of (H,) float64
        The players' reaches at the state; the defender's with the weights of chance.
    bets : tuple of EarlyBet
    paths : tuple of E tuples of Step
        The opponent's choices before each line's flop.
    """

    menus: Menus
    strategy: FactoredStrategy
    street: BettingStreet
    forest: Forest
    early: LastBoard
    entering: tuple[Floats, Floats]
    bets: tuple[EarlyBet, ...]
    paths: tuple[tuple[Step, ...], ...]

    @staticmethod
    def of(forests: Forests, strategy: FactoredStrategy, entering: tuple[Floats, Floats]) -> "Part":
        """Return the part of a strategy on a tree of the coarse menus."""
        menus, tree = forests.menus, strategy.tree
        betting, opponent = tree.betting, menus.opponent
        acting = ((betting.player == opponent) & (betting.street == 0)).nonzero()[0].tolist()
        kept = frozenset(n for node in acting for n in endings_of(betting, node))
        street = betting_street(menus.full, tree, 0, kept)
        bets = []
        for node in acting:
            at, own = step_at(betting, street, node, -1, menus), street.reach_row[opponent][node]
            bets += [
                EarlyBet(label, after, node, at, own) for label, after in menus.off_tree(betting.line[node])
            ]
        row_of = {row: node for node, row in street.value_row.items()}
        ends = [row_of[row] for row in street.chance.tolist()]
        cards = RangeHands(menus.full, 0).cards, RangeHands(menus.full, 1).cards
        return Part(
            menus=menus,
            strategy=strategy,
            street=street,
            forest=forests.on_street(tree, 1),
            early=LastBoard.of(menus.full, (), cards),
            entering=entering,
            bets=tuple(bets),
            paths=tuple(path_to(betting, street, node, menus) for node in ends),
        )

    def reach(self, player: int) -> Floats:
        """Return a player's reach at each row before the flop, (rows, H)."""
        return self.early.reach(self.street, player, self.entering[player][None], self._table(player, 0))

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
        entering = [reaches[p][self.street.chance_reach[p]][:, flop.hand[p]] for p in (0, 1)]
        tables = [self._table(p, flop.number) for p in (0, 1)]
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
        values = self.early.leaf_values(self.street, self.menus.opponent, own_reach)
        values[self.street.chance] = flops
        return values

    def best(self, values: Floats) -> Floats:
        """Return the opponent's best-response values at all rows before the flop, (V, H)."""
        return best_responses(self.street, self.menus.opponent, values)

    def _table(self, player: int, board: int) -> NDArray[Any]:
        tree = self.strategy.tree
        lo, hi = tree.base[player][board : board + 2]
        width = int(np.diff(tree.boards.hands[player].start[board : board + 2])[0])
        return self.strategy.weight[player][lo:hi].reshape(-1, width)
