"""Kept hands: a folder in which a match keeps its hands, a line of JSON each, and from which it goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from io import FileIO
from pathlib import Path
from typing import Any

from treeplex.files.in_use import locked
from treeplex.files.kept import IDENTITY, Kept
from treeplex.files.outputs import cannot_write, check_path
from treeplex.files.writing import append_whole
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import open_file, read_text, shown
from treeplex.play.hand import Hand

HANDS = "hands.jsonl"
"""The file that holds the hands."""
LONGEST_LINE = 1 << 20
"""Most bytes of a hand."""
EXACT = re.compile(r"-?\d{1,4000}(?:/\d{1,4000})?")
"""How payoffs are written."""
LESS_LUCK = "less_luck"
"""Player 0's payoff less luck, where the match estimates it as it plays."""
MOST_LESS_LUCK = 1e100
"""The largest such number that is read: its square is a number too."""
SEATS = ("A", "B"), ("B", "A")
"""Who was player 0 and player 1, by the seat of A."""


@dataclass
class KeptHands:
    """The hands of a match in a folder, in the order of their numbers.

    A process that is killed may leave half a line at the end, which is not counted as a hand.

    Attributes
    ----------
    path : Path
        Of the file of hands.
    """

    path: Path

    @staticmethod
    def open(folder: str | Path, identity: Mapping[str, Any]) -> KeptHands:
        """Return the folder of a match, made if it is new.

        Raises
        ------
        ValueError
            If it holds another match, or cannot be read or written.
        """
        check_path(folder, "a match")
        return KeptHands(Kept.open(Path(folder), identity).folder / HANDS)

    @staticmethod
    def found(folder: str | Path) -> tuple[str, KeptHands]:
        """Return the game and the hands of a match that a folder holds.

        Raises
        ------
        ValueError
            If it holds no match.
        """
        path = Path(folder) / IDENTITY
        try:
            known = json.loads(read_text(path))
        except (OSError, ValueError, RecursionError) as error:
            raise BadInputError(f"{folder} must be a folder of treeplex match --out: {error}") from None
        game = known.get("game") if isinstance(known, dict) and known.get("kind") == "match" else None
        if not isinstance(game, str):
            raise BadInputError(f"{path} is of no match")
        return game, KeptHands(path.with_name(HANDS))

    def locked(self) -> AbstractContextManager[None]:
        """Keep other runs of the match out; raises ``ValueError`` as :func:`treeplex.files.in_use.locked`."""
        return locked(self.path)

    def read(self, most: int) -> Iterator[tuple[int, Hand]]:
        """Yield the seat of A and the hand, of at most so many hands.

        Raises
        ------
        ValueError
            If a line is no hand, or not the next one.
        """
        if not self.path.exists():
            return
        with open_file(self.path) as file:
            for number in range(most):
                line = file.readline(LONGEST_LINE)
                if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                    return
                yield self._hand(number, line)

    def _hand(self, number: int, line: bytes) -> tuple[int, Hand]:
        where = f"{self.path}, line {number + 1}"
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        keys = {"number", "seats", "moves", "payoff"}
        if (
            not isinstance(found, dict)
            or {*found} - {LESS_LUCK} != keys
            or not _is_number(found["number"], number)
        ):
            raise BadInputError(f"{where} must be hand {number} with {', '.join(sorted(keys))}")
        moves, payoff, seats = found["moves"], found["payoff"], found["seats"]
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise BadInputError(f"{where}: moves must be a list of texts, got {shown(moves)}")
        if not isinstance(payoff, str) or not EXACT.fullmatch(payoff):
            raise BadInputError(f"{where}: payoff must be a fraction such as -1/2, got {shown(payoff)}")
        if seats not in ([*SEATS[0]], [*SEATS[1]]):
            raise BadInputError(f'{where}: seats must be ["A", "B"] or ["B", "A"], got {shown(seats)}')
        if (estimate := found.get(LESS_LUCK)) is not None and not _can_be_estimate(estimate):
            raise BadInputError(f"{where}: {LESS_LUCK} must be a number such as 0.5, got {shown(estimate)}")
        try:
            return seats.index("A"), Hand(tuple(moves), Fraction(payoff), estimate)
        except ZeroDivisionError:
            raise BadInputError(f"{where}: payoff must be a fraction, got {shown(payoff)}") from None

    def truncate(self, count: int) -> None:
        """Cut off what stands after so many hands: half a line."""
        if not self.path.exists():
            return
        try:
            with self.path.open("r+b") as file:
                for _ in range(count):
                    file.readline(LONGEST_LINE)
                file.truncate(file.tell())
        except OSError as error:
            raise BadInputError(cannot_write(self.path, error)) from error

    def append(self, first: int, hands: Iterable[tuple[int, Hand]]) -> None:
        """Write hands after those that are there, and to the disk; what fails leaves the file as it was.

        Parameters
        ----------
        first : int
            The number of the first.
        hands : iterable of (int, Hand)
            The seat of A, and the hand.
        """
        lines = (hand_line(number, seat, hand) for number, (seat, hand) in enumerate(hands, first))
        try:
            with FileIO(self.path, "a") as file:
                append_whole(file, "".join(lines).encode(), to_disk=True)
        except OSError as error:
            raise BadInputError(cannot_write(self.path, error)) from error


def _is_number(found: object, number: int) -> bool:
    """Return whether what JSON has is this integer; true is no 1."""
    return type(found) is int and found == number


def _can_be_estimate(number: object) -> bool:
    """Return whether what a line of a folder has as its estimate is one: no NaN, not beyond all payoffs."""
    return isinstance(number, float) and abs(number) <= MOST_LESS_LUCK


def hand_line(number: int, seat: int, hand: Hand) -> str:
    """Return the line of a hand, its end included; ``seat`` is A's."""
    line = {
        "number": number,
        "seats": SEATS[seat],
        "moves": hand.moves,
        "payoff": f"{hand.payoff.numerator}/{hand.payoff.denominator}"
        if hand.payoff.denominator != 1
        else f"{hand.payoff.numerator}",
        **({} if hand.less_luck is None else {LESS_LUCK: hand.less_luck}),
    }
    return json.dumps(line) + "\n"
