"""Interrupt commands at random moments, count what is lost: ``python -m benchmarks.interrupts [TRIES]``."""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.helpers.processes import listening, seconds_to_stop

COMMANDS = {
    "cfr": ["solve", "leduc_poker", "--method", "cfr", "--iterations", "100000000"],
    "kept": [
        "solve",
        "leduc_poker",
        "--method",
        "cfr+",
        "--iterations",
        "100000000",
        "--checkpoint",
        "{kept}",
    ],
    "boards": ["solve", "examples/turn.toml", "--form", "boards", "--iterations", "1000000"],
    "table": ["solve", "limit_holdem", "--method", "mccfr-external", "--iterations", "100000000"],
    "simplex": ["solve", "leduc_poker(ranks=16)", "--method", "lp", "--solver", "simplex"],
    "walk": ["solve", "liars_dice(dice=2,faces=4)", "--iterations", "100000000"],
    "exact": ["solve", "leduc_poker(ranks=20)", "--method", "lp", "--exact"],
}
"""What is interrupted, by name; none of it ends by itself within ``LATEST``."""
LATEST = 6.0
"""Most seconds from when a command hears signals to the interrupt."""
MOST_CPU = 60
"""Processor seconds after which a process is killed: an interrupt was lost."""


@dataclass
class Outcomes:
    """What came of the tries with one command."""

    codes: Counter[int] = field(default_factory=Counter)
    cpu: float = 0.0
    wall: float = 0.0


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.interrupts", description=__doc__)
    parser.add_argument("tries", nargs="?", type=int, default=200, help="how many in all")
    parser.add_argument("--cold", type=int, default=20, help="how many of them without compiled kernels")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    outcomes = {name: Outcomes() for name in COMMANDS}
    for i in range(asked.tries):
        name = [*COMMANDS][i % len(COMMANDS)]
        _try(name, random.Random(f"{asked.seed} {i}").uniform(0.0, LATEST), i < asked.cold, outcomes[name])
    for name, found in outcomes.items():
        codes = ", ".join(f"{n} x exit {code}" for code, n in found.codes.items())
        print(f"{name:8} {codes}; slowest {found.cpu:.2f} CPU s, {found.wall:.2f} s wall")
    sys.exit(0 if {code for found in outcomes.values() for code in found.codes} <= {130} else 1)


def _try(name: str, seconds: float, cold: bool, found: Outcomes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        caches = {"NUMBA_CACHE_DIR": f"{folder}/cache"} if cold else {}
        words = [word.format(kept=Path(folder, "run.npz")) for word in COMMANDS[name]]
        with listening(*words, env={**os.environ, **caches}, cpu_seconds=MOST_CPU) as process:
            time.sleep(seconds)
            clock = time.perf_counter()
            cpu, _, _ = seconds_to_stop(process, signal.SIGINT)
        found.wall = max(found.wall, time.perf_counter() - clock)
        found.cpu = max(found.cpu, cpu)
        found.codes[process.returncode] += 1


if __name__ == "__main__":
    main()
