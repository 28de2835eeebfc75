"""Strategies over all flops from a betting state before the flop on: reaches, gifts and values there.

A street before the last: the opponent's choices, its best responses, and what it gives away there. A seat of
a game that ends on the flop: the exact best response to a strategy that answers every bet.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.core.progress import Progress, silent
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.betting import BettingState
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.boards.hand_classes import one_board
from treeplex.seqform.certify.betting_rows import BettingStreet, betting_street
from treeplex.seqform.certify.board_walk import RangeHands
from treeplex.seqform.certify.last_board import LastBoard, best_responses
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.subgames.flop import Flop, NextBoards
from treeplex.subgames.flop_by_flop import flop_by_flop
from treeplex.subgames.response_on_flop import StreetPlay, ended, given_away
from treeplex.subgames.street_betting import (
    Forests,
    Menus,
    StreetForest,
    StreetStep,
    endings_of,
    entry_of,
    path_to,
    step_at,
)


@dataclass(frozen=True)
class EarlyStreet:
    """One street before the last of a betting tree, independent of the board; E lines to it, C to the next.

    Attributes
    ----------
    street : BettingStreet
        Actions of the opponent after which nobody acts have rows of values of their own.
    opponent : int
    paths : tuple of C tuples of StreetStep
        The opponent's choices on the street before each line to the next, the last first.
    entry : (C,) int64
        The line to the street from which each comes.
    """

    street: BettingStreet
    opponent: int
    paths: tuple[tuple[StreetStep, ...], ...]
    entry: Index

    @staticmethod
    def of(menus: Menus, tree: FactoredTree, number: int) -> "EarlyStreet":
        """Return a street of a tree of the coarse menus."""
        betting, opponent = tree.betting, menus.opponent
        acting = np.flatnonzero((betting.player == opponent) & (betting.street == number)).tolist()
        kept = frozenset(n for node in acting for n in endings_of(betting, node))
        street = betting_street(menus.full, tree, number, kept)
        row_of = {row: node for node, row in street.value_row.items()}
        ends = [row_of[row] for row in street.chance.tolist()]
        return EarlyStreet(
            street=street,
            opponent=opponent,
            paths=tuple(path_to(betting, street, node, menus) for node in ends),
            entry=np.array([entry_of(betting, street, node) for node in ends], np.int64),
        )

    @property
    def steps(self) -> list[int]:
        """The rows of the defender's reach at the opponent's choices."""
        return sorted({step.reach for path in self.paths for step in path})

    def values(self, last: LastBoard, own_reach: Floats, nexts: Floats) -> Floats:
        """Return the opponent's values at leaves and at lines to the next street, (V, T).

        Parameters
        ----------
        last : LastBoard
        own_reach : (rows, D) float64
            The defender's.
        nexts : (C, T) float64
            What the lines to the next street are worth.
        """
        values = last.leaf_values(self.street, self.opponent, own_reach)
        values[self.street.chance] = nexts
        return values

    def best(self, values: Floats) -> Floats:
        """Return the opponent's best-response values at all rows, (V, T)."""
        return best_responses(self.street, self.opponent, values)

    def gifts(self, values: Floats, met: Floats, before: Floats) -> Floats:
        """Return what the opponent gave away before each line to the next street, per unit of reach, (C, T).

        Parameters
        ----------
        values : (V, T) float64
            As :meth:`best` returns them.
        met : (rows, T) float64
            The weight of the defender's hands that are met at ``steps``.
        before : (E, T) float64
            What it gave away before the street.
        """
        gifts = before[self.entry]
        for line, path in enumerate(self.paths):
            for step in path:
                gifts[line] += given_away(ended(step, values) - values[step.taken], met[step.reach])
        return gifts


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
    at : StreetStep
    own : int
        The row of the opponent's reach there.
    """

    label: str
    after: BettingState
    node: int
    at: StreetStep
    own: int


@dataclass(frozen=True)
class FlopsPart:
    """Both players' strategies over all flops from a betting state before the flop on; E lines to the flop.

    Attributes
    ----------
    menus : Menus
    strategy : FactoredStrategy
    before : EarlyStreet
        Before the flop.
    forest : StreetForest
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
    forest: StreetForest
    early: LastBoard
    entering: tuple[Floats, Floats]
    bets: tuple[EarlyBet, ...]

    @staticmethod
    def of(forests: Forests, strategy: FactoredStrategy, entering: tuple[Floats, Floats]) -> "FlopsPart":
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
        return FlopsPart(
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

    def play(self, flop: Flop, reaches: tuple[Floats, Floats], gifts: Floats) -> StreetPlay:
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
        return StreetPlay(tables[d], tables[o], entering[d], entering[o], gifts[:, flop.hand[o]])

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


@dataclass(frozen=True)
class NestedSeat:
    """A defender with a blueprint of the coarse game, against an opponent with the full game's menu.

    Attributes
    ----------
    menus : Menus
    forests : Forests
    flops : NextBoards
    base : FlopsPart
        The blueprint.
    config : FactoredConfig
        Of the regret minimisers that answer bets.
    threads : int
        Flops at a time; results do not depend on it.
    progress : Progress
    """

    menus: Menus
    forests: Forests
    flops: NextBoards
    base: FlopsPart
    config: FactoredConfig
    threads: int
    progress: Progress

    @staticmethod
    def of(
        menus: Menus,
        blueprint: FactoredStrategy,
        config: FactoredConfig,
        threads: int = 1,
        progress: Progress = silent,
    ) -> "NestedSeat":
        """Return a seat.

        Raises
        ------
        ValueError
            If the blueprint is of another game than the coarse one, or cards are dealt but once to a flop.
        """
        boards = blueprint.tree.boards
        if blueprint.tree.game != menus.coarse:
            raise BadInputError(
                f"the blueprint must be of {menus.coarse.name}, got {blueprint.tree.game.name}"
            )
        if menus.coarse.board or int(boards.street.max()) != 1:
            raise BadInputError(f"one flop must be dealt and nothing after it, got {menus.coarse.name}")
        flops = NextBoards.of(menus.coarse, boards, menus.opponent)
        forests = Forests(menus, one_board(boards, int(flops.boards[0])))
        weight = boards.hands[menus.defender].weight
        ones = np.ones(len(boards.hands[menus.opponent].weight))
        entering = (weight, ones) if menus.defender == 0 else (ones, weight)
        return NestedSeat(
            menus, forests, flops, FlopsPart.of(forests, blueprint, entering), config, threads, progress
        )

    def flop(self, number: int) -> Flop:
        """Return the flop of a number, counted from 0."""
        boards = self.base.strategy.tree.boards
        return Flop.of(self.menus.coarse, boards, int(self.flops.boards[number]), self.config)

    def total(self, stage: str, run: Callable[[int], Floats]) -> Floats:
        """Return the sum over all flops of what a function returns on each, (., H)."""
        found = flop_by_flop(run, len(self.flops.boards), self.threads, stage, self.progress)
        return self.flops.total(found)

    def on_range(self, flop: Flop, values: Floats) -> Floats:
        """Return values (., T) of the opponent's hands on a flop as those of its range, (., H), 0 if dead."""
        whole = np.zeros((len(values), self.flops.images.shape[1]))
        whole[:, flop.hand[self.menus.opponent]] = values
        return whole
