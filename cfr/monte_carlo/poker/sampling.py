"""Monte Carlo CFR on poker games of any size: betting enumerated, cards dealt, infosets in a hash table."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.monte_carlo.draws import mixed
from treeplex.cfr.monte_carlo.poker.deals import ENTRIES, INFOSETS, empty_deal
from treeplex.cfr.monte_carlo.poker.kernels import ENTRY, PLACE, SLOT, Play, found, iterate, move
from treeplex.cfr.monte_carlo.poker.keys import PokerLayout, poker_layout
from treeplex.cfr.monte_carlo.poker.lines import Records, line_needs
from treeplex.cfr.monte_carlo.sampling import Sampling, kernel_of
from treeplex.cfr.monte_carlo.table import check_run, check_sampling, shares
from treeplex.games.poker.game import PokerGame

MAX_INFOSETS = 10_000_000
"""How many infosets a table may hold unless told otherwise: some 1 GiB, and as much again while it grows."""
_SMALLEST = 1024


@dataclass(frozen=True)
class PokerTableState:
    """Everything that a later iteration depends on; continuing from it equals never having stopped.

    Attributes
    ----------
    iterations, seed, drawn : int
        Iterations done, the stream of random numbers, and how many of its numbers are used up.
    n_infosets : int
        How many infosets the table holds.
    layout : PokerLayout
        The game, and how its infosets are keyed.
    slots : (2**k,) records of ``treeplex.cfr.monte_carlo.poker.kernels.SLOT``
        The hash table.
    entries : (E,) records of ``treeplex.cfr.monte_carlo.poker.kernels.ENTRY``
        Regrets and totals by infoset and action, in the order in which infosets were met.
    """

    iterations: int
    seed: int
    drawn: int
    n_infosets: int
    layout: PokerLayout
    slots: Records
    entries: Records

    @property
    def n_bytes(self) -> int:
        """Memory that the table takes."""
        return self.slots.nbytes + self.entries.nbytes


@dataclass(frozen=True)
class PokerTableRun:
    """The outcome of a run: average strategies where it came by, the state to go on from, and its seconds."""

    sampling: Sampling
    state: PokerTableState
    seconds: float

    def strategy(self, player: int, key: str) -> dict[str, float] | None:
        """Return the average strategy at an infoset by action, None where the table has nothing of it.

        Uniform where no iteration has averaged yet. Infosets with one action have no place in the table.

        Raises
        ------
        ValueError
            If the key is none of the game's with a choice, or another player's.
        """
        layout, slots = self.state.layout, self.state.slots
        number = layout.key(key)
        if layout.player(number) != player:
            raise ValueError(f"infoset {key!r} is player {1 - player}'s, got player {player}")
        at = int(slots[found(slots, np.uint64(number))]["at"])
        return self._shares(number, at) if at else None

    def items(self, player: int) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield the key and the average strategy of each infoset in the table, in the order they were met.

        Of infosets that only names of suits tell apart, where suits are all one, the table holds one.
        """
        held = self.state.slots[self.state.slots["at"] > 0]
        for k in np.argsort(held["at"]):
            number = int(held[k]["key"])
            if self.state.layout.player(number) == player:
                yield self.state.layout.text(number), self._shares(number, int(held[k]["at"]))

    def _shares(self, number: int, at: int) -> dict[str, float]:
        actions = self.state.layout.actions(number)
        return shares(actions, self.state.entries["total"][at : at + len(actions)])


class TableFullError(ValueError):
    """The table may not grow any further; ``run`` is what was done so far, to be read or gone on from."""

    def __init__(self, message: str, run: PokerTableRun) -> None:
        super().__init__(message)
        self.run = run


def start(game: PokerGame, seed: int) -> PokerTableState:
    """Return the state before the first iteration: an empty table, nothing drawn.

    Raises
    ------
    ValueError
        If the game has too many betting lines, or its infosets do not fit into 64-bit keys.
    OverflowError
        If a payoff is too large for a float.
    """
    slots, entries = np.zeros(_SMALLEST, dtype=SLOT), np.zeros(1, dtype=ENTRY)
    return PokerTableState(0, seed, 0, 0, poker_layout(game), slots, entries)


def mccfr_poker(
    game: PokerGame,
    sampling: Sampling,
    iterations: int,
    seed: int,
    state: PokerTableState | None = None,
    max_infosets: int = MAX_INFOSETS,
) -> PokerTableRun:
    """Run Monte Carlo counterfactual regret minimisation on a poker game that is not enumerated.

    An iteration is a traversal of player 0, then one of player 1, weighed and averaged as in
    ``mccfr``. Each traversal deals both hands and the whole board once, and all its lines see
    these cards (chance-sampled CFR and external sampling in poker programs do the same); on an enumerated
    game ``mccfr`` draws a board anew at every history. Both are unbiased.

    Where suits can be renamed without changing the game, infosets that differ by that alone are one.

    Parameters
    ----------
    sampling : Sampling
        External or outcome sampling.
    seed : int
        Of the random numbers, 0 to 2**64 - 1; the same seed gives the same bits.
    state : PokerTableState, optional
        Where an earlier run on the same game with the same seed stopped. It is not changed but copied, so
        that for a moment there are two.
    max_infosets : int
        A run stops after the iteration that takes the table above this.

    Raises
    ------
    TableFullError
        If there are iterations to do and more than ``max_infosets`` in the table; it has the run so far.
    ValueError
        If ``iterations`` or ``max_infosets`` is not positive, the seed is out of range, the scheme is chance
        sampling, the state is of another game or seed, the game has too many betting lines, or hands are
        locked.
    OverflowError
        If a payoff is too large for a float.
    """
    check_run(iterations, seed, None if state is None else state.seed)
    if max_infosets < 1:
        raise ValueError(f"max_infosets must be at least 1, got {max_infosets}")
    check_sampling(sampling, ("external", "outcome"))
    if game.locks:
        raise ValueError(f"{game.name}: hands are locked, which sampling without a tree does not know")
    if state is not None and state.layout.game != game:
        raise ValueError(f"the state is of {state.layout.game.name}, got {game.name}")
    clock = time.perf_counter()
    old = start(game, seed) if state is None else state
    layout, done, last = old.layout, old.iterations, old.iterations + iterations
    needs, deal, method = _needs(layout), empty_deal(layout.cards), kernel_of(sampling, 0).method
    play = _begin(old, needs)
    while True:
        done += iterate(play, layout.cards, deal, method, done, last - done, needs[:2], max_infosets)
        if done == last or play.counts[INFOSETS] > max_infosets:
            break
        play = _grown(play, needs)
    drawn, held, used = play.counts.tolist()
    new = PokerTableState(done, seed, drawn, held, layout, play.slots, play.entries[:used])
    run = PokerTableRun(sampling, new, time.perf_counter() - clock)
    if done < last:
        raise TableFullError(
            f"the table must hold at most {max_infosets:,} infosets, got {held:,} after {done:,} iterations",
            run,
        )
    return run


def _needs(layout: PokerLayout) -> tuple[int, int, int]:
    """Return how many infosets and entries an iteration takes at most, and places a traversal."""
    first, second = (line_needs(layout.lines.nodes, p) for p in (0, 1))
    return first[0] + second[0], first[1] + second[1], max(first[2], second[2])


def _begin(state: PokerTableState, needs: tuple[int, int, int]) -> Play:
    """Return the tables that a run writes, copied from where an earlier one stopped."""
    layout, held = state.layout, len(state.entries)
    counts = np.array([state.drawn, state.n_infosets, held])
    room, stream = np.zeros(needs[2], dtype=PLACE), np.uint64(mixed(np.uint64(state.seed)))
    entries = _longer(state.entries, held + needs[1])
    return Play(layout.lines.nodes, state.slots.copy(), entries, room, counts, layout.shift, stream)


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
