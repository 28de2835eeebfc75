"""Minimisers on public trees: time an iteration (both players updated), one thread, compiled and warm."""

import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Case, main
from treeplex.cfr.monte_carlo.board_sampling import BoardSampling, BoardState, sample_boards
from treeplex.cfr.monte_carlo.boards import paths_of
from treeplex.cfr.public_tree.vector_cfr import VectorState, minimise_vectors
from treeplex.cfr.variants.variant import VARIANTS
from treeplex.games.poker.game import PokerGame
from treeplex.games.specs.specs import load_game
from treeplex.seqform.trees.public_compiler import compile_public
from treeplex.seqform.trees.public_tree import PublicTree

RIVER = "examples/river.toml"
POT = 100
DECKS = ("As Kh Qs Jh", 5), ("As Kh Qs Jh", 13), ("As Kh Qs", 5), ("As Kh Qs", 8)
"""Boards and ranks of short decks of two suits: 6, 22, 42 and 156 ways are left for cards to fall."""


def prepared(spec: str) -> PublicTree:
    game = load_game(spec)
    assert isinstance(game, PokerGame)
    tree = compile_public(game)
    minimise_vectors(tree, VARIANTS["cfr+"], 2)
    return tree


def speed(tree: object, variant: str, iterations: int, runs: int) -> str:
    """Time runs that go on from one another; laying the tree out and judging the average are taken off."""
    assert isinstance(tree, PublicTree)

    def run(n: int, state: VectorState | None) -> VectorState:
        return minimise_vectors(tree, VARIANTS[variant], n, state=state).state

    seconds = seconds_an_iteration(run, iterations, runs)
    best, median = 1e3 * min(seconds), 1e3 * statistics.median(seconds)
    return f"{best:.3f} CPU ms an iteration at best, {median:.3f} at the median, of {runs} x {iterations}"


def seconds_an_iteration(run: Callable[[int, Any], Any], iterations: int, runs: int) -> list[float]:
    run(2, None)
    fixed = min(seconds_of(lambda: run(1, None))[0] for _ in range(10))
    state, seconds = None, []
    for _ in range(runs):
        spent, state = seconds_of(lambda before=state: run(1 + iterations, before))
        seconds.append((spent - fixed) / iterations)
    return seconds


def seconds_of(run: Callable[[], Any]) -> tuple[float, Any]:
    clock = time.process_time()
    outcome = run()
    return time.process_time() - clock, outcome


def sampled(tree: object) -> str:
    """Time public-chance sampling beside full width."""
    assert isinstance(tree, PublicTree)

    def run(n: int, state: BoardState | None) -> BoardState:
        return sample_boards(tree, BoardSampling(), n, 0, state).state

    def full(n: int, state: VectorState | None) -> VectorState:
        return minimise_vectors(tree, VARIANTS["cfr"], n, state=state).state

    one, all_ = (1e3 * min(seconds_an_iteration(f, n, 5)) for f, n in ((run, 2000), (full, 200)))
    ways, hands = len(paths_of(tree).cumulative), len(tree.hands[0])
    return f"{one:.4f} CPU ms a sampled iteration, {all_:.3f} at full width; {ways} ways, {hands} hands"


def to_target(tree: object, target: float) -> str:
    assert isinstance(tree, PublicTree)
    result = minimise_vectors(tree, VARIANTS["cfr+"], 100_000, target=target, every=10)
    return f"NashConv {result.gains.nash_conv:.3g} after {result.iterations:,} iterations, looks included"


CASES = [
    Case("river", "0.25 ms an iteration", lambda: prepared(RIVER), lambda t: speed(t, "cfr+", 500, 20)),
    *(
        Case(f"river-{name}", "none", lambda: prepared(RIVER), lambda t, name=name: speed(t, name, 200, 5))
        for name in ("dcfr", "pcfr+", "hedge", "cfr-br")
    ),
    Case("river-0.1%", "none: 0.1% of the pot", lambda: prepared(RIVER), lambda t: to_target(t, POT / 1_000)),
    Case(
        "river-0.01%", "none: 0.01% of the pot", lambda: prepared(RIVER), lambda t: to_target(t, POT / 10_000)
    ),
    Case("leduc", "none", lambda: prepared("leduc_poker"), lambda t: speed(t, "cfr+", 5_000, 5)),
    Case("leduc-sampled", "none", lambda: prepared("leduc_poker"), sampled),
    *(
        Case(
            f"sampled-{board.replace(' ', '')}-{ranks}",
            "none",
            lambda board=board, ranks=ranks: prepared(f'small_holdem(board="{board}",ranks={ranks})'),
            sampled,
        )
        for board, ranks in DECKS
    ),
]

if __name__ == "__main__":
    main("benchmarks.cfr.bench_vector_cfr", CASES)
