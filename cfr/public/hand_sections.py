"""Weights of pairs of hands by inclusion and exclusion, as float arrays for kernels linear in hands."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.trees.tree_arrays import Ints, TreeDeal

Floats = NDArray[np.float64]
Index = NDArray[np.int64]
Small = NDArray[np.uint32]


class SectionArrays(NamedTuple):
    """One player's live hands on every board, weakest first, and their sections.

    The weight of a pair of hands is a sum of *sections*: all hands first, then the holders of each key
    that both players may hold, with player 0's shares negative (``TreeDeal``: inclusion and exclusion), and
    ``same`` for equal hands. Sections have the same number for both players; a section's *entries* are the
    hands in it, weakest first. Weights and shares are divided by the player's largest weight on the board.

    Attributes
    ----------
    deal_start : (D + 1,) int64
        First entry of each board in ``hand``, ``mate`` and ``same``.
    hand : (.,) int64
        The tree's number of each live hand.
    mate : (.,) uint32
        Index of the opponent's equal hand among its live hands, 0 if there is none.
    same : (.,) float64
        The correction for the pair of equal hands, 0 if there is none.
    section_start : (D + 1,) int64
        First section of each board.
    entry_start : (S + 1,) int64
        First entry of each section.
    entry_hand : (.,) uint32
        Index of the entry's hand among the live hands.
    entry_share : (.,) float64
        The hand's share in the section.
    entry_weaker, entry_upto : (.,) uint32
        Number of the opponent's entries in the section that are weaker, and that are not stronger.
    """

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


class Board:
    """One deal's live hands, weakest first, and its sections.

    Attributes
    ----------
    deal : TreeDeal
    hand : pair of (L,) int64
        The live hands of each player, weakest first.
    place : pair of (H,) int64
        Index of each hand among the live ones, -1 if it is dead.
    unit : pair of int
        Each player's largest weight, by which its weights and shares are divided.
    keys : (K,) int32
        The keys that both players may hold.
    entries : pair of tuples (section, place, share)
        For each entry of a player, ordered by section and strength: its section on the board, the index of
        its hand among the live ones, and its share.
    """

    def __init__(self, deal: TreeDeal) -> None:
        self.deal = deal
        self.hand = _weakest_first(deal, 0), _weakest_first(deal, 1)
        self.place = _places(deal.n_hands[0], self.hand[0]), _places(deal.n_hands[1], self.hand[1])
        self.unit = _largest(deal.weight[0]), _largest(deal.weight[1])
        self.keys = np.intersect1d(self._held(0), self._held(1))
        self.entries = self._entries(0), self._entries(1)

    @property
    def n_sections(self) -> int:
        """Number of sections of the board."""
        return 1 + len(self.keys)

    def ranked(self, player: int) -> tuple[Index, Index]:
        """Return for each entry of a player the numbers of weaker and of not stronger entries opposite."""
        strength = [self.deal.strength[p][self.hand[p]] for p in (0, 1)]
        scale = np.unique(np.concatenate(strength))
        codes = []
        for p in (player, 1 - player):
            section, place, _ = self.entries[p]
            codes.append(section * len(scale) + np.searchsorted(scale, strength[p][place]))
        start = np.searchsorted(codes[1], self.entries[player][0] * len(scale))
        return (
            np.searchsorted(codes[1], codes[0], side="left") - start,
            np.searchsorted(codes[1], codes[0], side="right") - start,
        )

    def mates(self, player: int) -> tuple[Index, Floats]:
        """Return the index of each live hand's equal among the opponent's, and the pair's correction."""
        deal, first = self.deal, np.flatnonzero(self.deal.mate >= 0)
        pairs = first, deal.mate[first].astype(np.int64)
        mate = np.full(deal.n_hands[player], -1, dtype=np.int64)
        mate[pairs[player]] = pairs[1 - player]
        mate = mate[self.hand[player]]
        place = np.where(mate >= 0, self.place[1 - player][mate], -1)
        same = deal.same[self.hand[0] if player == 0 else mate]
        return np.maximum(place, 0), floats(np.where(place >= 0, same, 0), self.unit[0] * self.unit[1])

    def _held(self, player: int) -> NDArray[np.int32]:
        key = self.deal.key[player][self.hand[player]]
        return np.unique(key[key >= 0])

    def _entries(self, player: int) -> tuple[Index, Index, Floats]:
        deal, hand = self.deal, self.hand[player]
        key = deal.key[player][hand]
        place, slot = np.nonzero(np.isin(key, self.keys))
        section = 1 + np.searchsorted(self.keys, key[place, slot])
        order = np.argsort(section, kind="stable")
        share = deal.share[player][hand][place, slot][order]
        return (
            np.concatenate([np.zeros(len(hand), dtype=np.int64), section[order]]),
            np.concatenate([np.arange(len(hand)), place[order]]),
            np.concatenate(
                [
                    floats(deal.weight[player][hand], self.unit[player]),
                    floats(-share if player == 0 else share, self.unit[player]),
                ]
            ),
        )


def section_arrays(boards: list[Board], player: int) -> SectionArrays:
    """Return a player's hands and sections on all boards."""
    entries = [board.entries[player] for board in boards]
    ranks = [board.ranked(player) for board in boards]
    mates = [board.mates(player) for board in boards]
    counts = [np.bincount(e[0], minlength=b.n_sections) for e, b in zip(entries, boards, strict=True)]
    return SectionArrays(
        deal_start=starts([len(board.hand[player]) for board in boards]),
        hand=np.concatenate([board.hand[player] for board in boards]),
        mate=np.concatenate([mate for mate, _ in mates]).astype(np.uint32),
        same=np.concatenate([same for _, same in mates]),
        section_start=starts([board.n_sections for board in boards]),
        entry_start=starts(np.concatenate(counts)),
        entry_hand=np.concatenate([place for _, place, _ in entries]).astype(np.uint32),
        entry_share=np.concatenate([share for _, _, share in entries]),
        entry_weaker=np.concatenate([weaker for weaker, _ in ranks]).astype(np.uint32),
        entry_upto=np.concatenate([upto for _, upto in ranks]).astype(np.uint32),
    )


def starts(counts: Index | list[int]) -> Index:
    """Return offsets from counts: ``[0, c0, c0 + c1, ...]``."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def floats(exact: Ints, unit: int) -> Floats:
    """Return ``exact / unit`` as floats, each correctly rounded."""
    return np.array([int(n) / unit for n in exact], dtype=np.float64)


def _weakest_first(deal: TreeDeal, player: int) -> Index:
    live = np.flatnonzero(deal.alive[player])
    return live[np.argsort(deal.strength[player][live], kind="stable")]


def _places(n_hands: int, hand: Index) -> Index:
    place = np.full(n_hands, -1, dtype=np.int64)
    place[hand] = np.arange(len(hand))
    return place


def _largest(weight: Ints) -> int:
    return max((abs(int(w)) for w in weight), default=0) or 1
