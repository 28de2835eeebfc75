"""Vector CFR+ on public trees: time an iteration (both players updated), one thread, compiled and warm."""

import statistics
import time

from benchmarks.measure import Case, main
from cfr.vector_cfr import VectorState, vector_cfr_plus
from games.poker import PokerGame
from games.specs import load_game
from seqform.public_compiler import compile_public
from seqform.public_tree import PublicTree

RIVER = "examples/river.toml"
POT = 100


def prepared(spec: str) -> PublicTree:
    game = load_game(spec)
    assert isinstance(game, PokerGame)
    tree = compile_public(game)
    vector_cfr_plus(tree, 2)
    return tree


def speed(tree: object, iterations: int, runs: int) -> str:
    """Time runs that go on from one another; laying the tree out and judging the average are taken off."""
    assert isinstance(tree, PublicTree)
    fixed = min(seconds_of(tree, 1, None)[0] for _ in range(10))
    state, seconds = None, []
    for _ in range(runs):
        spent, state = seconds_of(tree, 1 + iterations, state)
        seconds.append((spent - fixed) / iterations)
    best, median = 1e3 * min(seconds), 1e3 * statistics.median(seconds)
    return f"{best:.3f} CPU ms an iteration at best, {median:.3f} at the median, of {runs} x {iterations}"


def seconds_of(tree: PublicTree, iterations: int, state: VectorState | None) -> tuple[float, VectorState]:
    clock = time.process_time()
    result = vector_cfr_plus(tree, iterations, state=state)
    return time.process_time() - clock, result.state


def to_target(tree: object, target: float) -> str:
    assert isinstance(tree, PublicTree)
    result = vector_cfr_plus(tree, 100_000, target=target, every=10)
    return f"NashConv {result.gains.nash_conv:.3g} after {result.iterations:,} iterations, looks included"


CASES = [
    Case("river", "0.25 ms an iteration", lambda: prepared(RIVER), lambda t: speed(t, 500, 20)),
    Case("river-0.1%", "none: 0.1% of the pot", lambda: prepared(RIVER), lambda t: to_target(t, POT / 1_000)),
    Case(
        "river-0.01%", "none: 0.01% of the pot", lambda: prepared(RIVER), lambda t: to_target(t, POT / 10_000)
    ),
    Case("leduc", "none", lambda: prepared("leduc_poker"), lambda t: speed(t, 5_000, 5)),
]

if __name__ == "__main__":
    main("benchmarks.bench_vector_cfr", CASES)
