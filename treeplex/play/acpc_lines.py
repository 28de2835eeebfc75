"""Lines of text over a socket: of bounded length, awaited until a deadline, in waits that can be stopped."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown

LONGEST_LINE = 1 << 16
"""Bytes of a line that are kept; the states of long hands have a few thousand."""
BLOCK = 1 << 14
"""Bytes that are read at once."""
BETWEEN_LOOKS = 0.05
"""Seconds of a wait between two looks whether to stop."""
PORTS = 65_535
"""The largest port."""

Look = Callable[[], object]
"""Called some times a second while waiting; raises what ends the wait."""


class SilenceError(Exception):
    """No line came, or none could be sent, before the deadline."""


class GoneError(Exception):
    """The other end closed the connection."""


class Lines:
    """A connection that gives and takes lines.

    Of a line that is too long the beginning is kept; bytes that are no ASCII are replaced. What has come and
    was not read is one line and one block at most, the rest waits in the system's buffers.

    Parameters
    ----------
    connection : socket
        Closed by :meth:`close`.
    look : callable
    """

    def __init__(self, connection: socket.socket, look: Look) -> None:
        self._socket, self._look = connection, look
        self._come = bytearray()
        self._kept: bytearray | None = None
        connection.setblocking(False)
        with suppress(OSError):  # a state and its answer are small: none must wait for more
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def read(self, deadline: float | None) -> str:
        """Return the next line without its end.

        Parameters
        ----------
        deadline : float or None
            By ``time.monotonic``; None waits for ever.

        Raises
        ------
        SilenceError
            If none comes.
        GoneError
            If none can come.
        """
        while True:
            line = self._next()
            if line is not None:
                return line.decode("ascii", "replace").rstrip("\r")
            if deadline is not None and monotonic() >= deadline:
                raise SilenceError
            self._await(deadline, for_reading=True)
            try:
                block = self._socket.recv(BLOCK)
            except BlockingIOError:
                continue
            except OSError as error:
                raise GoneError from error
            if not block:
                raise GoneError
            self._come += block

    def write(self, line: str, deadline: float | None) -> None:
        """Send a line, its end included.

        Raises
        ------
        SilenceError
            If the other end does not take it.
        GoneError
            If it cannot.
        """
        rest = memoryview(line.encode("ascii"))
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                if deadline is not None and monotonic() >= deadline:
                    raise SilenceError from None
                self._await(deadline, for_reading=False)
            except OSError as error:
                raise GoneError from error

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _next(self) -> bytes | None:
        """Take a line from what has come; of one without an end keep what may be kept."""
        line, end, rest = self._come.partition(b"\n")
        kept = line if self._kept is None else self._kept + line
        del kept[LONGEST_LINE:]
        self._come, self._kept = rest, None if end else kept
        return bytes(kept) if end else None

    def _await(self, deadline: float | None, *, for_reading: bool) -> None:
        """Wait a moment, at most until the deadline, for a socket that is ready."""
        self._look()
        left = BETWEEN_LOOKS if deadline is None else min(BETWEEN_LOOKS, max(0.0, deadline - monotonic()))
        await_ready(self._socket, left, for_reading)


def await_ready(one: socket.socket, seconds: float, for_reading: bool = True) -> bool:
    """Return whether a socket becomes ready within some seconds."""
    reading, writing = ([one], []) if for_reading else ([], [one])
    return any(select.select(reading, writing, [], seconds))


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes any that is free.

    Raises
    ------
    ValueError
        If it cannot.
    """
    check_port(port, least=0)
    check_host(host)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=1)
    except OSError as error:
        raise BadInputError(f"cannot listen on {host}:{port}: {_why(error)}") from None


def accept(listener: socket.socket, look: Look) -> Lines:
    """Return the next connection."""
    while not await_ready(listener, BETWEEN_LOOKS):
        look()
    return Lines(listener.accept()[0], look)


def connect(host: str, port: int, look: Look) -> Lines:
    """Return a connection to who listens; raises ``ValueError`` if nobody does."""
    check_port(port, least=1)
    check_host(host)
    try:
        return Lines(socket.create_connection((host, port), timeout=10.0), look)
    except (OSError, UnicodeError) as error:
        raise BadInputError(f"cannot connect to {host}:{port}: {_why(error)}") from None


def _why(error: OSError | UnicodeError) -> str:
    """Return why there is no connection, in the words of the system and without the address."""
    if isinstance(error, UnicodeError):  # which the encoding of names raises before anybody is asked
        return "that is no address"
    return (error.strerror or str(error)).partition(" (while")[0]


def check_host(host: object) -> None:
    """Raise ValueError unless a host is a text; an empty one would be every address of the machine."""
    if not isinstance(host, str) or not host.strip():
        raise BadInputError(f"a host must be an address such as 127.0.0.1, got {shown(host)}")


def check_port(port: object, least: int) -> None:
    """Raise ValueError unless a port is an integer in its range."""
    if isinstance(port, bool) or not isinstance(port, int) or not least <= port <= PORTS:
        raise BadInputError(f"a port must be an integer from {least} to {PORTS:,}, got {port}")
