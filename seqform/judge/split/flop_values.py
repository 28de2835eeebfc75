"""Values of all subgames of a flop under a split strategy, by walks over every real board below it."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treeplex.games.cards.deck import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.checks import check_tables
from treeplex.seqform.factored.real_boards import RealBoard
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.board_walk import BoardWalk
from treeplex.seqform.judge.range_hands import LiveHands
from treeplex.seqform.judge.split.line_groups import ENTRIES_TOGETHER, line_groups
from treeplex.seqform.split.conversions import SubgameTables
from treeplex.seqform.split.split_tree import SplitTree


class FlopTask(NamedTuple):
    """A flop to be judged.

    Attributes
    ----------
    flop : int
        Its number in the split tree.
    reaches : pair of (L, W) float64
        The weight of each player's hands at the end of each line, in the order of the subgames' ranges.
    """

    flop: int
    reaches: tuple[Floats, Floats]


class FlopValues(NamedTuple):
    """What a flop's subgames are worth.

    Attributes
    ----------
    flop : int
    best : pair of (L, W) float64
        Each player's best-response values, hand by hand: the sum over the other's hands of reach times
        payoff, averaged over later boards.
    earned : pair of float
        Each player's expected payoff on all lines together, times both reaches.
    n_boards : int
        Number of real boards below the flop.
    """

    flop: int
    best: tuple[Floats, Floats]
    earned: tuple[float, float]
    n_boards: int


class KnownBoards(NamedTuple):
    """What walks of several groups of lines on the same boards found there, by the cards of a board.

    Of 52 cards, after the flop: some 200 MB.

    Attributes
    ----------
    nexts : dict
        The boards after each.
    live : dict
        The hands of each player on each.
    """

    nexts: dict[Cards, list[RealBoard]]
    live: dict[tuple[int, Cards], LiveHands]


class _GroupWalk(BoardWalk):
    """A walk of the lines of a group that looks up boards which an earlier walk has visited.

    Parameters
    ----------
    whole : PokerGame
        From which the lines and their stakes are.
    strategy : FactoredStrategy
        On the same boards as all of these walks.
    known : KnownBoards
        More are entered.
    """

    def __init__(self, whole: PokerGame, strategy: FactoredStrategy, known: KnownBoards) -> None:
        super().__init__(strategy.tree.game, strategy, whole=whole)
        self._known = known

    def _nexts(self, board: RealBoard) -> Iterator[RealBoard]:
        nexts = self._known.nexts
        if board.cards not in nexts:
            nexts[board.cards] = [*super()._nexts(board)]
        return iter(nexts[board.cards])

    def _live(self, player: int, board: RealBoard) -> LiveHands:
        key, live = (player, board.cards), self._known.live
        if key not in live:
            live[key] = super()._live(player, board)
        return live[key]


def judge_flop(
    split: SplitTree, tables: SubgameTables, task: FlopTask, most: int = ENTRIES_TOGETHER
) -> FlopValues:
    """Return the values of a flop's subgames; some lines, or one, are in memory at a time.

    Parameters
    ----------
    split : SplitTree
    tables : callable
        As in ``SplitStrategy``.
    task : FlopTask
    most : int, optional
        Lines are judged together while their tables have at most so many entries.

    Raises
    ------
    ValueError
        If a table has another length than its tree says, or a weight is negative, NaN or infinite.
    """
    game, boards = split.subgame(task.flop, 0), split.boards(task.flop)
    known, n_boards, earned = KnownBoards({}, {}), 0, np.zeros(2)
    best: tuple[Floats, Floats] = np.empty_like(task.reaches[0]), np.empty_like(task.reaches[1])
    for group in line_groups(split, game, boards, most):
        strategy, lines = group.strategy(task.flop, tables), slice(group.lines.start, group.lines.stop)
        check_tables(strategy)
        walk = _GroupWalk(split.game, strategy, known)
        walk.turn_to(strategy, (task.reaches[0][lines], task.reaches[1][lines]))
        found = walk.root()
        best[0][lines], best[1][lines] = found.best
        earned += found.earned
        n_boards = walk.n_visited - 1
    return FlopValues(task.flop, best, (float(earned[0]), float(earned[1])), n_boards)
