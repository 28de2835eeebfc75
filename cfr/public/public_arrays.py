"""A public tree as flat arrays for kernels with vectors over hands."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.public.hand_sections import (
    Board,
    Floats,
    Index,
    SectionArrays,
    Small,
    section_arrays,
    starts,
)
from treeplex.cfr.update_rules import NOISE
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL
from treeplex.seqform.trees.public_tree import PublicTree

LEAVES = 4
"""Leaves per block; the running sums of a block are independent, so that their latencies overlap."""
ALIGNED = 8
"""Rows start at multiples of this number of floats."""


class RowArrays(NamedTuple):
    """One player's sequences as *rows*: vectors over the live hands of a board.

    Row 0 is the empty sequence; each decision has one row per action, each change of board one row with the
    entries of another in the order of the new board's hands. All rows lie in one flat vector, so that plans,
    regrets and values are single arrays; a row's number exceeds its parent's. A *step* is a decision or a
    change of board; steps are in preorder of the tree.

    Attributes
    ----------
    start : (R + 1,) int64
        First float of each row; there may be padding behind a row.
    width : (R,) int64
        Number of hands of each row.
    parent : (T,) int64
        The row before each step.
    first : (T,) int64
        The first row of the step.
    n_actions : (T,) int64
        Number of its rows, one per action; 0 for a change of board, which has one row.
    node : (T,) int64
        The public node of a decision, -1 at a change of board.
    deal : (T,) int64
        The board of its rows.
    move_start : (T,) int64
        Where a change of board starts in ``move``.
    move : (.,) uint32
        For each hand of the new row, its index in the old row.
    """

    start: Index
    width: Index
    parent: Index
    first: Index
    n_actions: Index
    node: Index
    deal: Index
    move_start: Index
    move: Small


class PlayerArrays(NamedTuple):
    """One player's half of a public tree.

    Attributes
    ----------
    rows : RowArrays
    sections : SectionArrays
    noise : (.,) float64
        For each live hand of each board, ``NOISE`` times the most it could win, in the tree's unit.
    showdown_row, fold_row : (B, LEAVES) int64
        The player's row at each leaf, with and without a showdown.
    """

    rows: RowArrays
    sections: SectionArrays
    noise: Floats
    showdown_row: Index
    fold_row: Index


class Leaves(NamedTuple):
    """The leaves of one kind (showdown or fold) in blocks, ordered by board.

    Attributes
    ----------
    start : (D + 1,) int64
        First block of each board. Incomplete blocks repeat a leaf with stake 0.
    stake : (B, LEAVES) float64
        Stakes in the tree's unit, times the divisors of the board's weights: player 0's payoff per unit of
        weight (at a showdown, if its hand is the better one).
    """

    start: Index
    stake: Floats


class VectorArrays(NamedTuple):
    """A public tree as kernels read it: both players' arrays, and the leaves with and without a showdown."""

    sides: tuple[PlayerArrays, PlayerArrays]
    showdowns: Leaves
    folds: Leaves


def vector_arrays(tree: PublicTree) -> VectorArrays:
    """Lay out a public tree for the kernels; floats are correctly rounded from exact numbers.

    Raises
    ------
    ValueError
        If a hand lives on a board but not on the board that came before, or hands are locked.
    """
    if tree.locks:
        raise BadInputError(f"{tree.name}: hands are locked, which minimisers on the public tree do not know")
    boards = [Board(deal) for deal in tree.deals]
    leaves = tree.nodes_of(TERMINAL)
    showdowns = _blocks(tree, leaves[tree.showdown[leaves]])
    folds = _blocks(tree, leaves[~tree.showdown[leaves]])
    rows = _Rows(tree, boards, 0), _Rows(tree, boards, 1)
    sides = [
        PlayerArrays(
            rows=rows[p].arrays(),
            sections=section_arrays(boards, p),
            noise=_noise(tree, boards, p),
            showdown_row=rows[p].of_node[showdowns.node],
            fold_row=rows[p].of_node[folds.node],
        )
        for p in (0, 1)
    ]
    return VectorArrays(
        sides=(sides[0], sides[1]),
        showdowns=_leaves(tree, boards, showdowns),
        folds=_leaves(tree, boards, folds),
    )


def all_boards(arrays: VectorArrays) -> Index:
    """Return the numbers of all boards."""
    return np.arange(len(arrays.folds.start) - 1)


def all_steps(side: PlayerArrays) -> Index:
    """Return the numbers of all steps of a player."""
    return np.arange(len(side.rows.first))


def live_hands(side: PlayerArrays, deal: int) -> Index:
    """Return the tree's numbers of the hands that live on a board, in the order of its rows."""
    starts_at = side.sections.deal_start
    return side.sections.hand[starts_at[deal] : starts_at[deal + 1]]


def first_rows(side: PlayerArrays) -> dict[int, int]:
    """Return the row of the first action of each of the player's nodes."""
    return dict(zip(side.rows.node.tolist(), side.rows.first.tolist(), strict=True))


class _Rows:
    """Builder of one player's rows, by a walk of the tree."""

    def __init__(self, tree: PublicTree, boards: list[Board], player: int) -> None:
        self._tree, self._boards, self._player = tree, boards, player
        self._width = [self._live(int(tree.deal[0]))]
        self._steps: list[tuple[int, int, int, int, int, int]] = []
        self._moves: list[Index] = [np.zeros(0, dtype=np.int64)]
        self._known: dict[tuple[int, int], int] = {}
        self._moved = 0
        self.of_node = np.zeros(tree.n_nodes, dtype=np.int64)
        for node in range(tree.n_nodes):
            self._visit(node)

    def arrays(self) -> RowArrays:
        """Return the rows; rows without hands get padding too, so that each has a first float."""
        width = np.array(self._width, dtype=np.int64)
        steps = np.array(self._steps, dtype=np.int64).reshape(-1, 6).T.copy()
        return RowArrays(
            start=starts(-(-np.maximum(width, 1) // ALIGNED) * ALIGNED),
            width=width,
            parent=steps[0],
            first=steps[1],
            n_actions=steps[2],
            node=steps[3],
            deal=steps[4],
            move_start=steps[5],
            move=np.concatenate(self._moves).astype(np.uint32),
        )

    def _live(self, deal: int) -> int:
        return len(self._boards[deal].hand[self._player])

    def _visit(self, node: int) -> None:
        """Assign rows to the children of a node."""
        tree = self._tree
        here, row = int(tree.deal[node]), int(self.of_node[node])
        children = tree.children[node]
        rows = [row] * len(children)
        if tree.player[node] == self._player:
            rows = list(range(len(self._width), len(self._width) + len(children)))
            self._steps.append((row, rows[0], len(children), node, here, 0))
            self._width += [self._live(here)] * len(children)
        for child, above in zip(children, rows, strict=True):
            there = int(tree.deal[child])
            self.of_node[child] = above if there == here else self._change_board(above, here, there)

    def _change_board(self, row: int, here: int, there: int) -> int:
        """Add a row with the entries of another in the order of the next board's hands."""
        if (here, there) not in self._known:
            self._known[here, there] = self._moved
            self._moves.append(self._move(here, there))
            self._moved += len(self._moves[-1])
        new = len(self._width)
        self._steps.append((row, new, 0, -1, there, self._known[here, there]))
        self._width.append(self._live(there))
        return new

    def _move(self, here: int, there: int) -> Index:
        p = self._player
        hand = self._boards[there].hand[p]
        place = self._boards[here].place[p][hand]
        if np.any(place < 0):
            label = self._tree.hands[p][hand[np.argmin(place)]]
            raise BadInputError(
                f"player {p}'s hand {label!r} lives in deal {there} but not in deal {here} before"
            )
        return place


class _Blocks(NamedTuple):
    """Leaves of one kind, (B, LEAVES), each block on one board; ``real`` is False for repeated leaves."""

    node: Index
    real: NDArray[np.bool_]


def _blocks(tree: PublicTree, leaves: Index) -> _Blocks:
    nodes, real = [np.zeros((0, LEAVES), dtype=np.int64)], [np.zeros((0, LEAVES), dtype=np.bool_)]
    order = leaves[np.argsort(tree.deal[leaves], kind="stable")]
    for group in np.split(order, np.flatnonzero(np.diff(tree.deal[order])) + 1):
        index = np.arange(-(-len(group) // LEAVES) * LEAVES)
        if len(group):
            nodes.append(group[np.minimum(index, len(group) - 1)].reshape(-1, LEAVES))
            real.append((index < len(group)).reshape(-1, LEAVES))
    return _Blocks(np.concatenate(nodes), np.concatenate(real))


def _leaves(tree: PublicTree, boards: list[Board], blocks: _Blocks) -> Leaves:
    counts = np.bincount(tree.deal[blocks.node[:, 0]], minlength=len(boards))
    return Leaves(starts(counts), _stakes(tree, boards, blocks))


def _stakes(tree: PublicTree, boards: list[Board], blocks: _Blocks) -> Floats:
    """Return each leaf's stake in the scale of its board's weights, 0 for repeated leaves."""
    stakes = np.zeros(blocks.node.shape)
    for block, leaf in np.argwhere(blocks.real):
        node = blocks.node[block, leaf]
        board = boards[tree.deal[node]]
        scale = board.unit[0] * board.unit[1]
        stakes[block, leaf] = int(tree.stake[node]) * scale / (tree.stake_den * board.deal.den)
    return stakes


def _noise(tree: PublicTree, boards: list[Board], player: int) -> Floats:
    """Return ``NOISE`` times the largest possible win of each live hand on each board."""
    highest = max(abs(int(stake)) for stake in tree.stake)
    parts = []
    for board in boards:
        others = sum(int(w) for w in board.deal.weight[1 - player])
        hands = board.deal.weight[player][board.hand[player]]
        most = [int(w) * others * highest / (board.deal.den * tree.stake_den) for w in hands]
        parts.append(NOISE * np.array(most, dtype=np.float64))
    return np.concatenate(parts)
