"""Strategies as they are given to whatever judges or goes on from them: as a path, a table or a profile."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from treeplex.problem import Problem
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.store.strategy_file import complete_file
from treeplex.store.strategy_table import Completed, check_missing, complete_table

if TYPE_CHECKING:
    import pandas as pd

Given: TypeAlias = "str | Path | pd.DataFrame | Profile"


def given_strategy(
    strategy: Given, form: SequenceForm, missing: str = "error", rest: Profile | None = None
) -> Completed:
    """Return a strategy from a file, a table or as it is.

    Parameters
    ----------
    strategy : str, Path, DataFrame or Profile
    form : SequenceForm
    missing : {"error", "uniform"}
        What becomes of infosets without rows; a profile has none.
    rest : Profile, optional
        What they play with ``uniform``; every action equally often unless given.

    Raises
    ------
    TypeError
        If the strategy is none of these.
    ValueError
        If the file or the table holds no strategy of the game.
    """
    check_missing(missing)
    if isinstance(strategy, Profile):
        return Completed(strategy)
    if isinstance(strategy, str | Path):
        return complete_file(strategy, form, missing, rest)
    import pandas as pd

    if isinstance(strategy, pd.DataFrame):
        return complete_table(strategy, form, missing, rest=rest)
    raise TypeError(f"a strategy must be a path, a DataFrame or a Profile, got {type(strategy).__name__}")


def strategy_of(problem: Problem, strategy: Given, missing: str = "error") -> Completed:
    """Return a strategy of a problem's whole form; locked hands without rows play what is locked.

    Raises what :func:`given_strategy` raises.
    """
    return given_strategy(strategy, problem.whole, missing, completion(problem))


def completion(problem: Problem) -> Profile:
    """Return what infosets without rows play: what is locked there, else every action equally often."""
    first, second = problem.form.treeplexes
    return problem.complete(Profile((first, second), (first.uniform(), second.uniform())))
