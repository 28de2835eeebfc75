"""Layout of a factored tree (betting times boards) as flat arrays for the kernels.

One player's rows, decisions and leaves in the betting, part by part; root decisions over the hands of the
starting board; hands on all boards. The judge has a layout of its own
(``seqform.certify.betting_rows``): an error in one is not repeated in the other.
"""

from collections.abc import Mapping
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

import numpy as np

from treeplex.cfr.boards.board_arrays import (
    BettingArrays,
    BoardArrays,
    BoardPlayer,
    DecisionArrays,
    Drawn,
    FactoredArrays,
    Floats,
    HandArrays,
    Index,
    Labels,
    LeafArrays,
    PartArrays,
    Root,
    Roots,
    starts_of,
)
from treeplex.cfr.boards.simd import FLOAT64, LANES
from treeplex.cfr.update_rules import NOISE
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.subgames.drawn import Decisions, DrawnDecisions


class StreetParts:
    """The roots of the betting of each street, grouped into parts.

    Attributes
    ----------
    roots : tuple of int
        The roots' nodes, by street.
    inside : tuple of tuples of int
        For each root the nodes of its street below it, the root first.
    root_start, part_start, part_root : as in ``BoardArrays``
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
        self.root_start = starts_of(np.bincount(streets, minlength=tree.n_streets))
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
        self.part_start = starts_of(np.array(counts))


def _rows_below(tree: BettingTree, nodes: tuple[int, ...], player: int) -> int:
    return 1 + sum(len(tree.children[node]) for node in nodes if tree.player[node] == player)


class PlayerBetting(NamedTuple):
    """A player's betting, the numbers of slots and decisions of each street, and ``HandArrays.locked``."""

    betting: BettingArrays
    n_slots: Index
    n_steps: Index
    locked: Floats


def player_betting(
    of: FactoredTree, parts: StreetParts, player: int, scale: list[float], lanes: int
) -> PlayerBetting:
    """Number a player's rows and slots, and assign both players' rows to the leaves."""
    tree = of.betting
    own, other = (_BoardRows(tree, parts, p, of.locked) for p in (player, 1 - player))
    blocks = _BoardBlocks(tree, parts, own.of_node, other.of_node, player, scale, lanes)
    roots = list(parts.roots)
    before = tree.parent[roots]
    exits = np.where(before < 0, 0, own.of_node[before])
    steps = np.array(own.steps, np.int64).reshape(-1, len(DecisionArrays._fields)).T.copy()
    starts = own.step_start, blocks.start, [*blocks.folds, 0], [*own.n_rows, 0]
    betting = BettingArrays(
        roots=Roots(exits, own.of_node[roots]),
        steps=DecisionArrays(*steps),
        parts=PartArrays(*(np.array(start, np.int64) for start in starts)),
        leaves=blocks.leaves(),
    )
    locked = np.zeros((own.n_locked, len(of.boards.hands[player].weight)))
    for node, first in own.lock_of.items():
        locked[first : first + len(of.locked[node])] = of.locked[node]
    return PlayerBetting(betting, np.array(own.n_slots, np.int64), np.array(own.n_steps, np.int64), locked)


class _BoardRows:
    """A player's rows by part; the row of a node is that of the player's last action before it."""

    def __init__(
        self, tree: BettingTree, parts: StreetParts, player: int, locked: Mapping[int, Floats]
    ) -> None:
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
    """At most one showdown and one fold at a row of a player, with the opponent's rows and stakes."""

    row: int
    showdown_row: int
    showdown_stake: float
    fold_row: int
    fold_stake: float


class _BoardBlocks:
    """The leaves of every part in blocks, those with a showdown first."""

    def __init__(
        self,
        tree: BettingTree,
        parts: StreetParts,
        own: Index,
        other: Index,
        player: int,
        scale: list[float],
        lanes: int,
    ) -> None:
        self._lanes = lanes
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
            self.folds.append(len(self._leaves) // lanes + -(-compared // lanes))
            self._leaves += leaves + [_Leaf(0, 0, 0.0, 0, 0.0)] * (-len(leaves) % lanes)
            self.start.append(len(self._leaves) // lanes)

    def leaves(self) -> LeafArrays:
        """Return ``BettingArrays.leaves``."""
        rows = [[leaf.row, leaf.showdown_row, leaf.fold_row] for leaf in self._leaves]
        stakes = [[leaf.showdown_stake, leaf.fold_stake] for leaf in self._leaves]
        own, compared, folded = np.array(rows, np.int64).reshape(-1, self._lanes, 3).transpose(2, 0, 1).copy()
        showdown, fold = np.array(stakes, np.float64).reshape(-1, self._lanes, 2).transpose(2, 0, 1).copy()
        return LeafArrays(own, compared, folded, showdown, fold)


def root_arrays(decisions: Decisions, weight: Floats, order: Index, unit: float) -> Root:
    """Lay out root decisions.

    Parameters
    ----------
    decisions : RootDecisions or DrawnDecisions
        Its tops are the hands of the range.
    weight : (H,) float64
        Of the range.
    order : (H,) int64
        The hands of the starting board in their order there.
    unit : float
        What the player's values are divided by.
    """
    if isinstance(decisions, DrawnDecisions):
        live = decisions.live[order]
        inside, none = live.astype(np.float64)[None], np.zeros(0, np.int64)
        return Root(
            *(none, none, none),
            at=np.where(live, order, -1)[None],
            weight=inside * weight[order],
            own=inside,
            base=1.0 - inside[0],
            stay=np.zeros(0),
            drawn=Drawn(decisions.mean / unit, decisions.deviation / unit, decisions.by_hedge),
        )
    entries, header = decisions.entries, decisions.header
    at = np.array([entry.at[order] for entry in entries], np.int64)
    inside = np.where(at >= 0, np.array([entry.weight[order] for entry in entries]), 0.0)
    total = inside.sum(axis=0)
    stay = np.zeros(header.n_sequences)
    np.add.at(stay, decisions.stay[0], decisions.stay[1] / unit)
    return Root(
        begin=header.begin.astype(np.int64),
        end=header.end.astype(np.int64),
        parent=header.parent.astype(np.int64),
        at=at,
        weight=inside * weight[order],
        own=inside / np.where(total > 0.0, total, 1.0),
        base=np.where(total > 0.0, 0.0, 1.0),
        stay=stay,
        drawn=Drawn(np.zeros(0), np.zeros(0), by_hedge=False),
    )


CACHE_BYTES = 1_000_000
"""Size limit of the rows of a part, about the cache of a core."""
ROWS = 4
"""Numbers per row and hand: both players' plans, behaviour and values."""
Tied = tuple[Labels, Floats]
"""The bucket of each live hand of each board, and its part of the weight of its bucket."""


def factored_arrays(
    tree: FactoredTree,
    roots: tuple[Decisions, Decisions],
    tied: tuple[Tied | None, Tied | None] = (None, None),
    like: FactoredArrays | None = None,
    kind: np.dtype[Any] = FLOAT64,
) -> FactoredArrays:
    """Lay out a factored tree, entered by each player's root decisions, for the kernels.

    Parameters
    ----------
    tree : FactoredTree
    roots : pair of RootDecisions or DrawnDecisions
    tied : pair of Tied or None
        The buckets of each player's hands; None where every hand learns by itself.
    like : FactoredArrays, optional
        Another tree on the same boards, whose hands are shared; neither with locks or buckets.
    kind : dtype, optional
        In which plans and values are computed, float64 or float32.
    """
    betting, boards = tree.betting, tree.boards
    width = max(int(np.diff(hands.start).max()) for hands in boards.hands)
    parts = StreetParts(betting, CACHE_BYTES // (ROWS * kind.itemsize * width))
    known = {
        card: i for i, card in enumerate(sorted({int(c) for h in boards.hands for c in h.cards.ravel()}))
    }
    last = boards.street == boards.street.max()
    number = np.where(last, np.cumsum(last) - 1, -1)
    columns = boards.street, boards.parent, boards.ways, number, boards.symmetric
    street, parent, ways, last_number, symmetric = (np.ascontiguousarray(c, np.int64) for c in columns)
    sides = []
    units = _units(tree, roots)
    for p, unit in enumerate(units):
        half = player_betting(
            tree, parts, p, [1.0 / (unit * runouts) for runouts in boards.runouts], LANES[kind]
        )
        hands = _hands(half, boards, p, known, tied[p]) if like is None else like.sides[p].hands
        sides.append(_side(half, boards, p, _root(boards, p, roots[p], unit), hands))
    return FactoredArrays(
        BoardArrays(
            street=street,
            parent=parent,
            ways=ways,
            last=last_number,
            symmetric=symmetric,
            root_start=parts.root_start,
            part_start=parts.part_start,
            part_root=parts.part_root,
            n_cards=len(known) + 3,
        ),
        (sides[0], sides[1]),
        units,
    )


def with_roots(
    arrays: FactoredArrays, tree: FactoredTree, roots: tuple[Decisions, Decisions]
) -> FactoredArrays:
    """Return a tree's arrays entered by other root decisions; all else but the stakes is shared."""
    units, sides = _units(tree, roots), []
    for p, side in enumerate(arrays.sides):
        leaves, factor = side.betting.leaves, arrays.units[p] / units[p]
        scaled = leaves._replace(showdown=leaves.showdown * factor, fold=leaves.fold * factor)
        root = _root(tree.boards, p, roots[p], units[p])
        sides.append(side._replace(root=root, betting=side.betting._replace(leaves=scaled)))
    return FactoredArrays(arrays.boards, (sides[0], sides[1]), units)


def _root(boards: BoardTree, player: int, decisions: Decisions, unit: float) -> Root:
    hands = boards.hands[player]
    return root_arrays(decisions, hands.weight, hands.hand[hands.on(0)].astype(np.int64), unit)


def _units(tree: FactoredTree, roots: tuple[Decisions, Decisions]) -> tuple[float, float]:
    first, second = (_unit(tree.betting, tree.boards, roots[1 - p], p) for p in (0, 1))
    return first, second


def _unit(betting: BettingTree, boards: BoardTree, other: Decisions, player: int) -> float:
    """Return the most that a player's hand can win in all, by which its values are divided.

    Regret matching does not depend on the unit. Numbers of order 1 leave float32 the largest range below.
    """
    most = betting.largest_stake * float((boards.hands[1 - player].weight * other.most_weight).sum())
    return most if most > 0.0 else 1.0


def _hands(
    half: PlayerBetting, boards: BoardTree, player: int, known: dict[int, int], tied: Tied | None
) -> HandArrays:
    hands = boards.hands[player]
    bucket, share = (np.zeros(0, np.uint32), np.zeros(0)) if tied is None else tied
    number = np.zeros(max(known, default=0) + 1, np.uint8)
    number[[*known]] = [*known.values()]
    card = number[hands.cards]
    width, opponents = np.diff(hands.start), np.diff(boards.hands[1 - player].start)
    mate = hands.mate
    if card.shape[1] == 1:
        card = np.column_stack([card, np.full(len(card), len(known) + player, np.uint8)])
        mate = np.repeat(opponents, width).astype(np.uint16)
    return HandArrays(
        start=hands.start,
        above=np.ascontiguousarray(hands.above),
        home=np.ascontiguousarray(hands.home),
        mate=np.ascontiguousarray(mate),
        orbit=np.ascontiguousarray(hands.first),
        size=hands.size.astype(np.uint16),
        card=np.ascontiguousarray(card[hands.hand]),
        copies=np.zeros((0, 3), np.uint8) if hands.copies is None else hands.copies,
        groups=hands.group_start,
        hand=hands.hand if len(half.locked) else hands.hand[:0],
        locked=half.locked,
        bucket=bucket,
        share=share,
    )


def _side(half: PlayerBetting, boards: BoardTree, player: int, root: Root, hands: HandArrays) -> BoardPlayer:
    width = np.diff(boards.hands[player].start)
    slots, steps = (starts_of(width * half.n_slots[boards.street]), starts_of(half.n_steps[boards.street]))
    return BoardPlayer(root, half.betting, hands, slots, steps, NOISE / np.array(boards.runouts))
