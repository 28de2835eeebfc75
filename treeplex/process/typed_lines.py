"""Lines that a person types or a pipe brings, read so that a signal ends the wait for them."""

from __future__ import annotations

import os
import select
from dataclasses import dataclass, field
from typing import TextIO

from treeplex.process.interruption import current

BETWEEN_LOOKS = 0.05
"""Seconds between looks at whether a signal has asked the command to stop."""
MOST_READ = 1 << 16
"""Most bytes of a line, and of one read; a longer line comes in pieces."""


@dataclass
class TypedLines:
    """Lines of a text stream, without their ends.

    A blocking read would not notice the request of :class:`Interruption`, which a command follows by itself:
    where the stream is a descriptor, it is read only when there is something to read.

    Attributes
    ----------
    stream : TextIO
    """

    stream: TextIO
    _ahead: bytearray = field(default_factory=bytearray)
    _ended: bool = False

    def read(self) -> str | None:
        """Return the next line, None at the end.

        Raises
        ------
        KeyboardInterrupt
            If a stop was asked for meanwhile.
        """
        descriptor = self._descriptor()
        if descriptor is None:
            current().look()
            line = self.stream.readline(MOST_READ)
            return line.rstrip("\r\n") if line else None
        while (end := self._ahead.find(b"\n")) < 0 and not self._ended and len(self._ahead) < MOST_READ:
            current().look()
            if select.select([descriptor], [], [], BETWEEN_LOOKS)[0]:
                self._ended = not self._read(descriptor)
        if not self._ahead:
            return None
        end = len(self._ahead) if end < 0 else end + 1
        taken, self._ahead = self._ahead[:end], self._ahead[end:]
        return taken.decode("utf-8", "replace").rstrip("\r\n")

    def _read(self, descriptor: int) -> bool:
        """Read what is there; return whether there was anything. A terminal that is gone has nothing."""
        try:
            read = os.read(descriptor, MOST_READ)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._ahead += read
        return bool(read)

    def _descriptor(self) -> int | None:
        """Return the descriptor where it can be waited for: not on Windows, not of a text in memory."""
        try:
            return self.stream.fileno() if os.name == "posix" else None
        except (OSError, ValueError, AttributeError):
            return None
