"""A dealer of the competition's protocol in a thread, and programs that play against it, good and bad."""

import socket
from contextlib import contextmanager
from threading import Event, Thread

from treeplex.play.acpc_dealer import AcpcDealer, AcpcSetting

PATIENCE = 5.0
"""Seconds after which a test's own waits fail."""


class StoppedError(Exception):
    """Raised in a dealer that is to end."""


class Table:
    """A dealer in a thread: its ports, and what it found or raised when it is over."""

    def __init__(self, waiting):
        self.waiting, self.ports = waiting, waiting.ports
        self.match = self.error = None
        self.warnings = []
        self.thread = Thread(target=self._play, daemon=True)

    def _play(self):
        try:
            self.match = self.waiting.play()
        except BaseException as error:
            self.error = error
        finally:
            self.waiting.close()

    def result(self):
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        if self.error:
            raise self.error
        return self.match


@contextmanager
def table(game, hands, out=None, stop_with=StoppedError, **options):
    """Yield a dealer that waits for its players; in the end it is stopped."""
    stop = Event()

    def progress(stage, width):
        if stop.is_set():
            raise stop_with

    warnings = []
    setting = AcpcSetting.of(game, hands, **options)
    with AcpcDealer.open(setting, out=out, tell=warnings.append, progress=progress) as waiting:
        made = Table(waiting)
        made.warnings, made.stop = warnings, stop
        made.thread.start()
        try:
            yield made
        finally:
            stop.set()
            made.thread.join(PATIENCE)
            assert not made.thread.is_alive()


def acts(state):
    """Return whether who gets a match state is to act: hold'em's first round begins with position 1."""
    _, position, _, betting, cards = state.split(":")
    hands = cards.split("/")[0].split("|")
    if "" not in hands or betting.endswith("f"):
        return False
    *before, last = betting.split("/")
    holdem = len("".join(hands)) == 4 and not before
    done = sum(last.count(move) for move in "cr")
    return (done + holdem) % 2 == int(position)


@contextmanager
def client(port, version=b"VERSION:2.0.0\n"):
    """Yield a connection to a dealer and a file of the lines that come."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(version)
        with connection.makefile("r", encoding="ascii", newline="\r\n") as lines:
            yield connection, lines


class Caller(Thread):
    """A program that calls; before each of its answers it sends what ``trouble`` returns."""

    def __init__(self, port, trouble=lambda state: b"", action="c"):
        super().__init__(daemon=True)
        self.port, self.trouble, self.action = port, trouble, action
        self.states = []
        self.start()

    def run(self):
        with client(self.port) as (connection, lines):
            try:
                for line in lines:
                    state = line.strip()
                    self.states.append(state)
                    if acts(state):
                        connection.sendall(self.trouble(state) + f"{state}:{self.action}\r\n".encode())
            except OSError:
                return
