"""Counterfactual values at the leaves of a public tree, in time linear in hands.

The linear program has a showdown of its own (``seqform.forms.public_form``), so that each checks the other.
"""

import numpy as np
from numba import njit

from treeplex.cfr.public.hand_sections import Floats, Index
from treeplex.cfr.public.public_arrays import LEAVES, Leaves, PlayerArrays, VectorArrays


def empty_sums(*sides: PlayerArrays) -> Floats:
    """Allocate the running sums of the longest section for a block of leaves."""
    longest = max(int(np.max(np.diff(side.sections.entry_start), initial=0)) for side in sides)
    return np.zeros((LEAVES, longest + 1))


@njit(cache=True, error_model="numpy", inline="always")
def add_leaf_values(
    arrays: VectorArrays, boards: Index, player: int, plan: Floats, sums: Floats, values: Floats
) -> None:
    """Add the values at the leaves of some boards to a player's rows, against the opponent's plan."""
    own, opponent = arrays.sides[player], arrays.sides[1 - player]
    add_showdowns(own, opponent, arrays.showdowns, boards, plan, sums, values)
    add_folds(own, opponent, arrays.folds, boards, 1.0 - 2.0 * player, plan, values)


@njit(cache=True, error_model="numpy")
def add_showdowns(
    own: PlayerArrays,
    opponent: PlayerArrays,
    leaves: Leaves,
    boards: Index,
    plan: Floats,
    sums: Floats,
    values: Floats,
) -> None:
    """Add the values of a player's hands at the showdowns of some boards, in place.

    A hand's value at a leaf is the stake times the sum over the opponent's hands h of
    ``W[g, h] sign(g beats h) plan[h]``. In each section (``SectionArrays``) the running sum of the
    opponent's entries, weakest first, is what is weaker at ``entry_weaker`` and what is not stronger at
    ``entry_upto``; a hand and its equal tie, so that ``same`` drops out (the linear showdown of Johanson,
    Waugh, Bowling and Zinkevich 2011, with inclusion and exclusion for blocked hands). The four leaves
    of a block are summed together, since each running sum is bound by the latency of its additions.

    Parameters
    ----------
    own, opponent : PlayerArrays
    leaves : Leaves
    boards : (.,) int64
        The numbers of the boards.
    plan : flat rows of ``opponent``
    sums : (LEAVES, longest section + 1) float64
        Running sums as ``empty_sums`` allocates them; column 0 must be zero, the rest is overwritten.
    values : flat rows of ``own``
        Added to in place.
    """
    c0, c1, c2, c3 = sums[0], sums[1], sums[2], sums[3]
    ours, theirs, start0, start1 = own.sections, opponent.sections, own.rows.start, opponent.rows.start
    for deal in boards:
        for block in range(leaves.start[deal], leaves.start[deal + 1]):
            x0 = plan[start1[opponent.showdown_row[block, 0]] :]
            x1 = plan[start1[opponent.showdown_row[block, 1]] :]
            x2 = plan[start1[opponent.showdown_row[block, 2]] :]
            x3 = plan[start1[opponent.showdown_row[block, 3]] :]
            v0 = values[start0[own.showdown_row[block, 0]] :]
            v1 = values[start0[own.showdown_row[block, 1]] :]
            v2 = values[start0[own.showdown_row[block, 2]] :]
            v3 = values[start0[own.showdown_row[block, 3]] :]
            k = leaves.stake[block]
            k0, k1, k2, k3 = k[0], k[1], k[2], k[3]
            for section in range(ours.section_start[deal], ours.section_start[deal + 1]):
                s0 = s1 = s2 = s3 = 0.0
                first, last = theirs.entry_start[section], theirs.entry_start[section + 1]
                hand, share = theirs.entry_hand[first:last], theirs.entry_share[first:last]
                for e in range(last - first):
                    h, w = hand[e], share[e]
                    s0 += w * x0[h]
                    s1 += w * x1[h]
                    s2 += w * x2[h]
                    s3 += w * x3[h]
                    c0[e + 1] = s0
                    c1[e + 1] = s1
                    c2[e + 1] = s2
                    c3[e + 1] = s3
                first, last = ours.entry_start[section], ours.entry_start[section + 1]
                hand, share = ours.entry_hand[first:last], ours.entry_share[first:last]
                weaker, upto = ours.entry_weaker[first:last], ours.entry_upto[first:last]
                for e in range(last - first):
                    g, w, a, b = hand[e], share[e], weaker[e], upto[e]
                    v0[g] += w * k0 * (c0[a] + c0[b] - s0)
                    v1[g] += w * k1 * (c1[a] + c1[b] - s1)
                    v2[g] += w * k2 * (c2[a] + c2[b] - s2)
                    v3[g] += w * k3 * (c3[a] + c3[b] - s3)


@njit(cache=True, error_model="numpy")
def add_folds(
    own: PlayerArrays,
    opponent: PlayerArrays,
    leaves: Leaves,
    boards: Index,
    sign: float,
    plan: Floats,
    values: Floats,
) -> None:
    """Add the values of a player's hands at the folds of some boards, in place.

    A hand's value at a leaf is ``sign`` times the stake times the sum over the opponent's hands h of
    ``W[g, h] plan[h]``: the sum of each section, and ``same`` for the equal hand.

    Parameters
    ----------
    own, opponent : PlayerArrays
    leaves : Leaves
    boards : (.,) int64
        The numbers of the boards.
    sign : float
        1 for player 0, -1 for player 1.
    plan : flat rows of ``opponent``
    values : flat rows of ``own``
        Added to in place.
    """
    ours, theirs, start0, start1 = own.sections, opponent.sections, own.rows.start, opponent.rows.start
    for deal in boards:
        for block in range(leaves.start[deal], leaves.start[deal + 1]):
            x0 = plan[start1[opponent.fold_row[block, 0]] :]
            x1 = plan[start1[opponent.fold_row[block, 1]] :]
            x2 = plan[start1[opponent.fold_row[block, 2]] :]
            x3 = plan[start1[opponent.fold_row[block, 3]] :]
            v0 = values[start0[own.fold_row[block, 0]] :]
            v1 = values[start0[own.fold_row[block, 1]] :]
            v2 = values[start0[own.fold_row[block, 2]] :]
            v3 = values[start0[own.fold_row[block, 3]] :]
            k = leaves.stake[block]
            k0, k1, k2, k3 = sign * k[0], sign * k[1], sign * k[2], sign * k[3]
            first, last = ours.deal_start[deal], ours.deal_start[deal + 1]
            mate, same = ours.mate[first:last], ours.same[first:last]
            for g in range(last - first):
                h, w = mate[g], same[g]
                v0[g] += w * k0 * x0[h]
                v1[g] += w * k1 * x1[h]
                v2[g] += w * k2 * x2[h]
                v3[g] += w * k3 * x3[h]
            for section in range(ours.section_start[deal], ours.section_start[deal + 1]):
                s0 = s1 = s2 = s3 = 0.0
                first, last = theirs.entry_start[section], theirs.entry_start[section + 1]
                hand, share = theirs.entry_hand[first:last], theirs.entry_share[first:last]
                for e in range(last - first):
                    h, w = hand[e], share[e]
                    s0 += w * x0[h]
                    s1 += w * x1[h]
                    s2 += w * x2[h]
                    s3 += w * x3[h]
                s0, s1, s2, s3 = k0 * s0, k1 * s1, k2 * s2, k3 * s3
                first, last = ours.entry_start[section], ours.entry_start[section + 1]
                hand, share = ours.entry_hand[first:last], ours.entry_share[first:last]
                for e in range(last - first):
                    g, w = hand[e], share[e]
                    v0[g] += w * s0
                    v1[g] += w * s1
                    v2[g] += w * s2
                    v3[g] += w * s3
