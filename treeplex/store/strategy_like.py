"""Profiles and strategies on boards from what users pass: a path, table, mapping, strategy or result."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from treeplex.core.problem import Problem
from treeplex.core.result import Result
from treeplex.core.strategy import Judged, Strategy
from treeplex.games.formats.openspiel import PREFIX, read_openspiel
from treeplex.games.protocol import Game
from treeplex.seqform.buckets.bucket_strategy import BucketStrategy
from treeplex.seqform.factored.profile import profile_of
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.profile import Profile, Row
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.store.boards_file import SUFFIXES as BOARDS
from treeplex.store.boards_file import read_boards
from treeplex.store.completion import Completed, check_missing, check_unused, complete_table
from treeplex.store.rows import COLUMNS, UnknownInfosetError
from treeplex.store.table_file import complete_file

if TYPE_CHECKING:
    import pandas as pd

SAME_IN_OPENSPIEL = ("kuhn_poker", "leduc_poker")
"""Games that OpenSpiel has by the same name and with the same rules, small enough to look for a key in."""
StrategyLike: TypeAlias = (
    "str | Path | pd.DataFrame | Mapping[tuple[int, str], Mapping[str, float]] | Strategy | Result"
)
"""What is taken wherever a strategy is: a file's path, a table, a mapping
``{(player, infoset): {action: probability}}``, a strategy, or a result that has one."""


def strategy_of(problem: Problem, strategy: StrategyLike, missing: str = "error") -> Completed[Judged]:
    """Return a strategy of a problem: on its ``whole`` form, or on betting times boards if it is given so.

    Parameters
    ----------
    problem : Problem
    strategy : path, DataFrame, mapping, Strategy or Result
        Infosets are matched by their keys, so that a profile may come in the numbering of any form.
    missing : {"error", "uniform"}
        What becomes of infosets that a table or a profile does not have; with ``uniform`` they play every
        action equally often, and what is locked where they are locked.

    Raises
    ------
    TypeError
        If it is none of these.
    ValueError
        If it is no strategy of the game, or lacks infosets, or a rule for infosets is given with boards.
    """
    check_missing(missing)
    opened = _opened(problem, strategy)
    if isinstance(opened, FactoredStrategy):
        check_unused(missing, "a strategy on boards")
        return Completed(opened)
    with suggesting_openspiel(problem.game):
        return _table_on(problem.whole, opened, missing, completion(problem))


def profile_on(
    game: Game[object],
    form: SequenceForm,
    strategy: StrategyLike,
    missing: str = "error",
    rest: Profile | None = None,
) -> Completed[Profile]:
    """Return a strategy of a game as a profile on one of its forms; raises what :func:`strategy_of` does.

    Parameters
    ----------
    rest : Profile, optional
        What missing infosets play with ``uniform``; every action equally often unless given.
    """
    check_missing(missing)
    opened = _opened(Problem(game), strategy)
    if isinstance(opened, FactoredStrategy):
        check_unused(missing, "a strategy on boards")
        return Completed(profile_of(opened.tree.game, opened, form))
    with suggesting_openspiel(game):
        return _table_on(form, opened, missing, rest)


@contextmanager
def suggesting_openspiel(game: Game[Any]) -> Iterator[None]:
    """Let errors of unknown keys say that OpenSpiel has the same game, if the key is one of its keys."""
    try:
        yield
    except UnknownInfosetError as error:
        if game.name not in SAME_IN_OPENSPIEL or find_spec("pyspiel") is None:
            raise
        form = Problem(read_openspiel(game.name)).form
        if not any(error.key in t.index for t in form.treeplexes):
            raise
        raise ValueError(f"{error}; did you mean {PREFIX}{game.name}?") from None


def completion(problem: Problem) -> Profile:
    """Return what infosets without rows play: what is locked there, else every action equally often."""
    return problem.complete(_uniform(problem.form))


def _uniform(form: SequenceForm) -> Profile:
    first, second = form.treeplexes
    return Profile((first, second), (first.uniform(), second.uniform()))


def _opened(problem: Problem, strategy: StrategyLike) -> "str | Path | pd.DataFrame | Strategy":
    """Return the strategy of a result or on boards, and what is none of both as a table or its path."""
    if isinstance(strategy, Result):
        strategy = strategy.strategy
    if isinstance(strategy, BucketStrategy):
        return strategy.expanded()
    if isinstance(strategy, str | Path):
        return read_boards(problem, strategy) if Path(strategy).suffix.lower() in BOARDS else strategy
    if isinstance(strategy, Strategy):
        return strategy
    import pandas as pd

    if isinstance(strategy, Mapping):
        return pd.DataFrame(_rows(strategy), columns=COLUMNS)
    if isinstance(strategy, pd.DataFrame):
        return strategy
    raise TypeError(
        "a strategy must be a path, a DataFrame, a mapping, a strategy or a result, "
        f"got {type(strategy).__name__}"
    )


def _rows(strategy: Mapping[tuple[int, str], Mapping[str, float]]) -> Iterator[Row]:
    for key, row in strategy.items():
        if not (isinstance(key, tuple) and len(key) == 2 and isinstance(row, Mapping)):
            raise ValueError(
                "a strategy's mapping must be {(player, infoset): {action: probability}}, "
                f"got {key!r}: {row!r}"
            )
        for action, probability in row.items():
            yield *key, action, probability


def _table_on(
    form: SequenceForm, strategy: "str | Path | pd.DataFrame | Strategy", missing: str, rest: Profile | None
) -> Completed[Profile]:
    if isinstance(strategy, str | Path):
        return complete_file(strategy, form, missing, rest)
    if isinstance(strategy, Profile):
        return _renumbered(strategy, form, missing, _uniform(form) if rest is None else rest)
    import pandas as pd

    table = strategy if isinstance(strategy, pd.DataFrame) else pd.DataFrame(strategy.rows(), columns=COLUMNS)
    return complete_table(table, form, missing, rest=rest)


def _renumbered(profile: Profile, form: SequenceForm, missing: str, rest: Profile) -> Completed[Profile]:
    """Return a profile on a form, matched by key."""
    if missing == "error":
        return Completed(profile.transfer(form.treeplexes))
    lacking = 0
    for p, (own, to) in enumerate(zip(profile.treeplexes, form.treeplexes, strict=True)):
        unknown = next((key for key in own.infosets if key not in to.index), None)
        if unknown is not None:
            raise ValueError(f"the profile is of another game: player {p} has no infoset {unknown!r}")
        lacking += sum(key not in own.index for key in to.infosets)
    return Completed(profile.transfer(form.treeplexes, rest.behaviour), lacking)
