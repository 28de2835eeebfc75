"""Counterfactual values at the leaves of a public tree, linear in hands."""

import numpy as np
from numba import njit

from cfr.vector_arrays import LEAVES, Floats, Index, SideArrays


def room_for_sums(*sides: SideArrays) -> Floats:
    """Return room for the running sums of the longest section, for a block of leaves."""
    longest = max(int(np.max(np.diff(side.entry_start), initial=0)) for side in sides)
    return np.zeros(LEAVES * (longest + 1))


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def add_showdowns(
    own: SideArrays,
    opponent: SideArrays,
    deals: Index,
    stakes: Floats,
    plan: Floats,
    sums: Floats,
    values: Floats,
) -> None:
    """Add what each of a player's hands wins at the showdowns, in place.

    A hand's value at a leaf is the stake times the sum over the opponent's hands h of
    ``W[g, h] sign(g beats h) plan[h]``. In each section (``SideArrays``) the running sum of the
    opponent's entries, weakest first, gives the weaker ones at ``entry_weaker`` and the stronger ones
    beyond ``entry_upto``; a hand and its equal tie, so that ``same`` drops out. The leaves of a block are
    summed side by side because each sum waits for its last addition.

    Parameters
    ----------
    own, opponent : SideArrays
    deals : (B,) int64
    stakes : (B, LEAVES) float64
        What the better hand wins, in the scale of the board's weights.
    plan : flat rows of ``opponent``
    sums : room for running sums, of the size that ``room_for_sums`` gives
        Overwritten.
    values : flat rows of ``own``
        Added to in place.
    """
    sums[:LEAVES] = 0.0
    for block in range(len(deals)):
        deal = deals[block]
        x0 = plan[opponent.row_start[opponent.showdown_row[block, 0]] :]
        x1 = plan[opponent.row_start[opponent.showdown_row[block, 1]] :]
        x2 = plan[opponent.row_start[opponent.showdown_row[block, 2]] :]
        x3 = plan[opponent.row_start[opponent.showdown_row[block, 3]] :]
        v0 = values[own.row_start[own.showdown_row[block, 0]] :]
        v1 = values[own.row_start[own.showdown_row[block, 1]] :]
        v2 = values[own.row_start[own.showdown_row[block, 2]] :]
        v3 = values[own.row_start[own.showdown_row[block, 3]] :]
        k0, k1, k2, k3 = stakes[block, 0], stakes[block, 1], stakes[block, 2], stakes[block, 3]
        for section in range(own.section_start[deal], own.section_start[deal + 1]):
            s0 = s1 = s2 = s3 = 0.0
            n = 0
            for e in range(opponent.entry_start[section], opponent.entry_start[section + 1]):
                h, share = opponent.entry_hand[e], opponent.entry_share[e]
                s0 += share * x0[h]
                s1 += share * x1[h]
                s2 += share * x2[h]
                s3 += share * x3[h]
                n += 4
                sums[n], sums[n + 1], sums[n + 2], sums[n + 3] = s0, s1, s2, s3
            for e in range(own.entry_start[section], own.entry_start[section + 1]):
                g, share = own.entry_hand[e], own.entry_share[e]
                w, u = 4 * own.entry_weaker[e], 4 * own.entry_upto[e]
                v0[g] += share * k0 * (sums[w] + sums[u] - s0)
                v1[g] += share * k1 * (sums[w + 1] + sums[u + 1] - s1)
                v2[g] += share * k2 * (sums[w + 2] + sums[u + 2] - s2)
                v3[g] += share * k3 * (sums[w + 3] + sums[u + 3] - s3)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def add_folds(
    own: SideArrays,
    opponent: SideArrays,
    deals: Index,
    stakes: Floats,
    sign: float,
    plan: Floats,
    values: Floats,
) -> None:
    """Add what each of a player's hands earns at the leaves that compare none, in place.

    A hand's value at a leaf is ``sign`` times the stake times the sum over the opponent's hands h of
    ``W[g, h] plan[h]``: the sum of each section, and ``same`` for the equal hand.

    Parameters
    ----------
    own, opponent : SideArrays
    deals : (B,) int64
    stakes : (B, LEAVES) float64
        What player 0 gets, in the scale of the board's weights.
    sign : float
        1 for player 0, -1 for player 1.
    plan : flat rows of ``opponent``
    values : flat rows of ``own``
        Added to in place.
    """
    for block in range(len(deals)):
        deal = deals[block]
        x0 = plan[opponent.row_start[opponent.fold_row[block, 0]] :]
        x1 = plan[opponent.row_start[opponent.fold_row[block, 1]] :]
        x2 = plan[opponent.row_start[opponent.fold_row[block, 2]] :]
        x3 = plan[opponent.row_start[opponent.fold_row[block, 3]] :]
        v0 = values[own.row_start[own.fold_row[block, 0]] :]
        v1 = values[own.row_start[own.fold_row[block, 1]] :]
        v2 = values[own.row_start[own.fold_row[block, 2]] :]
        v3 = values[own.row_start[own.fold_row[block, 3]] :]
        k0, k1 = sign * stakes[block, 0], sign * stakes[block, 1]
        k2, k3 = sign * stakes[block, 2], sign * stakes[block, 3]
        for section in range(own.section_start[deal], own.section_start[deal + 1]):
            s0 = s1 = s2 = s3 = 0.0
            for e in range(opponent.entry_start[section], opponent.entry_start[section + 1]):
                h, share = opponent.entry_hand[e], opponent.entry_share[e]
                s0 += share * x0[h]
                s1 += share * x1[h]
                s2 += share * x2[h]
                s3 += share * x3[h]
            s0, s1, s2, s3 = k0 * s0, k1 * s1, k2 * s2, k3 * s3
            for e in range(own.entry_start[section], own.entry_start[section + 1]):
                g, share = own.entry_hand[e], own.entry_share[e]
                v0[g] += share * s0
                v1[g] += share * s1
                v2[g] += share * s2
                v3[g] += share * s3
        start = own.deal_start[deal]
        for g in range(own.deal_start[deal + 1] - start):
            h, same = own.mate[start + g], own.same[start + g]
            v0[g] += k0 * same * x0[h]
            v1[g] += k1 * same * x1[h]
            v2[g] += k2 * same * x2[h]
            v3[g] += k3 * same * x3[h]
