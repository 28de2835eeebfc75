"""Requests to stop: from another thread, and from signals of the command line.

What must end before a request is followed. A command runs in a thread of its own, the main thread hears
signals.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from threading import Lock
from types import FrameType
from typing import NoReturn


class Interruption:
    """A request to stop: made by the thread that hears signals, followed by the one that works.

    The working thread looks at it between steps. If it does not stop soon, the process may be ended from
    outside, except while something is under way that must be finished.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._requested = self._is_closed = False
        self._under_way: list[tuple[str, Callable[[], object]]] = []

    def request(self) -> None:
        """Ask the working thread to stop."""
        self._requested = True

    def look(self) -> None:
        """Raise ``KeyboardInterrupt`` if a stop was asked for."""
        if self._requested:
            raise KeyboardInterrupt

    @contextmanager
    def finishing(self, what: str, abandon: Callable[[], object] = lambda: None) -> Iterator[None]:
        """Keep the process alive until something is finished, even if a stop is asked for meanwhile.

        Parameters
        ----------
        what : str
            What is under way, such as ``writing run.npz``.
        abandon : callable
            Tidies up if the process must end at once all the same.

        Raises
        ------
        KeyboardInterrupt
            If the process is about to end.
        """
        task = what, abandon
        with self._lock:
            if self._is_closed:
                raise KeyboardInterrupt
            self._under_way.append(task)
        try:
            yield
        finally:
            with self._lock:
                self._under_way.remove(task)

    def close(self) -> str | None:
        """Let nothing begin any more, unless something is under way: what it is, is returned then."""
        with self._lock:
            if self._under_way:
                return self._under_way[-1][0]
            self._is_closed = True
            return None

    def abandon(self) -> None:
        """Tidy up after what is under way: the process ends at once."""
        with self._lock:
            under_way = [*self._under_way]
        for _, abandon in under_way:
            abandon()


_CURRENT: ContextVar[Interruption] = ContextVar("interruption")


def heed(interruption: Interruption) -> None:
    """Let the work of this thread be stopped by an interruption."""
    _CURRENT.set(interruption)


def current() -> Interruption:
    """Return what may stop this thread, not those that it starts; nothing does without :func:`heed`."""
    return _CURRENT.get(None) or Interruption()


STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that stop a command; those that were ignored when the process began stay so, as under nohup."""
SIGNALLED = 128
"""The exit code of a stopped command is this plus the signal's number."""
PATIENCE = 1.0
"""Seconds in which a command may stop by itself."""
STACK_BYTES = 64 << 20
"""Stack of the thread in which a command runs; systems give threads less than they give the main one."""
RESTORED = "\r\x1b[2K\x1b[?25h"
"""Clears a terminal's line and shows the cursor again, which a progress bar hides."""

BETWEEN_LOOKS = 0.05
"""Seconds between looks at what is under way, once a stop was asked for."""
INTERRUPTED = SIGNALLED + 2
"""What a command returns if it stopped because it was asked to."""
ENDED = 0
"""In the queue of signals: that the command has ended."""
STDERR = 2
"""File descriptor of standard error."""


def run_interruptibly(command: Callable[[], int]) -> int:
    """Run a command and return its exit code; SIGINT, SIGTERM and SIGHUP stop it within about two seconds.

    Python's own handler raises an exception wherever the main thread happens to be; in a callback from
    compiled code that is lost. Here the command runs in another thread, and the handlers only put the
    signal's number into a queue. The command stops where it looks at its :class:`Interruption`. If it does
    not within ``PATIENCE``, the process is ended as soon as nothing is under way that must be finished; if
    something is, this is said, and another signal then ends the process at once.

    Raises
    ------
    BaseException
        What the command raises.
    """
    signals: SimpleQueue[int] = SimpleQueue()
    _hear(signals)
    interruption = Interruption()
    codes: list[int] = []
    errors: list[BaseException] = []

    def work() -> None:
        heed(interruption)
        try:
            codes.append(command())
        except BaseException as error:
            errors.append(error)
        finally:
            signals.put(ENDED)

    before = threading.stack_size(STACK_BYTES)
    threading.Thread(target=work, daemon=True).start()
    threading.stack_size(before)
    # Not for ever: a signal between Python's last look and the wait is heard only when the wait ends.
    while (number := _next(signals)) is None:
        _hear(signals)  # again, as libraries such as Ray set handlers of their own when they start
    if number != ENDED:
        _stop(number, signals, interruption)
    if errors:
        raise errors[0]
    if number != ENDED and codes == [
        INTERRUPTED
    ]:  # what it began in other threads may still run, and is not waited for
        os._exit(SIGNALLED + number)
    return codes[0]


def _hear(signals: SimpleQueue[int]) -> None:
    """Put the numbers of signals into a queue, and do nothing else when they come."""

    def put(number: int, frame: FrameType | None) -> None:
        signals.put(number)

    for name in STOPPING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, put)


def _stop(number: int, signals: SimpleQueue[int], interruption: Interruption) -> None:
    """Ask the command to stop and wait until it has; else end the process."""
    interruption.request()
    deadline = time.monotonic() + PATIENCE
    announced = False
    while (heard := _next(signals)) != ENDED:
        if heard is not None and announced:
            interruption.abandon()
            _end(number)
        if time.monotonic() < deadline:
            continue
        under_way = interruption.close()
        if under_way is None:
            _end(number)
        if not announced:
            _say(f"{under_way}, then this ends; a second signal ends it at once")
            announced = True


def _next(signals: SimpleQueue[int]) -> int | None:
    """Return the next signal, None where there is none for a while."""
    try:
        return signals.get(timeout=BETWEEN_LOOKS)
    except Empty:
        return None


def _end(number: int) -> NoReturn:
    """End the process; the command's thread may be anywhere, so that nothing is unwound or flushed."""
    _say("interrupted")
    os._exit(SIGNALLED + number)


def _say(message: str) -> None:
    """Write a line to standard error, past Python's buffers, which the command's thread may have locked."""
    restored = RESTORED if os.isatty(STDERR) else ""
    with suppress(OSError):
        os.write(STDERR, f"{restored}treeplex: {message}\n".encode())
