"""Intervals for the values of split games, by best responses to split strategies on every real board.

Walks over the real boards of a trunk give reaches down to its last boards, and lead values of subgames up
again. Values of all subgames of a flop come from walks over every real board below it: several lines of a
split game on one flop are one tree, with their tables put together board by board.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import (
    FactoredStrategy,
    FactoredTree,
    check_strategy,
    check_tables,
)
from treeplex.seqform.boards.real_boards import RealBoard
from treeplex.seqform.boards.split_strategy import SplitStrategy, SubgameTables
from treeplex.seqform.boards.split_tree import SplitTree
from treeplex.seqform.certify.board_certificate import FactoredCertificate, certificate_of
from treeplex.seqform.certify.board_walk import BoardWalk, LiveHands
from treeplex.seqform.forms.treeplex import Floats

ENTRIES_TOGETHER = 10_000_000
"""Most entries of both players' tables of lines that are judged together; one line may have more."""


@dataclass(frozen=True)
class LineGroup:
    """Consecutive lines on a flop, whose subgames' betting is one forest.

    Attributes
    ----------
    lines : range
    tree : FactoredTree
        Its betting has a root for each line; rows of a board are those of the first line, the second, ...
    n_rows : pair of (L, S) int64
        Number of rows of each line on each street, for both players.
    """

    lines: range
    tree: FactoredTree
    n_rows: tuple[NDArray[np.int64], NDArray[np.int64]]

    def strategy(self, flop: int, tables: SubgameTables) -> FactoredStrategy:
        """Return the strategy of all lines from the tables of each.

        Raises
        ------
        ValueError
            If a table has another length than its tree says.
        """
        parts = [tables(flop, line) for line in self.lines]
        first, second = (
            self._joined(p, [np.asarray(part[p]) for part in parts], f"flop {flop}") for p in (0, 1)
        )
        return FactoredStrategy(self.tree, (first, second))

    def _joined(self, player: int, parts: list[NDArray[np.generic]], where: str) -> NDArray[np.generic]:
        boards = self.tree.boards
        sizes = np.diff(boards.hands[player].start) * self.n_rows[player][:, boards.street]
        for line, part, size in zip(self.lines, parts, sizes.sum(axis=1).tolist(), strict=True):
            if part.shape != (size,):
                raise BadInputError(
                    f"the table of player {player} on line {line} of {where} must have shape ({size},),"
                    f" got {part.shape}"
                )
        if len(parts) == 1:
            return parts[0]
        starts = np.cumsum(sizes, axis=1) - sizes
        return np.concatenate(
            [
                part[start : start + size]
                for board in range(boards.n_boards)
                for part, start, size in zip(
                    parts, starts[:, board].tolist(), sizes[:, board].tolist(), strict=True
                )
            ]
        )


def line_groups(split: SplitTree, game: PokerGame, boards: BoardTree, most: int) -> Iterator[LineGroup]:
    """Yield the lines of a flop in groups of at most ``most`` entries, or of one line.

    Parameters
    ----------
    split : SplitTree
    game : PokerGame
        One of the flop's subgames.
    boards : BoardTree
        Of the flop's subgames.
    most : int
    """
    n_rows = _rows(split, 0), _rows(split, 1)
    entries = np.zeros(len(split.lines))
    for rows, hands in zip(n_rows, boards.hands, strict=True):
        entries += rows @ np.bincount(boards.street, np.diff(hands.start), minlength=rows.shape[1])
    first = 0
    while first < len(split.lines):
        size = max(1, int(np.searchsorted(np.cumsum(entries[first:]), most, side="right")))
        lines = range(first, min(first + size, len(split.lines)))
        betting = _betting_below(split.trunk.betting, [split.lines[line] for line in lines])
        part = slice(lines.start, lines.stop)
        yield LineGroup(lines, FactoredTree.of(game, betting, boards), (n_rows[0][part], n_rows[1][part]))
        first = lines.stop


def _rows(split: SplitTree, player: int) -> NDArray[np.int64]:
    """Return the number of rows of each line on each street from that of the split on."""
    betting = split.trunk.betting
    counts = np.array([len(below) for below in betting.children]) * (betting.player == player)
    found = np.zeros((len(split.lines), betting.n_streets - split.street), np.int64)
    for row, node in zip(found, split.lines, strict=True):
        part = slice(node, int(betting.end[node]))
        np.add.at(row, betting.street[part] - split.street, counts[part])
    return found


def _betting_below(betting: BettingTree, roots: Sequence[int]) -> BettingTree:
    """Return the betting from some nodes of one street on, as a forest: each of them has parent -1."""
    nodes = np.concatenate([np.arange(root, betting.end[root]) for root in roots])
    number = np.full(betting.n_nodes, -1)
    number[nodes] = np.arange(len(nodes))
    listed = nodes.tolist()
    return BettingTree(
        parent=number[betting.parent[nodes]].astype(np.int32),
        player=betting.player[nodes],
        street=betting.street[nodes] - betting.street[roots[0]],
        action=tuple(betting.action[node] for node in listed),
        line=tuple(betting.line[node] for node in listed),
        showdown=betting.showdown[nodes],
        stake=betting.stake[nodes],
        stake_den=betting.stake_den,
    )


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


class ReachingWalk(BoardWalk):
    """A walk that collects the reaches with which subgames begin; no values are computed.

    Parameters
    ----------
    split : SplitTree
    trunk : FactoredStrategy
        On the tree of the trunk.
    """

    def __init__(self, split: SplitTree, trunk: FactoredStrategy) -> None:
        super().__init__(split.game, trunk, until=split.street)
        self._last = split.street
        self._number = {board: flop for flop, board in enumerate(split.flops)}
        self._known: dict[tuple[int, bytes], int] = {}
        self._tasks: list[FlopTask] = []
        self._which: list[int] = []

    def tasks(self) -> tuple[list[FlopTask], list[int]]:
        """Return one task for each flop and the reaches at it, and the task of each real flop, as visited.

        Tasks are in the order of flops.

        Hands of a real flop are in the order of the flop that represents it.
        """
        self._visit(self._start)
        order = sorted(range(len(self._tasks)), key=lambda n: self._tasks[n].flop)
        place = {n: i for i, n in enumerate(order)}
        return [self._tasks[n] for n in order], [place[n] for n in self._which]

    def _leaves(self, board: RealBoard) -> list[float]:
        if board.street == self._last:
            self._enter(board)
        return [0.0, 0.0]

    def _respond(self, player: int, board: RealBoard) -> None:
        """Do nothing."""

    def _enter(self, board: RealBoard) -> None:
        street, players = self._streets[board.street], self._players[board.street]
        first, second = (own.reach[street.chance_reach[p]] for p, own in enumerate(players))
        found = hashlib.blake2b(first.tobytes())
        found.update(second.tobytes())
        key = self._number[board.image], found.digest()
        if key not in self._known:
            self._known[key] = len(self._tasks)
            self._tasks.append(FlopTask(key[0], (first, second)))
        self._which.append(self._known[key])


class GatheringWalk(BoardWalk):
    """A walk that takes the values of subgames where they begin.

    Parameters
    ----------
    split : SplitTree
    trunk : FactoredStrategy
    values : sequence of FlopValues
    which : sequence of int
        Those of each real flop, as visited.
    """

    def __init__(
        self, split: SplitTree, trunk: FactoredStrategy, values: Sequence[FlopValues], which: Sequence[int]
    ) -> None:
        super().__init__(split.game, trunk, until=split.street)
        self._last, self._values, self._which = split.street, values, iter(which)

    def _leaves(self, board: RealBoard) -> list[float]:
        earned = super()._leaves(board)
        if board.street < self._last:
            return earned
        found, street = self._values[next(self._which)], self._streets[board.street]
        self.n_visited += found.n_boards
        for p, own in enumerate(self._players[board.street]):
            own.values[street.chance] += found.best[p]
        return [earned[p] + found.earned[p] for p in (0, 1)]


Run = Callable[[Sequence[FlopTask]], Iterable[FlopValues]]
"""Returns the values of each task in order, as ``judge_flop`` does."""


def certify_split(
    split: SplitTree, strategy: SplitStrategy, run: Run | None = None, report: Report = quiet
) -> FactoredCertificate:
    """Return a proved interval for the value of a split game, from best responses to a split strategy.

    It is the certificate of ``strategy.whole()``, up to the order in which sums are added. The trunk is
    walked over every real board up to the split. A real flop and the flop that represents it differ by a
    permutation of suits, which maps the boards below one to those below the other: what follows both has the
    same values, hand by hand, where both are reached with the same probabilities. So each flop is judged
    once, over every real board below it, and its values are those of all real flops that it represents.
    Where the trunk treats hands differently that suits alone tell apart, real flops are reached with other
    probabilities; then a flop is judged once for each of them. Memory: reaches and values of all hands at
    the ends of all lines on all flops, the boards below one flop, and one subgame.

    Rounding: the bound of ``certify_factored`` for the whole. What a hand gets at the root is a sum of the
    same terms: reaches are products of the same factors in the same order, first the trunk's; the values at a
    subgame's root are added to a zero, which is exact, and go up the trunk as they would in the whole. The
    expected payoff adds subtotals, one for each line of a flop: ``len(split.lines)`` roundings more.

    Parameters
    ----------
    split : SplitTree
    strategy : SplitStrategy
        Of this game. Weights are converted to float64.
    run : callable, optional
        Judges flops; here, one by one, unless given.
    report : callable, optional
        Told a few times a second how many flops are judged.

    Raises
    ------
    ValueError
        If the strategy is not of the game, or a weight is negative, NaN or infinite.
    OverflowError
        If the payoffs are too large for floats.
    """
    clock = time.perf_counter()
    _check(split, strategy)
    reaching = ReachingWalk(split, strategy.trunk)
    tasks, which = reaching.tasks()
    judged = map(partial(judge_flop, split, strategy.tables), tasks) if run is None else run(tasks)
    text = f"of {len(tasks):,} flops judged"
    values = [*reported(judged, report, lambda n: f"{n:,} {text}")]
    _check_values(tasks, values)
    walk = GatheringWalk(split, strategy.trunk, values, which)
    return certificate_of(split.game, split.trunk, walk, clock, more=len(split.lines))


def _check(split: SplitTree, strategy: SplitStrategy) -> None:
    mine = strategy.trunk.tree
    same = strategy.split.game == split.game and strategy.split.street == split.street
    if not same or mine.game != split.game or mine.boards.cards != split.trunk.boards.cards:
        raise BadInputError(f"the strategy must be of {split.game.name} split after street {split.street}")
    check_strategy(split.game, strategy.trunk)


def _check_values(tasks: Sequence[FlopTask], values: Sequence[FlopValues]) -> None:
    if [task.flop for task in tasks] != [one.flop for one in values]:
        raise BadInputError(f"the values of {len(tasks):,} flops must come in order, got {len(values):,}")
