"""A seat's blueprint, and what leads from board to board, up to those of the last street.

The betting on the last street: all of it for the judge, and what follows each line to it for solvers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.core.progress import Progress, silent
from treeplex.gadgets.boards.board_subgame import weight_met
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.boards.hand_classes import one_board
from treeplex.seqform.boards.suit_symmetry import Group, symmetries
from treeplex.seqform.certify.betting_rows import betting_street
from treeplex.seqform.certify.last_board import LastBoard
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.subgames.flop import Flop, NextBoards
from treeplex.subgames.flop_by_flop import flop_by_flop
from treeplex.subgames.over_all_flops import EarlyStreet, table_on
from treeplex.subgames.street_betting import Forests, Menus, StreetForest, StreetLayout


class LastBetting(NamedTuple):
    """What follows a line to the last street.

    forest : StreetForest
        The betting from the first decision on.
    pot : float
        Chips in the pot there.
    """

    forest: StreetForest
    pot: float


@dataclass(frozen=True)
class Lines:
    """The E lines to the last street and the betting that follows them, independent of the board.

    Attributes
    ----------
    whole : StreetForest
        All betting on the street, its E entries those of ``below``; every leaf has a row of values.
    below : tuple of E LastBetting or None
        What follows each line; None where the defender decides nothing.
    names : tuple of E str
        The lines.
    leaf, own, entry : (L,) int64
        For each leaf its row of values, the row of the opponent's reach at it, and the line that it follows.
    """

    whole: StreetForest
    below: tuple[LastBetting | None, ...]
    names: tuple[str, ...]
    leaf: Index
    own: Index
    entry: Index

    @staticmethod
    def of(menus: Menus, tree: FactoredTree) -> "Lines":
        """Return the lines of a tree of a defender's game."""
        betting, boards = tree.betting, tree.boards
        last = betting.n_streets - 1
        leaves = np.flatnonzero((betting.street == last) & (betting.player == TERMINAL))
        street = betting_street(menus.full, tree, last, frozenset(leaves.tolist()))
        first = [n for n in street.value_row if betting.street[betting.parent[n]] < last]
        board = one_board(boards, int(np.flatnonzero(boards.street == last)[0]))
        forests = Forests(menus, board)
        below: list[LastBetting | None] = []
        for node in first:
            if (betting.player[node : betting.end[node]] == menus.defender).any():
                state = menus.full.point(betting.line[node]).betting
                forest = forests.below(menus.betting(state, board.cards[0]))
                below.append(LastBetting(forest, float(sum(state.put))))
            else:
                below.append(None)
        own, rows = street.reach_row[menus.opponent], street.value_row
        return Lines(
            whole=StreetForest(StreetLayout(tree, street, last, Fraction(1)), 1.0, ()),
            below=tuple(below),
            names=tuple(betting.line[node] for node in first),
            leaf=np.array([rows[n] for n in leaves.tolist()]),
            own=np.array([own[n] for n in leaves.tolist()]),
            entry=np.searchsorted(first, leaves, side="right") - 1,
        )

    def played(self, leaves: Floats, reach: Floats) -> Floats:
        """Return what the opponent gets at each line if it plays on as its reach says, (E, T).

        Parameters
        ----------
        leaves : (V, T) float64
            Its values at leaves, by row.
        reach : (rows, T) float64
            Its own, 1 at all lines.
        """
        values = np.zeros((len(self.below), leaves.shape[1]))
        np.add.at(values, self.entry, leaves[self.leaf] * reach[self.own])
        return values


class Entering(NamedTuple):
    """What comes to a board at the E lines to it.

    reaches : pair of (E, W) float64
        Both players'; the defender's with the weights of chance.
    gifts : (E, T) float64
        What the opponent gave away before, per unit of reach.
    """

    reaches: tuple[Floats, Floats]
    gifts: Floats


class EarlyBoard(NamedTuple):
    """A board before the last street and what comes to every line on it.

    board : int
    before : EarlyStreet
    nexts : NextBoards
        For values of the opponent's hands.
    last : LastBoard
    reaches : pair of (rows, W) float64
    """

    board: int
    before: EarlyStreet
    nexts: NextBoards
    last: LastBoard
    reaches: tuple[Floats, Floats]


@dataclass(frozen=True)
class ComposedTrunk:
    """A seat's blueprint, street by street.

    Attributes
    ----------
    menus : Menus
        Both games are the blueprint's.
    strategy : FactoredStrategy
    estimating : FactoredStrategy
        By whose part of the opponent it is estimated what the opponent gets on the last street.
    before : tuple of EarlyStreet
        All streets but the last.
    lines : Lines
        To the last street.
    group : Group
        The symmetries of the game.
    config : FactoredConfig
        Of the regret minimisers that solve subgames.
    threads : int
        Flops at a time; results do not depend on it.
    progress : Progress
    """

    menus: Menus
    strategy: FactoredStrategy
    estimating: FactoredStrategy
    before: tuple[EarlyStreet, ...]
    lines: Lines
    group: Group
    config: FactoredConfig
    threads: int
    progress: Progress

    @staticmethod
    def of(
        blueprint: FactoredStrategy,
        defender: int,
        config: FactoredConfig,
        threads: int = 1,
        progress: Progress = silent,
        *,
        estimating: FactoredStrategy | None = None,
    ) -> "ComposedTrunk":
        """Return a seat of a blueprint, estimates by its own play unless given.

        Raises
        ------
        ValueError
            If board cards lie there at the start, or none are dealt.
        """
        tree = blueprint.tree
        n_streets = int(tree.boards.street.max())
        if tree.game.board or not n_streets:
            raise BadInputError(f"all board cards must be dealt after the start, got {tree.game.name}")
        menus = Menus(tree.game, tree.game, defender)
        before = tuple(EarlyStreet.of(menus, tree, street) for street in range(n_streets))
        return ComposedTrunk(
            menus,
            blueprint,
            estimating or blueprint,
            before,
            Lines.of(menus, tree),
            symmetries(tree.game),
            config,
            threads,
            progress,
        )

    @property
    def weight(self) -> Floats:
        """The weight of each of the opponent's hands in its range, (H,)."""
        return self.strategy.tree.boards.hands[self.menus.opponent].weight

    def start(self) -> Entering:
        """Return what comes to the start: all hands."""
        d, hands = self.menus.defender, self.strategy.tree.boards.hands
        own, ones = hands[d].weight[None], np.ones((1, len(self.weight)))
        return Entering((own, ones) if d == 0 else (ones, own), np.zeros_like(ones))

    def is_last(self, board: int) -> bool:
        """Return whether a board is of the last street."""
        return int(self.strategy.tree.boards.street[board]) == len(self.before)

    def flop(self, board: int) -> Flop:
        """Return a board of the last street."""
        tree = self.strategy.tree
        return Flop.of(tree.game, tree.boards, board, self.config, self.group)

    def here(self, board: int, entering: tuple[Floats, Floats]) -> EarlyBoard:
        """Return a board before the last street from both players' reaches (E, W) at lines to it."""
        game, boards = self.strategy.tree.game, self.strategy.tree.boards
        before = self.before[int(boards.street[board])]
        last = LastBoard.of(game, boards.cards[board], (self.cards(board, 0), self.cards(board, 1)))
        first, second = (
            last.reach(before.street, p, entering[p], table_on(self.strategy, p, board)) for p in (0, 1)
        )
        nexts = NextBoards.of(game, boards, self.menus.opponent, board)
        return EarlyBoard(board, before, nexts, last, (first, second))

    def down(self, here: EarlyBoard, after: int) -> tuple[Floats, Floats]:
        """Return both players' reaches at the lines to a board after another."""
        rows = here.before.street.chance_reach
        first, second = (here.reaches[p][rows[p]][:, self.above(after, p)] for p in (0, 1))
        return first, second

    def up(self, after: int, values: Floats) -> Floats:
        """Return values (., T) of the opponent's hands on a board as those on the board before, 0 if dead."""
        opponent = self.menus.opponent
        before = int(self.strategy.tree.boards.parent[after])
        whole = np.zeros((len(values), len(self.cards(before, opponent))))
        whole[:, self.above(after, opponent)] = values
        return whole

    def total(self, here: EarlyBoard, stage: str, run: Callable[[int], Floats]) -> Floats:
        """Return the sum over the boards after one of what a function of their numbers returns."""
        count = len(here.nexts.boards)
        if here.board:
            return here.nexts.total(map(run, range(count)))
        return here.nexts.total(flop_by_flop(run, count, self.threads, stage, self.progress))

    def responded(self, here: EarlyBoard, nexts: Floats) -> Floats:
        """Return the opponent's best-response values (V, T) on a board from those at lines to the next."""
        own = here.reaches[self.menus.defender]
        return here.before.best(here.before.values(here.last, own, nexts))

    def met(self, here: EarlyBoard) -> Floats:
        """Return the weight of the defender's hands that each of the opponent's meets, (rows, T).

        At the entries and at ``EarlyStreet.steps``; zero at rows nobody asks for.
        """
        own = here.reaches[self.menus.defender]
        met = np.zeros((len(own), here.nexts.images.shape[1]))
        for row in {*range(here.before.street.n_entries), *here.before.steps}:
            met[row] = self._met(here, own[row])
        return met

    def _met(self, here: EarlyBoard, reach: Floats) -> Floats:
        d, o = self.menus.defender, self.menus.opponent
        if here.board or self.strategy.tree.game.flops is None:
            return weight_met(self.cards(here.board, o), self.cards(here.board, d), reach)
        found = []  # a list of flops leaves some pairs of hands more often than others
        for flop in here.nexts.boards.tolist():
            met = weight_met(self.cards(flop, o), self.cards(flop, d), reach[self.above(flop, d)])
            found.append(self.up(flop, met[None]))
        return np.asarray(here.nexts.total(found)[0])

    def cards(self, board: int, player: int) -> Index:
        """Return a player's live hands on a board, (W, 2)."""
        hands = self.strategy.tree.boards.hands[player]
        return hands.cards[hands.hand[hands.on(board)]]

    def above(self, board: int, player: int) -> Index:
        """Return the position on the board before of each of a player's live hands on a board."""
        hands = self.strategy.tree.boards.hands[player]
        return hands.above[hands.on(board)].astype(np.int64)
