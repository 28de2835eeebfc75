"""Requests to stop that come from another thread, and what must end before they are followed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock


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
