"""A poker game as betting tree times boards, in flat arrays for compiled kernels."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Reals = NDArray[Any]
"""Of float32 or float64, as plans and values are computed."""
Index = NDArray[np.int64]
Cards = NDArray[np.uint8]
Places = NDArray[np.uint16]
Labels = NDArray[np.uint32]


class Roots(NamedTuple):
    """The roots of the streets' betting trees, one for each line on which cards are dealt; (R,) int64.

    exit : the row of the previous street at which the line ends.
    entry : the root's own row.
    """

    exit: Index
    entry: Index


class DecisionArrays(NamedTuple):
    """A player's decisions, ordered by part and with parents first; (T,) int64.

    parent : the row of the player's sequence before the decision.
    first, actions : the row of the first action, and the number of actions; rows of actions are consecutive.
    slot, rank : the slot of the first action and the decision's number, both counted from 0 on each street.
    lock : the decision's first row in ``HandArrays.locked``; -1 if no hand is locked.
    """

    parent: Index
    first: Index
    actions: Index
    slot: Index
    rank: Index
    lock: Index


class PartArrays(NamedTuple):
    """Offsets of each part, with a last entry for the end; (P + 1,) int64.

    step : its first decision.
    block : its first block of leaves.
    fold : its first block without a showdown.
    rows : number of its rows.
    """

    step: Index
    block: Index
    fold: Index
    rows: Index


class LeafArrays(NamedTuple):
    """The leaves of the betting from one player's view in blocks of a vector, (B, lanes).

    ``simd.LANES`` are 16 where plans and values are float32, 8 where they are float64.

    own : int64, the player's row.
    compared, folded : int64, the opponent's row at the leaf with a showdown, and at the one with a fold.
    showdown, fold : float64
        The stakes won at either per unit of the opponent's plan, times the probability of the street's
        boards, divided by the most that a hand can win; 0 where there is no such leaf.
    """

    own: Index
    compared: Index
    folded: Index
    showdown: Floats
    fold: Floats


class BettingArrays(NamedTuple):
    """One player's sequences and leaves in the betting tree of all streets.

    The betting of a street is a forest with one *root* for each line on which its cards are dealt; roots are
    numbered by street and line. A *part* is a set of roots processed together: all roots of a street, or on
    the last street as many as fit into the cache. The *rows* of a part are vectors over the player's hands:
    one for each root (the player's last sequence before it) and one for each of the player's actions,
    numbered from 0 in each part. *Slots* number the rows of actions, which are stored between iterations.
    """

    roots: Roots
    steps: DecisionArrays
    parts: PartArrays
    leaves: LeafArrays


class HandArrays(NamedTuple):
    """One player's hands on all boards; see ``treeplex.seqform.boards.board_tree.Hands``.

    Attributes
    ----------
    start : (D + 1,) int64
        The first entry of each board in the arrays below, which are ordered by board and hand strength.
    above, home, mate, orbit, size : (.,) uint16
        Index of the hand on the previous board; of the first hand of its orbit there; of the opponent's hand
        with the same two cards (the number of the opponent's hands if there is none); of the first hand of
        its orbit on this board; number of hands in that orbit.
    card : (., 2) uint8
        The cards of each hand, numbered consecutively; hands of one card have a second one that the opponent
        never holds.
    copies : (., 3) uint8
        For how many cards the first and the second stand, and for how many hands the hand; empty where each
        stands for itself.
    groups : (last boards, G + 1) uint16
        The first hand of each group of equal strength.
    hand : (.,) uint16
        The hand's index in the range; empty if no hand is locked.
    locked : (rows, range) float64
        Probability of each action of a locked hand at decisions with locks; -1 for hands that are not locked.
    bucket : (.,) uint32
        The hand's bucket on the board's street; empty if no hands are in buckets.
    share : (.,) float64
        The hand's part of the weight of its bucket, over all boards; empty as ``bucket``.
    """

    start: Index
    above: Places
    home: Places
    mate: Places
    orbit: Places
    size: Places
    card: Cards
    copies: Cards
    groups: Places
    hand: Places
    locked: Floats
    bucket: Labels
    share: Floats


class Drawn(NamedTuple):
    """Amounts drawn from normal distributions, which hands of the range may take instead of entering.

    mean, deviation : (T,) float64, in the unit of the player's values; empty where nothing is drawn.
    by_hedge : whether choices are learned by Hedge, as of ``cfr.drawn_choices``.
    """

    mean: Floats
    deviation: Floats
    by_hedge: bool


class Root(NamedTuple):
    """A player's root decisions, H hands in the order of the starting board; E entries, S sequences.

    begin, end, parent : (I,) int64
        As in ``Treeplex``.
    at : (E, H) int64
        The sequence after which a hand enters, or its number in ``drawn``; -1 leaves it out.
    weight : (E, H) float64
        What the other player sees of a hand that enters: the weight of the entry times that of the range.
    own : (E, H) float64
        The same in parts of the hand's sum over entries: its own plan.
    base : (H,) float64
        1 for hands that no entry lets in: they play on as if they had entered; 0 for others.
    stay : (S,) float64
        What sequences earn at once, in the unit of the player's values.
    drawn : Drawn
        Where it is not empty there is one entry, and no sequences.
    """

    begin: Index
    end: Index
    parent: Index
    at: Index
    weight: Floats
    own: Floats
    base: Floats
    stay: Floats
    drawn: Drawn


class BoardPlayer(NamedTuple):
    """One player's root decisions, betting, hands and offsets into its memory.

    Attributes
    ----------
    root : Root
    betting : BettingArrays
    hands : HandArrays
    slot_base, step_base : (D + 1,) int64
        The first entry of each board in the player's ``FactoredMemory``: of its slots times hands, and of its
        decisions.
    noise : (S,) float64
        For each street, ``NOISE`` times the largest possible value of a hand's action on one of its boards.
    """

    root: Root
    betting: BettingArrays
    hands: HandArrays
    slot_base: Index
    step_base: Index
    noise: Floats


class BoardArrays(NamedTuple):
    """The boards and the parts of the betting, shared by both players.

    Attributes
    ----------
    street, parent, ways : (D,) int64
        Each board's street, the previous board, and the number of isomorphic boards it stands for.
    last : (D,) int64
        Its number among those of the last street, -1 for others.
    symmetric : (D,) int64
        Whether suit permutations fix it (1) or only the identity (0).
    root_start, part_start : (S + 1,) int64
        The first root and the first part of each street.
    part_root : (P + 1,) int64
        The first root of each part.
    n_cards : int
        Rows in sums over cards: the deck, one for each player's missing second card, and the total.
    """

    street: Index
    parent: Index
    ways: Index
    last: Index
    symmetric: Index
    root_start: Index
    part_start: Index
    part_root: Index
    n_cards: int


class FactoredArrays(NamedTuple):
    """A poker game as the kernels read it.

    units : pair of float
        What each player's values are divided by.
    """

    boards: BoardArrays
    sides: tuple[BoardPlayer, BoardPlayer]
    units: tuple[float, float]


def starts_of(counts: Index) -> Index:
    """Return offsets from counts: ``[0, c0, c0 + c1, ...]``."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
