"""Executors by name."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Literal, get_args

from treeplex.cfr.split.executor import Executor, Serial
from treeplex.executors.plan import WorkerPlan
from treeplex.executors.processes import Processes
from treeplex.executors.ray_actors import RayActors, ray_module
from treeplex.process.interruption import current

Name = Literal["serial", "processes", "ray"]
NAMES: tuple[Name, ...] = get_args(Name)
MOST_WORKERS = 4096


def check_executor(name: str, workers: int) -> Name:
    """Return an executor's name, or refuse it; raises ``ValueError``."""
    if name not in NAMES:
        raise ValueError(f"executor must be one of {', '.join(NAMES)}, got {name!r}")
    if not 1 <= workers <= (1 if name == "serial" else MOST_WORKERS):
        most = "1 with the executor serial" if name == "serial" else f"between 1 and {MOST_WORKERS:,}"
        raise ValueError(f"workers must be {most}, got {workers}")
    if name == "ray":
        ray_module()
    found: Name = name
    return found


@contextmanager
def opened(name: Name, plan: WorkerPlan, workers: int) -> Iterator[Executor]:
    """Make an executor, and end its workers when it is left, also where the command is interrupted."""
    executor: Executor
    with ExitStack() as stack:
        match name:
            case "serial":
                executor = Serial(plan.worker())
            case "processes":  # they end with this process
                executor = Processes(plan, workers)
            case "ray":  # some of its processes would stay for a minute
                stack.enter_context(current().finishing("the processes of Ray end"))
                executor = RayActors(plan, workers)
        stack.callback(executor.close)
        current().look()  # starting Ray takes seconds
        yield executor
