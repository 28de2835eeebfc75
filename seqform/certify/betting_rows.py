"""One street of a betting tree as arrays for the judge's kernels, with stakes recomputed from the rules.

The engine has its own arrays of the same betting (``cfr.boards.board_layout``), on purpose: the judge shares
no layout with what it judges.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.judge_kernels import LANES, LeafBlocks
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True)
class LockedDecision:
    """A decision with locked hands.

    Attributes
    ----------
    row : int
        Its row of values.
    slot : int
        The row of its first action in a strategy's table.
    share : (actions, H) float64
        The probability of each action for each hand of the player's range; -1 for free hands.
    """

    row: int
    slot: int
    share: Floats


@dataclass(frozen=True)
class BettingStreet:
    """All betting lines of one street.

    A player's reaches are an array (rows, hands): one row for each line at which the street begins, then one
    for each action of each of the player's decisions. Values are an array (V, hands): one row for each node
    that is not a leaf, and for each leaf that begins the street or follows a decision with locked hands.

    Attributes
    ----------
    n_entries : int
        Number of lines at which the street begins.
    decisions : pair of (D, 3) int64
        The argument of ``kernels.spread_reach``.
    n_actions : pair of int
        Number of actions of all of each player's decisions.
    leaves : pair of LeafBlocks
    into : (V,) int64
        The parent row of each row of values, -1 where the street begins.
    chooses : pair of (V,) bool
        Rows at which each player acts.
    locked : pair of tuples of LockedDecision
        Each player's decisions with locked hands.
    share_row : pair of (V,) int64
        For each row of values, the row of the incoming action in the concatenated ``share`` of ``locked``; -1
        if the parent has no locked hands of the player.
    entry : (n_entries,) int64
        The rows of values at which the street begins.
    chance : (C,) int64
        The rows of values of chance nodes; the next street begins at these lines in this order.
    chance_reach : pair of (C,) int64
        The rows of each player's reaches at chance nodes.
    value_row : mapping from nodes to int
        The row of values of each node that has one.
    reach_row : pair of mappings from nodes to int
        The row of each player's reach at each node.
    """

    n_entries: int
    decisions: tuple[Index, Index]
    n_actions: tuple[int, int]
    leaves: tuple[LeafBlocks, LeafBlocks]
    into: Index
    chooses: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    locked: tuple[tuple[LockedDecision, ...], tuple[LockedDecision, ...]]
    share_row: tuple[Index, Index]
    entry: Index
    chance: Index
    chance_reach: tuple[Index, Index]
    value_row: Mapping[int, int]
    reach_row: tuple[Mapping[int, int], Mapping[int, int]]


def betting_street(
    game: PokerGame, tree: FactoredTree, street: int, kept: frozenset[int] = frozenset()
) -> BettingStreet:
    """Return the arrays of one street; leaves in ``kept`` have rows of values of their own."""
    betting, slot = tree.betting, tree.slot
    nodes = np.flatnonzero(betting.street == street)
    player, parent = betting.player[nodes], _parents(betting, nodes, street)
    entries = np.flatnonzero(parent < 0)
    row = [_reach_rows(betting, slot, nodes, parent, p) for p in (0, 1)]
    after_lock = np.isin(np.where(parent < 0, -1, nodes[parent]), [*tree.locked])
    has_row = (player != TERMINAL) | (parent < 0) | after_lock | np.isin(nodes, [*kept])
    value_row = np.where(has_row, np.cumsum(has_row) - 1, -1)
    before = np.where(parent < 0, -1, value_row[parent])
    chance = np.flatnonzero(player == CHANCE)
    end = np.flatnonzero(player == TERMINAL)
    into = np.where(has_row[end], value_row[end], before[end])
    locks = [_locked(tree, nodes, value_row, p) for p in (0, 1)]
    decisions, n_actions, leaves = [], [], []
    stakes = [_stake(game, betting.line[node]) for node in nodes[end].tolist()]
    for p in (0, 1):
        acts = np.flatnonzero(player == p)
        counts = np.array([len(betting.children[n]) for n in nodes[acts]], np.int64)
        decisions.append(np.stack([row[p][acts], slot[nodes[acts]], counts], axis=1))
        n_actions.append(int(counts.sum()))
        table = np.stack([row[1 - p][end], betting.showdown[nodes[end]], row[p][end], into], axis=1)
        earned = [(1 - 2 * p) * worth if not shown else worth for worth, shown in stakes]
        leaves.append(in_blocks(table.astype(np.int64), np.array([float(e) for e in earned])))
    return BettingStreet(
        n_entries=len(entries),
        decisions=(decisions[0], decisions[1]),
        n_actions=(n_actions[0], n_actions[1]),
        leaves=(leaves[0], leaves[1]),
        into=before[has_row],
        chooses=((player == 0)[has_row], (player == 1)[has_row]),
        locked=(locks[0], locks[1]),
        share_row=(_share_rows(locks[0], before[has_row]), _share_rows(locks[1], before[has_row])),
        entry=value_row[entries],
        chance=value_row[chance],
        chance_reach=(row[0][chance], row[1][chance]),
        value_row=dict(zip(nodes[has_row].tolist(), value_row[has_row].tolist(), strict=True)),
        reach_row=(
            dict(zip(nodes.tolist(), row[0].tolist(), strict=True)),
            dict(zip(nodes.tolist(), row[1].tolist(), strict=True)),
        ),
    )


def _locked(tree: FactoredTree, nodes: Index, value_row: Index, player: int) -> tuple[LockedDecision, ...]:
    locked = [node for node in nodes.tolist() if node in tree.locked and tree.betting.player[node] == player]
    rows = value_row[np.searchsorted(nodes, locked)].tolist()
    return tuple(
        LockedDecision(row, int(tree.slot[node]), tree.locked[node])
        for row, node in zip(rows, locked, strict=True)
    )


def _share_rows(locks: tuple[LockedDecision, ...], into: Index) -> Index:
    """Return ``share_row`` (V,); the children of a decision are in the order of its actions."""
    share_row, first = np.full(len(into), -1), 0
    for lock in locks:
        share_row[into == lock.row] = first + np.arange(len(lock.share))
        first += len(lock.share)
    return share_row


def largest_stake(game: PokerGame, betting: BettingTree) -> Fraction:
    """Return the largest absolute payoff."""
    return max(abs(_stake(game, betting.line[n])[0]) for n in np.flatnonzero(betting.player == TERMINAL))


def _stake(game: PokerGame, line: str) -> tuple[Fraction, bool]:
    """Return a leaf's stake (the winner's payoff at a showdown, else player 0's) and if it is a showdown.

    Recomputed from the chips in the pot instead of read from ``BettingTree.stake``, on purpose: the payoffs
    of the engine and of its certificate come from two computations.
    """
    betting = game.point(line).betting
    if betting.folded < 0:
        return Fraction(min(betting.put)), True
    return Fraction(-betting.put[0] if betting.folded == 0 else betting.put[1]), False


def _parents(betting: BettingTree, nodes: Index, street: int) -> Index:
    """Return each node's parent as an index into ``nodes``, -1 where the street begins."""
    parent = betting.parent[nodes].astype(np.int64)
    here = (parent >= 0) & (betting.street[parent] == street)
    return np.where(here, np.searchsorted(nodes, parent), -1)


def _reach_rows(betting: BettingTree, slot: Index, nodes: Index, parent: Index, player: int) -> Index:
    """Return the row of a player's reach at each node of a street, (nodes,)."""
    n_entries = int((parent < 0).sum())
    row = np.zeros(len(nodes), np.int64)
    row[parent < 0] = np.arange(n_entries)
    for i in np.flatnonzero(parent >= 0).tolist():
        up = int(parent[i])
        node = int(nodes[up])
        acts = betting.player[node] == player
        place = int(np.searchsorted(betting.children[node], nodes[i]))
        row[i] = n_entries + slot[node] + place if acts else row[up]
    return row


def in_blocks(leaves: Index, stake: Floats) -> LeafBlocks:
    """Group leaves by the opponent's reach row, one lane a row, lanes with showdowns first."""
    shown = np.isin(leaves[:, 0], leaves[leaves[:, 1] > 0, 0])
    lanes: list[list[int]] = []
    compares: list[bool] = []
    lane_of: dict[int, int] = {}
    for with_showdowns in (True, False):
        rows = np.unique(leaves[shown == with_showdowns, 0]).tolist()
        for start in range(0, len(rows), LANES):
            block = rows[start : start + LANES]
            lane_of |= {r: len(lanes) * LANES + lane for lane, r in enumerate(block)}
            lanes.append(block + [0] * (LANES - len(block)))
            compares.append(with_showdowns)
    place = np.array([lane_of[r] for r in leaves[:, 0].tolist()], np.int64)
    order = np.argsort(place, kind="stable")
    table = leaves[order]
    table[:, 0] = place[order] % LANES
    starts = np.searchsorted(place[order], LANES * np.arange(len(lanes) + 1))
    return LeafBlocks(
        blocks=np.array(lanes, np.int64).reshape(-1, LANES),
        compares=np.array(compares, np.bool_),
        leaf_start=starts.astype(np.int64),
        leaf=np.ascontiguousarray(table),
        stake=stake[order],
    )
