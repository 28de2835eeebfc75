"""Certificates of strategies from any source, and where these lose.

Blueprints are judged by exact best responses where these fit into memory, else by a local best response.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import numpy as np

from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy, on_boards
from treeplex.core.loading import GameLike, load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result
from treeplex.core.strategy import certificate_of
from treeplex.core.table_facts import BoardCounts, TableBytes
from treeplex.files.abstraction_file import CardAbstractionLike
from treeplex.files.completion import check_unused
from treeplex.files.split_store import RecordedRun
from treeplex.files.store_folder import is_store
from treeplex.files.strategies import StrategyLike, blueprint_of, strategy_of
from treeplex.games.base.errors import BadInputError, NotSolvedError
from treeplex.games.base.parameters import check_integer, check_kind
from treeplex.process.compilation import working_seconds
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.certify import losses as costing
from treeplex.seqform.certify import repairs as repairing
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.certify.losses import MOST, Losses
from treeplex.seqform.certify.repairs import Repairs
from treeplex.seqform.certify.split_certificate import certify_split
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.choice import walked_or_public
from treeplex.solving.linear_program import VALUED_SEQUENCES, solve_best
from treeplex.solving.on_boards import blueprint_tree, bounded


def check(
    game: GameLike,
    strategy: StrategyLike,
    *,
    missing: str = "error",
    exact: bool = False,
    abstraction: CardAbstractionLike | None = None,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> Result:
    """Certify a strategy from any source by best responses.

    Tables are judged by best responses on the sequence form, strategies on betting times boards on every
    real board. On games small enough to be solved at once, tables are also measured against the proved value.
    Where a blueprint is of a game too large for that, nothing is certified, and the result has
    :class:`LowerBounds` by a local best response.

    Parameters
    ----------
    game : str, Path, Game or Problem
    strategy : path, DataFrame, mapping, Strategy or Result
        A file that :func:`treeplex.read` takes, the folder of a split run, a table with its columns,
        ``{(player, infoset): {action: probability}}``, or a strategy or result of this game in any numbering.
    missing : {"error", "uniform"}
        What becomes of infosets without rows. How many were completed is in the result's ``parameters``.
    exact : bool
        Compute the certificate in exact arithmetic; for tables.
    abstraction : CardAbstraction or path, optional
        For the file of a sampled blueprint, which holds none: the card abstraction that it was sampled in.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional
        Called with what is being done while the game is made ready.

    Raises
    ------
    TypeError
        If the strategy is none of these, or ``exact`` is no bool.
    ValueError
        If the game or the strategy is not what it must be, or plays something else than what is locked.

    Examples
    --------
    >>> import treeplex as tp
    >>> pennies = {(0, "start"): {"r0": 3 / 4, "r1": 1 / 4}, (1, "?"): {"c0": 1 / 2, "c1": 1 / 2}}
    >>> tp.check("matrix_game(payoff=[[1,-1],[-1,1]])", pennies, exact=True).nash_conv
    0.5
    """
    check_kind("exact", exact, bool, "true or false")
    problem = load(game, bets=bets, raises=raises, progress=progress)
    if isinstance(strategy, str | Path) and is_store(strategy):
        if abstraction is not None:
            raise BadInputError(f"an abstraction is for a sampled blueprint, got the store {strategy}")
        return _store(problem, strategy, missing, exact)
    blueprint = blueprint_of(problem, strategy, abstraction)
    if blueprint is not None:
        return _blueprint(problem, blueprint, missing, exact)
    completed = strategy_of(problem, strategy, missing)
    if isinstance(completed.strategy, FactoredStrategy):
        return _on_boards(problem, completed.strategy, exact)
    parameters = {"exact": exact, "missing": missing, **completed.counts}
    clock = working_seconds()
    certificate = certificate_of(problem, completed.strategy, exact=exact)
    seconds = working_seconds() - clock
    return Result(
        **problem.facts,
        form=walked_or_public(problem),
        method="file",
        status="certified",
        strategy=problem.complete(problem.played(completed.strategy)),
        certificate=certificate,
        reference=_value(problem),
        seconds=seconds,
        n_infosets=sum(problem.form.n_infosets),
        parameters=MappingProxyType(parameters),
    )


def _blueprint(problem: Problem, blueprint: BlueprintStrategy, missing: str, exact: bool) -> Result:
    """Judge a blueprint as a strategy on boards where it fits, else bound what it loses from below."""
    check_unused(missing, "a blueprint")
    if exact:
        raise BadInputError("exact certificates are for tables, got a blueprint")
    strategy = expanded(problem, blueprint)
    return checked_by_bounds(problem, blueprint) if strategy is None else _on_boards(problem, strategy, exact)


def _store(problem: Problem, path: str | Path, missing: str, exact: bool) -> Result:
    """Judge the strategy of a split run from its files, flop by flop."""
    check_unused(missing, "a store")
    if exact:
        raise BadInputError("exact certificates are for tables, got a store of a strategy on boards")
    run = RecordedRun.of(path)
    run.check_game(problem.game)
    strategy, clock = run.strategy(), working_seconds()
    certificate = certify_split(strategy.split, strategy, report=problem.report)
    return Result(
        **problem.facts,
        form="split",
        method="file",
        status="certified",
        strategy=strategy,
        certificate=certificate,
        iterations=run.iterations,
        n_infosets=sum(problem.sizes.infosets),
        seconds=working_seconds() - clock,
        facts=(BoardCounts(None, certificate.n_boards), TableBytes(run.folder.n_bytes(), "int32")),
    )


def _on_boards(problem: Problem, strategy: FactoredStrategy, exact: bool) -> Result:
    clock = working_seconds()
    certificate = certificate_of(problem, strategy, exact=exact)
    seconds = working_seconds() - clock
    dtype = strategy.weight[0].dtype
    storage = "int16" if dtype == np.uint16 else str(dtype)
    return Result(
        **problem.facts,
        form="boards",
        strategy=strategy,
        certificate=certificate,
        method="file",
        status="certified",
        seconds=seconds,
        n_infosets=sum(problem.sizes.infosets),
        facts=(
            BoardCounts(strategy.tree.boards.n_boards, certificate.n_boards),
            TableBytes(sum(table.nbytes for table in strategy.weight), storage),
        ),
    )


def _value(problem: Problem) -> Certificate | None:
    """Return a proof of the exact value of a game that is solved in a moment."""
    if sum(problem.small.form.n_sequences) > VALUED_SEQUENCES:
        return None
    try:
        return solve_best(problem).certificate
    except NotSolvedError:
        return None


SEED = 0
"""Of the hands that a local best response plays."""


def expanded(problem: Problem, blueprint: BlueprintStrategy) -> FactoredStrategy | None:
    """Return a blueprint hand by hand on boards; None where that does not fit into memory."""
    tree = blueprint_tree(problem, blueprint.layout)
    return None if tree is None else on_boards(tree, blueprint).expanded()


def checked_by_bounds(problem: Problem, blueprint: BlueprintStrategy) -> Result:
    """Return what a local best response wins from a blueprint; nothing is certified."""
    clock = working_seconds()
    bounds = bounded(problem, blueprint, SEED)
    return Result(
        **problem.facts,
        form="buckets",
        method="file",
        status="not certified",
        strategy=blueprint,
        certificate=None,
        seconds=working_seconds() - clock,
        n_infosets=sum(problem.sizes.infosets),
        seed=SEED,
        facts=(*bounds, TableBytes(blueprint.total.nbytes)),
    )


def losses(
    game: GameLike,
    strategy: StrategyLike,
    *,
    missing: str = "error",
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> Losses:
    """Return what each infoset's behaviour in a strategy costs its player, the largest first.

    A player's losses sum to what the player gains by a best response; infosets that cost nothing are left
    out. Where hands are locked they are those of the game that is played.

    Parameters
    ----------
    game : str, Path, Game or Problem
    strategy : path, DataFrame, mapping, Strategy or Result
        As for :func:`treeplex.check`.
    missing : {"error", "uniform"}
        What becomes of infosets without rows.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional
        Called with what is being done while the game is made ready.

    Raises
    ------
    TypeError
        If the strategy is none of these.
    ValueError
        If the game or the strategy is not what it must be, or the strategy is on boards.

    Examples
    --------
    >>> import treeplex as tp
    >>> print(losses("kuhn_poker", tp.solve("kuhn_poker", "cfr", iterations=2))[0])
    player 0 at 'J:' loses 0.229: c 0.312, r 0.688; best c
    """
    problem, profile = _table(load(game, bets=bets, raises=raises, progress=progress), strategy, missing)
    return Losses(costing.losses(problem.form, profile), problem.game.unit)


def repairs(
    game: GameLike,
    strategy: StrategyLike,
    *,
    most: int = MOST,
    missing: str = "error",
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
) -> Repairs:
    """Return at which infosets a strategy is mistaken: where NashConv falls most if one alone is replaced.

    Where a strategy differs from an optimum at one infoset alone, that one has the largest repair: all of
    NashConv.

    Parameters
    ----------
    game, strategy, missing, bets, raises, progress
        As for :func:`losses`.
    most : int
        How many infosets; where fewer have a repair, the largest losses follow.

    Raises
    ------
    TypeError, ValueError
        As :func:`losses`, and if ``most`` is below 1.

    Examples
    --------
    >>> import treeplex as tp
    >>> optimum = tp.solve("kuhn_poker").profile.table()
    >>> optimum.loc[(optimum.player == 1) & (optimum.infoset == "J:r"), "probability"] = 0.5
    >>> print(repairs("kuhn_poker", optimum)[0])
    player 1 at 'J:r' repairs 0.111: f 0.5, c 0.5; instead f 1
    """
    check_integer("most", most, 1)
    problem, profile = _table(load(game, bets=bets, raises=raises, progress=progress), strategy, missing)
    progress("searching for repairs", float("inf"))
    return Repairs(repairing.repairs(problem.form, profile, most), problem.game.unit)


def _table(problem: Problem, strategy: StrategyLike, missing: str) -> tuple[Problem, Profile]:
    """Return a strategy as a profile of the form that is judged; refuse one on boards."""
    on_boards = isinstance(strategy, SplitStrategy)
    completed = None if on_boards else strategy_of(problem, strategy, missing).strategy
    if not isinstance(completed, Profile):
        raise BadInputError("losses and repairs are of tables, got a strategy on boards")
    return problem, problem.played(completed)
