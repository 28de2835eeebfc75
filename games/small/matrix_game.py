"""Matrix games: player 0 picks a row, player 1 a column without seeing it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.histories import histories_of_widths
from treeplex.games.inputs.reading import exact, shown
from treeplex.games.protocol import TERMINAL

MOST_ENTRIES = 20_000_000
"""As many histories are walked of any game."""
Picks = tuple[str, ...]
"""A history: the row's label, then the column's."""


@dataclass(frozen=True)
class MatrixGame:
    """A matrix game in extensive form.

    Actions are ``r0, r1, ...`` and ``c0, c1, ...``. Keys: ``start`` before the rows' player has picked;
    then ``r0`` for player 0 and ``?`` for player 1 and the public; at a leaf ``r0/?``, ``?/c1``, ``?/?``.

    Attributes
    ----------
    rows : tuple of tuples of Fraction, (R, C)
        Player 0's payoff for each row and column.
    """

    rows: tuple[tuple[Fraction, ...], ...]

    @property
    def name(self) -> str:
        """The spec of this game."""
        rows = ",".join("[" + ",".join(map(str, row)) + "]" for row in self.rows)
        return f"matrix_game(payoff=[{rows}])"

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "points"

    @property
    def least_histories(self) -> int:
        """The number of histories."""
        return histories_of_widths((len(self.rows), len(self.rows[0])))

    def root(self) -> Picks:
        """Return the state before any pick."""
        return ()

    def player(self, state: Picks) -> int:
        """Return who acts: player 0, then player 1, then nobody."""
        return TERMINAL if len(state) == 2 else len(state)

    def actions(self, state: Picks) -> Sequence[str]:
        """Return the labels of the rows at the root and of the columns below."""
        letter, count = ("c", len(self.rows[0])) if state else ("r", len(self.rows))
        return tuple(f"{letter}{number}" for number in range(count))

    def chance(self, state: Picks) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the game has no chance moves."""
        return ()

    def child(self, state: Picks, action: str) -> Picks:
        """Return the state after a pick."""
        return (*state, action)

    def infoset(self, state: Picks, player: int) -> str:
        """Return what ``player`` knows: the own pick, and how many picks were made."""
        return "/".join(pick if who == player else "?" for who, pick in enumerate(state)) or "start"

    def public(self, state: Picks) -> str:
        """Return how many picks were made."""
        return self.infoset(state, TERMINAL)

    def payoff(self, state: Picks) -> Fraction:
        """Return player 0's payoff at a leaf."""
        row, column = state
        return self.rows[int(row[1:])][int(column[1:])]


def matrix_game(payoff: Sequence[Sequence[Fraction | float]]) -> MatrixGame:
    """Return the game of a payoff matrix.

    Parameters
    ----------
    payoff : (R, C) nested sequence of numbers
        Player 0's payoffs; at least one row and one column. A float stands for its shortest decimal.

    Raises
    ------
    ValueError
        If the matrix is empty, not rectangular, too large, or has an entry that is not a finite number.
    """
    if not _is_list(payoff) or not all(map(_is_list, payoff)):
        raise ValueError(
            f"matrix_game: payoff must be a list of rows such as [[1,-1],[-1,1]], got {shown(payoff)}"
        )
    if not payoff or not payoff[0]:
        raise ValueError(f"matrix_game: payoff needs at least one row and one column, got {shown(payoff)}")
    lengths = [len(row) for row in payoff]
    if len(set(lengths)) > 1:
        raise ValueError(f"matrix_game: payoff needs rows of one length, got lengths {lengths}")
    if len(payoff) * lengths[0] > MOST_ENTRIES:
        most = f"at most {MOST_ENTRIES:,} entries"
        raise ValueError(f"matrix_game: payoff must have {most}, got {len(payoff):,} x {lengths[0]:,}")
    return MatrixGame(
        tuple(
            tuple(exact(entry, f"matrix_game: payoff[{r}][{c}]") for c, entry in enumerate(row))
            for r, row in enumerate(payoff)
        )
    )


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)
