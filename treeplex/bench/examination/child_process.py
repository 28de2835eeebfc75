"""Child processes that call a solver, asked for a strategy by number of iterations."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil, inf
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, NoReturn, Protocol

from treeplex.bench.examination.answers import FIRST, Answer, Terms, decoded
from treeplex.bench.examination.child import CLOSED, call_object
from treeplex.core.loading import GameLike, game_of
from treeplex.core.progress import Progress
from treeplex.games.base.errors import BadInputError
from treeplex.process.children import started_python

LOOK = 0.1
"""Seconds between looks at whether the command is to stop."""
PATIENCE = 12
"""How many times the limit may pass on the clock, up to the first answer and again for all others:
processors are shared, and a solver may sleep."""

MOMENT = 1.0
"""Seconds that a child which has closed the connection may take to end."""


class SolverEndedError(Exception):
    """A child process ended, at its limit or by itself; the text says how.

    Attributes
    ----------
    is_limit : bool
        Whether at its limit.
    """

    def __init__(self, text: str, *, is_limit: bool) -> None:
        super().__init__(text)
        self.is_limit = is_limit


class Pid(Protocol):
    """A child process that leads a session of its own: it can be killed, and is waited for."""

    @property
    def pid(self) -> int:
        """Its number."""

    def end(self) -> int:
        """Kill it and what it started, wait, and return its exit code; minus the signal that ended it."""


@dataclass
class SolverProcess:
    """A child that calls one solver with one game.

    Attributes
    ----------
    child : Pid
    requests : Connection
    seconds : float
        Limit on the child's processor time after its first answer.
    waited : float
        Seconds on the clock in which answers were waited for, but for the first.
    has_answered : bool
        Whether it has answered before.
    """

    child: Pid
    requests: Connection
    seconds: float
    waited: float = 0.0
    has_answered: bool = False

    def ask(self, iterations: int, progress: Progress, stage: str) -> Answer:
        """Return what the solver answers.

        Raises
        ------
        SolverEndedError
            If it has reached its limit, its process ends without an answer, or sends what is none.
        """
        began = time.monotonic()
        try:
            self.requests.send(iterations)
            while not self.requests.poll(LOOK):
                progress(stage, inf)
                if self.waited + time.monotonic() - began > PATIENCE * ceil(self.seconds):
                    text = f"no answer within {PATIENCE * ceil(self.seconds)} seconds on the clock"
                    raise SolverEndedError(text, is_limit=True)
            answer = decoded(self.requests.recv_bytes())
        except (EOFError, OSError):
            self._let_end()
            raise self._ended(self.child.end()) from None
        except BadInputError as error:
            raise SolverEndedError(str(error), is_limit=False) from None
        self.waited += time.monotonic() - began if self.has_answered else 0.0
        self.has_answered = True
        return answer

    @property
    def _limit(self) -> float:
        return self.seconds if self.has_answered else FIRST * self.seconds

    def _let_end(self) -> None:
        """Give a child that has closed the connection a moment to end by itself, which tells why."""
        until = time.monotonic() + MOMENT
        while not _is_over(self.child.pid) and time.monotonic() < until:
            time.sleep(LOOK / 10)

    def _ended(self, code: int) -> SolverEndedError:
        if code == -signal.SIGXCPU:
            text = f"no answer within {self._limit:g} seconds of the processor"
            return SolverEndedError(text, is_limit=True)
        if code == CLOSED:
            return SolverEndedError("the solver closed the descriptor of its answers", is_limit=False)
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return SolverEndedError(f"the solver's process {how}", is_limit=False)


@contextmanager
def solver_process(solver: Any, game: GameLike, terms: Terms) -> Iterator[SolverProcess]:
    """Start a child that calls a solver with a game, and end it in any case.

    A solver and a game that are given by their names are imported by a fresh interpreter. Objects, such as
    a function of a notebook, are called in a fork of this process.

    Parameters
    ----------
    solver : str, or callable with a game and a number of iterations
    game : str, Path, Game or Problem
    terms : Terms
    """
    ours, theirs = Pipe()
    named = isinstance(solver, str) and isinstance(game, str)
    start = _interpreter if named else _fork(ours, solver, game, terms)
    try:
        child = start(theirs)
        theirs.close()
        try:
            if named:
                ours.send((solver, game, terms))
            yield SolverProcess(child, ours, terms.seconds)
        finally:
            child.end()
    finally:
        ours.close()


@dataclass(frozen=True)
class _Program:
    """A fresh interpreter."""

    process: "subprocess.Popen[bytes]"

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid

    def end(self) -> int:
        if self.process.returncode is None:
            _kill_group(self.process.pid)
        return self.process.wait()


def _is_over(pid: int) -> bool:
    """Return whether a child that was not waited for yet has ended."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill_group(leader: int) -> None:
    """Kill a child that was not waited for yet, and all processes that it started in its session."""
    with suppress(ProcessLookupError):  # it leads no group before its setsid
        os.killpg(leader, signal.SIGKILL)
    os.kill(leader, signal.SIGKILL)


def _interpreter(requests: Connection) -> Pid:
    handle = requests.fileno()
    program = f"from treeplex.bench.examination.child import call_named; call_named({handle})"
    return _Program(started_python(["-c", program], pass_fds=[handle]))


@dataclass
class _Fork:
    """A fork of this process; its exit code is known once it was waited for."""

    pid: int
    code: int | None = None

    def end(self) -> int:
        if self.code is None:
            _kill_group(self.pid)
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code


def _fork(ours: Connection, solver: Any, game: GameLike, terms: Terms) -> Callable[[Connection], Pid]:
    rules = game_of(game)

    def start(requests: Connection) -> Pid:
        pid = os.fork()
        if pid:
            return _Fork(pid)
        ours.close()
        _be_child(solver, rules, requests, terms)

    return start


def _be_child(solver: Any, game: Any, requests: Connection, terms: Terms) -> NoReturn:
    """Serve, and end this fork without the clean-up of the process that it is a copy of."""
    code = 1
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        call_object(solver, game, requests, terms)
        code = 0
    finally:
        os._exit(code)
