"""What solvers return, as something that goes from one process to another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from treeplex.core.result import Result
from treeplex.core.strategy import Strategy
from treeplex.games.formats.openspiel_game import OpenSpielGame
from treeplex.games.inputs.reading import shown
from treeplex.games.protocol import Game
from treeplex.store.rows import COLUMNS

if TYPE_CHECKING:
    import pandas as pd

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
        from treeplex.store.openspiel_policy import from_policy

        answer = from_policy(answer, game)
    if isinstance(answer, Strategy):
        return pd.DataFrame(answer.rows(), columns=COLUMNS)
    raise TypeError(
        "a solver must return {(player, infoset): {action: probability}}, a DataFrame, a strategy, a result "
        f"or a policy, got {shown(answer)}"
    )


def _is_policy(answer: object) -> bool:
    return hasattr(answer, "action_probabilities") and not isinstance(answer, Strategy)
