"""The largest memory of this process and of workers."""

import os
import resource
from typing import NamedTuple

from treeplex.cfr.split.executor import Executor, despite_losses
from treeplex.cfr.split.worker import Worker

KIBIBYTE = 1024


class Asked(NamedTuple):
    """A question to the owner of a flop."""

    flop: int


def largest_resident(worker: Worker, task: Asked) -> tuple[int, int]:
    """Return a worker's process and the most bytes of memory that it has taken."""
    return os.getpid(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE


def peak_memory(executor: Executor, workers: int) -> float:
    """Return the sum of the largest resident memories of this process and of workers', in bytes.

    Parameters
    ----------
    executor : Executor
    workers : int
        How many there are, of those that own flops.
    """
    questions = [Asked(flop) for flop in range(workers)]
    found = despite_losses(lambda: dict(executor.map(largest_resident, questions)), "a question")
    found[os.getpid()] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE
    return float(sum(found.values()))
