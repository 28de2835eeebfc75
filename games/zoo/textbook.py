"""Small games of textbooks: Coin Toss, matching pennies with a dummy move, and matrix games.

Coin Toss is the running example of "Safe and Nested Subgame Solving" (Brown and Sandholm, NIPS 2017). On
pennies with a dummy move linear programs whose flow rows are inequalities fail. In a matrix game player 0
picks a row, player 1 a column without seeing it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import spec_of
from treeplex.games.base.protocol import CHANCE, TERMINAL, histories_of_widths
from treeplex.games.base.reading import exact, shown

HALF = Fraction(1, 2)

Toss = tuple[str, ...]
"""A history: the coin, Sell or Play, the subgame's label if there are two, the guess."""


@dataclass(frozen=True)
class CoinToss:
    """A coin only player 0 sees; player 0 sells it or plays, and then player 1 guesses how it landed.

    A right guess pays player 0 -1, a wrong one or Forfeit +1 (Figure 1a). With two subgames a fair coin
    that both see decides between S1 and S2 after Play (Figure 4).

    Keys are coin, colon, public line: ``Heads:Play/S1`` for player 0, ``?:Play/S1`` for player 1 and
    ``:Play/S1`` for the public state; everything is ``start`` before the toss.

    Attributes
    ----------
    heads, tails : Fraction
        Player 0's payoff for selling a coin that landed heads or tails.
    forfeit : bool
        Whether player 1 may forfeit instead of guessing.
    subgames : int
        1, or 2 for the variant of Figure 4.
    """

    heads: Fraction = HALF
    tails: Fraction = -HALF
    forfeit: bool = True
    subgames: int = 1

    @property
    def name(self) -> str:
        """The spec of this game."""
        return spec_of("coin_toss", self)

    @property
    def unit(self) -> str:
        """The unit of payoffs, as in the paper."""
        return "dollars"

    def root(self) -> Toss:
        """Return the state before the toss."""
        return ()

    def player(self, state: Toss) -> int:
        """Return who acts: 0, 1, ``CHANCE`` or ``TERMINAL``."""
        if not state:
            return CHANCE
        line = state[1:]
        if not line:
            return 0
        # One move before the guess, Play, or with two subgames two: Play and the public coin.
        ahead = self.subgames - len(line)
        if line[0] == "Sell" or ahead < 0:
            return TERMINAL
        return 1 if ahead == 0 else CHANCE

    def actions(self, state: Toss) -> Sequence[str]:
        """Return the labels of the legal actions of the player who acts."""
        if self.player(state) == 0:
            return ("Sell", "Play")
        return ("Heads", "Tails", "Forfeit") if self.forfeit else ("Heads", "Tails")

    def chance(self, state: Toss) -> Sequence[tuple[str, Fraction]]:
        """Return the two sides of the private coin, or of the public one."""
        first, second = ("S1", "S2") if state else ("Heads", "Tails")
        return ((first, HALF), (second, HALF))

    def child(self, state: Toss, action: str) -> Toss:
        """Return the state after an action's or an outcome's label."""
        return (*state, action)

    def infoset(self, state: Toss, player: int) -> str:
        """Return what ``player`` knows: player 0 the coin, both the public line."""
        if not state:
            return "start"
        return (state[0] if player == 0 else "?") + self.public(state)

    def public(self, state: Toss) -> str:
        """Return the public line: Sell or Play, the subgame, the guess."""
        return ":" + "/".join(state[1:]) if state else "start"

    def payoff(self, state: Toss) -> Fraction:
        """Return player 0's payoff in dollars at a leaf."""
        coin, guess = state[0], state[-1]
        if guess == "Sell":
            return self.heads if coin == "Heads" else self.tails
        return Fraction(-1 if guess == coin else 1)


def coin_toss(
    heads: Fraction | float = HALF,
    tails: Fraction | float = -HALF,
    forfeit: bool = True,
    subgames: int = 1,
) -> CoinToss:
    """Return Coin Toss with the given sell values.

    Parameters
    ----------
    heads, tails : Fraction, int or float
        What Sell pays player 0 after Heads and after Tails; 1/2 and -1/2 in the paper. A float stands for
        its shortest decimal.
    forfeit : bool
        Whether player 1 may forfeit; Figure 4 has no such action.
    subgames : int
        1 for the game of Figure 1a, 2 for that of Figure 4.

    Raises
    ------
    ValueError
        If a sell value is not a finite number, ``forfeit`` is not a bool or ``subgames`` is neither 1 nor 2.
    """
    if not isinstance(forfeit, bool):
        raise BadInputError(f"coin_toss: forfeit must be true or false, got {shown(forfeit)}")
    if isinstance(subgames, bool) or subgames not in (1, 2):
        raise BadInputError(f"coin_toss: subgames must be 1 or 2, got {shown(subgames)}")
    sell = [exact(value, f"coin_toss: {key}") for key, value in (("heads", heads), ("tails", tails))]
    return CoinToss(sell[0], sell[1], forfeit, int(subgames))


Pennies = tuple[str, ...]
"""A history: player 0's side, player 1's side, the dummy move."""


@dataclass(frozen=True)
class DummyPennies:
    """Matching pennies in which each "-1" outcome is followed by one more, meaningless, move.

    Equal sides pay player 0 +1. Different sides lead to a dummy decision whose two leaves both pay -1, so
    the value remains 0. A program that shifts payoffs by their minimum and writes its flow rows as
    inequalities has nothing to gain below the dummy move, may leave behaviour there all zero and may report
    another value. Correct: value 0, behaviour normalised at every infoset.

    Keys are the sides in order of play with ``?`` for what the player has not seen; before the dummy move
    both are shown, so that keys there read ``h/t``.

    Attributes
    ----------
    mover : int
        Who makes the dummy move, player 0 or 1.
    """

    mover: int = 1

    @property
    def name(self) -> str:
        """The spec of this game."""
        return "dummy_pennies" if self.mover == 1 else f"dummy_pennies(mover={self.mover})"

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "pennies"

    def root(self) -> Pennies:
        """Return the state before any choice."""
        return ()

    def player(self, state: Pennies) -> int:
        """Return who acts: 0, 1, then the mover where the sides differ."""
        if len(state) < 2:
            return len(state)
        return self.mover if len(state) == 2 and state[0] != state[1] else TERMINAL

    def actions(self, state: Pennies) -> Sequence[str]:
        """Return heads and tails, or the two dummy moves."""
        return ("h", "t") if len(state) < 2 else ("x", "y")

    def chance(self, state: Pennies) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the game has no chance moves."""
        return ()

    def child(self, state: Pennies, action: str) -> Pennies:
        """Return the state after a choice."""
        return (*state, action)

    def infoset(self, state: Pennies, player: int) -> str:
        """Return what ``player`` has seen of the sides and the dummy move."""
        if len(state) == 1:
            return state[0] if player == 0 else "?"
        return "/".join(state) or "start"

    def public(self, state: Pennies) -> str:
        """Return what both have seen."""
        return self.infoset(state, TERMINAL)

    def payoff(self, state: Pennies) -> Fraction:
        """Return +1 for equal sides, -1 for different ones."""
        return Fraction(1 if state[0] == state[1] else -1)


def dummy_pennies(mover: int = 1) -> DummyPennies:
    """Return matching pennies with a dummy move of ``mover`` after each "-1".

    Raises
    ------
    ValueError
        If ``mover`` is neither 0 nor 1.
    """
    if isinstance(mover, bool) or mover not in (0, 1):
        raise BadInputError(f"dummy_pennies: mover must be 0 or 1, got {shown(mover)}")
    return DummyPennies(int(mover))


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
        raise BadInputError(
            f"matrix_game: payoff must be a list of rows such as [[1,-1],[-1,1]], got {shown(payoff)}"
        )
    if not payoff or not payoff[0]:
        raise BadInputError(f"matrix_game: payoff needs at least one row and one column, got {shown(payoff)}")
    lengths = [len(row) for row in payoff]
    if len(set(lengths)) > 1:
        raise BadInputError(f"matrix_game: payoff needs rows of one length, got lengths {lengths}")
    if len(payoff) * lengths[0] > MOST_ENTRIES:
        most = f"at most {MOST_ENTRIES:,} entries"
        raise BadInputError(f"matrix_game: payoff must have {most}, got {len(payoff):,} x {lengths[0]:,}")
    return MatrixGame(
        tuple(
            tuple(exact(entry, f"matrix_game: payoff[{r}][{c}]") for c, entry in enumerate(row))
            for r, row in enumerate(payoff)
        )
    )


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)
