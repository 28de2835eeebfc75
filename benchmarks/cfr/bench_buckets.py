"""Flop hold'em with hands in buckets: time an iteration and memory, beside the engine on boards."""

import time

import numpy as np

from benchmarks.measure import Case, main
from treeplex.cfr.boards import bucket_cfr, factored_cfr
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.engine import Engine, iterate
from treeplex.core.loading import load, unwalked
from treeplex.seqform.boards.bucket_tree import BucketTree
from treeplex.seqform.boards.factored_strategy import FactoredTree

LIMIT, SMALL = "flop_holdem", 'no_limit_flop_holdem(bets="1,a",max_raises=[9,9])'
"""Limit; and fold, call, pot, all-in without end, 200 big blinds of 100, the small game of Table 1."""
MIB = 2**20


def ready(spec: str) -> FactoredTree:
    """Make a game's boards ready, and the kernels."""
    small = load("leduc_poker(suits_visible=true)").boards()
    iterate(factored_cfr.prepare(small, factored_config("cfr+")), 2)
    iterate(bucket_cfr.prepare(drawn(small, 2), factored_config("cfr+")), 2)
    return unwalked(spec).boards()


def drawn(tree: FactoredTree, count: int) -> BucketTree:
    """Return so many buckets a street, hands drawn into them at random: the worst case for the cache."""
    rng, labels = np.random.default_rng(0), []
    for hands in tree.boards.hands:
        start = np.repeat(hands.start[:-1], np.diff(hands.start))
        labels.append(rng.integers(0, count, len(hands.hand))[start + hands.first])
    return BucketTree.of(tree, (labels[0], labels[1]))


def speed(tree: object, count: int, iterations: int) -> str:
    """Run some iterations; of hands by themselves where ``count`` is 0."""
    assert isinstance(tree, FactoredTree)
    config = factored_config("cfr+")
    engine: Engine = factored_cfr.prepare(tree, config)
    if count:
        engine = bucket_cfr.prepare(drawn(tree, count), config)
    state = iterate(engine, 1)
    clock = time.process_time(), time.perf_counter()
    state = engine.advance(state, iterations)
    cpu, wall = time.process_time() - clock[0], time.perf_counter() - clock[1]
    tables = sum(memory.n_bytes for memory in state.memories) / MIB
    return (
        f"{cpu / iterations:.2f} CPU s an iteration, {wall / iterations:.2f} s wall; tables {tables:,.0f} MiB"
    )


CASES = [
    Case(
        f"{name}-{count or 'boards'}",
        "as on boards" if count else "none",
        lambda spec=spec: ready(spec),
        lambda tree, count=count: speed(tree, count, 3),
    )
    for name, spec in (("limit", LIMIT), ("small", SMALL))
    for count in (0, 200, 2_000, 30_000)
]

if __name__ == "__main__":
    main("benchmarks.cfr.bench_buckets", CASES)
