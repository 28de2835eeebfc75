"""Sampled traversals of the betting lines of a poker game under one deal, infosets in a hash table."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.sampling.draws import explored, matched, mixed, played, positive
from treeplex.cfr.sampling.poker_deals import (
    ENTRIES,
    INFOSETS,
    CardArrays,
    Deal,
    outcome,
    shuffle,
    uniform,
    write_observations,
)
from treeplex.cfr.sampling.poker_infosets import SHOWDOWN, Records
from treeplex.cfr.sampling.sampled_tree import OUTCOME, SampledMethod
from treeplex.seqform.forms.treeplex import Index

SLOT = np.dtype([("key", "u8"), ("at", "i8")], align=True)
"""Record of the hash table: an infoset's key, and the index of its first entry, 0 if empty."""
ENTRY = np.dtype([("regret", "f8"), ("total", "f8")])
"""Record of an action at an infoset: cumulative regret and sum of strategies. Entry 0 is unused."""
PLACE = np.dtype(
    [("line", "u4"), ("below", "u4"), ("stack", "u8"), ("at", "i8"), ("value", "f8")], align=True
)
"""Record of a line reached by a traversal, as in ``arrays``, with the index of its entries."""


class PlayOut(NamedTuple):
    """The arrays that a traversal reads and writes.

    Attributes
    ----------
    lines : (N,) records of ``LINE``
    slots : (2**k,) records of ``SLOT``
        The hash table.
    entries : (E,) records of ``ENTRY``
    scratch : (L,) records of ``PLACE``
    counts : (3,) int64
        Random numbers drawn, infosets in the table, entries in use.
    shift : int
        Bits of the code of cards, below the line's number in keys.
    stream : uint64
        First state of the stream of random numbers.
    """

    lines: Records
    slots: Records
    entries: Records
    scratch: Records
    counts: Index
    shift: int
    stream: np.uint64


@njit(cache=True)
def probe(slots: Records, key: Any) -> Any:
    """Return the index of a key in the hash table, or of the free record for it (linear probing)."""
    mask = np.uint64(len(slots) - 1)
    k = mixed(key) & mask
    while slots[k].at != 0 and slots[k].key != key:
        k = (k + np.uint64(1)) & mask
    return k


@njit(cache=True)
def entries_of(slots: Records, counts: Index, key: Any, n: Any) -> Any:
    """Return the index of an infoset's first entry; new infosets are given the next n entries."""
    k = probe(slots, key)
    if slots[k].at == 0:
        slots[k].key, slots[k].at = key, counts[ENTRIES]
        counts[ENTRIES] += n
        counts[INFOSETS] += 1
    return slots[k].at


@njit(cache=True)
def move(slots: Records, larger: Records) -> None:
    """Copy all records of a hash table into a larger empty one."""
    for k in range(len(slots)):
        if slots[k].at != 0:
            there = probe(larger, slots[k].key)
            larger[there].key, larger[there].at = slots[k].key, slots[k].at


@njit(cache=True, error_model="numpy")
def payoff(lines: Records, line: Any, player: int, sign: int) -> Any:
    """Return a player's payoff at a leaf; ``sign`` is the outcome of a showdown for player 0."""
    won = lines[line].payoff * (sign if lines[line].kind == SHOWDOWN else 1.0)
    return won if player == 0 else -won


@njit(cache=True, error_model="numpy")
def key_of(lines: Records, codes: NDArray[np.uint64], shift: int, line: Any) -> Any:
    """Return the key of the infoset at a line: its number in the high bits, the code of cards in the low."""
    return np.uint64(line) << np.uint64(shift) | codes[lines[line].kind, lines[line].round]


@njit(cache=True, error_model="numpy")
def grow(play: PlayOut, codes: NDArray[np.uint64], player: int, weight: float, sign: int) -> int:
    """Expand the lines of an external sample, drawing in preorder; return the number of places."""
    # Arrays are read from the tuple once: numba counts references at each read in a loop.
    lines, slots, entries, scratch, counts = play.lines, play.slots, play.entries, play.scratch, play.counts
    places, height = 1, 1
    scratch[0].line, scratch[0].stack = 0, 0
    while height > 0:
        height -= 1
        place = scratch[height].stack
        line = np.uint32(scratch[place].line)
        while lines[line].kind == 1 - player:
            lo = entries_of(slots, counts, key_of(lines, codes, play.shift, line), lines[line].count)
            u = uniform(play.stream, counts)
            line = np.uint32(lines[line].first + played(entries, lo, lines[line].count, weight, u))
        scratch[place].line, scratch[place].below = line, 0
        if lines[line].kind >= SHOWDOWN:
            scratch[place].value = payoff(lines, line, player, sign)
        else:
            n = lines[line].count
            scratch[place].at = entries_of(slots, counts, key_of(lines, codes, play.shift, line), n)
            scratch[place].below = places
            for a in range(n - 1, -1, -1):
                scratch[places + a].line = lines[line].first + a
                scratch[height].stack = places + a
                height += 1
            places += n
    return places


@njit(cache=True, error_model="numpy")
def back_up(play: PlayOut, places: int, scale: float, floor: float) -> None:
    """Compute values from the last place to the first, and update regrets (one visit per infoset)."""
    lines, scratch, entries = play.lines, play.scratch, play.entries
    for place in range(places - 1, -1, -1):
        below = scratch[place].below
        if below > 0:
            lo, n, value = scratch[place].at, lines[scratch[place].line].count, 0.0
            mass = positive(entries, lo, n)
            for a in range(n):
                value += matched(entries[lo + a].regret, mass, n) * scratch[below + a].value
            for a in range(n):
                gain = scratch[below + a].value - value
                entries[lo + a].regret = max(entries[lo + a].regret + scale * gain, floor)
            scratch[place].value = value


@njit(cache=True, error_model="numpy")
def follow(
    play: PlayOut, codes: NDArray[np.uint64], exploration: float, player: int, weight: float, sign: int
) -> tuple[int, float]:
    """Sample one line with exploration; return the player's decisions on it and payoff / probability.

    Places hold the player's decisions alone: ``below`` is the action taken, ``value`` its probability under
    the strategy.
    """
    lines, slots, entries, scratch, counts = play.lines, play.slots, play.entries, play.scratch, play.counts
    places, line, likely = 0, np.uint32(0), 1.0
    while lines[line].kind < SHOWDOWN:
        n = lines[line].count
        lo = entries_of(slots, counts, key_of(lines, codes, play.shift, line), n)
        u = uniform(play.stream, counts)
        if lines[line].kind != player:
            a = played(entries, lo, n, weight / likely, u)
        else:
            a, p, picked = explored(entries, lo, n, exploration, u)
            scratch[places].line, scratch[places].at, scratch[places].below, scratch[places].value = (
                line,
                lo,
                a,
                p,
            )
            likely *= picked
            places += 1
        line = np.uint32(lines[line].first + a)
    return places, payoff(lines, line, player, sign) / likely


@njit(cache=True, error_model="numpy")
def learn_along(play: PlayOut, places: int, worth: float, scale: float, floor: float) -> None:
    """Add the sampled regrets along a line from :func:`follow`, clipped at the floor."""
    lines, scratch, entries = play.lines, play.scratch, play.entries
    for place in range(places - 1, -1, -1):
        lo, n, value = scratch[place].at, lines[scratch[place].line].count, worth * scratch[place].value
        for a in range(n):
            gain = (worth if a == scratch[place].below else 0.0) - value
            entries[lo + a].regret = max(entries[lo + a].regret + scale * gain, floor)
        worth = value


@njit(cache=True, error_model="numpy")
def traverse(
    play: PlayOut,
    cards: CardArrays,
    deal: Deal,
    method: SampledMethod,
    player: int,
    weights: tuple[float, float],
) -> None:
    """Deal at random, and update a player's regrets and the other's average by one traversal.

    ``weights`` are those of the regrets and of the average.
    """
    scale, weight = weights
    shuffle(cards, deal, play.stream, play.counts)
    write_observations(cards, deal)
    sign = outcome(cards, deal)
    if method.scheme == OUTCOME:
        places, worth = follow(play, deal.codes, method.exploration, player, weight, sign)
        learn_along(play, places, worth, scale, method.floor)
    else:
        places = grow(play, deal.codes, player, weight, sign)
        back_up(play, places, scale, method.floor)


@njit(cache=True, error_model="numpy", nogil=True)
def iterate(
    play: PlayOut,
    cards: CardArrays,
    deal: Deal,
    method: SampledMethod,
    done: int,
    iterations: int,
    needs: tuple[int, int],
    most: int,
) -> int:
    """Run iterations of one traversal per player until the table is full; return the number done.

    ``needs`` are the most infosets and entries that an iteration takes. A table is full if the next iteration
    could fill more than half of it, or if it has more than ``most`` infosets.
    """
    counts = play.counts
    for t in range(done + 1, done + iterations + 1):
        full = counts[INFOSETS] > most or 2 * (counts[INFOSETS] + needs[0]) > len(play.slots)
        if full or counts[ENTRIES] + needs[1] > len(play.entries):
            return t - 1 - done
        weights = np.float64(t) ** method.regret_exponent, np.float64(t) ** method.exponent
        for player in range(2):
            traverse(play, cards, deal, method, player, weights)
    return iterations
