"""Run a regret minimiser until its certificate is narrow enough, certified and kept on the way."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treeplex.problem import Problem
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.certify.exact_certificate import certify_exactly
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats
from treeplex.solving.guided import Progress, silent
from treeplex.solving.result import Form, Result
from treeplex.store.checkpoint import Keeper, NoKeeper, Position
from treeplex.store.trace import TracePoint

Trace = tuple[TracePoint, ...]


@dataclass(frozen=True)
class Runner:
    """A regret minimiser made ready for a game, on whichever form of it is faster.

    Attributes
    ----------
    name : str
        What the command line calls it.
    learner : object
        Its parameters.
    start : Any
        The state before the first iteration; every state says how many ``iterations`` are done.
    advance : callable
        Takes a state and how many more iterations; returns the new state.
    profile : callable
        Takes a state; returns the average profile, in the numbering of the game's form.
    form : {"tree", "public"}
        Which form of the game it runs on.
    """

    name: str
    learner: object
    start: Any
    advance: Callable[[Any, int], Any]
    profile: Callable[[Any], Profile]
    form: Form = "tree"


@dataclass(frozen=True)
class Checks:
    """When a run is certified: after so many iterations, then at geometric times, and at its end."""

    first: int
    growth: float

    def after(self, checked: int) -> int:
        """Return the first check after so many iterations, whatever was run in one stretch."""
        check = self.first
        while check <= checked:
            check = max(check + 1, int(check * self.growth))
        return check


FOR_TARGETS, FOR_TRACES, AT_THE_END = Checks(64, 1.5), Checks(1, 1.25), Checks(sys.maxsize, 1.0)
FIRST_SLICE = 64
SLICE_SECONDS = 0.25
"""How long compiled code may run at a stretch, about."""


def narrower_than(target: float) -> Callable[[Trace], bool]:
    """Return whether the last certificate's width is at most a target; zero is never reached."""
    return lambda trace: target > 0 and trace[-1].certificate.nash_conv <= target


def run_minimiser(
    problem: Problem,
    runner: Runner,
    iterations: int,
    enough: Callable[[Trace], bool],
    *,
    exact: bool = False,
    progress: Progress | None = None,
    checks: Checks = FOR_TARGETS,
    keeper: Keeper | None = None,
) -> Result:
    """Run up to ``iterations`` in all, stopping at the first check after which it is enough.

    A run that goes on from a checkpoint is certified after the same iterations as one that never stopped,
    and ends with the same bits.

    Raises
    ------
    ValueError
        If the checkpoint is of another run, or has more iterations done.
    """

    def judge(state: Any) -> tuple[tuple[Floats, ...], Certificate]:
        profile = runner.profile(state)
        return profile.behaviour, certify(problem.form, profile)

    course = Course(
        runner.name, runner.start, runner.advance, judge, progress or silent, keeper or NoKeeper()
    )
    status = course.run(iterations, enough, checks)
    x, y = course.behaviour
    profile, certificate = Profile(problem.form.treeplexes, (x, y)), course.trace[-1].certificate
    if exact:
        certificate = certify_exactly(problem.form, profile)
    return Result(
        **problem.facts,
        form=runner.form,
        method=runner.name,
        status=status,
        strategy=profile,
        certificate=certificate,
        iterations=course.done,
        seconds=course.seconds,
        n_infosets=sum(problem.form.n_infosets),
        trace=course.trace,
    )


class Course:
    """A run as it goes, certified and kept on the way.

    Parameters
    ----------
    name : str
        What the command line calls the minimiser.
    start, advance : as in :class:`Runner`
    judge : callable
        Takes a state; returns the average behaviour as it is kept, and its certificate.
    tell : callable
        Is told how far the run has come.
    keeper : Keeper
    first_slice : int, optional
        How many iterations are run before the first word of progress; ``FIRST_SLICE`` unless given.
    """

    def __init__(
        self,
        name: str,
        start: Any,
        advance: Callable[[Any, int], Any],
        judge: Callable[[Any], tuple[tuple[Floats, ...], Certificate]],
        tell: Progress,
        keeper: Keeper,
        first_slice: int | None = None,
    ) -> None:
        self._name, self._advance, self._judge = name, advance, judge
        self._step = FIRST_SLICE if first_slice is None else first_slice
        self._told, self._keeper = tell, keeper
        clock = time.perf_counter()
        position = keeper.found(Position(start, (), (), 0.0))
        self.state, self.trace = position.state, position.trace
        self.behaviour = position.behaviour
        self._begun = int(start.iterations)
        self._clock = clock - position.seconds

    @property
    def done(self) -> int:
        """Iterations done."""
        return int(self.state.iterations)

    @property
    def checked(self) -> int:
        """Iterations done when last certified."""
        return self.trace[-1].iterations if self.trace else self._begun

    @property
    def seconds(self) -> float:
        """Wall time so far, that before the run was taken up again included."""
        return time.perf_counter() - self._clock

    def run(self, iterations: int, enough: Callable[[Trace], bool], checks: Checks) -> str:
        """Run up to ``iterations`` in all, and stop at the first check after which it is enough.

        Returns how it ended.

        Raises
        ------
        ValueError
            If more iterations are done already.
        """
        resumed = self.done
        if resumed > iterations:
            raise ValueError(
                f"the checkpoint has {resumed:,} iterations done, got {iterations:,} to do in all"
            )
        try:
            while not (self.trace and enough(self.trace)) and self.checked != iterations:
                # A run may have been kept before a check, or under another schedule.
                last = max(self.checked, self.done - 1)
                self._to(min(self._begun + checks.after(last - self._begun), iterations))
        finally:
            self._keeper.close()
        status = "target reached" if enough(self.trace) else "iterations done"
        return f"{status}, resumed after {resumed:,}" if resumed > self._begun else status

    def _to(self, last: int) -> None:
        """Run to an iteration in slices, and certify what came out.

        A long run shows progress, hears Ctrl-C and is kept on the way.
        """
        step = self._step
        while self.done < last:
            clock = time.perf_counter()
            step = min(step, last - self.done)
            self.state = self._advance(self.state, step)
            self._tell()
            self._keep()
            if time.perf_counter() - clock < SLICE_SECONDS:
                step *= 2
        self.behaviour, certificate = self._judge(self.state)
        self.trace = (*self.trace, TracePoint(self.done, self.seconds, certificate))
        self._tell()
        self._keep()

    def _tell(self) -> None:
        width = self.trace[-1].certificate.nash_conv if self.trace else float("inf")
        self._told(f"{self._name}, {self.done:,} iterations", width)

    def _keep(self) -> None:
        self._keeper.keep(Position(self.state, self.behaviour, self.trace, self.seconds))
