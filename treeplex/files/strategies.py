"""Strategies from what users pass, and their files, the format chosen by the suffix.

Profiles and strategies on boards come from a path, table, mapping, strategy or result; blueprints from a file
with its card abstraction, a strategy or a result.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy
from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.result import Result
from treeplex.core.strategy import Judged, Strategy
from treeplex.files.abstraction_file import CardAbstractionLike, card_abstraction_of
from treeplex.files.board_files import (
    SUFFIXES as BOARDS,
)
from treeplex.files.board_files import (
    WRITTEN,
    read_blueprint,
    read_boards,
    rules_of,
    write_blueprint,
    write_boards,
)
from treeplex.files.completion import Completed, check_missing, check_unused, complete_table
from treeplex.files.outputs import check_output, check_path
from treeplex.files.strategy_rows import COLUMNS, UnknownInfosetError
from treeplex.files.strategy_tables import (
    SUFFIXES as TABLES,
)
from treeplex.files.strategy_tables import (
    WHAT,
    check_table,
    read_table,
    write_rows,
    write_table,
)
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.counting.game_sizes import game_sizes
from treeplex.games.formats.openspiel import PREFIX, read_openspiel
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.board_conversions import strategy_of as on_boards
from treeplex.seqform.boards.bucket_tree import BucketStrategy
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree, check_suits
from treeplex.seqform.forms.profile import Profile, Row
from treeplex.seqform.forms.sequence_form import SequenceForm

if TYPE_CHECKING:
    import pandas as pd


SUFFIXES: Mapping[str, str] = {**TABLES, **BOARDS}
"""Formats by suffix."""
MOST_ROWS = 20_000_000
"""Most rows of a table of a strategy on boards, about a gigabyte."""


def write(
    strategy: Strategy | Result, path: str | Path, format: str | None = None, game: GameLike | None = None
) -> None:
    """Write a strategy; a file appears whole or not at all.

    Probabilities are written with as many digits as it takes to read the same floats back.

    Parameters
    ----------
    strategy : Strategy or Result
    path : str or Path
        Symbolic links are followed; devices and FIFOs are written straight; ``-`` is standard output.
    format : {"csv", "json", "parquet", "npz"}, optional
        What the path's suffix says unless given: a row an action; or, in ``npz``, the arrays of a strategy on
        betting times boards in its number format.
    game : str, Path, Game or Problem, optional
        The game of a profile, which ``npz`` lays out on the game's boards; other strategies know theirs.

    Raises
    ------
    TypeError
        If it is no strategy.
    ValueError
        If suffix and format say nothing or differ, the path cannot be written, Parquet is asked for and
        pyarrow is absent, ``npz`` is asked for where no poker game is known, or a strategy on boards has too
        many rows for a table or hides suits.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import treeplex as tp
    >>> found = tp.solve("leduc_poker", "cfr+", iterations=2)
    >>> with TemporaryDirectory() as folder:
    ...     write(found, Path(folder, "leduc.csv"))
    ...     write(found, Path(folder, "leduc.npz"), game="leduc_poker")
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['leduc.csv', 'leduc.npz']
    """
    one = strategy.strategy if isinstance(strategy, Result) else strategy
    if not isinstance(one, Strategy):
        raise TypeError(f"a strategy or a result is written, got {type(one).__name__}")
    known = None if game is None else load(game).game
    if isinstance(one, FactoredStrategy | BucketStrategy | BlueprintStrategy):
        rules = one.layout.game if isinstance(one, BlueprintStrategy) else one.tree.game
        chosen = check_strategy_output(path, format, rules, ON_BOARDS)
    else:
        kind = PROFILE if isinstance(one, Profile) else ROWS
        chosen = check_strategy_output(path, format, known, kind)
    if isinstance(one, Profile) and chosen in BOARDS.values():
        write_boards(on_boards(one, _boards_of(known)), path, chosen)
    elif isinstance(one, Profile):
        write_table(one.table(), path, chosen)
    elif isinstance(one, FactoredStrategy | BucketStrategy) and chosen in BOARDS.values():
        write_boards(one, path, chosen)
    elif isinstance(one, BlueprintStrategy) and chosen in BOARDS.values():
        write_blueprint(one, path, chosen)
    else:
        write_rows(one.rows(), path, chosen)


def read(
    game: GameLike,
    path: str | Path,
    *,
    missing: str = "error",
    bets: str | None = None,
    raises: str | None = None,
) -> Judged:
    """Read a strategy of a game: a profile of all infosets, or from ``.npz`` one on betting times boards.

    Parameters
    ----------
    game : str, Path, Game or Problem
    path : str or Path
        Of a file that :func:`write` wrote, or of a table of anybody's: columns player, infoset, action,
        probability, rows in any order, or infosets nested in JSON; ``-`` is such a table on standard input.
    missing : {"error", "uniform"}
        What becomes of infosets without rows.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame.

    Raises
    ------
    ValueError
        If the game is none, or the file cannot be read or is no strategy of the game; the row is named.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import treeplex as tp
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "kuhn.csv")
    ...     tp.write(tp.solve("kuhn_poker", "cfr+", iterations=20), path)
    ...     profile = read("kuhn_poker", path)
    >>> tp.check("kuhn_poker", profile).exploitability < 0.05
    True
    """
    check_path(path, WHAT)
    return strategy_of(load(game, bets=bets, raises=raises), Path(path), missing).strategy


def strategy_format(path: str | Path, format: str | None = None) -> str:
    """Return a strategy's format before it is known on what form it will be; raises as :func:`write`."""
    return check_output(path, SUFFIXES, "a strategy", format)


PROFILE, ON_BOARDS, ROWS = "profile", "boards", "rows"
"""Kinds of strategies as files take them: a table of all infosets; betting times boards; rows alone."""


def check_strategy_output(
    path: str | Path, format: str | None = None, game: Game[Any] | None = None, kind: str = PROFILE
) -> str:
    """Return a strategy's format, or refuse what could not be written, before any time is spent on it.

    Parameters
    ----------
    path : str or Path
    format : str, optional
        As for :func:`write`.
    game : Game, optional
        The strategy's, if it is known.
    kind : {PROFILE, ON_BOARDS, ROWS}

    Raises
    ------
    ValueError
        If suffix and format are none for such a strategy or differ, the path cannot be written, pyarrow is
        absent, or a strategy on boards has too many rows for a table or hides suits.
    """
    chosen = check_output(path, {**BOARDS, **TABLES}, WRITTEN if kind == ON_BOARDS else "a strategy", format)
    if kind == ON_BOARDS and chosen in TABLES.values():
        _check_rows(game)
    if kind == PROFILE and chosen in BOARDS.values():
        _boards_of(game)
    if kind == ROWS and chosen in BOARDS.values():
        raise BadInputError(f"such a strategy is written as {' or '.join(TABLES)}, got {chosen} for {path}")
    check_table(chosen)
    return chosen


def _boards_of(game: Game[Any] | None) -> FactoredTree:
    """Return the betting lines and all boards of a game on which a profile is laid out.

    Raises
    ------
    ValueError
        If it is no poker game, none is known, or the boards do not fit into memory.
    """
    if not isinstance(game, PokerGame):
        got = "a profile without its game" if game is None else game.name
        raise BadInputError(
            f"an .npz file holds a strategy on the boards of a poker game, got {got}; "
            f"write {' or '.join(TABLES)}"
        )
    return Problem(game).boards(isomorphism=False)


def _check_rows(game: Game[Any] | None) -> None:
    if isinstance(game, PokerGame):
        check_suits(game)
        n_rows = sum(game_sizes(game).sequences)
        if n_rows > MOST_ROWS:
            raise BadInputError(
                f"{game.name}: a table takes at most {MOST_ROWS:,} rows, got {n_rows:,}; write an .npz file"
            )


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
        return _table_on(problem.whole, opened, missing, completion(problem), _name(strategy))


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
        return _table_on(form, opened, missing, rest, _name(strategy))


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
        raise BadInputError(f"{error}; did you mean {PREFIX}{game.name}?") from None


def completion(problem: Problem) -> Profile:
    """Return what infosets without rows play: what is locked there, else every action equally often."""
    return problem.complete(uniform_profile(problem.form))


def uniform_profile(form: SequenceForm) -> Profile:
    """Return the profile that plays every action equally often."""
    first, second = form.treeplexes
    return Profile((first, second), (first.uniform(), second.uniform()))


def _name(strategy: StrategyLike) -> str:
    """Return what complaints call a table."""
    return str(strategy) if isinstance(strategy, str | Path) else "the table"


def _opened(problem: Problem, strategy: StrategyLike) -> "pd.DataFrame | Strategy":
    """Return a strategy as it is, that of a result, or what is none yet as a table; files are read."""
    if isinstance(strategy, Result):
        strategy = strategy.strategy
    if isinstance(strategy, BucketStrategy):
        return strategy.expanded()
    if isinstance(strategy, str | Path):
        if Path(strategy).suffix.lower() in BOARDS:
            return read_boards(problem, strategy)
        return read_table(Path(strategy), suffixes=SUFFIXES)
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
            raise BadInputError(
                "a strategy's mapping must be {(player, infoset): {action: probability}}, "
                f"got {key!r}: {row!r}"
            )
        for action, probability in row.items():
            yield *key, action, probability


def _table_on(
    form: SequenceForm, strategy: "pd.DataFrame | Strategy", missing: str, rest: Profile | None, name: str
) -> Completed[Profile]:
    if isinstance(strategy, Profile):
        return _renumbered(strategy, form, missing, uniform_profile(form) if rest is None else rest)
    import pandas as pd

    table = strategy if isinstance(strategy, pd.DataFrame) else pd.DataFrame(strategy.rows(), columns=COLUMNS)
    return complete_table(table, form, missing, rest=rest, name=name)


def _renumbered(profile: Profile, form: SequenceForm, missing: str, rest: Profile) -> Completed[Profile]:
    """Return a profile on a form, matched by key."""
    if missing == "error":
        return Completed(profile.transfer(form.treeplexes))
    lacking = 0
    for p, (own, to) in enumerate(zip(profile.treeplexes, form.treeplexes, strict=True)):
        unknown = next((key for key in own.infosets if key not in to.index), None)
        if unknown is not None:
            raise BadInputError(f"the profile is of another game: player {p} has no infoset {unknown!r}")
        lacking += sum(key not in own.index for key in to.infosets)
    return Completed(profile.transfer(form.treeplexes, rest.behaviour), lacking)


def blueprint_of(
    problem: Problem, strategy: StrategyLike, abstraction: CardAbstractionLike | None
) -> BlueprintStrategy | None:
    """Return the blueprint that a strategy is; None if it is a strategy of another kind.

    Parameters
    ----------
    problem : Problem
    strategy : path, Strategy or Result
    abstraction : CardAbstraction or path, optional
        Of a blueprint's file, which holds none itself.

    Raises
    ------
    ValueError
        If a file cannot be read or is of another game or abstraction, or an abstraction is given with what is
        no blueprint.
    """
    if isinstance(strategy, Result):
        strategy = strategy.strategy
    if isinstance(strategy, BlueprintStrategy):
        return _of_game(problem, strategy, abstraction)
    if abstraction is None:
        return None
    game = problem.game
    if not isinstance(game, PokerGame):
        raise BadInputError(f"a card abstraction is of a poker game, got {game.name}")
    if not isinstance(strategy, str | Path):
        raise BadInputError(f"an abstraction is for the file of a blueprint, got a {type(strategy).__name__}")
    return read_blueprint(strategy, game, card_abstraction_of(abstraction, game))


def _of_game(
    problem: Problem, blueprint: BlueprintStrategy, abstraction: CardAbstractionLike | None
) -> BlueprintStrategy:
    """Return a blueprint, refused if it is of another game or abstraction."""
    layout, game = blueprint.layout, problem.game
    if not isinstance(game, PokerGame) or rules_of(game) != rules_of(layout.game):
        raise BadInputError(f"the blueprint is of another game, {layout.game.name}, got {game.name}")
    own = layout.abstraction.identity
    if abstraction is not None and card_abstraction_of(abstraction, game).identity != own:
        raise BadInputError(f"the blueprint is of another card abstraction, {own!r}")
    return blueprint
