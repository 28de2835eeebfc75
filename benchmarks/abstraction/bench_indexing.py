"""Hands numbered up to suits, and numbers turned back into hands: nanoseconds each, one thread, warm."""

import time
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Case, main
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.cards.index_kernels import write_cards, write_indices, write_orbits

HOLDEM = Deck(13, 4, top_is_king=False)
ROUNDS = {
    "flop": (2, 3),
    "turn": (2, 4),
    "river": (2, 5),
    "ordered turn": (2, 3, 1),
    "ordered river": (2, 3, 1, 1),
}
N = 1_000_000
TARGET = "100 ns a hand"


def prepared(rounds: tuple[int, ...]) -> tuple[HandIndex, NDArray[np.int64]]:
    """Return an index whose kernels are compiled, and random deals."""
    index = HandIndex(HOLDEM, rounds)
    cards = np.tile(np.arange(52), (N, 1))
    deals = np.random.default_rng(0).permuted(cards, axis=1)[:, : index.n_cards].astype(np.int64)
    index.orbit(index.of(index.cards(index.of(deals[:1]))))
    return index, np.ascontiguousarray(deals)


def speed(given: object) -> str:
    """Return what it takes to number a deal, to deal a number, and to count a number's deals."""
    assert isinstance(given, tuple)
    index, deals = given
    numbers, again, orbit = np.empty(N, np.int64), np.empty_like(deals), np.empty(N, np.int64)
    seconds = []
    for kernel, out, of in ((write_indices, numbers, deals), (write_cards, again, numbers)):
        seconds.append(_seconds(partial(kernel, index.arrays, of, out)))
    seconds.append(_seconds(partial(write_orbits, index.arrays, numbers, orbit)))
    number, deal, count = (f"{1e9 * one / N:.0f} ns" for one in seconds)
    return f"{number} to number a hand, {deal} to deal a number, {count} to count its hands"


def _seconds(run: partial[None]) -> float:
    begun = time.process_time()
    run()
    return time.process_time() - begun


CASES = [Case(name, TARGET, partial(prepared, rounds), speed) for name, rounds in ROUNDS.items()]

if __name__ == "__main__":
    main("benchmarks.abstraction.bench_indexing", CASES)
