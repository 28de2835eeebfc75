"""Executors by name, and workers as actors of Ray, on one machine or on the nodes of a cluster."""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from treeplex.cfr.split.workers import Executor, Found, Serial, Task, Worker, WorkerLostError
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.process.children import in_window
from treeplex.process.interruption import current
from treeplex.process.standard_streams import complain
from treeplex.solving.worker_processes import A_WORKER, Processes, WorkerPlan

Name = Literal["serial", "processes", "ray"]
NAMES: tuple[Name, ...] = get_args(Name)
MOST_WORKERS = 4096
ANSWERS_WITHIN = 5.0
"""Seconds in which the head of a cluster must take a connection."""


def check_executor(name: str, workers: int) -> Name:
    """Return an executor's name, or refuse it; raises ``ValueError``."""
    if name not in NAMES:
        raise BadInputError(f"executor must be one of {', '.join(NAMES)}, got {name!r}")
    if not 1 <= workers <= (1 if name == "serial" else MOST_WORKERS):
        most = "1 with the executor serial" if name == "serial" else f"between 1 and {MOST_WORKERS:,}"
        raise BadInputError(f"workers must be {most}, got {workers}")
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


MISSING = "the executor ray needs the package ray: pip install 'treeplex[cluster]'"


class _Actor:
    """A worker in an actor's process."""

    def __init__(self, plan: WorkerPlan) -> None:
        self._worker = plan.worker()

    def call(self, function: Callable[[Worker, Task], Found], task: Task) -> Found:
        """Return ``function(worker, task)``."""
        return function(self._worker, task)


class RayActors:
    """Workers in actors, each the owner of every n-th flop; one that dies is replaced.

    It joins the cluster of which this machine is a node, or that ``RAY_ADDRESS`` names; if there is none it
    starts one on this machine, which ends with it.

    Parameters
    ----------
    plan : WorkerPlan
    workers : int
        At least 1: actors of one core each.

    Raises
    ------
    ValueError
        If Ray is not installed, ``RAY_ADDRESS`` names a cluster that does not answer, or one has fewer cores.
    """

    def __init__(self, plan: WorkerPlan, workers: int) -> None:
        self._ray = ray_module()
        self._started = _joined(self._ray, workers)
        self._kind = self._ray.remote(num_cpus=1, max_restarts=0)(_Actor)
        self._plan = self._ray.put(plan)
        self.actors = [self._kind.remote(self._plan) for _ in range(workers)]
        self._is_closed = False

    def map(self, function: Callable[[Worker, Task], Found], tasks: Sequence[Task]) -> Iterator[Found]:
        """Yield ``function(worker, task)`` for each task, in order; raises as ``Executor`` says."""
        n = len(self.actors)

        def begin(task: Task) -> Any:
            self._check_open()
            actor = self.actors[task.flop % n]
            return actor, actor.call.remote(function, task)

        return in_window(begin, self._found, self._drop, tasks, A_WORKER * n)

    def _found(self, handle: Any) -> Any:
        actor, answer = handle
        exceptions = self._ray.exceptions
        try:
            return self._ray.get(answer)
        except exceptions.RayTaskError as error:
            raise error.cause from None
        except exceptions.RayError as error:  # its process, its node or its answer is lost
            self._check_open()
            self._ray.kill(actor)
            self.actors[self.actors.index(actor)] = self._kind.remote(self._plan)
            raise WorkerLostError("an actor was lost") from error

    def _drop(self, handle: Any) -> None:
        self._check_open()
        self._ray.wait([handle[1]])

    def _check_open(self) -> None:
        """Refuse calls of a thread that goes on after the end: they would start Ray anew."""
        if self._is_closed:
            raise RuntimeError("the actors have been ended")

    def close(self) -> None:
        """End the actors, and the cluster if it was started for them."""
        self._is_closed = True
        for actor in self.actors:
            self._ray.kill(actor)
        if self._started:
            self._ray.shutdown()


def _joined(ray: Any, workers: int) -> bool:
    """Join a cluster, or start one of as many cores as there are workers; return whether that was done."""
    joins = not ray.is_initialized()
    if joins:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        address = _cluster(ray)
        if address is None:
            ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
            return True
        ray.init(address=address, **quiet)
    cores = int(ray.cluster_resources().get("CPU", 0))
    if cores < workers:
        if joins:
            ray.shutdown()
        raise BadInputError(f"workers must be at most {cores:,}, the cores of the cluster, got {workers:,}")
    free = int(ray.available_resources().get("CPU", 0))
    if free < workers:
        complain(f"treeplex: {free:,} of the cluster's {cores:,} cores are free, {workers:,} are waited for")
    return joins


def _cluster(ray: Any) -> str | None:
    """Return the address of the cluster that ``RAY_ADDRESS`` names, or else of which this machine is a node.

    Raises
    ------
    ValueError
        If nothing answers where ``RAY_ADDRESS`` says. A cluster that Ray's own files name may be gone.
    """
    named = os.environ.get("RAY_ADDRESS")
    if named and named != "auto":
        if not _answers(named):
            raise BadInputError(
                f"RAY_ADDRESS must be HOST:PORT of a cluster that answers, got {shown(named)}"
            )
        return named
    try:
        found: str = ray._private.services.canonicalize_bootstrap_address_or_die("auto")
    except ConnectionError:
        return None
    return found if _answers(found) else None


def _answers(address: str) -> bool:
    """Return whether something listens at HOST:PORT; Ray itself asks for ever, and hears no signals."""
    try:
        place = urlsplit(f"//{address.removeprefix('ray://')}")
        with socket.create_connection((place.hostname, place.port or 0), ANSWERS_WITHIN):
            return True
    except (OSError, ValueError):
        return False


def ray_module() -> Any:
    """Return the package ray; raises ``ValueError`` if it is not installed."""
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise BadInputError(MISSING) from error
    return ray
