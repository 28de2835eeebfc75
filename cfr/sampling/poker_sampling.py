"""Monte Carlo CFR on poker games of any size: cards sampled, infosets in a hash table.

Betting is enumerated. Hash tables of infosets are checked, as they may come from damaged files.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.engine import GROWING, ExhaustedError, check_iterations
from treeplex.cfr.sampling.draws import mixed
from treeplex.cfr.sampling.poker_deals import ENTRIES, INFOSETS, CardArrays, empty_deal, packed
from treeplex.cfr.sampling.poker_infosets import (
    SHOWDOWN,
    PokerLayout,
    Records,
    line_needs,
    poker_layout,
)
from treeplex.cfr.sampling.poker_kernels import ENTRY, PLACE, SLOT, PlayOut, iterate, move, probe
from treeplex.cfr.sampling.sampling_config import Sampling, kernel_of
from treeplex.cfr.sampling.table_sampling import check_sampling, shares
from treeplex.cfr.state_checks import LARGEST, check_count, check_range, check_size
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.treeplex import Index

MAX_INFOSETS = 10_000_000
"""Default limit of infosets in a table: about 1 GiB, and as much again while it grows."""
MOST_INFOSETS = 1 << 32
_SMALLEST = 1024


@dataclass(frozen=True)
class PokerTableState:
    """The state between iterations; a run continued from it is bitwise that of an unbroken run.

    Attributes
    ----------
    iterations, drawn : int
        Numbers of iterations done and of random numbers used.
    n_infosets : int
        Number of infosets in the table.
    slots : (2**k,) records of ``treeplex.cfr.sampling.poker_kernels.SLOT``
        The hash table.
    entries : (E,) records of ``treeplex.cfr.sampling.poker_kernels.ENTRY``
        Regrets and totals by infoset and action, in the order in which infosets were met.
    """

    iterations: int
    drawn: int
    n_infosets: int
    slots: Records = field(metadata=GROWING)
    entries: Records = field(metadata=GROWING)

    @property
    def n_bytes(self) -> int:
        """Bytes of the table."""
        return self.slots.nbytes + self.entries.nbytes


@dataclass(frozen=True)
class PokerStrategy:
    """Average strategies at the infosets that a run met.

    Attributes
    ----------
    layout : PokerLayout
        The game, and how its infosets are keyed.
    slots, entries : records
        As in :class:`PokerTableState`.
    """

    layout: PokerLayout
    slots: Records
    entries: Records

    def at(self, player: int, key: str) -> dict[str, float] | None:
        """Return the average strategy at an infoset by action, None if it is not in the table.

        Uniform if the sum of strategies is 0. Infosets with one action are not in the table.

        Raises
        ------
        ValueError
            If the key is of no infoset with several actions, or of the other player's.
        """
        number = self.layout.key(key)
        if self.layout.player(number) != player:
            raise BadInputError(f"infoset {key!r} is player {1 - player}'s, got player {player}")
        at = int(self.slots[probe(self.slots, np.uint64(number))]["at"])
        return self._shares(number, at) if at else None

    def items(self, player: int) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield the key and the average strategy of each infoset in the table, in the order they were met.

        Of infosets that are equal up to suit symmetry, the table holds one.
        """
        held = self.slots[self.slots["at"] > 0]
        for k in np.argsort(held["at"]):
            number = int(held[k]["key"])
            if self.layout.player(number) == player:
                yield self.layout.text(number), self._shares(number, int(held[k]["at"]))

    def _shares(self, number: int, at: int) -> dict[str, float]:
        actions = self.layout.actions(number)
        return shares(actions, self.entries["total"][at : at + len(actions)])


@dataclass(frozen=True)
class PokerTable:
    """Monte Carlo CFR on a poker game that is not enumerated; advancing leaves the state's table alone.

    An iteration is a traversal of player 0, then one of player 1, weighted and averaged as in ``sampling``.
    Each traversal deals both hands and the whole board once for all its lines (as chance-sampled CFR and
    external sampling do in poker programs); on an enumerated game
    ``treeplex.cfr.sampling.history_sampling`` draws boards independently at every history. Both are unbiased.

    Infosets that are equal up to suit symmetry share one record.

    Attributes
    ----------
    config : Sampling
        External or outcome sampling, one stream.
    layout : PokerLayout
        The game, and how its infosets are keyed.
    max_infosets : int
        A run stops after the first iteration with more infosets than this.
    """

    config: Sampling
    layout: PokerLayout
    max_infosets: int

    def start(self) -> PokerTableState:
        """Return the state before the first iteration: an empty table, nothing drawn."""
        return PokerTableState(0, 0, 0, np.zeros(_SMALLEST, dtype=SLOT), np.zeros(1, dtype=ENTRY))

    def check(self, state: PokerTableState) -> None:
        """Refuse a damaged state; raises ``ValueError`` as ``cfr.engine.Engine`` says."""
        check_count("iterations", state.iterations)
        check_count("drawn", state.drawn)
        check_table(self.layout, state.n_infosets, state.slots, state.entries)

    def advance(self, state: PokerTableState, iterations: int) -> PokerTableState:
        """Return the state after more iterations, computed on a copy of the table.

        Raises
        ------
        ExhaustedError
            If there are iterations to do and more than ``max_infosets`` in the table.
        ValueError
            If ``iterations`` is not positive.
        """
        check_iterations(iterations)
        cards, done, last = self.layout.cards, state.iterations, state.iterations + iterations
        deal, method, needs = empty_deal(cards), kernel_of(self.config, 0).method, _needs(self.layout)
        play = _begin(self.layout, self.config.seed, state, needs)
        while True:
            done += iterate(play, cards, deal, method, done, last - done, needs[:2], self.max_infosets)
            if done == last or play.counts[INFOSETS] > self.max_infosets:
                break
            play = _grown(play, needs)
        drawn, held, used = play.counts.tolist()
        new = PokerTableState(done, drawn, held, play.slots, play.entries[:used])
        if done < last:
            most = f"at most {self.max_infosets:,} infosets"
            message = f"the table must hold {most}, got {held:,} after {done:,} iterations"
            raise ExhaustedError(message, new, f"the table is full: {most}")
        return new

    def most_bytes(self, iterations: int, n_infosets: int) -> int:
        """Return the most bytes of a state after some iterations of a game with so many infosets."""
        needs, nodes = _needs(self.layout), self.layout.lines.nodes
        held = min(iterations * needs[0], self.max_infosets + needs[0], n_infosets)
        entries = min(iterations * needs[1], held * int(nodes["count"].max()))
        return _table_size(held + needs[0], _SMALLEST) * SLOT.itemsize + (1 + entries) * ENTRY.itemsize

    def strategy(self, state: PokerTableState) -> PokerStrategy:
        """Return the average strategies at the infosets that were met."""
        return PokerStrategy(self.layout, state.slots, state.entries)


def prepare(
    game: PokerGame, config: Sampling, max_infosets: int = MAX_INFOSETS, *, report: Report = quiet
) -> PokerTable:
    """Enumerate the betting of a game, of which ``report`` is told, and lay out its cards.

    Raises
    ------
    ValueError
        If the config is for enumerated games, ``max_infosets`` is out of range, the game has too many
        betting lines, its infosets do not fit into 64-bit keys, or hands are locked.
    OverflowError
        If a payoff is too large for a float.
    """
    if not 1 <= max_infosets <= MOST_INFOSETS:
        raise BadInputError(f"max_infosets must be between 1 and {MOST_INFOSETS:,}, got {max_infosets:,}")
    check_sampling(config, ("external", "outcome"))
    if game.locks:
        raise BadInputError(f"{game.name}: hands are locked, which sampling without a tree does not know")
    return PokerTable(config, poker_layout(game, report), max_infosets)


def _needs(layout: PokerLayout) -> tuple[int, int, int]:
    """Return the most infosets and entries that an iteration takes, and places that a traversal takes."""
    first, second = (line_needs(layout.lines.nodes, p) for p in (0, 1))
    return first[0] + second[0], first[1] + second[1], max(first[2], second[2])


def _begin(layout: PokerLayout, seed: int, state: PokerTableState, needs: tuple[int, int, int]) -> PlayOut:
    """Return the arrays of a run, copied from a state."""
    held = len(state.entries)
    counts = np.array([state.drawn, state.n_infosets, held])
    scratch, stream = np.zeros(needs[2], dtype=PLACE), np.uint64(mixed(np.uint64(seed)))
    entries = _longer(state.entries, held + needs[1])
    return PlayOut(layout.lines.nodes, state.slots.copy(), entries, scratch, counts, layout.shift, stream)


def _grown(play: PlayOut, needs: tuple[int, int, int]) -> PlayOut:
    """Return arrays large enough for an iteration; their sizes depend on their contents alone."""
    slots, entries = play.slots, play.entries
    size = _table_size(int(play.counts[INFOSETS]) + needs[0], len(slots))
    if size > len(slots):
        slots = np.zeros(size, dtype=SLOT)
        move(play.slots, slots)
    if len(entries) < play.counts[ENTRIES] + needs[1]:
        entries = _longer(entries, 2 * int(play.counts[ENTRIES]) + needs[1])
    return play._replace(slots=slots, entries=entries)


def _table_size(n_infosets: int, size: int) -> int:
    """Return how many slots, at least ``size``, a table of so many infosets has."""
    while size < 2 * n_infosets:
        size *= 2
    return size


def _longer(entries: Records, length: int) -> Records:
    """Return a copy padded with zeros."""
    longer = np.zeros(length, dtype=ENTRY)
    longer[: len(entries)] = entries
    return longer


def check_table(layout: PokerLayout, n_infosets: int, slots: Records, entries: Records) -> None:
    """Check that a hash table is one of a game's infosets; kernels read no entry outside of it then.

    Parameters
    ----------
    layout : PokerLayout
    n_infosets : int
    slots, entries : records
        As in ``treeplex.cfr.sampling.poker_sampling.PokerTableState``.

    Raises
    ------
    ValueError
        If slots are not a power of two and at most half of them full, a key is of no infoset or where
        nothing finds it, entries are not those of the infosets one by one, or a number is out of its range.
    """
    if not len(slots) or len(slots) & (len(slots) - 1):
        raise BadInputError(f"the number of slots must be a power of two, got {len(slots):,}")
    check_count("n_infosets", n_infosets, most=len(slots) // 2)
    held = slots[slots["at"] != 0]
    if len(held) != n_infosets:
        raise BadInputError(f"slots must hold {n_infosets:,} infosets, got {len(held):,}")
    check_keys(layout, held["key"])
    misplaced = first_misplaced(slots)
    if misplaced >= 0:
        raise BadInputError(f"slots must have a key once and where it is looked for, got {slots[misplaced]}")
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
        raise BadInputError(f"keys must be of infosets of {layout.game.name}, got {keys[wrong]}")


def _check_places(layout: PokerLayout, held: Records, n_entries: int) -> None:
    """Check that the entries of infosets follow each other, from entry 1 to the last."""
    count = layout.lines.nodes["count"][held["key"] >> np.uint64(layout.shift)].astype(np.int64)
    order = np.argsort(held["at"])
    ends = 1 + np.cumsum(count[order])
    if n_entries != ends[-1:].sum() + (not len(ends)):
        raise BadInputError(f"there must be {int(count.sum()) + 1:,} entries, got {n_entries:,}")
    wrong = np.flatnonzero(held["at"][order] != ends - count[order])
    if len(wrong):
        at, expected = (int(one[wrong[0]]) for one in (held["at"][order], ends - count[order]))
        raise BadInputError(f"entries of an infoset must begin at {expected:,}, got {at:,}")


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
