"""Kill split runs at random moments, resume them, compare hashes: ``python -m benchmarks.kills [KILLS]``.

A run of a small game of limit hold'em in a store is ended by SIGKILL, with all of its processes, at seeded
random moments and begun again each time; then it is finished. Its hash must be that of a run that was never
stopped. Tables go through the disk, so that a generation of files is being written at most moments; runs in
one process and in two take turns. A row is printed for each kill; the exit code is 1 if hashes differ.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from treeplex.files.split_store import trunk_files
from treeplex.files.store_folder import StoreFolder

SPEC = "limit_holdem(ranks=4,raises=[1,0,0,1],flops=4)"
EXECUTORS = (("serial",), ("processes", "--workers", "2"))
LATEST = 4.0
"""Most seconds from the first file of tables that a run writes to its end."""
ENDLESS = 100_000
"""Iterations that no run does before it is killed."""


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.kills", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("kills", nargs="?", type=int, default=20)
    parser.add_argument("--spec", default=SPEC)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        killed, whole = Path(folder, "killed"), Path(folder, "whole")
        print(
            "| kill | executor | after s | iterations in files | files half written |\n|---|---|---|---|---|",
            flush=True,
        )
        for i in range(asked.kills):
            executor = EXECUTORS[i % len(EXECUTORS)]
            seconds = random.Random(f"{asked.seed} {i}").uniform(0.0, LATEST)
            _kill(_words(asked.spec, killed, ENDLESS, executor), StoreFolder(killed), seconds)
            found = f"{_done(killed)} | {len(StoreFolder(killed).leftovers())}"
            print(f"| {i + 1} | {executor[0]} | {seconds:.2f} | {found} |", flush=True)
        count = _done(killed) + 1
        hashes = [_hash(_words(asked.spec, store, count, EXECUTORS[0])) for store in (killed, whole)]
    print(f"after {count} iterations: {hashes[0]}, never stopped: {hashes[1]}")
    sys.exit(0 if hashes[0] == hashes[1] else 1)


def _words(spec: str, store: Path, iterations: int, executor: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command's arguments; the memory is too small for tables to be kept there."""
    run = "solve", spec, "--store", str(store), "--iterations", str(iterations)
    return *run, "--set", "memory=0.001", "--json", "--executor", *executor


def _kill(words: tuple[str, ...], store: StoreFolder, seconds: float) -> None:
    """Begin a run and kill its processes some seconds after its first file of tables.

    Raises
    ------
    RuntimeError
        If it ended before.
    """
    before = {*store.tables_files()}
    with subprocess.Popen(
        [sys.executable, "-m", "treeplex", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            while before.issuperset(store.tables_files()) and process.poll() is None:
                time.sleep(0.01)
            time.sleep(seconds)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        _, err = process.communicate()
    if process.returncode != -signal.SIGKILL:
        raise RuntimeError(f"a run ended before it was killed, with exit code {process.returncode}: {err}")


def _hash(words: tuple[str, ...]) -> str:
    """Run to the end and return the hash; raises CalledProcessError."""
    done = subprocess.run([sys.executable, "-m", "treeplex", *words], capture_output=True, check=True)
    return str(json.loads(done.stdout)["hash"])


def _done(store: Path) -> int:
    """Return the whole iterations that are in files."""
    return max((file.half // 2 for file in trunk_files(store)), default=0)


if __name__ == "__main__":
    main()
