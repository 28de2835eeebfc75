"""Phantom tic-tac-toe on boards of any size: a line of own marks wins; the opponent's marks are hidden."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeVar

from treeplex.games.base.parameters import check_integer, check_word, spec_of
from treeplex.games.base.protocol import TERMINAL, merged_histories
from treeplex.games.zoo.texts import grid_cells

MAX_ROWS = MAX_COLUMNS = 9
"""A row is written as one digit."""
FAILURES = ("again", "lose_turn")
WON, DRAWN, LOST = Fraction(1), Fraction(0), Fraction(-1)

T = TypeVar("T")


class Grid(NamedTuple):
    """A history. Sets of cells are bits, cell a1 the lowest.

    marks : the cells that bear player 0's mark, and player 1's.
    known : the cells that each player knows to be taken: the own marks and failed attempts.
    tries : each player's attempts in order, as ``b1/a2!``.
    turn : how many turns have ended; player 0 has the even ones.
    result : player 0's payoff once the game is over, None before.
    """

    marks: tuple[int, int]
    known: tuple[int, int]
    tries: tuple[str, str]
    turn: int
    result: Fraction | None


@dataclass(frozen=True)
class PhantomMnk:
    """Players in turn name a cell: an empty cell gets their mark; if it is taken they are told.

    ``line`` own marks in line (row, column or diagonal) win 1; a full board is a draw. A taken cell is
    not named twice. Players see neither the other's marks nor the other's attempts. The rules are those of
    OpenSpiel's phantom tic-tac-toe (Lanctot et al. 2019), where nothing is revealed.

    Cells are a column's letter and a row's digit. Keys are how many turns have ended, colon, the own
    attempts, those that failed with ``!``: ``4:b1/a2!/b2``. The public state is ``4:``. Once the game is
    over, ``over`` stands for the number.

    Attributes
    ----------
    rows, columns : int
        The board's, 1 to 9.
    line : int
        How many marks in line win, 1 to the longer side.
    failure : {"again", "lose_turn"}
        After naming a taken cell a player names another, or the turn is over.
    """

    rows: int = 2
    columns: int = 3
    line: int = 2
    failure: str = "lose_turn"

    @property
    def name(self) -> str:
        """The spec of this game."""
        return spec_of("phantom_mnk", self)

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "wins"

    @cached_property
    def cells(self) -> dict[str, int]:
        """The bit of each cell, row by row."""
        return grid_cells(self.rows, self.columns)

    @cached_property
    def lines(self) -> dict[str, tuple[int, ...]]:
        """The winning lines through each cell."""
        lines = self._lines()
        return {label: tuple(line for line in lines if line & bit) for label, bit in self.cells.items()}

    @property
    def least_histories(self) -> int:
        """The number of histories, or of as many as are counted at once; the order of attempts adds none."""
        return merged_histories(self, lambda state: state._replace(tries=("", "")))

    def root(self) -> Grid:
        """Return the empty board."""
        return Grid((0, 0), (0, 0), ("", ""), 0, None)

    def player(self, state: Grid) -> int:
        """Return whose turn it is: player 0's first."""
        return state.turn % 2 if state.result is None else TERMINAL

    def actions(self, state: Grid) -> Sequence[str]:
        """Return the cells that the player does not know to be taken."""
        known = state.known[state.turn % 2]
        return [label for label, bit in self.cells.items() if not bit & known]

    def chance(self, state: Grid) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the game has no chance moves."""
        return []

    def child(self, state: Grid, action: str) -> Grid:
        """Return the state after an attempt."""
        marks, known, tries, turn, _ = state
        who, bit = turn % 2, self.cells[action]
        known = _with(known, who, known[who] | bit)
        line = f"{tries[who]}/{action}" if tries[who] else action
        if marks[1 - who] & bit:
            return Grid(
                marks, known, _with(tries, who, line + "!"), turn + (self.failure == "lose_turn"), None
            )
        marks = _with(marks, who, marks[who] | bit)
        return Grid(marks, known, _with(tries, who, line), turn + 1, self._result(marks, who, action))

    def infoset(self, state: Grid, player: int) -> str:
        """Return what ``player`` knows: the turn and the own attempts."""
        return f"{self._clock(state)}:{state.tries[player]}"

    def public(self, state: Grid) -> str:
        """Return the turn, or that the game is over."""
        return f"{self._clock(state)}:"

    def payoff(self, state: Grid) -> Fraction:
        """Return 1 if player 0 has a line, -1 if player 1 has, 0 if the board is full."""
        assert state.result is not None
        return state.result

    def _clock(self, state: Grid) -> str:
        return str(state.turn) if state.result is None else "over"

    def _result(self, marks: tuple[int, int], who: int, cell: str) -> Fraction | None:
        """Return the payoff if this mark ends the game."""
        if any(line & marks[who] == line for line in self.lines[cell]):
            return LOST if who else WON
        return DRAWN if marks[0] | marks[1] == (1 << len(self.cells)) - 1 else None

    def _lines(self) -> set[int]:
        """Return every row, column and diagonal of ``line`` cells, as bits; each once if ``line`` is 1."""
        lines = set()
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    places = [(row + k * down, column + k * right) for k in range(self.line)]
                    if all(0 <= r < self.rows and 0 <= c < self.columns for r, c in places):
                        lines.add(sum(1 << (r * self.columns + c) for r, c in places))
        return lines


def _with(pair: tuple[T, T], who: int, new: T) -> tuple[T, T]:
    return (pair[0], new) if who else (new, pair[1])


def phantom_mnk(rows: int = 2, columns: int = 3, line: int = 2, failure: str = "lose_turn") -> PhantomMnk:
    """Return phantom tic-tac-toe: an m,n,k-game in which players do not see each other's marks.

    Parameters
    ----------
    rows, columns : int
        The board's, 1 to 9. Three by three with lines of three has 27 billion histories, far too many to
        solve (20 billion where a failed attempt may be followed by another).
    line : int
        How many marks in line win, 1 to the longer side.
    failure : {"again", "lose_turn"}
        After naming a taken cell: another try, or the turn is over.

    Raises
    ------
    ValueError
        If a number is not an integer of its range, or ``failure`` is not one of its words.
    """
    check_integer("phantom_mnk: rows", rows, 1, MAX_ROWS)
    check_integer("phantom_mnk: columns", columns, 1, MAX_COLUMNS)
    check_integer("phantom_mnk: line", line, 1, max(rows, columns))
    check_word("phantom_mnk: failure", failure, FAILURES)
    return PhantomMnk(rows, columns, line, failure)
