"""Monte Carlo CFR on poker games of any size: betting enumerated, cards dealt, infosets in a hash table."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.engine import ExhaustedError, check_iterations
from treeplex.cfr.monte_carlo.config import Sampling, kernel_of
from treeplex.cfr.monte_carlo.draws import mixed
from treeplex.cfr.monte_carlo.poker.deals import ENTRIES, INFOSETS, empty_deal
from treeplex.cfr.monte_carlo.poker.kernels import ENTRY, PLACE, SLOT, Play, iterate, move, probe
from treeplex.cfr.monte_carlo.poker.keys import PokerLayout, poker_layout
from treeplex.cfr.monte_carlo.poker.lines import Records, line_needs
from treeplex.cfr.monte_carlo.table import check_sampling, shares
from treeplex.games.poker.game import PokerGame

MAX_INFOSETS = 10_000_000
"""How many infosets a table may hold unless told otherwise: some 1 GiB, and as much again while it grows."""
MOST_INFOSETS = 1 << 32
_SMALLEST = 1024


@dataclass(frozen=True)
class PokerTableState:
    """Everything that a later iteration depends on; continuing from it equals never having stopped.

    Attributes
    ----------
    iterations, drawn : int
        Iterations done, and how many random numbers are used up.
    n_infosets : int
        How many infosets the table holds.
    slots : (2**k,) records of ``treeplex.cfr.monte_carlo.poker.kernels.SLOT``
        The hash table.
    entries : (E,) records of ``treeplex.cfr.monte_carlo.poker.kernels.ENTRY``
        Regrets and totals by infoset and action, in the order in which infosets were met.
    """

    iterations: int
    drawn: int
    n_infosets: int
    slots: Records
    entries: Records

    @property
    def n_bytes(self) -> int:
        """Memory that the table takes."""
        return self.slots.nbytes + self.entries.nbytes


@dataclass(frozen=True)
class PokerStrategy:
    """Average strategies where a run came by.

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
        """Return the average strategy at an infoset by action, None where the table has nothing of it.

        Uniform where no iteration has averaged yet. Infosets with one action have no place in the table.

        Raises
        ------
        ValueError
            If the key is none of the game's with a choice, or another player's.
        """
        number = self.layout.key(key)
        if self.layout.player(number) != player:
            raise ValueError(f"infoset {key!r} is player {1 - player}'s, got player {player}")
        at = int(self.slots[probe(self.slots, np.uint64(number))]["at"])
        return self._shares(number, at) if at else None

    def items(self, player: int) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield the key and the average strategy of each infoset in the table, in the order they were met.

        Of infosets that only names of suits tell apart, where suits are all one, the table holds one.
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

    An iteration is a traversal of player 0, then one of player 1, weighed and averaged as in
    ``sampling``. Each traversal deals both hands and the whole board once, and all its lines see
    these cards (chance-sampled CFR and external sampling in poker programs do the same); on an enumerated
    game ``treeplex.cfr.monte_carlo.sampling`` draws a board anew at every history. Both are unbiased.

    Where suits can be renamed without changing the game, infosets that differ by that alone are one.

    Attributes
    ----------
    config : Sampling
        External or outcome sampling in one stream.
    layout : PokerLayout
        The game, and how its infosets are keyed.
    max_infosets : int
        A run stops after the iteration that takes the table above this.
    """

    config: Sampling
    layout: PokerLayout
    max_infosets: int

    def start(self) -> PokerTableState:
        """Return the state before the first iteration: an empty table, nothing drawn."""
        return PokerTableState(0, 0, 0, np.zeros(_SMALLEST, dtype=SLOT), np.zeros(1, dtype=ENTRY))

    def advance(self, state: PokerTableState, iterations: int) -> PokerTableState:
        """Return the state after more iterations; for a moment there are two.

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

    def strategy(self, state: PokerTableState) -> PokerStrategy:
        """Return the average strategies of the infosets that were met."""
        return PokerStrategy(self.layout, state.slots, state.entries)


def prepare(game: PokerGame, config: Sampling, max_infosets: int = MAX_INFOSETS) -> PokerTable:
    """Enumerate the betting of a game and lay out its cards.

    Raises
    ------
    ValueError
        If the config is for enumerated games, ``max_infosets`` is out of range, the game has too many
        betting lines, its infosets do not fit into 64-bit keys, or hands are locked.
    OverflowError
        If a payoff is too large for a float.
    """
    if not 1 <= max_infosets <= MOST_INFOSETS:
        raise ValueError(f"max_infosets must be between 1 and {MOST_INFOSETS:,}, got {max_infosets:,}")
    check_sampling(config, ("external", "outcome"))
    if game.locks:
        raise ValueError(f"{game.name}: hands are locked, which sampling without a tree does not know")
    return PokerTable(config, poker_layout(game), max_infosets)


def _needs(layout: PokerLayout) -> tuple[int, int, int]:
    """Return how many infosets and entries an iteration takes at most, and places a traversal."""
    first, second = (line_needs(layout.lines.nodes, p) for p in (0, 1))
    return first[0] + second[0], first[1] + second[1], max(first[2], second[2])


def _begin(layout: PokerLayout, seed: int, state: PokerTableState, needs: tuple[int, int, int]) -> Play:
    """Return the tables that a run writes, copied from where an earlier one stopped."""
    held = len(state.entries)
    counts = np.array([state.drawn, state.n_infosets, held])
    scratch, stream = np.zeros(needs[2], dtype=PLACE), np.uint64(mixed(np.uint64(seed)))
    entries = _longer(state.entries, held + needs[1])
    return Play(layout.lines.nodes, state.slots.copy(), entries, scratch, counts, layout.shift, stream)


def _grown(play: Play, needs: tuple[int, int, int]) -> Play:
    """Return the tables with room for an iteration; how large they become depends on what they hold alone."""
    slots, entries, size = play.slots, play.entries, len(play.slots)
    while size < 2 * (int(play.counts[INFOSETS]) + needs[0]):
        size *= 2
    if size > len(slots):
        slots = np.zeros(size, dtype=SLOT)
        move(play.slots, slots)
    if len(entries) < play.counts[ENTRIES] + needs[1]:
        entries = _longer(entries, 2 * int(play.counts[ENTRIES]) + needs[1])
    return play._replace(slots=slots, entries=entries)


def _longer(entries: Records, length: int) -> Records:
    """Return a copy with zeros behind."""
    longer = np.zeros(length, dtype=ENTRY)
    longer[: len(entries)] = entries
    return longer
