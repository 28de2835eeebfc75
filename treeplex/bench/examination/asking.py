"""The schedule by which a solver is asked for strategies, within its time."""

from collections.abc import Callable
from dataclasses import dataclass, field

from treeplex.bench.examination.answers import Terms
from treeplex.bench.examination.child_process import SolverEndedError, SolverProcess
from treeplex.bench.examination.judging import Evidence, falls, is_stuck
from treeplex.bench.examination.record import Record
from treeplex.bench.examination.trend import (
    ARRIVED,
    FINGERPRINTED,
    LATER,
    MATCHED_ITERATIONS,
    SETTLED,
    STUCK_ITERATIONS,
)
from treeplex.core.progress import Progress
from treeplex.games.base.errors import BadInputError


class SolverError(BadInputError):
    """The solver could not be run on a game; the text names it and the number of iterations."""


class SkippedError(Exception):
    """The solver does not take this game; the text says why."""


@dataclass
class Asker:
    """Asks a child process for strategies and records them, until its time is over.

    Attributes
    ----------
    process : SolverProcess
    record : Record
    terms : Terms
    progress : callable
    used : float
        Seconds of the processor so far.
    is_over : bool
        Whether there is no time for the next question.
    """

    process: SolverProcess
    record: Record
    terms: Terms
    progress: Progress
    used: float = 0.0
    is_over: bool = False
    _cost: float = field(default=0.0, repr=False)

    def ask_first(self) -> None:
        """Ask for what tells known methods apart: the strategies after 1, 2, 3, ... iterations."""
        self.ask(1)
        self.ask(2)
        if len(self.record.strategies) == 2 and self.record.agree(1, 2):
            self.ask(LATER)
            if self.record.is_constant:
                return
        for iterations in range(3, FINGERPRINTED + 1):
            self.ask(iterations)

    def ask_doubling(self, evidence: Callable[[], Evidence], *, is_compared: bool) -> None:
        """Ask for what shows where it leads: the strategies after 16, 32, 64, ... iterations.

        One that is a known method is asked until it is seen to fall; another that was compared with known
        methods until it has arrived or is stuck, any other until it has come well within what it must reach;
        ``evidence`` returns what is known by then.
        """
        iterations = 16
        while not self.is_over and iterations <= self.terms.iterations:
            self.ask(iterations)
            if self.record.width <= ARRIVED * self.record.scale:
                return
            known = evidence()
            if known.is_promised and known.last >= MATCHED_ITERATIONS and falls(known):
                return
            if self._is_stuck(known) if is_compared else self._is_settled(known):
                return
            iterations *= 2

    def _is_stuck(self, evidence: Evidence) -> bool:
        return evidence.last >= STUCK_ITERATIONS and is_stuck(evidence)

    def _is_settled(self, evidence: Evidence) -> bool:
        is_within = evidence.width <= SETTLED * self.terms.within
        return evidence.last >= LATER and is_within and falls(evidence)

    def ask(self, iterations: int) -> None:
        """Ask for one strategy, unless there is no time for it or it is there already.

        Raises
        ------
        SolverError
            If the solver raises anything, ends its process, or what it returns is no strategy of the game;
            or if it has no time even for the first; the message names the game and the iterations.
        SkippedError
            If it does not take this game.
        """
        known = self.record.strategies
        if self.is_over or iterations > self.terms.iterations or iterations in known:
            return
        if known and self.used + self._cost * iterations / self.record.last > self.terms.seconds:
            self.is_over = True
            return
        name = self.record.problem.game.name
        where = f"{name} after {iterations} iteration{'s' if iterations > 1 else ''}"
        try:
            answer = self.process.ask(iterations, self.progress, f"examining {where}")
        except SolverEndedError as error:
            if error.is_limit and known:
                self.is_over = True
                return
            raise SolverError(f"{where}: {error}") from None
        if answer.skipped:
            raise SkippedError(answer.skipped)
        if answer.strategy is None:
            raise SolverError(f"{where}: {answer.error}")
        if known:  # the first answer compiles and loads, and tells nothing of what others will take
            self.used += answer.seconds
            self._cost = answer.seconds
        try:
            self.record.add(iterations, answer.strategy)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise SolverError(f"{where}: {error}") from None
