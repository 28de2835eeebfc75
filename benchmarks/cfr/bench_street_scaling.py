"""How the engine for several streets grows with the game: time an iteration against numbers kept.

One process a game, one thread, compiled and warm. ``--plot FILE.svg`` draws what the table says.
"""

import argparse
import subprocess
import sys
import time

import numpy as np

from treeplex.cfr.boards.board_state import FactoredState, factored_config
from treeplex.cfr.boards.factored_cfr import FactoredCFR, prepare
from treeplex.cfr.engine import iterate
from treeplex.core.loading import load

SPECS = (
    'small_holdem(board="As Kh Qs Jh",ranks=6,suits=4)',
    'small_holdem(board="As Kh Qs Jh",ranks=9,suits=4)',
    "rhode_island(ranks=5)",
    "examples/river.toml",
    'small_holdem(board="As Kh Qs Jh",ranks=13,suits=4)',
    'small_holdem(board="As Kh Qs",ranks=9,suits=4)',
    "one_card_flop",
    "examples/turn.toml",
    "rhode_island",
    'small_holdem(board="As Kh Qs",ranks=13,suits=4)',
    "examples/flop.toml",
)
RUNS = 5
SECONDS = 0.2


def measured(spec: str) -> tuple[int, float]:
    """Return how many regrets a game has, and the CPU seconds of an iteration."""
    engine = prepare(load(spec).boards(), factored_config("dcfr"))
    state = iterate(engine, 2)
    iterations, best = 1, np.inf
    while best == np.inf or iterations * best < SECONDS:
        iterations = 1 if best == np.inf else max(2 * iterations, int(SECONDS / best))
        best = min(best, timed(engine, state, iterations))
    for _ in range(RUNS):
        best = min(best, timed(engine, state, iterations))
    return sum(len(tables.regret) for tables in state.memories), best


def timed(engine: FactoredCFR, state: FactoredState, iterations: int) -> float:
    """Time iterations that overwrite the tables of a state: only these matter here."""
    clock = time.process_time()
    engine.advance(state, iterations)
    return (time.process_time() - clock) / iterations


def plot(rows: list[tuple[str, int, float]], path: str) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.loglog([n for _, n, _ in rows], [1e3 * seconds for _, _, seconds in rows], "o")
    for spec, n, seconds in rows:
        axes.annotate(spec.split("/")[-1].split("(")[0], (n, 1e3 * seconds), fontsize=7)
    axes.set(xlabel="regrets kept, both players", ylabel="CPU ms an iteration, one thread")
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spec", nargs="?", help="measure this one here and print the numbers alone")
    parser.add_argument("--plot", metavar="FILE", help="draw the table, .png or .svg")
    options = parser.parse_args()
    if options.spec is not None:
        print(*measured(options.spec))
        return
    rows = []
    for spec in SPECS:
        command = [sys.executable, "-m", "benchmarks.cfr.bench_street_scaling", spec]
        done = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        rows.append((spec, int(done[0]), float(done[1])))
        n, seconds = rows[-1][1:]
        print(
            f"{spec}: {n:,} regrets, {1e3 * seconds:.3f} CPU ms, {1e9 * seconds / n:.2f} ns each", flush=True
        )
    sizes, seconds = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    power = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    decades = np.log10(sizes.max() / sizes.min())
    print(f"time grows with regrets to the power {power:.2f} over {decades:.1f} decades")
    if options.plot:
        plot(rows, options.plot)


if __name__ == "__main__":
    main()
