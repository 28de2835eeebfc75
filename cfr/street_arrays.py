"""Betting and boards as flat arrays for the kernels that learn street by street."""

from collections.abc import Mapping
from itertools import pairwise, zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cfr.lanes import LANES
from games.protocol import CHANCE, TERMINAL
from seqform.betting_tree import BettingTree
from seqform.board_tree import BoardTree
from seqform.street_strategy import StreetTree

Floats = NDArray[np.float64]
Index = NDArray[np.int64]
Cards = NDArray[np.uint8]
Places = NDArray[np.uint16]

NOISE = 1e-14
"""Regrets below this part of what can be won come from rounding."""
CACHE_BYTES = 1_000_000
"""What a part's rows may take, so that they stay in a core's own cache."""
BYTES_A_ROW = 32
"""Of a part's rows for each hand: both players' plans, what is played, values."""


PARENT, FIRST, ACTIONS, SLOT, RANK, LOCK = range(6)
"""The columns of ``Betting.steps``."""
STEPS, BLOCKS, FOLDS, ROWS = range(4)
"""The columns of ``Betting.parts``."""
OWN, COMPARED, FOLDED = range(3)
"""The rows of ``Betting.leaf_rows``; the last two less one are those of ``Betting.stakes``."""
EXIT, ENTRY = range(2)
"""The columns of ``Betting.roots``."""
ABOVE, HOME, MATE, ORBIT, SIZE = range(5)
"""The rows of ``Stand.places``."""
STREET, BOARD_ABOVE, WAYS, LAST, SYMMETRIC = range(5)
"""The columns of ``Boards.boards``."""
ROOTS, PARTS = range(2)
"""The columns of ``Boards.streets``."""


class Betting(NamedTuple):
    """One player's half of the betting on all streets, and the leaves at which it earns.

    A street's betting is one tree below each line on which its cards come, its *roots*; roots are numbered
    street by street in the order of lines. Roots that are worked on together are a *part*: all of a street
    but the last, and on the last street as many as the cache holds. A part's *rows* are vectors over the
    player's hands: one for each root (the player's last sequence before it), one for each of the player's
    actions, numbered from zero in each part. Rows of actions alone are kept between iterations, in *slots*.

    Attributes
    ----------
    roots : (R, 2) int64
        For each root the row of the street before from which it goes on (``EXIT``), and its own (``ENTRY``).
    steps : (T, 6) int64
        Decisions: the row from which one goes on (``PARENT``), the first of the rows it makes (``FIRST``)
        and how many (``ACTIONS``), the slot of the first (``SLOT``), its number (``RANK``), the first of its
        rows in ``Stand.locked`` (``LOCK``; -1 where all hands are free). Slots and decisions are numbered
        from zero on each street.
    parts : (P + 1, 4) int64
        Where each part's decisions start (``STEPS``), where its leaves start in blocks of ``LANES``
        (``BLOCKS``), where those blocks start of which no leaf compares hands (``FOLDS``), and how many
        rows it has (``ROWS``).
    leaf_rows : (B, 3, LANES) int64
        The player's row at each leaf (``OWN``), the opponent's rows on which hands are compared
        (``COMPARED``) and on which they are not (``FOLDED``).
    stakes : (B, 2, LANES) float64
        What the player wins on either against each unit of the opponent's plan, the chance of the street's
        boards counted, beside the most that a hand can win; zero where there is no such leaf.
    """

    roots: Index
    steps: Index
    parts: Index
    leaf_rows: Index
    stakes: Floats


class Stand(NamedTuple):
    """One player's hands on all boards; see ``seqform.board_tree.Hands``.

    Attributes
    ----------
    weight : (H,) float64
        The range on the starting board, in the order of its hands there.
    start : (D + 1,) int64
        Where each board's hands start in the arrays below.
    places : (5, .) uint16
        Where each hand stands on the board before (``ABOVE``), where the first of its orbit stands there
        (``HOME``), where the opponent's equal hand stands that both its cards block (``MATE``; behind all
        others if there is none), where the first hand of its orbit stands on this board (``ORBIT``) and how
        many hands that has (``SIZE``).
    card : (., 2) uint8
        The cards of each hand on each board, numbered densely; a hand of one card has one in second place
        that the opponent never has.
    groups : (last boards, G + 1) uint16
        Where each board's hands of each strength start.
    hand : (.,) uint16
        Which hand of the range each is; empty where none is locked anywhere.
    locked : (rows, range) float64
        Of decisions where hands are locked, how likely each takes each action; -1 where it is free.
    """

    weight: Floats
    start: Index
    places: Places
    card: Cards
    groups: Places
    hand: Places
    locked: Floats


class Side(NamedTuple):
    """A player's betting and hands.

    Attributes
    ----------
    betting : Betting
    stand : Stand
    base : (D + 1, 2) int64
        Where its tables keep each board's slots, and its decisions.
    noise : (S,) float64
        For each street, ``NOISE`` times the most that a hand's action could be worth on one of its boards.
    """

    betting: Betting
    stand: Stand
    base: Index
    noise: Floats


class Boards(NamedTuple):
    """What both players share.

    Attributes
    ----------
    boards : (D, 5) int64
        Each board's street, parent, how many it stands for, its number among those of the last street (-1
        for others), and whether suit permutations fix it (1) or only the identity (0).
    streets : (S + 1, 2) int64
        Where each street's roots and parts start.
    part_root : (P + 1,) int64
        Where each part's roots start.
    n_cards : int
        How many rows sums over cards need: the deck, one for each player's missing card, and all.
    """

    boards: Index
    streets: Index
    part_root: Index
    n_cards: int


class StreetArrays(NamedTuple):
    """A poker game for the kernels."""

    boards: Boards
    sides: tuple[Side, Side]


def street_arrays(tree: StreetTree) -> StreetArrays:
    """Lay a game's betting and boards out for the kernels."""
    betting, boards = tree.betting, tree.boards
    width = max(int(np.diff(hands.start).max()) for hands in boards.hands)
    parts = _Parts(betting, CACHE_BYTES // (BYTES_A_ROW * width))
    known = {
        card: i for i, card in enumerate(sorted({int(c) for h in boards.hands for c in h.cards.ravel()}))
    }
    last = boards.street == boards.street.max()
    number = np.where(last, np.cumsum(last) - 1, -1)
    columns = boards.street, boards.parent, boards.ways, number, boards.symmetric
    sides = [_side(_half(tree, parts, p, _scale(betting, boards, p)), boards, p, known) for p in (0, 1)]
    return StreetArrays(
        Boards(
            boards=np.column_stack([np.asarray(column, np.int64) for column in columns]),
            streets=np.column_stack([parts.root_start, parts.part_start]),
            part_root=parts.part_root,
            n_cards=len(known) + 3,
        ),
        (sides[0], sides[1]),
    )


def _scale(betting: BettingTree, boards: BoardTree, player: int) -> list[float]:
    """Return what a player's stakes on each street are multiplied by: no hand can win more than one in all.

    The factor is the same everywhere but for the chance of the street's boards, and regrets know no unit.
    Numbers of order one leave float32 the most room below.
    """
    highest = max(abs(int(stake)) for stake in betting.stake)
    most = highest / betting.stake_den * float(boards.hands[1 - player].weight.sum())
    return [1.0 / (most * runouts) if most > 0.0 else 1.0 for runouts in boards.runouts]


def _side(half: "_Half", boards: BoardTree, player: int, known: dict[int, int]) -> Side:
    hands = boards.hands[player]
    card = np.array([[known[int(c)] for c in hand] for hand in hands.cards], np.uint8)
    width, opponents = np.diff(hands.start), np.diff(boards.hands[1 - player].start)
    mate = hands.mate
    if card.shape[1] == 1:
        card = np.column_stack([card, np.full(len(card), len(known) + player, np.uint8)])
        mate = np.repeat(opponents, width).astype(np.uint16)
    stand = Stand(
        weight=hands.weight[hands.hand[hands.on(0)]],
        start=hands.start,
        places=np.stack([hands.above, hands.home, mate, hands.first, hands.size.astype(np.uint16)]),
        card=np.ascontiguousarray(card[hands.hand]),
        groups=hands.group_start,
        hand=hands.hand if len(half.locked) else hands.hand[:0],
        locked=half.locked,
    )
    counts = width * half.n_slots[boards.street], half.n_steps[boards.street]
    base = np.column_stack([_starts(count) for count in counts])
    return Side(half.betting, stand, base, NOISE / np.array(boards.runouts))


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


class _Half(NamedTuple):
    """A player's betting, how many slots and decisions each street has, and ``Stand.locked``."""

    betting: Betting
    n_slots: Index
    n_steps: Index
    locked: Floats


def _half(of: StreetTree, parts: _Parts, player: int, scale: list[float]) -> _Half:
    """Give a player's half of the betting its rows, and the opponent's rows to its leaves."""
    tree = of.betting
    own, other = (_Rows(tree, parts, p, of.locked) for p in (player, 1 - player))
    blocks = _Blocks(tree, parts, own.of_node, other.of_node, player, scale)
    roots = list(parts.roots)
    before = tree.parent[roots]
    exits = np.where(before < 0, 0, own.of_node[before])
    betting = Betting(
        roots=np.column_stack([exits, own.of_node[roots]]),
        steps=np.array(own.steps, np.int64).reshape(-1, 6),
        parts=np.array(
            [own.step_start, blocks.start, [*blocks.folds, 0], [*own.n_rows, 0]], np.int64
        ).T.copy(),
        leaf_rows=blocks.leaf_rows(),
        stakes=blocks.stakes(),
    )
    locked = np.zeros((own.n_locked, len(of.boards.hands[player].weight)))
    for node, first in own.lock_of.items():
        locked[first : first + len(of.locked[node])] = of.locked[node]
    return _Half(betting, np.array(own.n_slots, np.int64), np.array(own.n_steps, np.int64), locked)


class _Rows:
    """A player's rows, part by part; a node's row is that of the player's last action before it."""

    def __init__(self, tree: BettingTree, parts: _Parts, player: int, locked: Mapping[int, Floats]) -> None:
        self.of_node = np.zeros(tree.n_nodes, np.int64)
        self.steps: list[tuple[int, int, int, int, int, int]] = []
        self.lock_of: dict[int, int] = {}
        self.n_locked = 0
        for node, share in locked.items():
            if tree.player[node] == player:
                self.lock_of[node] = self.n_locked
                self.n_locked += len(share)
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
            self.steps.append(
                (
                    int(self.of_node[node]),
                    self._count,
                    len(children),
                    self.n_slots[street],
                    self.n_steps[street],
                    self.lock_of.get(node, -1),
                )
            )
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
        self.start, self.folds = [0], []
        for a, b in pairwise(parts.part_root.tolist()):
            nodes = [n for root in range(a, b) for n in parts.inside[root] if tree.player[n] == TERMINAL]
            shown: dict[int, list[tuple[int, float]]] = {}
            folded: dict[int, list[tuple[int, float]]] = {}
            for node in nodes:
                stake = int(tree.stake[node]) / tree.stake_den * scale[tree.street[node]]
                kind, sign = (shown, 1) if tree.showdown[node] else (folded, 1 - 2 * player)
                kind.setdefault(int(own[node]), []).append((int(other[node]), sign * stake))
            leaves = [
                _Leaf(row, *(showdown or (0, 0.0)), *(fold or (0, 0.0)))
                for row in sorted({*shown, *folded})
                for showdown, fold in zip_longest(shown.get(row, ()), folded.get(row, ()))
            ]
            compared = sum(leaf.showdown_stake != 0 for leaf in leaves)
            leaves.sort(key=lambda leaf: leaf.showdown_stake == 0)
            self.folds.append(len(self._leaves) // LANES + -(-compared // LANES))
            self._leaves += leaves + [_Leaf(0, 0, 0.0, 0, 0.0)] * (-len(leaves) % LANES)
            self.start.append(len(self._leaves) // LANES)

    def leaf_rows(self) -> Index:
        """Return ``Betting.leaf_rows``."""
        rows = [[leaf.row, leaf.showdown_row, leaf.fold_row] for leaf in self._leaves]
        return np.array(rows, np.int64).reshape(-1, LANES, 3).transpose(0, 2, 1).copy()

    def stakes(self) -> Floats:
        """Return ``Betting.stakes``."""
        stakes = [[leaf.showdown_stake, leaf.fold_stake] for leaf in self._leaves]
        return np.array(stakes, np.float64).reshape(-1, LANES, 2).transpose(0, 2, 1).copy()


def _starts(counts: Index) -> Index:
    """Return where each of several stretches starts, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
