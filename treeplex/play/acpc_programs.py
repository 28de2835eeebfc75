"""Programs of the competition's protocol at their seats: met on a port, told states, and their answers read.

A dealer waits for programs that somebody else starts; an agent of a match starts its own as a child.
"""

from __future__ import annotations

import math
import os
import re
import select
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from shutil import which
from time import monotonic
from typing import Any, TypeVar

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL, Game
from treeplex.games.base.reading import amount_text, is_number, shown
from treeplex.games.formats.spec_text import parse_keys
from treeplex.games.poker.game import PokerState
from treeplex.games.poker.lines import CALL
from treeplex.play.acpc_lines import GoneError, Lines, Look, SilenceError, accept, listen
from treeplex.play.acpc_text import COMMENTS, END, AcpcText
from treeplex.play.hand import Follower, View
from treeplex.process import tended
from treeplex.process.interruption import current
from treeplex.process.standard_streams import complain

VERSION = re.compile(r"VERSION:2\.0\.\d{1,9}")
"""What a program says first."""
MOST_WARNINGS = 20
"""Warnings of a player that are told."""
RESPONSE_SECONDS = 600
"""Most seconds of an answer, unless given."""
HOST = "127.0.0.1"
"""Where children find the match."""
PROGRAM = re.compile(r"acpc\s*(?P<keys>\([^()]*\))?\s*:(?P<command>.*)", re.DOTALL)
"""The spec of an agent that is such a program."""
LEAVING_SECONDS = 1.0
"""How long is waited for the exit code of a program that has left."""
TENDED = str(tended.__file__)
"""The program by which a child is started."""

T = TypeVar("T")


class MatchEndedError(Exception):
    """A player broke the rules of time or left: the match ends there."""


@dataclass
class Seat:
    """A program that plays, and how long it may think.

    Attributes
    ----------
    name : str
    text : AcpcText
        The game.
    tell : callable
        Told warnings.
    response_seconds : float
        Most of an answer.
    seconds : float
        Most of all answers together.
    """

    name: str
    text: AcpcText
    tell: Callable[[str], object]
    response_seconds: float = RESPONSE_SECONDS
    seconds: float = math.inf
    _lines: Lines | None = field(default=None, repr=False)
    _used: float = field(default=0.0, repr=False)
    _warnings: int = field(default=0, repr=False)

    def meet(self, listener: socket.socket, look: Look) -> None:
        """Wait for the program and read its version; the port listens until it has said it.

        Who leaves without a line, as those do who look for open ports, is no player.

        Raises
        ------
        MatchEndedError
            If it is silent or says something else.
        """
        with listener:
            self._lines = accept(listener, look)
            while (line := self._first_line(self._lines)) is None:
                self._lines.close()
                self._warn("who left without a line is no player")
                self._lines = accept(listener, look)
        if not VERSION.fullmatch(line):
            raise MatchEndedError(f"{self.name} must begin with VERSION:2.0.0, got {shown(line)}")

    def _first_line(self, lines: Lines) -> str | None:
        """Return what a program says first, None if it leaves before."""
        try:
            return lines.read(monotonic() + self.response_seconds)
        except SilenceError:
            raise MatchEndedError(f"{self.name} is out of time") from None
        except GoneError:
            return None

    def send(self, state: str) -> None:
        """Send a state; raises :class:`MatchEndedError` if that cannot be."""
        assert self._lines is not None
        try:
            self._lines.write(state + END, monotonic() + self.response_seconds)
        except SilenceError:
            raise MatchEndedError(f"{self.name} does not read what it is sent") from None
        except GoneError:
            raise MatchEndedError(f"{self.name} has left") from None

    def answer(self, sent: str, line: str, view: View) -> str:
        """Return the program's action; one that is not legal is made the nearest raise, or a call.

        Parameters
        ----------
        sent : str
            The state that it was sent.
        line : str
            The betting line there.
        view : View

        Raises
        ------
        MatchEndedError
            If it is out of time or leaves.
        """
        began = monotonic()
        deadline = began + min(self.seconds - self._used, self.response_seconds)
        while True:
            text = self._read(deadline)
            state, _, action = text.rpartition(":")
            if text.startswith(COMMENTS):
                continue
            if state == sent:
                break
            self._warn(f"what answers no state of the hand is ignored, {shown(text)}")
        self._used += monotonic() - began
        label = self.text.label(line, action)
        if label is None:
            label = self._nearest(line, action, view)
            self._warn(f"{shown(action)} is not legal after {sent.split(':')[3]!r}, made {label}")
        return label

    def _nearest(self, line: str, action: str, view: View) -> str:
        """Return what an action that is not legal is made.

        A raise outside of the range of a game that allows every whole chip is made the raise at its end, as
        by the competition's dealer; all else is made a call.
        """
        betting = self.text.game.betting
        if betting.raise_sizes is None and betting.sizes is None and re.fullmatch(r"r\d{1,40}", action):
            ends = betting.raise_range(self.text.game.point(line).betting)
            if ends is not None:
                least, most = ends
                total = min(max(Fraction(math.ceil(least)), Fraction(action[1:])), most)
                made = f"r{amount_text(total)}"
                return made if made in view.actions else CALL
        return CALL

    def _read(self, deadline: float) -> str:
        assert self._lines is not None
        try:
            return self._lines.read(deadline)
        except SilenceError:
            raise MatchEndedError(f"{self.name} is out of time") from None
        except GoneError:
            raise MatchEndedError(f"{self.name} has left") from None

    def _warn(self, what: str) -> None:
        self._warnings += 1
        if self._warnings <= MOST_WARNINGS:
            more = "; no more warnings of it are shown" if self._warnings == MOST_WARNINGS else ""
            self.tell(f"{self.name}: {what}{more}")

    def close(self) -> None:
        """Close the connection."""
        if self._lines is not None:
            self._lines.close()


@dataclass
class AcpcProgram(Follower):
    """A program of the protocol as an agent: started as a child at its first hand, killed by :meth:`close`.

    It is called with the address and the port to which it connects as its last two arguments. Its hands have
    numbers that count up from 0 in each process; its position is the player that it is. Copies of it, as
    other processes get them, start programs of their own.

    Attributes
    ----------
    name : str
    command : tuple of str
    text : AcpcText
        The game.
    response_seconds : float
        Most of an answer, and until it has connected.
    hand_seconds : float
        Most of all answers together, times the hands that it has begun.
    """

    name: str
    command: tuple[str, ...]
    text: AcpcText
    response_seconds: float = RESPONSE_SECONDS
    hand_seconds: float = math.inf
    _seat: Seat | None = field(default=None, repr=False)
    _child: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    _hand: int = field(default=-1, repr=False)
    _sent: str = field(default="", repr=False)
    _line: str = field(default="", repr=False)

    @staticmethod
    def of(game: Game[Any], spec: str) -> AcpcProgram:
        """Return the agent of ``acpc:COMMAND ...`` or ``acpc(KEY=SECONDS,...):COMMAND ...``.

        Raises
        ------
        ValueError
            If the protocol cannot tell of the game, or there is no such program or option.
        """
        found = PROGRAM.fullmatch(spec)
        assert found is not None
        keys = parse_keys(found["keys"] or "()")
        times = {"response_seconds": float(RESPONSE_SECONDS), "hand_seconds": math.inf}
        for key, seconds in keys.items():
            if key not in times:
                raise BadInputError(f"acpc: unknown key {key!r}; legal keys are {', '.join(times)}")
            if not is_number(seconds) or not 0 < seconds <= sys.float_info.max:
                raise BadInputError(f"acpc: {key} must be above 0 and finite, got {shown(seconds)}")
            times[key] = float(seconds)
        try:
            command = shlex.split(found["command"])
        except ValueError as error:
            raise BadInputError(f"acpc: {spec!r} is no command: {error}") from None
        if not command:
            raise BadInputError("an agent that is a program must be acpc:COMMAND ARGUMENT..., got no command")
        if which(command[0]) is None:
            raise BadInputError(f"acpc: there is no program {command[0]!r} that can be started")
        return AcpcProgram(
            spec, tuple(command), AcpcText.of(game), times["response_seconds"], times["hand_seconds"]
        )

    def __reduce__(self) -> tuple[type[AcpcProgram], tuple[object, ...]]:
        told = self.name, self.command, self.text, self.response_seconds, self.hand_seconds
        return AcpcProgram, told

    def follow(self, number: int, player: int) -> Callable[[PokerState], object]:
        """Begin a hand of the program; return what is told its states."""
        if self._seat is None:
            self._meet()
        seat = self._seat
        assert seat is not None
        self._hand += 1
        seat.seconds = self.hand_seconds * (self._hand + 1)

        def seen(state: PokerState) -> None:
            acting = self.text.game.player(state)
            if acting < 0 and acting != TERMINAL:
                return
            self._sent, self._line = self.text.match_state(state, player, self._hand), state.line
            self._talking(seat.send, self._sent)

        return seen

    def act(self, view: View, draw: float) -> str:
        """Return the program's answer to the last state, as a dealer takes it; the number is not used."""
        assert self._seat is not None
        return self._talking(self._seat.answer, self._sent, self._line, view)

    def _talking(self, talk: Callable[..., T], *arguments: object) -> T:
        """Return what a call of the seat returns; a program that ends the match is a ``ValueError``."""
        try:
            return talk(*arguments)
        except MatchEndedError as error:
            raise BadInputError(f"{error} in its hand {self._hand}{self._code(LEAVING_SECONDS)}") from None

    def _meet(self) -> None:
        """Start the program and wait until it has connected and said its version."""
        listener = listen(HOST, 0)
        self._seat = Seat(self.name, self.text, _warned, self.response_seconds)
        deadline = monotonic() + self.response_seconds
        command = [sys.executable, "-I", TENDED, *self.command, HOST, str(listener.getsockname()[1])]
        pipe = subprocess.PIPE
        try:
            self._child = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
        except BaseException:
            listener.close()
            raise
        is_met = False

        def look() -> None:
            current().look()
            if is_met:
                return
            if code := self._code():
                raise MatchEndedError(f"{self.name} has ended before it connected{code}")
            if monotonic() > deadline:
                raise MatchEndedError(f"{self.name} is out of time before it connected")

        try:
            self._seat.meet(listener, look)
        except MatchEndedError as error:
            raise BadInputError(str(error)) from None
        is_met = True

    def _code(self, seconds: float = 0.0) -> str:
        """Return in words how a program ended, if it has within some seconds; else nothing."""
        child = self._child
        assert child is not None
        assert child.stdout is not None
        if not select.select([child.stdout], [], [], seconds)[0]:
            return ""
        said = os.read(child.stdout.fileno(), tended.LONGEST_LINE + 64).decode("utf-8", "replace")
        code, _, words = said.partition(" ")
        return (f": exit code {code}" + (f", {shown(words)}" if words else "")) if code else ": it was ended"

    def close(self) -> None:
        """Close the connection, and kill the program and all that it started."""
        if self._seat is not None:
            self._seat.close()
        if self._child is not None:
            assert self._child.stdin is not None
            assert self._child.stdout is not None
            self._child.stdin.close()  # upon which it kills its group, as it does when this process ends
            self._child.stdout.close()
            self._child.wait()
        self._seat = self._child = None
        self._hand = -1


def _warned(warning: str) -> None:
    complain(f"treeplex: {warning}")
