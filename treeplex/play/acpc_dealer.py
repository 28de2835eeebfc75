"""The dealer of the Annual Computer Poker Competition's protocol: a match of two programs that connect."""

from __future__ import annotations

import math
import re
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from io import FileIO
from pathlib import Path

from treeplex.core.loading import GameLike, load
from treeplex.core.progress import Progress, silent
from treeplex.files.outputs import cannot_write, check_path, check_writable, place_of
from treeplex.files.writing import append_whole
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, check_kind
from treeplex.games.base.reading import shown
from treeplex.games.poker.game import PokerState
from treeplex.play.acpc_lines import listen
from treeplex.play.acpc_programs import RESPONSE_SECONDS, MatchEndedError, Seat
from treeplex.play.acpc_text import AcpcText, value_text
from treeplex.play.hand import Dealer, View
from treeplex.play.matches import MOST_SEED
from treeplex.play.schedule import chance_of

NAME = re.compile(r"[!-+\--9;-{}~]{1,100}")
"""A player's name in logs."""
MOST_ACPC_HANDS = 2**32 - 1
"""Most hands of a match, whose numbers other programs keep in 32 bits."""


@dataclass(frozen=True)
class AcpcMatch:
    """A match over the protocol, as its dealer saw it.

    Attributes
    ----------
    hands : int
        How many were played to their end.
    names : pair of str
        The players, in the order of their ports.
    won : pair of Fraction
        What each won in these hands.
    ended : str
        Why the match ended before its last hand; empty if it did not, and only then there is a score.
    """

    hands: int
    names: tuple[str, str]
    won: tuple[Fraction, Fraction]
    ended: str = ""

    @property
    def score(self) -> str:
        """The last line of a log."""
        return f"SCORE:{'|'.join(map(value_text, self.won))}:{'|'.join(self.names)}"


@dataclass(frozen=True)
class AcpcSetting:
    """What is played, and how long players may think.

    Attributes
    ----------
    text : AcpcText
        The game.
    hands : int
    seed : int
        Deals are those of :func:`treeplex.match` with this seed.
    duplicate : bool
        Whether each deal is played twice in a row, the second time with positions swapped.
    names : pair of str
        The players. The first is in position 0 in hand 0; positions rotate from hand to hand.
    response_seconds, hand_seconds : float
        Most seconds of an answer, and of all answers of a player by the number of hands.
    """

    text: AcpcText
    hands: int
    seed: int = 1
    duplicate: bool = False
    names: tuple[str, str] = ("A", "B")
    response_seconds: float = RESPONSE_SECONDS
    hand_seconds: float = 7.0

    @staticmethod
    def of(
        game: GameLike,
        hands: int,
        *,
        seed: int = 1,
        duplicate: bool = False,
        names: Sequence[str] = ("A", "B"),
        response_seconds: float = RESPONSE_SECONDS,
        hand_seconds: float = 7.0,
    ) -> AcpcSetting:
        """Return the setting of what users pass.

        Raises
        ------
        ValueError
            If the protocol cannot tell of the game, or an option is not what it must be.
        """
        check_integer("hands", hands, 1, MOST_ACPC_HANDS)
        check_integer("seed", seed, 0, MOST_SEED)
        check_kind("duplicate", duplicate, bool, "true or false")
        if len(names) != 2 or not all(isinstance(name, str) and NAME.fullmatch(name) for name in names):
            raise BadInputError(
                f"names must be two of 1 to 100 visible ASCII characters other than : | , got {shown(names)}"
            )
        for name, seconds in (("response_seconds", response_seconds), ("hand_seconds", hand_seconds)):
            legal = isinstance(seconds, int | float) and not isinstance(seconds, bool)
            if not legal or not 0 < seconds <= sys.float_info.max:
                raise BadInputError(f"{name} must be above 0 and finite, got {shown(seconds)}")
        text = AcpcText.of(load(game).game)
        pair = names[0], names[1]
        return AcpcSetting(text, hands, seed, duplicate, pair, float(response_seconds), float(hand_seconds))


@dataclass
class AcpcDealer:
    """A match that waits for its players on two ports; made by :meth:`open`.

    Attributes
    ----------
    setting : AcpcSetting
    ports : pair of int
        Where the players connect, in the order of their names.
    """

    setting: AcpcSetting
    ports: tuple[int, int]
    _listeners: tuple[socket.socket, socket.socket]
    _log: FileIO | None
    _tell: Callable[[str], object]
    _progress: Progress
    _seats: list[Seat] = field(default_factory=list)

    @staticmethod
    @contextmanager
    def open(
        setting: AcpcSetting,
        *,
        ports: Sequence[int] = (0, 0),
        host: str = "127.0.0.1",
        out: str | Path | None = None,
        tell: Callable[[str], object] = lambda warning: None,
        progress: Progress = silent,
    ) -> Iterator[AcpcDealer]:
        """Listen on two ports; in the end close them, the connections and the log.

        Parameters
        ----------
        setting : AcpcSetting
        ports : pair of int
            0 takes any that is free.
        host : str
            The address that is listened on; the default is reached from this machine alone.
        out : str or Path, optional
            The log, a new file or an empty one, with a line as soon as a hand is over.
        tell : callable
            Told warnings of players.
        progress : callable
            Told some times a second what is waited for; an exception from it ends the match.

        Raises
        ------
        ValueError
            If the log cannot be written or holds something, or the ports are not free.
        """
        if len(ports) != 2:
            raise BadInputError(f"ports must be two, got {shown(ports)}")
        with ExitStack() as stack:
            first, second = (stack.enter_context(listen(host, port)) for port in ports)
            log = None if out is None else stack.enter_context(_open_log(out))
            numbers = first.getsockname()[1], second.getsockname()[1]
            dealer = AcpcDealer(setting, numbers, (first, second), log, tell, progress)
            stack.callback(dealer.close)
            yield dealer

    def play(self) -> AcpcMatch:
        """Wait for both players, play all hands, and log them.

        A player who is silent for too long, leaves, or does not begin with its version ends the match: hands
        that are over stay in the log, and there is no score.
        """
        setting, dealer = self.setting, Dealer(self.setting.text.game)
        won, number, played = [Fraction(0), Fraction(0)], 0, 0
        deals = ", each deal twice" if setting.duplicate else ""
        self._write(f"# {setting.text.game.name}: {setting.hands} hands{deals}, seed {setting.seed}")
        self._write(f"# seconds an answer {setting.response_seconds:g}, a hand {setting.hand_seconds:g}")
        why = "interrupted"
        try:
            self._meet()
            for number in range(setting.hands):
                state, payoff = self._hand(dealer, number)
                for seat in (0, 1):
                    won[seat] += payoff if self._position(seat, number) == 0 else -payoff
                played = number + 1
                with suppress(*([MatchEndedError] if played == setting.hands else [])):
                    self._send(state, number)
            why = ""
        except MatchEndedError as ended:
            why = f"hand {number}: {ended}"
        finally:
            match = AcpcMatch(played, setting.names, (won[0], won[1]), why)
            self._write(f"# ended before its last hand, {why}" if why else match.score)
        return match

    def _position(self, seat: int, number: int) -> int:
        """Return the position of a seat in a hand, and the other way round."""
        return seat ^ (number % 2)

    def _meet(self) -> None:
        """Wait for both players, and read their versions."""
        setting, total = self.setting, self.setting.hand_seconds * self.setting.hands
        for listener, name in zip(self._listeners, setting.names, strict=True):
            seat = Seat(name, setting.text, self._tell, setting.response_seconds, total)
            self._seats.append(seat)
            seat.meet(listener, partial(self._progress, f"waiting for {name}", math.inf))

    def _hand(self, dealer: Dealer, number: int) -> tuple[PokerState, Fraction]:
        """Play a hand, log it, and return its end and what position 0 won."""
        setting, text = self.setting, self.setting.text
        sent = [""] * 2
        last: list[PokerState] = []

        def seen(state: PokerState) -> None:
            last[:] = [state]
            if text.game.player(state) >= 0:
                sent[:] = self._send(state, number)

        def choose(view: View) -> str:
            seat = self._seats[self._position(view.player, number)]
            return seat.answer(sent[view.player], last[0].line, view)

        chance = chance_of(setting.seed, number, setting.duplicate)
        hand = dealer.deal(chance.__next__, choose, seen)
        names = [setting.names[self._position(position, number)] for position in (0, 1)]
        self._write(text.log_line(last[0], number, names))
        return last[0], hand.payoff

    def _send(self, state: PokerState, number: int) -> list[str]:
        """Send a state to both players, as each sees it; return what was sent by position.

        Where one has left, the other is sent the state before the match ends.
        """
        sent = [self.setting.text.match_state(state, position, number) for position in (0, 1)]
        left = []
        for number_of_seat, seat in enumerate(self._seats):
            try:
                seat.send(sent[self._position(number_of_seat, number)])
            except MatchEndedError as ended:
                left.append(ended)
        if left:
            raise left[0]
        return sent

    def _write(self, line: str) -> None:
        if self._log is not None:
            try:
                append_whole(self._log, f"{line}\n".encode())
            except OSError as error:
                raise BadInputError(cannot_write(str(self._log.name), error)) from error

    def close(self) -> None:
        """Close the connections."""
        for seat in self._seats:
            seat.close()


def _open_log(out: str | Path) -> FileIO:
    check_path(out, "a log")
    if place_of(out).is_standard_output:
        raise BadInputError(f"the log must be a file, as standard output has ports and score, got {out}")
    place = check_writable(out)
    if place.is_file and place.status is not None and place.status.st_size:
        raise BadInputError(f"the log must be a new file or an empty one, got {out}")
    try:
        return FileIO(out, "a")
    except OSError as error:
        raise BadInputError(cannot_write(out, error)) from error
