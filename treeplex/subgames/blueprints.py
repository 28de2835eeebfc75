"""The strategies from which subgames start, by name and from files and tables: on trees, and on boards.

Buckets of hands come from tables with columns board, hand and bucket.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.boards import bucket_cfr, factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig, factored_config
from treeplex.cfr.engine import Engine
from treeplex.cfr.sequences import full_width
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.files.completion import Completed, check_unused
from treeplex.files.run_loop import run_engine
from treeplex.files.strategies import SUFFIXES, StrategyLike, profile_on, strategy_of, uniform_profile
from treeplex.files.strategy_tables import read_table
from treeplex.gadgets.off_tree.translation_on_boards import translated
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import complaint, shown
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_conversions import strategy_of as on_boards
from treeplex.seqform.boards.bucket_tree import BucketTree
from treeplex.seqform.boards.factored_strategy import (
    FactoredStrategy,
    FactoredTree,
    board_cards,
    check_strategy,
    check_suits,
)
from treeplex.seqform.boards.real_boards import RealBoard, boards_to, real_hands
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.programs.lp_solution import LPSolution, solve_lp
from treeplex.solving.choice import LP, choose
from treeplex.solving.methods import methods_on
from treeplex.solving.on_boards import boards_of
from treeplex.solving.solve import solve
from treeplex.subgames.inputs import AbstractionLike, abstraction_of

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
MOST_ITERATIONS = 10_000_000
"""Most iterations of ``METHOD:N``."""
NASH_EXPLOITABILITY = 1e-4
"""Exploitability at which a run for ``nash`` ends, in pots, big blinds or largest stakes."""
NASH_METHOD, MOST_NASH_ITERATIONS = "dcfr", 5_000
"""The method of ``nash`` on boards where no linear program is quick, and its most iterations."""


def is_name(blueprint: StrategyLike) -> TypeGuard[str]:
    """Return whether a blueprint is named, not a strategy or a file of one."""
    return isinstance(blueprint, str) and Path(blueprint).suffix.lower() not in SUFFIXES


@dataclass(frozen=True)
class Averaged:
    """``METHOD:N``: the average of a minimiser's plans before each of its first updates.

    Attributes
    ----------
    config : FactoredConfig
        Of the minimiser on boards; its variant is that on trees.
    method : str
    iterations : int
    """

    config: FactoredConfig
    method: str
    iterations: int

    @staticmethod
    def named(name: str) -> "Averaged":
        """Return the run that a name asks for; raises ``ValueError`` if it is no name of a blueprint."""
        method, _, iterations = name.partition(":")
        known = methods_on("boards")
        if method not in known or not iterations:
            raise BadInputError(
                f"blueprint must be uniform, nash, METHOD:N with METHOD one of {', '.join(known)}, or a "
                f"{' or '.join(SUFFIXES)} strategy file, got {name!r}"
            )
        short = iterations.isascii() and iterations.isdigit() and len(iterations) <= len(f"{MOST_ITERATIONS}")
        if not (short and 1 <= int(iterations) <= MOST_ITERATIONS):
            legal = f"N between 1 and {MOST_ITERATIONS:,} iterations"
            raise BadInputError(f"blueprint {method}:N needs {legal}, got {iterations!r}")
        config = factored_config(method)
        config = replace(config, variant=config.variant.planned(int(iterations)))
        return Averaged(config, method, int(iterations))

    def of(self, engine: Engine[Any, T], progress: Progress) -> T:
        """Return the average that an engine of this run comes to."""
        return run_engine(self.method, engine, self.iterations, None, progress=progress).strategy


@dataclass(frozen=True)
class Start:
    """An enumerated game solved, and a blueprint of it.

    Attributes
    ----------
    rules : Game
    game : NumberedTree
    equilibrium : LPSolution
    blueprint : Completed
    """

    rules: Game[Any]
    game: NumberedTree
    equilibrium: LPSolution
    blueprint: Completed[Profile]

    @staticmethod
    def of(
        rules: Game[Any], game: NumberedTree, blueprint: StrategyLike, missing: str, progress: Progress
    ) -> "Start":
        """Solve a game and return it with a blueprint, as for :func:`treeplex.resolve`.

        Raises
        ------
        ValueError
            If the blueprint's name is none, or the strategy is none of the game.
        """
        given = None if is_name(blueprint) else profile_on(rules, game.form, blueprint, missing)
        progress("solving the game", float("inf"))
        equilibrium = solve_lp(game.form)
        found = given or _profile(rules, game.form, equilibrium, blueprint, missing, progress)
        return Start(rules, game, equilibrium, found)

    def profile(self, strategy: StrategyLike, missing: str, progress: Progress) -> Profile:
        """Return another strategy, given as a blueprint is; raises as :meth:`of`."""
        return _profile(self.rules, self.game.form, self.equilibrium, strategy, missing, progress).strategy

    @property
    def strategy(self) -> Profile:
        """The blueprint."""
        return self.blueprint.strategy

    @property
    def value(self) -> Certificate:
        """The proved interval of the game's value."""
        return self.equilibrium.certificate

    def distance(self, defender: int, strategy: Profile) -> float:
        """Return how much more than the value a best response wins against the defender's strategy."""
        return distance_to_value(self.game.form, self.value, defender, strategy)


def _profile(
    rules: Game[Any],
    form: SequenceForm,
    equilibrium: LPSolution,
    blueprint: StrategyLike,
    missing: str,
    progress: Progress,
) -> Completed[Profile]:
    if not is_name(blueprint):
        return profile_on(rules, form, blueprint, missing)
    check_unused(missing, f"blueprint {blueprint}")
    if blueprint == "nash":
        return Completed(equilibrium.profile)
    if blueprint == "uniform":
        return Completed(uniform_profile(form))
    run = Averaged.named(blueprint)
    return Completed(run.of(full_width.prepare(form, run.config.variant), progress))


def distance_to_value(form: SequenceForm, value: Certificate, defender: int, strategy: Profile) -> float:
    """Return how much more than the game's value a best response wins against the defender's strategy."""
    gained = form.best_response(1 - defender, strategy.plans[defender]).total
    v = float(value.value)
    return gained - (v if defender == 1 else -v)


def blueprint_on_boards(
    problem: Problem,
    blueprint: StrategyLike,
    *,
    abstraction: AbstractionLike | None = None,
    buckets: "BucketsLike | None" = None,
    missing: str = "error",
    threads: int = 1,
    progress: Progress = silent,
) -> FactoredStrategy:
    """Return a blueprint of a poker game as a strategy on boards.

    Parameters
    ----------
    problem : Problem
        Of a poker game of one or two hole cards, no hands locked.
    blueprint : str, Path, DataFrame, mapping, Strategy or Result
        ``uniform``; ``nash``, an equilibrium by the linear program where that is quick, else the average of
        discounted CFR at an exploitability of ``NASH_EXPLOITABILITY`` or after ``MOST_NASH_ITERATIONS``;
        ``METHOD:N`` such as ``cfr+:50``, the average of a minimiser on boards after N iterations; or a
        strategy as :func:`treeplex.check` takes it.
    abstraction : str, Game, Problem or sequence of sizes, optional
        The game with fewer sizes that the blueprint is of, as for :func:`treeplex.nested`. Its strategy is
        made one of the problem by translation,
        :func:`treeplex.gadgets.off_tree.translation_on_boards.translated`.
    buckets : str, Path or DataFrame, optional
        For ``METHOD:N``: hands that play alike, as :func:`buckets_of` takes them.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a file or a table.
    threads : int
        Of minimisers; their number changes no strategy.
    progress : callable, optional
        Called with the stage.

    Returns
    -------
    FactoredStrategy
        On ``problem.boards()``; on boards that are not merged where the blueprint is a table or comes from
        the linear program, which may play differently on boards that suits alone tell apart.

    Raises
    ------
    ValueError
        If the game is no such game or too large, the name is none of these, or the strategy is none of the
        game.
    """
    _check_game(problem)
    if abstraction is None:
        return _made(problem, blueprint, buckets, missing, threads, progress)
    assert isinstance(problem.game, PokerGame)
    small = Problem(abstraction_of(problem.game, abstraction), problem.progress)
    coarse = _made(small, blueprint, buckets, missing, threads, progress)
    merged = coarse.tree.boards.cards == problem.boards().boards.cards
    tree = problem.boards(isomorphism=merged)
    return translated(coarse, tree, dtype=np.float32, report=_reporter(progress))


def _made(
    problem: Problem,
    blueprint: StrategyLike,
    buckets: "BucketsLike | None",
    missing: str,
    threads: int,
    progress: Progress,
) -> FactoredStrategy:
    """Return a blueprint of the problem itself; parameters as for :func:`blueprint_on_boards`."""
    if buckets is not None and (not is_name(blueprint) or blueprint in ("uniform", "nash")):
        raise BadInputError(f"buckets are for blueprints METHOD:N, got {_text(blueprint)}")
    if not is_name(blueprint):
        given = strategy_of(problem, blueprint, missing).strategy
        if isinstance(given, Profile):
            return _on_boards(problem, given)
        assert isinstance(problem.game, PokerGame)
        check_strategy(problem.game, given)
        return given
    check_unused(missing, f"blueprint {blueprint}")
    if blueprint == "uniform":
        return _uniform(problem)
    if blueprint == "nash":
        return _nash(problem, threads, progress)
    return _run(problem, Averaged.named(blueprint), buckets, threads, progress)


def _text(blueprint: StrategyLike) -> str:
    return str(blueprint) if isinstance(blueprint, str | Path) else f"a {type(blueprint).__name__}"


def _run(
    problem: Problem, run: Averaged, buckets: "BucketsLike | None", threads: int, progress: Progress
) -> FactoredStrategy:
    """Return the average of a minimiser after some iterations."""
    progress("listing boards", float("inf"))
    tree = boards_of(problem, run.config)
    if buckets is None:
        return run.of(factored_cfr.prepare(tree, run.config, threads), progress)
    tied = bucket_cfr.prepare(buckets_of(tree, buckets, _reporter(progress)), run.config, threads)
    return run.of(tied, progress).expanded()


def _reporter(progress: Progress) -> Report:
    return lambda text: progress(text, float("inf"))


def _check_game(problem: Problem) -> None:
    if problem.poker("a blueprint on boards is of a poker game").locks:
        raise BadInputError(f"subgames are of games without locks, got {problem.game.name}")


def _on_boards(problem: Problem, profile: Profile) -> FactoredStrategy:
    return on_boards(profile, problem.boards(isomorphism=False))


def _uniform(problem: Problem) -> FactoredStrategy:
    """Return the strategy without any weight, which plays every action equally often."""
    tree = problem.boards()
    first, second = (np.zeros(int(base[-1]), np.float32) for base in tree.base)
    return FactoredStrategy(tree, (first, second))


def _nash(problem: Problem, threads: int, progress: Progress) -> FactoredStrategy:
    if choose(problem, None, None, False).method == LP:
        return _on_boards(problem, solve(problem, LP, progress=progress).profile)
    target = 2 * problem.unit_size * NASH_EXPLOITABILITY
    run = solve(
        problem,
        NASH_METHOD,
        form="boards",
        iterations=MOST_NASH_ITERATIONS,
        target=target,
        threads=threads,
        progress=progress,
    )
    assert isinstance(run.strategy, FactoredStrategy)
    return run.strategy


BucketsLike: TypeAlias = "str | Path | pd.DataFrame"
"""What is taken wherever buckets are: a file's path or a table."""
COLUMNS = ["board", "hand", "bucket"]
BUCKET_SUFFIXES: Mapping[str, str] = {".csv": "csv", ".parquet": "parquet"}
WHAT = "a table of buckets"
Texts = NDArray[np.object_]


def buckets_of(tree: FactoredTree, table: BucketsLike, report: Report = quiet) -> BucketTree:
    """Return the buckets that a table says hands are in, on the boards of a tree.

    Parameters
    ----------
    tree : FactoredTree
    table : str, Path or DataFrame
        A row for each hand on a board: ``board`` as in infosets' keys (``AsKsQs2c``, empty before any card),
        ``hand`` by its cards in any order (``AhKd``), ``bucket`` any text or number. Of boards that suits
        alone tell apart one is enough. On boards that are not listed every hand learns by itself; on those
        that are, each live hand of either range must have one row. Both players have the same buckets.
    report : callable, optional
        Told a few times a second how many boards are done.

    Raises
    ------
    ValueError
        If the table cannot be read or lacks a column, a board or a hand is none of the game or not live, has
        no row or two, the game hides suits, two boards that suits alone tell apart have different buckets, or
        a permutation of suits that fixes a board does not map buckets to buckets.
    """
    game, name = tree.game, str(table) if isinstance(table, str | Path) else "the table"
    check_suits(game)
    rows = read_table(Path(table), COLUMNS, BUCKET_SUFFIXES, WHAT) if isinstance(table, str | Path) else table
    if missing := [column for column in COLUMNS if column not in rows.columns]:
        raise BadInputError(
            f"{name}: buckets need columns {', '.join(COLUMNS)}; {', '.join(missing)} missing"
        )
    board, hand, bucket = (np.array([*map(str, rows[column].tolist())], object) for column in COLUMNS)
    labels = tuple(_lossless(tree, player) for player in (0, 1))
    given: dict[int, tuple[str, tuple[Index, Index]]] = {}
    for text, at in reported(_groups(board), report, lambda n: f"buckets of {n:,} boards"):
        try:
            real = _real_board(tree, text)
            own = _bucket_of_hand(game, real, hand[at], bucket[at])
            found = _labels(tree, real, own, 0), _labels(tree, real, own, 1)
            _check_alike(text, found, given.setdefault(real.image, (text, found)))
        except ValueError as error:
            raise BadInputError(complaint(f"{name}: {error}")) from None
        for player, label in enumerate(found):
            labels[player][tree.boards.hands[player].on(real.image)] = label
    return BucketTree.by_board(tree, (labels[0], labels[1]), report)


def _lossless(tree: FactoredTree, player: int) -> Index:
    """Return labels that part all hands."""
    return np.arange(len(tree.boards.hands[player].hand))


def _groups(board: Texts) -> list[tuple[str, Index]]:
    """Return each board's text with its rows."""
    found: dict[str, list[int]] = {}
    for row, text in enumerate(board.tolist()):
        found.setdefault(text, []).append(row)
    return [(text, np.array(rows)) for text, rows in found.items()]


def _real_board(tree: FactoredTree, text: str) -> RealBoard:
    try:
        return boards_to(tree.game, tree.boards, board_cards(tree.game, text))[-1]
    except (KeyError, ValueError):
        raise BadInputError(f"a board must be one of {tree.game.name}, got {shown(text)}") from None


def _bucket_of_hand(game: PokerGame, board: RealBoard, hand: Texts, bucket: Texts) -> dict[Cards, str]:
    """Return the bucket of each hand of a board."""
    found: dict[Cards, str] = {}
    on = game.deck.text(board.cards) or "no board"
    for text, label in zip(hand.tolist(), bucket.tolist(), strict=True):
        try:
            cards = tuple(sorted(game.deck.parse(text)))
        except (KeyError, ValueError):
            cards = ()
        if len({*cards} - {*board.cards}) != game.hole_cards or len(cards) != game.hole_cards:
            raise BadInputError(f"a hand on {on} must be {game.hole_cards} live cards, got {shown(text)}")
        if cards in found:
            raise BadInputError(f"hand {text} on {on} appears twice")
        found[cards] = label
    return found


def _labels(tree: FactoredTree, board: RealBoard, bucket: dict[Cards, str], player: int) -> Index:
    """Return the number of the bucket of each live hand, in the order of the board that stands for it."""
    hands = [tuple(sorted(hand)) for hand in real_hands(tree.boards, player, board).tolist()]
    lacking = next((hand for hand in hands if hand not in bucket), None)
    if lacking is not None:
        text = tree.game.deck.text
        raise BadInputError(f"hand {text(lacking)} on {text(board.cards) or 'no board'} has no row")
    if not hands:
        return np.zeros(0, np.int64)
    _, label = np.unique([bucket[hand] for hand in hands], return_inverse=True)
    return label.astype(np.int64)


def _check_alike(text: str, found: tuple[Index, Index], before: tuple[str, tuple[Index, Index]]) -> None:
    """Refuse two boards that suits alone tell apart with different buckets."""
    for label, other in zip(found, before[1], strict=True):
        n_pairs = len(np.unique(np.stack([label, other]), axis=1).T)
        if len(label) and n_pairs > min(label.max(), other.max()) + 1:
            raise BadInputError(
                f"boards {before[0]} and {text} are one but for suits, and their buckets differ"
            )
