"""Hold'em of several streets with all hands: time an iteration, and how many a target takes."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Case, main
from treeplex.cfr.boards import bucket_cfr
from treeplex.cfr.boards.board_state import FactoredConfig, Storage, factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.cfr.engine import iterate
from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.seqform.boards.bucket_tree import BucketTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.solving.on_boards import TableBytes
from treeplex.solving.solve import solve

RIVER, TURN, FLOP = "examples/river.toml", "examples/turn.toml", "examples/flop.toml"
ENDGAMES = Path("../shared/data/libratus")
MIB = 2**20
NATIVE = {("river", 1): 0.168, ("turn", 1): 31.6, ("turn", 2): 16.2, ("flop", 2): 360.0}
"""Milliseconds of wall time an iteration of postflop-solver by game and threads (commit 9d1509f, Rust 1.95,
target-cpu=native, LTO) on two cores of an AMD EPYC of Zen 4 with AVX-512, nothing beside it."""


def ready(spec: str, storage: Storage = "float32") -> Problem:
    """Make a game ready, and the kernels for its storage."""
    small = load("leduc_poker").boards()
    for threads in (1, 2):
        iterate(prepare(small, factored_config("dcfr", storage=storage), threads), 2)
    problem = load(spec)
    problem.boards(entry_bytes=factored_config("dcfr", storage=storage).entry_bytes)
    return problem


def speed(
    problem: object,
    iterations: int,
    runs: int,
    threads: int = 1,
    storage: Storage = "float32",
    prepared: Callable[..., Any] = prepare,
    native: float | None = None,
) -> str:
    assert isinstance(problem, Problem)
    engine = prepared(problem.boards(), factored_config("dcfr", storage=storage), threads)
    state = iterate(engine, 5)
    cpu, wall = [], []
    for _ in range(runs):
        started = time.process_time(), time.perf_counter()
        state = engine.advance(state, iterations)
        cpu.append((time.process_time() - started[0]) / iterations)
        wall.append((time.perf_counter() - started[1]) / iterations)
    n_bytes = sum(memory.n_bytes for memory in state.memories)
    beside = (
        "" if native is None else f", {1e3 * min(wall) / native:.2f} of postflop-solver's {native:g} (Zen 4)"
    )
    return (
        f"{1e3 * min(cpu):.3f} CPU ms an iteration at best, {1e3 * statistics.median(cpu):.3f} at the median,"
        f" {1e3 * min(wall):.3f} ms wall at best{beside};"
        f" tables {n_bytes / MIB:,.1f} MiB"
    )


def twenty(tree: FactoredTree, config: FactoredConfig, threads: int) -> bucket_cfr.BucketCFR:
    """Prepare an engine with twenty buckets of equal size on each board, on rivers by strength."""
    first, second = (
        np.concatenate([np.arange(n) * 20 // n for n in np.diff(hands.start)]) for hands in tree.boards.hands
    )
    return bucket_cfr.prepare(BucketTree.by_board(tree, (first, second)), config, threads)


def to_share(
    problem: object, average: str, first: int, share: float = 1e-3, storage: Storage = "float32"
) -> str:
    """Run until half of NashConv is a share of the pot, certified every ten iterations from ``first`` on."""
    assert isinstance(problem, Problem)
    engine, judging = prepare(problem.boards(), factored_config("dcfr", average, storage)), 0.0
    clock = time.perf_counter()
    state = iterate(engine, first)
    while True:
        found = certify_factored(problem.game, engine.strategy(state))
        judging += found.seconds
        part = found.nash_conv / 2 / float(problem.pot or 1)
        if part <= share or state.iterations >= 10 * first:
            break
        state = engine.advance(state, 10)
    seconds = time.perf_counter() - clock - judging
    return (
        f"{100 * part:.4f}% of the pot after {state.iterations:,} iterations, {seconds:.1f} s;"
        f" value in [{found.lower:.5f}, {found.upper:.5f}], a certificate takes {found.seconds:.2f} s"
    )


def solved(spec: str, **how: object) -> str:
    result = solve(spec, form="boards", **how)  # type: ignore[arg-type]
    small = "" if result.mbb_per_hand is None else f", {result.mbb_per_hand:.3f} mbb/hand"
    small += "" if result.pots is None else f", {100 * result.pots:.4f}% of the pot"
    tables = result.fact(TableBytes)
    assert tables is not None
    return (
        f"value in [{result.lower:.6f}, {result.upper:.6f}], NashConv {result.nash_conv:.3g}{small}, after "
        f"{result.iterations:,} iterations; tables {tables.n_bytes / MIB:,.0f} MiB"
    )


def compiled() -> str:
    """Run one iteration of a small game in a process that has no compiled kernels."""
    script = (
        "import time; from benchmarks.cfr.bench_streets import iterate, load, prepare, factored_config;"
        "tree = load('leduc_poker').boards(); clock = time.process_time();"
        "iterate(prepare(tree, factored_config('dcfr')), 1); print(time.process_time() - clock)"
    )
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"NUMBA_CACHE_DIR": empty},
            capture_output=True,
            text=True,
            check=True,
        )
    return f"{float(done.stdout):.1f} CPU s to compile the kernels, once for all"


def endgame(number: int, target: float) -> Case:
    path = ENDGAMES / f"subgame{number}.txt"
    sizes = {"bets": "0.5,1,a", "raises": "1,a"}
    return Case(
        f"libratus-{number}",
        "none printed" if path.exists() else "none: the endgame is not here",
        lambda: ready(RIVER),
        lambda _: solved(str(path), target=target, **sizes) if path.exists() else "skipped",
    )


CASES = [
    Case("compile", "none", lambda: None, lambda _: compiled()),
    Case(
        "river",
        "0.20 ms on one thread",
        lambda: ready(RIVER),
        lambda p: speed(p, 1000, 10, native=NATIVE["river", 1]),
    ),
    Case(
        "turn",
        "30 ms on one thread",
        lambda: ready(TURN),
        lambda p: speed(p, 20, 5, native=NATIVE["turn", 1]),
    ),
    Case("turn-buckets", "none", lambda: ready(TURN), lambda p: speed(p, 20, 5, prepared=twenty)),
    Case(
        "turn-2-threads",
        "18 ms wall",
        lambda: ready(TURN),
        lambda p: speed(p, 20, 5, 2, native=NATIVE["turn", 2]),
    ),
    Case(
        "turn-int16",
        "none",
        lambda: ready(TURN, "int16"),
        lambda p: speed(p, 20, 5, storage="int16"),
    ),
    Case("turn-0.1%", "170 iterations", lambda: ready(TURN), lambda p: to_share(p, "cubic", 140)),
    Case("flop", "600 ms on one thread, 0.6 GiB", lambda: ready(FLOP), lambda p: speed(p, 5, 3)),
    Case(
        "flop-2-threads", "none", lambda: ready(FLOP), lambda p: speed(p, 5, 3, 2, native=NATIVE["flop", 2])
    ),
    Case("flop-0.1%", "220 iterations", lambda: ready(FLOP), lambda p: to_share(p, "cubic", 180)),
    Case(
        "rhode-island",
        "1e-3 antes: NashConv 0.005",
        lambda: ready(RIVER),
        lambda _: solved("rhode_island", target=0.005, threads=2),
    ),
    Case(
        "one-card-flop",
        "2.86 mbb/hand after 200 iterations (slumbot2019, ms1f1)",
        lambda: ready(RIVER),
        lambda _: solved("one_card_flop", method="cfr+", iterations=200),
    ),
    Case(
        "flop-holdem",
        "none",
        lambda: ready(RIVER),
        lambda _: solved("flop_holdem", iterations=100, threads=2),
    ),
    endgame(1, 0.0),
    endgame(2, 0.0),
]

if __name__ == "__main__":
    main("benchmarks.cfr.bench_streets", CASES)
