"""The child process: calls a solver with a game, as often as it is asked to."""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from errno import EBADF
from math import ceil
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from treeplex.bench.examination.answers import FIRST, Answer, Terms, encoded, portable
from treeplex.bench.examination.solvers_by_name import Solver, as_solver, solver_named
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import complaint
from treeplex.games.formats.specs import load_game

CLOSED = os.EX_IOERR
"""Exit code of a child that cannot answer, because the solver has closed its descriptors."""


def limit_processor(seconds: float) -> None:
    """Let the system end this process once it has used so many seconds of the processors, rounded up."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    own = ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (own if hard < 0 else min(own, hard), hard))


def silence() -> None:
    """Drop what is printed to standard output here, and let nothing be read from standard input."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def serve(solver: Solver, game: Game[Any], requests: Connection, seconds: float) -> None:
    """Answer each number of iterations that is asked for, in so many seconds once the first is answered."""
    asked: SimpleQueue[int] = SimpleQueue()
    Thread(target=_receive, args=(requests, asked), daemon=True).start()
    is_first = True
    while True:
        answer = _answer(solver, game, asked.get())
        if is_first:
            limit_processor(seconds)
        is_first = False
        _send(requests, answer)


def _receive(requests: Connection, asked: "SimpleQueue[int]") -> None:
    """Receive also while the solver runs: their end is the end of the parent, and of this session."""
    try:
        while True:
            asked.put(requests.recv())
    except OSError as error:
        if error.errno == EBADF:  # the solver has closed the descriptor
            os._exit(CLOSED)
    finally:
        os.killpg(0, signal.SIGKILL)


def _answer(solver: Solver, game: Game[Any], iterations: int) -> bytes:
    """Return what a solver answers, as plain data; what it raises is an answer too."""
    began = time.process_time()
    try:
        strategy = portable(solver(game, iterations), game)
        return encoded(Answer(strategy, seconds=time.process_time() - began))
    except NotImplementedError as reason:
        return encoded(Answer(skipped=_text(reason) or "the solver does not take it"))
    except BaseException as error:  # the solver's own KeyboardInterrupt too: nobody interrupts this process
        return encoded(Answer(error=complaint(f"the solver raised {_name(error)}: {_text(error)}")))


def _name(error: BaseException) -> str:
    return str.__str__(type(error).__name__)


def _text(error: BaseException) -> str:
    """Return what an error says; some cannot say anything."""
    try:
        return complaint(str.__str__(str(error)))
    except Exception:
        return "an error without a text"


def _send(requests: Connection, answer: bytes) -> None:
    try:
        requests.send_bytes(answer)
    except OSError:  # the solver has closed the descriptor
        os._exit(CLOSED)


def call_object(solver: Any, game: Game[Any], requests: Connection, terms: Terms) -> None:
    """Be the child that has a game, and calls an object or imports a solver by its name."""
    _begin(terms)
    _serve_named(lambda: (_solver(solver), game), requests, terms)


def call_named(handle: int) -> None:
    """Be the child that imports a solver and loads a game, whose names come first through a pipe."""
    requests = Connection(handle)
    name, spec, terms = requests.recv()
    _begin(terms)
    _serve_named(lambda: (_solver(name), load_game(spec)), requests, terms)


def _serve_named(load: Callable[[], tuple[Solver, Game[Any]]], requests: Connection, terms: Terms) -> None:
    """Serve what is loaded; where that fails, the first request is answered with why."""
    try:
        solver, game = load()
    except ValueError as error:
        requests.recv()
        _send(requests, encoded(Answer(error=str(error))))
        return
    serve(_fitting(solver, terms), game, requests, terms.seconds)


def _solver(solver: Any) -> Solver:
    checked: Solver = solver_named(solver) if isinstance(solver, str) else as_solver(solver, "the solver")
    return checked


def _begin(terms: Terms) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, and ends this process
    silence()
    limit_processor(FIRST * terms.seconds)


def _fitting(solver: Solver, terms: Terms) -> Solver:
    """Return the solver, or what refuses every game if this one is not for it."""
    return _refuse if terms.is_spot and not getattr(solver, "takes_spots", False) else solver


def _refuse(game: Game[Any], iterations: int) -> object:
    raise NotImplementedError("for solvers with an attribute takes_spots: its histories are not walked")
