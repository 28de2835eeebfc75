"""Checks of hash tables of infosets, which may come from damaged files."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.monte_carlo.poker.cards import CardArrays
from treeplex.cfr.monte_carlo.poker.deals import packed
from treeplex.cfr.monte_carlo.poker.kernels import probe
from treeplex.cfr.monte_carlo.poker.keys import PokerLayout
from treeplex.cfr.monte_carlo.poker.lines import SHOWDOWN, Records
from treeplex.cfr.state_checks import LARGEST, check_count, check_range, check_size
from treeplex.seqform.forms.treeplex import Index


def check_table(layout: PokerLayout, n_infosets: int, slots: Records, entries: Records) -> None:
    """Check that a hash table is one of a game's infosets; kernels read no entry outside of it then.

    Parameters
    ----------
    layout : PokerLayout
    n_infosets : int
    slots, entries : records
        As in ``treeplex.cfr.monte_carlo.poker.sampling.PokerTableState``.

    Raises
    ------
    ValueError
        If slots are not a power of two and at most half of them full, a key is of no infoset or where
        nothing finds it, entries are not those of the infosets one by one, or a number is out of its range.
    """
    if not len(slots) or len(slots) & (len(slots) - 1):
        raise ValueError(f"the number of slots must be a power of two, got {len(slots):,}")
    check_count("n_infosets", n_infosets, most=len(slots) // 2)
    held = slots[slots["at"] != 0]
    if len(held) != n_infosets:
        raise ValueError(f"slots must hold {n_infosets:,} infosets, got {len(held):,}")
    check_keys(layout, held["key"])
    misplaced = first_misplaced(slots)
    if misplaced >= 0:
        raise ValueError(f"slots must have a key once and where it is looked for, got {slots[misplaced]}")
    _check_places(layout, held, len(entries))
    check_size("regret", entries["regret"])
    check_range("total", entries["total"], 0.0, LARGEST["float64"])


def check_keys(layout: PokerLayout, keys: NDArray[np.uint64]) -> None:
    """Raise ``ValueError`` unless all keys are those of infosets with several actions."""
    cards = layout.cards
    place = np.full(int(cards.symbol[0].max()) + 1, -1)
    place[cards.symbol[0]] = np.arange(len(cards.live))
    deck, line = np.zeros(cards.hole + cards.n_dealt, np.int64), np.zeros(len(cards.live), np.int64)
    distinct = not layout.game.sees_ranks_only
    wrong = first_wrong(cards, layout.lines.nodes, layout.shift, np.array(keys), place, distinct, deck, line)
    if wrong >= 0:
        raise ValueError(f"keys must be of infosets of {layout.game.name}, got {keys[wrong]}")


def _check_places(layout: PokerLayout, held: Records, n_entries: int) -> None:
    """Check that the entries of infosets follow each other, from entry 1 to the last."""
    count = layout.lines.nodes["count"][held["key"] >> np.uint64(layout.shift)].astype(np.int64)
    order = np.argsort(held["at"])
    ends = 1 + np.cumsum(count[order])
    if n_entries != ends[-1:].sum() + (not len(ends)):
        raise ValueError(f"there must be {int(count.sum()) + 1:,} entries, got {n_entries:,}")
    wrong = np.flatnonzero(held["at"][order] != ends - count[order])
    if len(wrong):
        at, expected = (int(one[wrong[0]]) for one in (held["at"][order], ends - count[order]))
        raise ValueError(f"entries of an infoset must begin at {expected:,}, got {at:,}")


@njit(cache=True)
def first_misplaced(slots: Records) -> int:
    """Return the first slot whose key is not found there, -1 if there is none; some slot must be free."""
    for k in range(len(slots)):
        if slots[k].at != 0 and probe(slots, slots[k].key) != k:
            return k
    return -1


@njit(cache=True)
def first_wrong(
    cards: CardArrays,
    lines: Records,
    shift: int,
    keys: NDArray[np.uint64],
    place: Index,
    distinct: bool,
    deck: Index,
    line: Index,
) -> int:
    """Return the index of the first key that is of no infoset, -1 if there is none.

    ``place`` is a live card for each symbol, -1 if none has it; ``distinct`` says that symbols are of single
    cards. ``deck`` and ``line`` are room for the cards of an infoset.
    """
    bits, hole, symbols, streets = np.uint64(cards.bits), cards.hole, cards.symbol, cards.streets
    one = np.uint64(1)
    for i in range(len(keys)):
        node = keys[i] >> np.uint64(shift)
        if node >= len(lines) or lines[node].kind >= SHOWDOWN:
            return i
        code, rounds = keys[i] & ((one << np.uint64(shift)) - one), lines[node].round + 1
        rest, n = code, hole + streets[:rounds].sum()
        for k in range(n - 1, -1, -1):
            symbol = rest & ((one << bits) - one)
            rest >>= bits
            if symbol >= len(place) or place[symbol] < 0:
                return i
            deck[k] = place[symbol]
            for j in range(k + 1, n):
                if distinct and deck[j] == deck[k]:
                    return i
        if rest != 0:
            return i
        least = code
        for q in range(len(symbols)):
            again, at = packed(symbols[q], cards.bits, deck, line, 0, hole, np.uint64(0)), hole
            for r in range(rounds):
                again = packed(symbols[q], cards.bits, deck, line, at, at + streets[r], again)
                at += streets[r]
            least = again if q == 0 else min(least, again)
        if least != code:
            return i
    return -1
