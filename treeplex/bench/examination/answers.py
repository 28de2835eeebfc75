"""What solvers return, as plain data that goes from one process to another, and on which terms."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

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
LARGEST_ITERATIONS = 10**12
"""The largest number of iterations that a caller may say."""
LARGEST_SECONDS = 1e6
"""The largest limit in seconds, eleven days; systems count the processor's time in 64 bits."""
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
        twelve times as long, and as long again for the first answer, which may take ``FIRST`` times this of
        the processor.
    is_spot : bool
        Whether the game is for solvers alone that say so by an attribute ``takes_spots``: its histories are
        too many to be walked.
    """

    within: float = UNKNOWN
    iterations: int = MOST_ITERATIONS
    seconds: float = SECONDS
    is_spot: bool = False

    def __post_init__(self) -> None:
        if type(self.iterations) is not int or not 1 <= self.iterations <= LARGEST_ITERATIONS:
            raise BadInputError(
                f"iterations must be an integer between 1 and {LARGEST_ITERATIONS:,}, "
                f"got {shown(self.iterations)}"
            )
        if not (isinstance(self.seconds, int | float) and 0 < self.seconds <= LARGEST_SECONDS):
            raise BadInputError(
                f"seconds must be above 0 and at most {LARGEST_SECONDS:,.0f}, got {shown(self.seconds)}"
            )


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
        If it is none of these, or holds what is neither a number nor a text.
    """
    import pandas as pd

    if isinstance(answer, Result):
        answer = answer.strategy
    if isinstance(answer, Mapping):
        return _pairs(
            answer.items(), "infoset", lambda row: _row(row) if isinstance(row, Mapping) else _plain(row)
        )
    if isinstance(game, OpenSpielGame) and _is_policy(answer):
        from treeplex.files.openspiel_policy import from_policy

        answer = from_policy(answer, game)
    if isinstance(answer, Strategy):
        answer = pd.DataFrame(answer.rows(), columns=COLUMNS)
    if isinstance(answer, pd.DataFrame):
        columns = [str(name) for name in answer.columns]
        return pd.DataFrame(
            dict(enumerate([_plain(x) for x in answer.iloc[:, k].tolist()] for k in range(len(columns))))
        ).set_axis(columns, axis=1)
    raise TypeError(
        "a solver must return {(player, infoset): {action: probability}}, a DataFrame, a strategy, a result "
        f"or a policy, got {shown(answer)}"
    )


def _is_policy(answer: object) -> bool:
    return hasattr(answer, "action_probabilities") and not isinstance(answer, Strategy)


def _row(row: Mapping[Any, Any]) -> dict[Any, Any]:
    return _pairs(row.items(), "action", _plain)


def _pairs(pairs: Iterable[tuple[Any, Any]], what: str, value: Callable[[Any], Any]) -> dict[Any, Any]:
    """Return a dictionary of plain keys and values; two keys must not become one."""
    found: dict[Any, Any] = {}
    for key, of_key in pairs:
        plain = _plain(key)
        if plain in found:
            raise TypeError(
                f"the strategy has the {what} {shown(plain)} twice, under keys that are not equal"
            )
        found[plain] = value(of_key)
    return found


def _plain(value: Any) -> Any:
    """Return a number, a text, or a tuple of these, without the user's own classes."""
    for kinds, made_plain in PLAIN:
        if isinstance(value, kinds):
            return made_plain(value)
    if hasattr(value, "__float__"):  # a fraction, a decimal
        return float(value)
    if not isinstance(value, Mapping) and _has_words(value):
        return str.__str__(str(value))
    raise TypeError(f"a strategy is of numbers and texts, got an object of the class {type(value).__name__}")


PLAIN: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    ((bool, type(None)), lambda value: value),
    (Enum, lambda value: _plain(value.value)),
    ((np.generic, np.ndarray), lambda value: _plain(value.tolist())),
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    ((tuple, list), lambda value: tuple(map(_plain, value))),
)
"""How numbers and texts lose a class of the user's own, the first that fits."""


def _has_words(value: object) -> bool:
    """Return whether an object's class gives it a text of its own."""
    methods = "__str__", "__repr__"
    return any(getattr(type(value), name) is not getattr(object, name) for name in methods)


def encoded(answer: Answer) -> bytes:
    """Return an answer as JSON; floats keep all their digits."""
    strategy: Any = None
    if isinstance(answer.strategy, dict):
        rows = answer.strategy.items()
        strategy = [[key, {"row": list(row.items())} if isinstance(row, dict) else row] for key, row in rows]
    elif answer.strategy is not None:
        table = answer.strategy
        strategy = {
            "columns": list(table.columns),
            "values": [table.iloc[:, k].tolist() for k in range(table.shape[1])],
        }
    return json.dumps([strategy, answer.error, answer.skipped, answer.seconds]).encode()


def decoded(data: bytes) -> Answer:
    """Return the answer that a child process encoded.

    Raises
    ------
    ValueError
        If it is none: the solver may have written to the connection.
    """
    try:
        strategy, error, skipped, seconds = json.loads(data)
        if not (isinstance(error, str) and isinstance(skipped, str) and 0 <= seconds < inf):
            raise TypeError(error)
        return Answer(_strategy(strategy), error, skipped, seconds)
    except (ValueError, TypeError, LookupError, RecursionError):
        raise BadInputError("the solver's process sent what is no answer") from None


def _strategy(told: Any) -> "Portable | None":
    if told is None:
        return None
    if isinstance(told, list):
        return {_tuple(key): _dict(row) for key, row in told}
    import pandas as pd

    return pd.DataFrame(dict(enumerate(told["values"]))).set_axis(told["columns"], axis=1)


def _dict(row: Any) -> Any:
    return {_tuple(label): p for label, p in row["row"]} if isinstance(row, dict) else row


def _tuple(key: Any) -> Any:
    return tuple(map(_tuple, key)) if isinstance(key, list) else key
