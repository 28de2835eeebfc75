"""The paths of boards on a public tree and their probabilities."""

from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from treeplex.cfr.public_tree.arrays import RowArrays, VectorArrays
from treeplex.cfr.public_tree.sections import Floats, Index, starts
from treeplex.seqform.trees.deal import Deal
from treeplex.seqform.trees.public_tree import PublicTree


class Paths(NamedTuple):
    """The paths of boards from the first board to the last ones, with probabilities.

    Attributes
    ----------
    start : (P + 1,) int64
        First entry of each path in ``board``.
    board : (.,) int64
        The boards on the paths, in order.
    cumulative : (P,) float64
        Cumulative probabilities of the paths.
    likely : (D,) float64
        Probability that each board is on the path drawn.
    """

    start: Index
    board: Index
    cumulative: Floats
    likely: Floats


class BoardSteps(NamedTuple):
    """One player's steps by board: those of board d are ``step[start[d] : start[d + 1]]``, in order."""

    start: Index
    step: Index


def paths_of(tree: PublicTree) -> Paths:
    """Return the paths of a tree's boards, with probabilities from the pairs of hands on their last boards.

    Raises
    ------
    ValueError
        If a board follows two others, or the weight of a board's pairs of hands is negative.
    """
    before = _before(tree)
    last = sorted(set(range(len(tree.deals))) - set(before.values()))
    weights = [_weight(tree.deals[d]) for d in last]
    if min(weights) < 0 or sum(weights) == 0:
        raise ValueError(f"a board's pairs of hands must weigh at least 0 and some more, got {min(weights)}")
    likely = [Fraction(0)] * len(tree.deals)
    paths = []
    for end, weight in zip(last, weights, strict=True):
        paths.append(_path(before, end))
        for board in paths[-1]:
            likely[board] += weight / sum(weights)
    return Paths(
        start=starts([len(path) for path in paths]),
        board=np.concatenate([np.array(path, dtype=np.int64) for path in paths]),
        cumulative=np.array([float(below / sum(weights)) for below in accumulate(weights)]),
        likely=np.array([float(p) for p in likely]),
    )


def board_steps(rows: RowArrays, n_boards: int) -> BoardSteps:
    """Return a player's steps by board."""
    counts = np.bincount(rows.deal, minlength=n_boards)
    return BoardSteps(starts(counts), np.argsort(rows.deal, kind="stable").astype(np.int64))


def weighted_by_chance(arrays: VectorArrays, likely: Floats) -> VectorArrays:
    """Return a tree with stakes and noise divided by the probability of drawing their board.

    Stakes on boards of probability 0 are 0.
    """
    factor = np.divide(1.0, likely, out=np.zeros_like(likely), where=likely > 0)
    leaves = [
        kind._replace(stake=kind.stake * np.repeat(factor, np.diff(kind.start))[:, None])
        for kind in (arrays.showdowns, arrays.folds)
    ]
    sides = [
        side._replace(noise=side.noise * np.repeat(factor, np.diff(side.sections.deal_start)))
        for side in arrays.sides
    ]
    return VectorArrays((sides[0], sides[1]), leaves[0], leaves[1])


def _before(tree: PublicTree) -> dict[int, int]:
    """Return the previous board of each board but the first."""
    before: dict[int, int] = {}
    for node in range(1, tree.n_nodes):
        here, there = int(tree.deal[tree.parent[node]]), int(tree.deal[node])
        if here != there and before.setdefault(there, here) != here:
            raise ValueError(f"a board must follow one board, got {there} after {here} and {before[there]}")
    return before


def _path(before: dict[int, int], end: int) -> list[int]:
    path = [end]
    while path[0] in before:
        path.insert(0, before[path[0]])
    return path


def _weight(deal: Deal) -> Fraction:
    """Return the total weight of all pairs of hands, by inclusion and exclusion."""
    total = sum(map(int, deal.weight[0])) * sum(map(int, deal.weight[1]))
    held = [_by_key(deal, p) for p in (0, 1)]
    total -= sum(share * held[1].get(key, 0) for key, share in held[0].items())
    total += sum(int(deal.same[g]) for g in np.flatnonzero(deal.mate >= 0))
    return Fraction(total, deal.den)


def _by_key(deal: Deal, player: int) -> dict[int, int]:
    """Return the sum of a player's shares through each key."""
    sums: dict[int, int] = {}
    for key, share in zip(deal.key[player].ravel().tolist(), deal.share[player].ravel(), strict=True):
        if key >= 0:
            sums[key] = sums.get(key, 0) + int(share)
    return sums
