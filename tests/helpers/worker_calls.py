"""Functions that tests call on workers, and programs that run split games in processes of their own."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import NamedTuple

from treeplex.cfr.boards.board_state import factored_config
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.split_tree import SplitTree
from treeplex.solving.worker_processes import WorkerPlan

LEDUC = "leduc_poker"
"""One flop, five lines: whatever is done with it takes a moment."""
RHODE_ISLAND = "rhode_island(ranks=2)"
"""Two flops."""


class Number(NamedTuple):
    """A task of a flop."""

    flop: int
    number: int = 0


def told(worker, task):
    """Return who answers, and the task; what is printed is no answer."""
    print("printed", flush=True)
    return os.getpid(), task.number


def refused(worker, task):
    """Raise an error."""
    raise ValueError(f"number {task.number} is refused")


def killed(worker, task):
    """End the worker's process."""
    os.kill(os.getpid(), signal.SIGKILL)


def plan_for(store, spec=LEDUC, *, in_memory=False):
    """Return the plan of workers on a game."""
    split = SplitTree.of(load_game(spec))
    return WorkerPlan(split, factored_config("cfr+", storage="int32"), Path(store), "0" * 32, in_memory)


def kill_at_renamings(store, iterations, counts):
    """Solve a game once for each count, killed by SIGKILL in place of so many's renaming of a file."""
    import treeplex as tp

    for count in counts:
        if child := os.fork():
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
            continue
        renamed, rename = [], os.replace

        def replace(*paths, renamed=renamed, rename=rename, count=count):
            renamed.append(paths)
            if len(renamed) == count:
                os.kill(os.getpid(), signal.SIGKILL)
            rename(*paths)

        os.replace = replace
        tp.solve(LEDUC, store=store, iterations=iterations, executor="serial")
        os._exit(0)


def hashes_by_actors(folder, answer):
    """Solve a game with one and with two actors of a small Ray; write hashes and the processes of Ray."""
    import psutil
    import ray

    import treeplex as tp

    few = {"num_cpus": 2, "object_store_memory": 80 << 20, "include_dashboard": False}
    ray.init(_temp_dir=folder, log_to_driver=False, logging_level="ERROR", **few)
    try:
        runs = [
            tp.solve(RHODE_ISLAND, store=f"{folder}/{n}", iterations=3, executor="ray", workers=n)
            for n in (1, 2)
        ]
        pids = [process.pid for process in psutil.Process().children(recursive=True)]
        Path(answer).write_text(
            json.dumps({"hashes": [run.fact(tp.SplitFacts).hash for run in runs], "pids": pids})
        )
    finally:
        ray.shutdown()


if __name__ == "__main__":
    name, *arguments = json.loads(sys.argv[1])
    {"kill": kill_at_renamings, "ray": hashes_by_actors}[name](*arguments)
