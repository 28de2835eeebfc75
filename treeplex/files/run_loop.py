"""The run loop of every engine: advances in slices, certifies, reports progress, writes checkpoints.

Schedules of certificates, and conditions on traces that end a run.
"""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Generic, TypeVar

from treeplex.cfr.engine import Engine, ExhaustedError, S, T
from treeplex.core.progress import Progress, silent
from treeplex.core.trace import TracePoint
from treeplex.files.checkpoint import Checkpoint, Position
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.threads import run_aside
from treeplex.process.compilation import compilation_told, working_seconds
from treeplex.process.interruption import current
from treeplex.seqform.certify.certificate import Certificate, Target

Trace = tuple[TracePoint, ...]


@dataclass(frozen=True)
class Checks:
    """Schedule of certificates: after ``first`` iterations, then growing by ``growth``, and at the end."""

    first: int
    growth: float

    def after(self, checked: int) -> int:
        """Return the first check after so many iterations, whatever was run in one stretch."""
        check = self.first
        while check <= checked:
            check = max(check + 1, int(check * self.growth))
        return check


FOR_TARGETS, FOR_TRACES, AT_THE_END = Checks(64, 1.5), Checks(1, 1.25), Checks(sys.maxsize, 1.0)


def long_enough(seconds: float) -> Callable[[Trace], bool]:
    """Return what says whether the last certificate came so many seconds after the start."""
    return lambda trace: trace[-1].seconds >= seconds


def narrower_than(target: Target | None) -> Callable[[Trace], bool]:
    """Return whether the last certificate meets a target; without one no trace is enough."""
    return never if target is None else lambda trace: target.is_met(trace[-1].certificate)


def never(trace: Trace) -> bool:
    """Return that no trace is enough."""
    return False


C = TypeVar("C", bound=Certificate)


SLICE_SECONDS = 0.25
"""Approximate seconds per slice; one iteration is the least."""


@dataclass(frozen=True)
class Run(Generic[S, T, C]):
    """The end of a run: state, average strategy, certificate, trace.

    Attributes
    ----------
    state : State
    strategy : T
        The average after the last iteration.
    certificate : Certificate or None
        Of the strategy; None where nothing can certify it.
    status : str
        How it ended.
    seconds : float
        Wall time, that before it was resumed included, and the compilation of kernels left out.
    trace : tuple of TracePoint
    """

    state: S
    strategy: T
    certificate: C | None
    status: str
    seconds: float
    trace: Trace


def run_engine(
    name: str,
    engine: Engine[S, T],
    iterations: int,
    judge: Callable[[T], C] | None,
    *,
    enough: Callable[[Trace], bool] = never,
    checks: Checks = AT_THE_END,
    progress: Progress = silent,
    note: Callable[[S], str] | None = None,
    checkpoint: Checkpoint[S] | None = None,
    slice_seconds: float = SLICE_SECONDS,
) -> Run[S, T, C]:
    """Run up to ``iterations`` in all, stopping at the first check after which it is enough.

    A run that goes on from a checkpoint is certified after the same iterations as one that never stopped,
    and ends with the same bits. Ctrl-C takes effect after a slice, whose state is then written; a certificate
    under way is left.

    Parameters
    ----------
    name : str
        The method's name in progress.
    engine : Engine
    iterations : int
    judge : callable or None
        Certifies a strategy; None where nothing can.
    enough : callable
        Whether a trace, which has one point at least, is enough.
    checks : Checks
        When the run is certified.
    progress : callable
    note : callable, optional
        Text about a state that progress adds to its iterations.
    checkpoint : Checkpoint, optional
        The checkpoint that the run is written to and resumed from.
    slice_seconds : float
        Approximate seconds per slice.

    Raises
    ------
    ValueError
        If the checkpoint is of another run, or has more iterations done.
    """
    loop = _Loop(name, engine, judge, enough, checks, progress, note, checkpoint, slice_seconds)
    with compilation_told(lambda text: progress(text, inf)):
        return loop.run(iterations)


@dataclass
class _Loop(Generic[S, T, C]):
    """State of the loop; fields as the parameters of :func:`run_engine`."""

    name: str
    engine: Engine[S, T]
    judge: Callable[[T], C] | None
    enough: Callable[[Trace], bool]
    checks: Checks
    progress: Progress
    note: Callable[[S], str] | None
    checkpoint: Checkpoint[S] | None
    slice_seconds: float

    def __post_init__(self) -> None:
        clock, start = working_seconds(), self.engine.start()
        self._begun, self._step = start.iterations, 1
        position = Position(start, (), 0.0)
        if self.checkpoint is not None:
            position = self.checkpoint.read(start, self.engine.check)
        self._state, self._trace = position.state, position.trace
        self._clock = clock - position.seconds
        self._judged: tuple[T, C] | None = None
        self._written, self._is_whole = (self._done, len(self._trace)), True
        self._unwritten = ExitStack()

    @property
    def _done(self) -> int:
        """Iterations done."""
        return self._state.iterations

    @property
    def _checked(self) -> int:
        """Iterations done when last certified."""
        return self._trace[-1].iterations if self._trace else self._begun

    @property
    def _position(self) -> Position[S]:
        return Position(self._state, self._trace, working_seconds() - self._clock)

    def run(self, iterations: int) -> Run[S, T, C]:
        """Run up to ``iterations`` in all."""
        resumed = self._done
        if resumed > iterations:
            raise BadInputError(
                f"the checkpoint has {resumed:,} iterations done, got {iterations:,} to do in all"
            )
        with self._unwritten:
            try:
                status = self._to_the_end(iterations)
            finally:
                if self._is_whole and self._written != (self._done, len(self._trace)):
                    self._write()
        if resumed > self._begun:
            status = f"{status}, resumed after {resumed:,}"
        strategy, certificate = self._result()
        seconds = working_seconds() - self._clock
        return Run(self._state, strategy, certificate, status, seconds, self._trace)

    def _to_the_end(self, iterations: int) -> str:
        """Run from check to check; return how it ended."""
        try:
            while not self._is_over(iterations):
                self._advance_to(self._next_check(iterations))
                self._check()
        except ExhaustedError as limit:
            self._state, self._is_whole = limit.state, True
            self._report()
            self._check()
            return limit.status
        return "target reached" if self._is_enough else "iterations done"

    @property
    def _is_enough(self) -> bool:
        return len(self._trace) > 0 and self.enough(self._trace)

    def _is_over(self, iterations: int) -> bool:
        if self.judge is None:
            return self._done == iterations
        return self._checked == iterations or (self._checked == self._done and self._is_enough)

    def _next_check(self, iterations: int) -> int:
        """Return after how many iterations the run is certified next."""
        if self._is_enough:  # by a check before the run was stopped, for another target: see where it is now
            return self._done
        # A run may have been written before a check, or under another schedule.
        last = max(self._checked, self._done - 1)
        return min(self._begun + self.checks.after(last - self._begun), iterations)

    def _advance_to(self, last: int) -> None:
        """Run to an iteration in slices; between them progress, Ctrl-C and checkpoints are handled."""
        while self._done < last:
            clock = working_seconds()
            step = min(self._step, last - self._done)
            is_first = self._written[0] == self._done
            run_aside(partial(self._advance, step))
            if is_first and self.checkpoint is not None:  # from now on there is something to lose
                until = f"the iterations under way end, {self.checkpoint.path} is written"
                self._unwritten.enter_context(current().finishing(until))
            self._report()
            if self.checkpoint is not None and self.checkpoint.is_due:
                self._write()
            if working_seconds() - clock < self.slice_seconds and step == self._step:
                self._step *= 2

    def _advance(self, iterations: int) -> None:
        """Advance the state; until it returns, arrays may be partly overwritten."""
        self._is_whole = False
        self._state = self.engine.advance(self._state, iterations)
        self._is_whole = True

    def _check(self) -> None:
        """Certify the average, if anything can."""
        if self.judge is None:
            return
        self._judged = run_aside(partial(self._certified, self.judge), look=current().look, patience=0.0)
        point = TracePoint(self._done, working_seconds() - self._clock, self._judged[1])
        self._trace = (*self._trace, point)
        self._report()

    def _certified(self, judge: Callable[[T], C]) -> tuple[T, C]:
        """Return the average and its certificate."""
        strategy = self.engine.strategy(self._state)
        return strategy, judge(strategy)

    def _result(self) -> tuple[T, C | None]:
        """Return the average and its certificate, certified anew where an earlier run did so."""
        if self._judged is not None:
            return self._judged
        if self.judge is None:
            return self.engine.strategy(self._state), None
        return run_aside(partial(self._certified, self.judge), look=current().look, patience=0.0)

    def _report(self) -> None:
        width = self._trace[-1].certificate.nash_conv if self._trace else float("inf")
        note = "" if self.note is None else f", {self.note(self._state)}"
        self.progress(f"{self.name}, {self._done:,} iterations{note}", width)

    def _write(self) -> None:
        if self.checkpoint is not None:
            self.checkpoint.write(self._position)
            self._written = self._done, len(self._trace)
            self._unwritten.close()
