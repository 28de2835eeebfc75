"""A call that runs to its end although Ctrl-C comes meanwhile."""

from collections.abc import Callable
from threading import Event, Lock, Thread


def run_whole(work: Callable[[], None]) -> None:
    """Run something to its end even if Ctrl-C comes meanwhile; ``KeyboardInterrupt`` is raised then.

    Signals are handled by the main thread, so that work in another thread is never broken off.
    """
    stopped, under_way, failed = Event(), Lock(), []

    def go() -> None:
        with under_way:
            if not stopped.is_set():
                try:
                    work()
                except BaseException as error:
                    failed.append(error)

    aside = Thread(target=go)
    try:
        aside.start()
        aside.join()
    except KeyboardInterrupt:
        stopped.set()  # a thread that has not begun yet will do nothing
        with under_way:
            raise
    if failed:
        raise failed[0]
