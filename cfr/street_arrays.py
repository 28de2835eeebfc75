"""Betting and boards as flat arrays for the kernels that learn street by street."""

from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cfr.lanes import LANES
from games.protocol import CHANCE, TERMINAL
from seqform.betting_tree import BettingTree
from seqform.board_tree import BoardTree

Floats = NDArray[np.float64]
Index = NDArray[np.int64]
Cards = NDArray[np.uint8]
Places = NDArray[np.uint16]

CACHE_BYTES = 640_000
"""What a part's rows may take, so that they stay in a core's own cache."""
BYTES_A_ROW = 32
"""Of a part's rows for each hand: both players' plans, what is played, values."""


class Betting(NamedTuple):
    """One player's half of the betting on all streets, and the leaves at which it earns.

    A street's betting is one tree below each line on which its cards come, its *roots*; roots are numbered
    street by street in the order of lines. Roots that are worked on together are a *part*: all of a street
    but the last, and on the last street as many as the cache holds. A part's *rows* are vectors over the
    player's hands: one for each root (the player's last sequence before it), one for each of the player's
    actions, numbered from zero in each part. Rows of actions alone are kept between iterations, in *slots*.

    Attributes
    ----------
    exit_row : (R,) int64
        For each root, the row of the street before from which it goes on.
    entry_row : (R,) int64
        Its own row.
    step_start : (P + 1,) int64
        Where each part's decisions start in the arrays below.
    parent, first, n_actions : (T,) int64
        The row from which a decision goes on, the first of the rows it makes and how many.
    slot : (T,) int64
        The slot of its first row; slots are numbered from zero on each street.
    block_start : (P + 1,) int64
        Where each part's leaves start, in blocks of ``LANES``: those that compare hands, others, alone.
    fold_start : (P,) int64
        Where its blocks without any showdown start.
    row : (B, LANES) int64
        The player's row at each leaf.
    showdown_row, fold_row : (B, LANES) int64
        The opponent's rows on which hands are compared, and on which they are not.
    showdown_stake, fold_stake : (B, LANES) float64
        What the player wins there against each unit of the opponent's plan, the chance of the street's
        boards counted; zero where there is no such leaf.
    n_rows : (P,) int64
        How many rows each part has.
    n_slots, n_steps : (S,) int64
        How many slots and decisions each street has.
    """

    exit_row: Index
    entry_row: Index
    step_start: Index
    parent: Index
    first: Index
    n_actions: Index
    slot: Index
    block_start: Index
    fold_start: Index
    row: Index
    showdown_row: Index
    fold_row: Index
    showdown_stake: Floats
    fold_stake: Floats
    n_rows: Index
    n_slots: Index
    n_steps: Index


class Stand(NamedTuple):
    """One player's hands on all boards; see ``seqform.board_tree.Hands``.

    Attributes
    ----------
    weight : (H,) float64
        The range on the starting board, in the order of its hands there.
    start : (D + 1,) int64
    above, home, first : (.,) uint16
    mate : (.,) uint16
        Where the equal hand stands that both cards block; behind all others where there is none, as with
        hands of one card, which blocks it once.
    size : (.,) uint8
    card : (., 2) uint8
        The cards of each hand on each board, numbered densely; a hand of one card has one in second place
        that the opponent never has.
    group_start : (last boards, G + 1) uint16
    """

    weight: Floats
    start: Index
    above: Places
    home: Places
    mate: Places
    first: Places
    size: Cards
    card: Cards
    group_start: Places


class Side(NamedTuple):
    """A player's betting and hands, and where its tables keep each board's slots and decisions."""

    betting: Betting
    stand: Stand
    base: Index
    step_base: Index


class Boards(NamedTuple):
    """What both players share.

    Attributes
    ----------
    street, parent, ways : (D,) int64
    symmetric : (D,) bool
    last : (D,) int64
        The number of a board among those of the last street; -1 for others.
    root_start : (S + 1,) int64
        Where each street's roots start.
    part_start : (S + 1,) int64
        Where each street's parts start.
    part_root : (P + 1,) int64
        Where each part's roots start.
    n_cards : int
        How many rows sums over cards need: the deck, one for each player's missing card, and all.
    """

    street: Index
    parent: Index
    ways: Index
    symmetric: NDArray[np.bool_]
    last: Index
    root_start: Index
    part_start: Index
    part_root: Index
    n_cards: int


class StreetArrays(NamedTuple):
    """A poker game for the kernels."""

    boards: Boards
    sides: tuple[Side, Side]


def street_arrays(betting: BettingTree, boards: BoardTree) -> StreetArrays:
    """Lay a game's betting and boards out for the kernels."""
    width = max(int(np.diff(hands.start).max()) for hands in boards.hands)
    parts = _Parts(betting, CACHE_BYTES // (BYTES_A_ROW * width))
    scale = [1.0 / (boards.pair_weight * runouts) for runouts in boards.runouts]
    halves = [_betting(betting, parts, player, scale) for player in (0, 1)]
    known = {
        card: i for i, card in enumerate(sorted({int(c) for h in boards.hands for c in h.cards.ravel()}))
    }
    last = boards.street == boards.street.max()
    sides = [_side(halves[p], boards, p, known) for p in (0, 1)]
    return StreetArrays(
        Boards(
            street=boards.street.astype(np.int64),
            parent=boards.parent.astype(np.int64),
            ways=boards.ways.astype(np.int64),
            symmetric=boards.symmetric,
            last=np.where(last, np.cumsum(last) - 1, -1),
            root_start=parts.root_start,
            part_start=parts.part_start,
            part_root=parts.part_root,
            n_cards=len(known) + 3,
        ),
        (sides[0], sides[1]),
    )


def _side(betting: Betting, boards: BoardTree, player: int, known: dict[int, int]) -> Side:
    hands = boards.hands[player]
    dense = np.array([[known[int(c)] for c in hand] for hand in hands.cards], np.uint8)
    paired = dense.shape[1] == 2
    if not paired:
        dense = np.column_stack([dense, np.full(len(dense), len(known) + player, np.uint8)])
    width, opponents = np.diff(hands.start), np.diff(boards.hands[1 - player].start)
    stand = Stand(
        weight=hands.weight[hands.hand[hands.on(0)]],
        start=hands.start,
        above=hands.above,
        home=hands.home,
        mate=hands.mate if paired else np.repeat(opponents, width).astype(np.uint16),
        first=hands.first,
        size=hands.size,
        card=np.ascontiguousarray(dense[hands.hand]),
        group_start=hands.group_start,
    )
    return Side(
        betting,
        stand,
        _starts(width * betting.n_slots[boards.street]),
        _starts(betting.n_steps[boards.street]),
    )


class _Parts:
    """The roots of each street, put together to parts, and the row of every node for both players.

    Attributes
    ----------
    roots : tuple of int
        The roots' nodes, street by street.
    inside : tuple of tuples of int
        For each root the nodes of its street below it, itself first.
    root_start, part_start, part_root : as in ``Boards``
    """

    def __init__(self, tree: BettingTree, most_rows: int) -> None:
        root_of: dict[int, int] = {}
        inside: dict[int, list[int]] = {}
        for node, parent in enumerate(tree.parent.tolist()):
            is_root = parent < 0 or tree.player[parent] == CHANCE
            root_of[node] = node if is_root else root_of[parent]
            inside.setdefault(root_of[node], []).append(node)
        self.roots = tuple(sorted(inside, key=lambda root: (tree.street[root], root)))
        self.inside = tuple(tuple(inside[root]) for root in self.roots)
        streets = tree.street[list(self.roots)].astype(np.int64)
        self.root_start = _starts(np.bincount(streets, minlength=tree.n_streets))
        widths = [max(_rows_below(tree, nodes, p) for p in (0, 1)) for nodes in self.inside]
        cuts, counts, used = [0], [0] * tree.n_streets, 0
        for root, street in enumerate(streets.tolist()):
            fresh = root == self.root_start[street]
            full = street == tree.n_streets - 1 and used + widths[root] > most_rows
            if fresh or full:
                cuts += [] if root == 0 else [root]
                counts[street] += 1
                used = 0
            used += widths[root]
        self.part_root = np.array([*cuts, len(self.roots)], np.int64)
        self.part_start = _starts(np.array(counts))


def _rows_below(tree: BettingTree, nodes: tuple[int, ...], player: int) -> int:
    return 1 + sum(len(tree.children[node]) for node in nodes if tree.player[node] == player)


def _betting(tree: BettingTree, parts: _Parts, player: int, scale: list[float]) -> Betting:
    """Give a player's half of the betting its rows, and the opponent's rows to its leaves."""
    own, other = _Rows(tree, parts, player), _Rows(tree, parts, 1 - player)
    blocks = _Blocks(tree, parts, own.of_node, other.of_node, player, scale)
    steps = np.array(own.steps, np.int64).reshape(-1, 4).T.copy()
    roots = list(parts.roots)
    before = tree.parent[roots]
    return Betting(
        exit_row=np.where(before < 0, 0, own.of_node[before]),
        entry_row=own.of_node[roots],
        step_start=np.array(own.step_start, np.int64),
        parent=steps[0],
        first=steps[1],
        n_actions=steps[2],
        slot=steps[3],
        n_rows=np.array(own.n_rows, np.int64),
        n_slots=np.array(own.n_slots, np.int64),
        n_steps=np.array(own.n_steps, np.int64),
        **blocks.arrays(),
    )


class _Rows:
    """A player's rows, part by part; a node's row is that of the player's last action before it."""

    def __init__(self, tree: BettingTree, parts: _Parts, player: int) -> None:
        self.of_node = np.zeros(tree.n_nodes, np.int64)
        self.steps: list[tuple[int, int, int, int]] = []
        self.step_start, self.n_rows = [0], []
        self.n_slots, self.n_steps = [0] * tree.n_streets, [0] * tree.n_streets
        for a, b in pairwise(parts.part_root.tolist()):
            self._count = 0
            for root in range(a, b):
                self.of_node[parts.roots[root]] = self._count
                self._count += 1
                for node in parts.inside[root]:
                    self._visit(tree, player, node)
            self.n_rows.append(self._count)
            self.step_start.append(len(self.steps))

    def _visit(self, tree: BettingTree, player: int, node: int) -> None:
        children, street = tree.children[node], int(tree.street[node])
        if tree.player[node] == player:
            self.steps.append((int(self.of_node[node]), self._count, len(children), self.n_slots[street]))
            self.of_node[children] = self._count + np.arange(len(children))
            self._count += len(children)
            self.n_slots[street] += len(children)
            self.n_steps[street] += 1
        elif tree.player[node] != CHANCE:
            self.of_node[children] = self.of_node[node]


class _Leaf(NamedTuple):
    """What a row of a player earns: from one leaf that compares hands, from one that does not, or both."""

    row: int
    showdown_row: int
    showdown_stake: float
    fold_row: int
    fold_stake: float


class _Blocks:
    """The leaves of every part, ``LANES`` to a block, those with a showdown first."""

    def __init__(
        self, tree: BettingTree, parts: _Parts, own: Index, other: Index, player: int, scale: list[float]
    ) -> None:
        self._leaves: list[_Leaf] = []
        self._start, self._folds = [0], []
        for a, b in pairwise(parts.part_root.tolist()):
            nodes = [n for root in range(a, b) for n in parts.inside[root] if tree.player[n] == TERMINAL]
            compared: dict[int, list[tuple[int, float]]] = {}
            folded: dict[int, list[tuple[int, float]]] = {}
            for node in nodes:
                stake = int(tree.stake[node]) / tree.stake_den * scale[tree.street[node]]
                kind, sign = (compared, 1) if tree.showdown[node] else (folded, 1 - 2 * player)
                kind.setdefault(int(own[node]), []).append((int(other[node]), sign * stake))
            leaves = [
                _Leaf(row, *(showdown or (0, 0.0)), *(fold or (0, 0.0)))
                for row in sorted({*compared, *folded})
                for showdown, fold in zip_longest(compared.get(row, ()), folded.get(row, ()))
            ]
            self._append([leaf for leaf in leaves if leaf.showdown_stake])
            self._folds.append(len(self._leaves) // LANES)
            self._append([leaf for leaf in leaves if not leaf.showdown_stake])
            self._start.append(len(self._leaves) // LANES)

    def _append(self, leaves: list[_Leaf]) -> None:
        self._leaves += leaves + [_Leaf(0, 0, 0.0, 0, 0.0)] * (-len(leaves) % LANES)

    def arrays(self) -> dict[str, Any]:
        """Return the fields of ``Betting`` that speak of leaves."""
        columns = np.array(self._leaves, np.float64).reshape(-1, LANES, len(_Leaf._fields))
        row, showdown_row, showdown_stake, fold_row, fold_stake = np.moveaxis(columns, 2, 0)
        return {
            "block_start": np.array(self._start, np.int64),
            "fold_start": np.array(self._folds, np.int64),
            "row": row.astype(np.int64),
            "showdown_row": showdown_row.astype(np.int64),
            "fold_row": fold_row.astype(np.int64),
            "showdown_stake": np.ascontiguousarray(showdown_stake),
            "fold_stake": np.ascontiguousarray(fold_stake),
        }


def _starts(counts: Index) -> Index:
    """Return where each of several stretches starts, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
