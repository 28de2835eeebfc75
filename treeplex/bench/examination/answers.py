"""What solvers return, as something that goes from one process to another, and on which terms."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from treeplex.core.result import Result
from treeplex.core.strategy import Strategy
from treeplex.files.strategy_rows import COLUMNS
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import shown
from treeplex.games.formats.openspiel import OpenSpielGame

if TYPE_CHECKING:
    import pandas as pd


UNKNOWN = 0.01
"""NashConv that a method which is not recognised must reach, in parts of the scale; some games have more."""
MOST_ITERATIONS = 1 << 22
"""Most iterations that are asked for, unless the caller says another number."""
SECONDS = 10.0
"""Default limit on a solver's processor time on one game."""
FIRST = 6
"""How many times the limit the first answer may take, uncounted: it imports, loads and compiles."""


@dataclass(frozen=True)
class Terms:
    """On what terms a solver is examined on one game.

    Attributes
    ----------
    within : float
        NashConv, in parts of the game's scale, that an iterating method which is not recognised must reach.
    iterations : int
        Most iterations that are asked for at once; at least 1.
    seconds : float
        Limit on the solver's processor time after its first answer; positive. On the clock it may take
        twelve times as long. Up to the first answer it may take ``FIRST`` times this.
    is_spot : bool
        Whether the game is for solvers alone that say so by an attribute ``takes_spots``: its histories are
        too many to be walked.
    """

    within: float = UNKNOWN
    iterations: int = MOST_ITERATIONS
    seconds: float = SECONDS
    is_spot: bool = False

    def __post_init__(self) -> None:
        if type(self.iterations) is not int or self.iterations < 1:
            raise BadInputError(f"iterations must be an integer of at least 1, got {self.iterations!r}")
        if not (isinstance(self.seconds, int | float) and 0 < self.seconds < inf):
            raise BadInputError(f"seconds must be positive and finite, got {self.seconds!r}")


Portable: TypeAlias = "pd.DataFrame | dict[Any, Any]"
"""A table of rows, or a dictionary by player and infoset, unchecked."""


@dataclass(frozen=True)
class Answer:
    """What a solver returned, or why it did not.

    Attributes
    ----------
    strategy : DataFrame, dict or None
        Unchecked; None where there is none.
    error : str
        What was wrong, in a line; empty where nothing was.
    skipped : str
        Why the solver does not take this game; empty where it does.
    seconds : float
        Of the processor, for this call.
    """

    strategy: "Portable | None" = None
    error: str = ""
    skipped: str = ""
    seconds: float = 0.0


def portable(answer: object, game: Game[Any]) -> Portable:
    """Return a solver's answer as a table or a plain dictionary, which any process can read.

    Parameters
    ----------
    answer : object
        A table, a dictionary, a strategy, a result, or a policy of OpenSpiel for one of its games.
    game : Game

    Raises
    ------
    TypeError
        If it is none of these.
    """
    import pandas as pd

    if isinstance(answer, Result):
        answer = answer.strategy
    if isinstance(answer, pd.DataFrame):
        return answer
    if isinstance(answer, Mapping):
        return {key: dict(row) if isinstance(row, Mapping) else row for key, row in answer.items()}
    if isinstance(game, OpenSpielGame) and _is_policy(answer):
        from treeplex.files.openspiel_policy import from_policy

        answer = from_policy(answer, game)
    if isinstance(answer, Strategy):
        return pd.DataFrame(answer.rows(), columns=COLUMNS)
    raise TypeError(
        "a solver must return {(player, infoset): {action: probability}}, a DataFrame, a strategy, a result "
        f"or a policy, got {shown(answer)}"
    )


def _is_policy(answer: object) -> bool:
    return hasattr(answer, "action_probabilities") and not isinstance(answer, Strategy)
