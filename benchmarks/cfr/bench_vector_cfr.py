"""Minimisers on public trees: time an iteration (both players updated), one thread, compiled and warm."""

import statistics
import time
from functools import partial
from typing import Any

from benchmarks.measure import Case, main
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.engine import Engine, iterate
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.sampling import board_sampling
from treeplex.cfr.sampling.board_sampling import BoardSampling, paths_of
from treeplex.cfr.variant import VARIANTS, variant_named
from treeplex.core.problem import Problem
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.public_tree import PublicTree, compile_public

RIVER = "examples/river.toml"
POT = 100
BESIDE = {
    "leduc": "leduc_poker",
    "river": RIVER,
    "turn": 'small_holdem(board="As Kh Qs Jh",ranks=6,bets=[0.5,1],raises=[1])',
    "flop": "flop_holdem(ranks=5,suits=2)",
}
DECKS = ("As Kh Qs Jh", 5), ("As Kh Qs Jh", 13), ("As Kh Qs", 5), ("As Kh Qs", 8)
"""Boards and ranks of short decks of two suits: 6, 22, 42 and 156 ways are left for cards to fall."""


def prepared(spec: str) -> PublicTree:
    game = load_game(spec)
    assert isinstance(game, PokerGame)
    tree = compile_public(game)
    iterate(vector_cfr.prepare(tree, VARIANTS["cfr+"]), 2)
    return tree


def speed(tree: object, variant: str, iterations: int, runs: int) -> str:
    """Time runs that go on from one another; what a call takes whatever its iterations is taken off."""
    assert isinstance(tree, PublicTree)
    seconds = seconds_an_iteration(vector_cfr.prepare(tree, VARIANTS[variant]), iterations, runs)
    best, median = 1e3 * min(seconds), 1e3 * statistics.median(seconds)
    return f"{best:.3f} CPU ms an iteration at best, {median:.3f} at the median, of {runs} x {iterations}"


def seconds_an_iteration(engine: Engine[Any, Any], iterations: int, runs: int) -> list[float]:
    state = iterate(engine, 2)
    fixed = min(seconds_of(engine, 1, state)[0] for _ in range(10))
    seconds = []
    for _ in range(runs):
        spent, state = seconds_of(engine, 1 + iterations, state)
        seconds.append((spent - fixed) / iterations)
    return seconds


def seconds_of(engine: Engine[Any, Any], iterations: int, state: Any) -> tuple[float, Any]:
    clock = time.process_time()
    after = engine.advance(state, iterations)
    return time.process_time() - clock, after


def problem_of(spec: str) -> Problem:
    return Problem(load_game(spec))


def beside_boards(problem: object) -> str:
    """Time the same CFR+ iterations on the public tree and, in float64, on betting lines times boards."""
    assert isinstance(problem, Problem)
    assert problem.tree is not None
    engines: tuple[Engine[Any, Any], Engine[Any, Any]] = (
        vector_cfr.prepare(problem.tree, variant_named("cfr+", counted="before")),
        factored_cfr.prepare(problem.boards(), factored_config("cfr+", storage="float64")),
    )
    public, factored = (1e3 * statistics.median(seconds_an_iteration(e, 50, 5)) for e in engines)
    return f"{public:.3f} CPU ms an iteration, {factored:.3f} on boards in float64"


def sampled(tree: object) -> str:
    """Time public-chance sampling beside full width."""
    assert isinstance(tree, PublicTree)
    few, all_ = board_sampling.prepare(tree, BoardSampling()), vector_cfr.prepare(tree, VARIANTS["cfr"])
    one, whole = (1e3 * min(seconds_an_iteration(e, n, 5)) for e, n in ((few, 2000), (all_, 200)))
    ways, hands = len(paths_of(tree).cumulative), len(tree.hands[0])
    return f"{one:.4f} CPU ms a sampled iteration, {whole:.3f} at full width; {ways} ways, {hands} hands"


def to_target(tree: object, target: float) -> str:
    assert isinstance(tree, PublicTree)
    engine = vector_cfr.prepare(tree, VARIANTS["cfr+"])
    state = iterate(engine, 10)
    while (width := engine.gains(state).nash_conv) > target:
        state = iterate(engine, 10, state)
    return f"NashConv {width:.3g} after {state.iterations:,} iterations, looks included"


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
        Case(f"boards-{name}", "none", partial(problem_of, spec), beside_boards)
        for name, spec in BESIDE.items()
    ),
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
