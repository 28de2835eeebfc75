"""How fast hands are ranked: all C(52,7) hands in sequence, hands at random, one river's hole cards."""

import resource
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numba import njit, typeof
from numpy.typing import NDArray

from treeplex.games.cards.cards import parse_cards
from treeplex.games.cards.evaluator import (
    CATEGORIES,
    CATEGORY_SHIFT,
    NO_CARDS,
    Tables,
    evaluate_batch,
    holdem_strength,
    strength_of,
    tables,
)

TARGET = 50e6
"""Seven-card hands a second in sequence, one core."""
N_HANDS = 133_784_560
N_RANDOM = 500_000


@njit
def count_strengths(tables: Tables, counts: NDArray[np.int64]) -> None:
    """Add one to counts[strength] in place for every seven-card hand; each loop keeps its partial sum."""
    w, s = tables.word, tables.suited
    for a in range(52):
        wa, sa = NO_CARDS + w[a], s[a]
        for b in range(a):
            wb, sb = wa + w[b], sa | s[b]
            for c in range(b):
                wc, sc = wb + w[c], sb | s[c]
                for d in range(c):
                    wd, sd = wc + w[d], sc | s[d]
                    for e in range(d):
                        we, se = wd + w[e], sd | s[e]
                        for f in range(e):
                            wf, sf = we + w[f], se | s[f]
                            for g in range(f):
                                counts[strength_of(tables, wf + w[g], sf | s[g])] += 1


def timed(run: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return what a call returns, its CPU seconds and its wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = run()
    return result, time.process_time() - cpu, time.perf_counter() - wall


def report(what: str, n: int, cpu: float, wall: float) -> None:
    print(f"{what:<34}{n / cpu / 1e6:9.1f} M/s CPU{n / wall / 1e6:9.1f} M/s wall{wall:9.3f} s")


def main() -> None:
    _, _, seconds = timed(tables)
    print(f"tables, with the compiled code's loading: {seconds:.3f} s")
    tables.cache_clear()
    built, _, seconds = timed(tables)
    kilobytes = sum(array.nbytes for array in built) / 1024
    print(f"tables alone: {seconds:.3f} s, {kilobytes:.0f} KiB")
    counts = np.zeros(len(CATEGORIES) << CATEGORY_SHIFT, dtype=np.int64)
    _, _, seconds = timed(lambda: count_strengths.compile((typeof(built), typeof(counts))))
    print(f"compiling the enumeration: {seconds:.3f} s")
    _, cpu, wall = timed(lambda: count_strengths(built, counts))
    report(f"in sequence (target {TARGET / 1e6:.0f} M/s)", N_HANDS, cpu, wall)
    random = np.random.default_rng(0)
    hands = np.tile(np.arange(52, dtype=np.uint8), (N_RANDOM, 1))
    hands = np.ascontiguousarray(random.permuted(hands, axis=1)[:, :7])
    evaluate_batch(hands[:1])
    _, cpu, wall = timed(lambda: [evaluate_batch(hands) for _ in range(10)])
    report("at random, checked", 10 * N_RANDOM, cpu, wall)
    board, hole = parse_cards("Ks Th 7s 4d 2c"), np.array(list(combinations(range(52), 2)), dtype=np.uint8)
    holdem_strength(board, hole)
    _, cpu, wall = timed(lambda: [holdem_strength(board, hole) for _ in range(1_000)])
    report("1,326 hole cards on a river", 1_000 * len(hole), cpu, wall)
    by_category = counts.reshape(len(CATEGORIES), -1).sum(axis=1)
    print(*(f"{name} {count:,}" for name, count in zip(CATEGORIES, by_category, strict=True)), sep="; ")
    print(f"{np.count_nonzero(counts):,} distinct strengths of {counts.sum():,} hands")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
