"""A public tree as flat arrays for the kernels of the vector solvers: live hands only, sorted by strength."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.protocol import TERMINAL
from seqform.deal import Deal, Ints
from seqform.public_tree import PublicTree

Floats = NDArray[np.float64]
Index = NDArray[np.int64]
Small = NDArray[np.uint32]

LEAVES = 4
"""Leaves come in blocks of so many: their sums do not wait for each other."""
ALIGNED = 8
"""Rows start at multiples of so many floats."""


class SideArrays(NamedTuple):
    """One player's half of a public tree.

    The player's sequences are *rows*: vectors over the hands that live on the board in force, weakest
    first. Row 0 is the empty sequence; each decision adds a row an action, each change of board a row
    that rewrites another in the order of the new board. All rows lie in one flat vector of ``row_start[-1]``
    floats, so plans, regrets and values are single arrays, and a row's number exceeds its parent's.

    The weight of a pair of hands is a sum of *sections*: all hands first, then the holders of each key,
    with player 0's shares negative (``Deal``, inclusion and exclusion). Sections have the same number for
    both players; a section's *entries* are the hands in it, weakest first.

    Attributes
    ----------
    row_start : (R + 1,) int64
        Where each row starts in the flat vectors; a row may end before the next one starts.
    row_width : (R,) int64
        How many hands each row has.
    step_parent, step_row, step_actions : (T,) int64
        What makes rows, in preorder: ``step_actions`` rows from ``step_row`` on, children of
        ``step_parent``. No action means a change of board.
    step_node : (T,) int64
        The public node of a decision, -1 at a change of board.
    step_move : (T,) int64
        Where a change of board starts in ``move``.
    move : (.,) uint32
        For each hand of the new row, where it stands in the old one.
    deal_start : (D + 1,) int64
        Where each board's live hands start in ``hand``, ``mate`` and ``same``.
    hand : (.,) int64
        The tree's number of each live hand.
    mate : (.,) uint32
        Where the opponent's equal hand stands in its row, 0 if there is none.
    same : (.,) float64
        The correction for the pair of equal hands, 0 if there is none.
    section_start : (D + 1,) int64
        Where each board's sections start.
    entry_start : (S + 1,) int64
        Where each section's entries start.
    entry_hand : (.,) uint32
        Where the entry's hand stands in its row.
    entry_share : (.,) float64
        What the hand contributes to the section.
    entry_weaker, entry_upto : (.,) uint32
        How many of the opponent's entries of the section are weaker, and how many are no stronger.
    showdown_row, fold_row : (B, LEAVES) int64
        The player's row at each leaf.
    """

    row_start: Index
    row_width: Index
    step_parent: Index
    step_row: Index
    step_actions: Index
    step_node: Index
    step_move: Index
    move: Small
    deal_start: Index
    hand: Index
    mate: Small
    same: Floats
    section_start: Index
    entry_start: Index
    entry_hand: Small
    entry_share: Floats
    entry_weaker: Small
    entry_upto: Small
    showdown_row: Index
    fold_row: Index


class VectorArrays(NamedTuple):
    """A public tree for the kernels.

    Attributes
    ----------
    sides : pair of SideArrays
    showdown_deal, fold_deal : (B,) int64
        The board of each block of leaves. A block that is not full repeats a leaf with no stake.
    showdown_stake, fold_stake : (B, LEAVES) float64
        Stake, in the tree's unit, times the scale of the board's weights: what player 0 gets for each
        unit of weight (at a showdown, if its hand is the better one).
    """

    sides: tuple[SideArrays, SideArrays]
    showdown_deal: Index
    fold_deal: Index
    showdown_stake: Floats
    fold_stake: Floats


def vector_arrays(tree: PublicTree) -> VectorArrays:
    """Lay a public tree out for the kernels.

    Floats are the nearest to the exact weights, each player's divided by the largest on the board; what
    was divided by is in the stakes.

    Raises
    ------
    ValueError
        If a hand lives on a board but not on the board that came before.
    """
    boards = [_Board(deal) for deal in tree.deals]
    rows = _Rows(tree, boards, 0), _Rows(tree, boards, 1)
    leaves = tree.nodes_of(TERMINAL)
    showdowns = _blocks(tree, leaves[tree.showdown[leaves]])
    folds = _blocks(tree, leaves[~tree.showdown[leaves]])
    sides = [
        SideArrays(
            **rows[p].arrays(),
            **_hands_and_sections(boards, p),
            showdown_row=rows[p].of_node[showdowns.node],
            fold_row=rows[p].of_node[folds.node],
        )
        for p in (0, 1)
    ]
    return VectorArrays(
        sides=(sides[0], sides[1]),
        showdown_deal=tree.deal[showdowns.node[:, 0]].astype(np.int64),
        fold_deal=tree.deal[folds.node[:, 0]].astype(np.int64),
        showdown_stake=_stakes(tree, boards, showdowns),
        fold_stake=_stakes(tree, boards, folds),
    )


def live_hands(side: SideArrays, deal: int) -> Index:
    """Return the tree's numbers of the hands that live on a board, in the order of its rows."""
    return side.hand[side.deal_start[deal] : side.deal_start[deal + 1]]


class _Board:
    """One deal's live hands, weakest first, and its sections."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.hand = tuple(_weakest_first(deal, p) for p in (0, 1))
        self.place = tuple(_places(deal.n_hands[p], self.hand[p]) for p in (0, 1))
        self.unit = tuple(max((abs(int(w)) for w in deal.weight[p]), default=1) or 1 for p in (0, 1))
        held = [_held_keys(deal, p, self.hand[p]) for p in (0, 1)]
        self.keys = np.intersect1d(held[0], held[1])

    @property
    def n_sections(self) -> int:
        """How many sections the board has: all hands, and those of each key that both players may hold."""
        return 1 + len(self.keys)

    def entries(self, player: int) -> tuple[Index, Index, Floats]:
        """Return section, place and share of each entry, by section and strength."""
        deal, hand = self.deal, self.hand[player]
        key = deal.key[player][hand]
        at, slot = np.nonzero(np.isin(key, self.keys))
        section = 1 + np.searchsorted(self.keys, key[at, slot])
        sign = -1 if player == 0 else 1
        share = _floats(sign * deal.share[player][hand][at, slot], self.unit[player])
        order = np.argsort(section, kind="stable")
        everyone = _floats(deal.weight[player][hand], self.unit[player])
        return (
            np.concatenate([np.zeros(len(hand), np.int64), section[order]]),
            np.concatenate([np.arange(len(hand)), at[order]]),
            np.concatenate([everyone, share[order]]),
        )


def _weakest_first(deal: Deal, player: int) -> Index:
    """Return the live hands, weakest first."""
    live = np.flatnonzero(deal.alive[player])
    return live[np.argsort(deal.strength[player][live], kind="stable")]


def _places(n_hands: int, hand: Index) -> Index:
    """Return where each hand stands in a row, -1 if it is dead."""
    place = np.full(n_hands, -1, dtype=np.int64)
    place[hand] = np.arange(len(hand))
    return place


def _held_keys(deal: Deal, player: int, hand: Index) -> NDArray[np.int32]:
    key = deal.key[player][hand]
    return np.unique(key[key >= 0])


def _floats(exact: Ints, unit: int) -> Floats:
    """Divide exact integers; Python rounds each quotient once."""
    return np.array([int(n) / unit for n in exact], dtype=np.float64)


def _hands_and_sections(boards: list[_Board], player: int) -> dict[str, Index | Small | Floats]:
    """Return the columns of ``SideArrays`` that go by board."""
    parts = [_sections(board, player) for board in boards]
    n_entries = np.concatenate([count for count, *_ in parts])
    hand, share, weaker, upto = (np.concatenate(column) for column in list(zip(*parts, strict=True))[1:])
    mates = [_mates(board, player) for board in boards]
    return {
        "deal_start": _starts([len(board.hand[player]) for board in boards]),
        "hand": np.concatenate([board.hand[player] for board in boards]),
        "mate": np.concatenate([mate for mate, _ in mates]).astype(np.uint32),
        "same": np.concatenate([same for _, same in mates]),
        "section_start": _starts([board.n_sections for board in boards]),
        "entry_start": _starts(n_entries),
        "entry_hand": hand.astype(np.uint32),
        "entry_share": share,
        "entry_weaker": weaker.astype(np.uint32),
        "entry_upto": upto.astype(np.uint32),
    }


def _sections(board: _Board, player: int) -> tuple[Index, Index, Floats, Index, Index]:
    """Return entries a section, and of each entry: place, share, opponents weaker and no stronger."""
    codes = []
    strengths = [board.deal.strength[p][board.hand[p]] for p in (0, 1)]
    scale = np.unique(np.concatenate(strengths))
    for p in (player, 1 - player):
        section, place, _ = board.entries(p)
        codes.append(section * len(scale) + np.searchsorted(scale, strengths[p][place]))
    section, place, share = board.entries(player)
    start = np.searchsorted(codes[1], section * len(scale))
    weaker = np.searchsorted(codes[1], codes[0], side="left") - start
    upto = np.searchsorted(codes[1], codes[0], side="right") - start
    return np.bincount(section, minlength=board.n_sections), place, share, weaker, upto


def _mates(board: _Board, player: int) -> tuple[Index, Floats]:
    """Return where each hand's equal stands in the opponent's row, and their correction."""
    deal = board.deal
    partner = np.full(deal.n_hands[player], -1, dtype=np.int64)
    held = np.flatnonzero(deal.mate >= 0)
    pairs = held, deal.mate[held].astype(np.int64)
    partner[pairs[player]] = pairs[1 - player]
    partner = partner[board.hand[player]]
    place = np.where(partner >= 0, board.place[1 - player][partner], -1)
    owner = board.hand[0] if player == 0 else partner
    same = np.where(place >= 0, deal.same[owner], 0)
    return np.maximum(place, 0), _floats(same, board.unit[0] * board.unit[1])


def _starts(counts: Index | list[int]) -> Index:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


class _Rows:
    """One player's rows while the tree is walked."""

    def __init__(self, tree: PublicTree, boards: list[_Board], player: int) -> None:
        self._tree, self._boards, self._player = tree, boards, player
        self._width = [self._live(int(tree.deal[0]))]
        self._steps: list[tuple[int, int, int, int, int]] = []
        self._moves: list[Index] = [np.zeros(0, dtype=np.int64)]
        self._known: dict[tuple[int, int], int] = {}
        self._moved = 0
        self.of_node = np.zeros(tree.n_nodes, dtype=np.int64)
        for node in range(tree.n_nodes):
            self._visit(node)

    def _live(self, deal: int) -> int:
        return len(self._boards[deal].hand[self._player])

    def _visit(self, node: int) -> None:
        """Give the children of a node their rows."""
        tree = self._tree
        here, row = int(tree.deal[node]), int(self.of_node[node])
        children = tree.children[node]
        rows = [row] * len(children)
        if tree.player[node] == self._player:
            rows = list(range(len(self._width), len(self._width) + len(children)))
            self._steps.append((row, rows[0], len(children), node, 0))
            self._width += [self._live(here)] * len(children)
        for child, above in zip(children, rows, strict=True):
            there = int(tree.deal[child])
            self.of_node[child] = above if there == here else self._change_board(above, here, there)

    def _change_board(self, row: int, here: int, there: int) -> int:
        """Make a row that rewrites another in the order of the next board."""
        if (here, there) not in self._known:
            self._known[here, there] = self._moved
            self._moves.append(self._move(here, there))
            self._moved += len(self._moves[-1])
        new = len(self._width)
        self._steps.append((row, new, 0, -1, self._known[here, there]))
        self._width.append(self._live(there))
        return new

    def _move(self, here: int, there: int) -> Index:
        p = self._player
        hand = self._boards[there].hand[p]
        place = self._boards[here].place[p][hand]
        if np.any(place < 0):
            label = self._tree.hands[p][hand[np.argmin(place)]]
            raise ValueError(
                f"player {p}'s hand {label} lives on deal {there} but not on deal {here} before it"
            )
        return place

    def arrays(self) -> dict[str, Index | Small]:
        """Return the columns of ``SideArrays`` that go by row."""
        width = np.array(self._width, dtype=np.int64)
        steps = np.array(self._steps, dtype=np.int64).reshape(-1, 5).T.copy()
        names = ("step_parent", "step_row", "step_actions", "step_node", "step_move")
        return {
            "row_start": _starts(-(-width // ALIGNED) * ALIGNED),
            "row_width": width,
            "move": np.concatenate(self._moves).astype(np.uint32),
            **dict(zip(names, steps, strict=True)),
        }


class _Blocks(NamedTuple):
    """Leaves of one kind, (B, LEAVES), each block on one board; ``real`` is False where a leaf is repeated."""

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


def _stakes(tree: PublicTree, boards: list[_Board], blocks: _Blocks) -> Floats:
    """Return each leaf's stake times its board's scale, 0 for repeated leaves."""
    stakes = np.zeros(blocks.node.shape)
    for at in zip(*np.nonzero(blocks.real), strict=True):
        node = blocks.node[at]
        board = boards[tree.deal[node]]
        scale = board.unit[0] * board.unit[1]
        stakes[at] = int(tree.stake[node]) * scale / (tree.stake_den * board.deal.den)
    return stakes
