"""``treeplex.solve``: options checked, method and form chosen, the result certified.

Options are checked before a game is loaded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from numbers import Integral, Real
from pathlib import Path
from types import MappingProxyType
from typing import Unpack

from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.sequences.warm_start import WarmStart
from treeplex.cfr.variant import VARIANTS, Variant
from treeplex.core.loading import GameLike, load, path_of, unwalked
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result
from treeplex.files.abstraction_file import read_abstraction
from treeplex.files.checkpoint import SUFFIXES, CheckpointFile, identity_of
from treeplex.files.completion import check_missing, check_unused
from treeplex.files.outputs import check_apart, check_file
from treeplex.files.run_loop import AT_THE_END, FOR_TARGETS, FOR_TRACES, narrower_than
from treeplex.files.state_arrays import LARGE, is_compressed, largest_checkpoint, size_text
from treeplex.files.strategies import StrategyLike, completion, profile_on
from treeplex.games.base.parameters import check_kind
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import Target
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.programs.highs import SOLVERS
from treeplex.solving.choice import LP, Choice, choose
from treeplex.solving.engines import AnyEngine, boards_of, is_certified, prepare
from treeplex.solving.linear_program import solve_program
from treeplex.solving.methods import FORMS, METHODS, Choices, Form, check_choices, chosen, config_of
from treeplex.solving.minimiser import run_minimiser
from treeplex.solving.split_result import check_split, solve_split, split_options

CFR_WIDTH = 1e-4
"""Default width of certificates of minimisers on trees, in parts of the game's scale."""
BOARDS_EXPLOITABILITY = 1e-3
"""Default exploitability of minimisers on boards, in pots, big blinds or largest stakes."""
MOST_ITERATIONS, MOST_ON_BOARDS = 200_000, 100_000
"""Default limits on iterations on trees and on boards."""
BUCKET_ITERATIONS, BLUEPRINT_ITERATIONS = 1000, 1_000_000
"""Default numbers of iterations on buckets, of full width and sampled."""
WARM_ITERATIONS = 1000
"""Default number of iterations that a warm start counts as."""


def solve(
    game: GameLike,
    method: str | None = None,
    *,
    form: str | None = None,
    solver: str = "auto",
    exact: bool = False,
    iterations: int | None = None,
    target: float | None = None,
    warm_start: StrategyLike | None = None,
    warm_iterations: int | None = None,
    missing: str = "error",
    traced: bool = False,
    checkpoint: str | Path | None = None,
    bets: str | None = None,
    raises: str | None = None,
    progress: Progress = silent,
    announce: Callable[[Choice], None] | None = None,
    warn: Callable[[str], None] | None = None,
    **choices: Unpack[Choices],
) -> Result:
    """Solve a game and prove how well.

    Parameters
    ----------
    game : str, Path, Game or Problem
        A spec such as ``leduc_poker(ranks=5)``, a file's path, or any game.
    method : str, optional
        ``lp``, the sequence-form linear program, or one of ``solving.methods.METHODS``. Unless given:
        the linear program where it is quick and nothing is asked for that only minimisers have, else CFR+,
        or discounted CFR on boards.
    form : {"tree", "public", "boards", "split", "buckets", "table"}, optional
        Where the method runs: the sequence form of the histories; the public tree, all hands of a board at
        once; betting times boards; the same split into a trunk and subgames, with a store of tables; with
        hands in the buckets of a card abstraction; infosets met by sampling, in a hash table. Chosen by size
        unless given, ``buckets`` if an abstraction is and ``split`` if a store is; the result's ``why`` says
        why.
    solver : {"auto", "simplex", "ipm", "hipo"}
        For ``lp``. ``auto`` picks by size and shape, and guides the programs of large rivers by CFR+.
    exact : bool
        Compute the certificate in exact arithmetic; with ``lp`` also the exact rational optimum.
    iterations : int, optional
        For regret minimisers: how many in all; with a target, at most how many.
    target : float, optional
        NashConv to reach, in the game's unit. Without it the linear program's certificate is at most 1e-6 of
        the game's scale wide (:class:`treeplex.seqform.certify.certificate.GameScale`: the pot, or about the
        value). Without a target or iterations, minimisers on the tree and the public tree are to make it 1e-4
        of the scale, and on boards exploitability a thousandth of the pot or of the big blind (of the largest
        stake where there is neither). On buckets a run ends after its iterations, ``BUCKET_ITERATIONS``
        unless given: below the price of the abstraction exploitability does not fall.
    warm_start : path, DataFrame, mapping, Strategy or Result, optional
        For full-width regret minimisers on the tree: a strategy to go on from as if it were the average of
        ``warm_iterations``. These count as done, beside those asked for.
    warm_iterations : int
        At least 1; 1,000 unless given.
    missing : {"error", "uniform"}
        What becomes of infosets without rows in a strategy to go on from.
    traced : bool
        For regret minimisers: certify after 1, 2, 3, ... iterations, then more sparsely, for the trace.
    checkpoint : str or Path, optional
        For regret minimisers: an .npz file in which the run is kept, and from which it goes on if the file
        is there; the outcome has the same bits as that of a run which never stopped.
    bets, raises : str, optional
        Bet sizes of a Libratus endgame, such as ``0.5,1,a``.
    progress : callable, optional
        Called with the stage and the width proved so far.
    announce : callable, optional
        Called with the method, its form and why, before it runs; what it raises ends the call.
    warn : callable, optional
        Called before a run with what it will leave behind: how large its checkpoint may become, if that is
        over 100 MiB.
    **choices
        For regret minimisers: see :class:`treeplex.solving.methods.Choices`. With ``abstraction``, a
        :class:`CardAbstraction` or the path of its file, hands of one bucket play alike; what is certified is
        still the real game.

    Returns
    -------
    Result
        The strategy of both players, and its certificate: an interval that is proved to hold the value.

    Raises
    ------
    ValueError
        If the game, the method, the form or an option is not what it must be.
    treeplex.seqform.programs.lp_solution.NotSolvedError
        If the linear program's certificate is wider than the target.
    treeplex.seqform.programs.rational_optimum.NotExactError
        If no basis was optimal in exact arithmetic.

    Examples
    --------
    >>> import treeplex as tp
    >>> tp.solve("kuhn_poker", exact=True)
    Result(kuhn_poker: lp, -1/18 chips, exact)
    >>> run = tp.solve("kuhn_poker", "cfr+", target=1e-3)
    >>> run.is_met, run.lower <= -1 / 18 <= run.upper
    (True, True)
    """
    where = check_options(method, form, solver, iterations, target, checkpoint)
    abstraction = choices.get("abstraction")
    on: Form | None = _form_of(choices) if where is None else where
    check_warm_start(method, on, warm_start, warm_iterations, missing)
    start, buckets = (one if isinstance(one, str | Path) else None for one in (warm_start, abstraction))
    read = {"warm_start": start, "abstraction": buckets}
    check_apart({"checkpoint": checkpoint}, {"the game": path_of(game), **read})
    run = {
        "iterations": iterations,
        "a trace": traced or None,
        "checkpoint": checkpoint,
        "warm_start": warm_start,
    }
    minimiser_options = {**chosen(choices), **{key: value for key, value in run.items() if value is not None}}
    if unknown := choices.keys() - Choices.__annotations__.keys():
        raise TypeError(f"solve has no option {', '.join(sorted(unknown))}")
    if on == "split":
        check_split(choices, checkpoint)
    if method == LP:
        refuse_with_lp(minimiser_options)
    elif method is not None:
        check_choices(method, choices, on)
    given = chosen(choices)
    if isinstance(abstraction, str | Path):  # read at once, so that a bad file is known before a game is made
        choices["abstraction"] = read_abstraction(abstraction)
    # What runs on a hash table may be too large to be walked.
    make = unwalked if where == "table" else load
    problem = make(game, bets=bets, raises=raises, progress=progress)
    if warm_start is None:
        choice = choose(problem, method, where, bool(minimiser_options), choices)
    else:
        choice = Choice(method or "cfr+", "tree", "a warm start is for full-width minimisers on the tree")
    if announce is not None:
        announce(choice)
    if choice.method == LP:
        result = solve_program(problem, solver, exact=exact, target=target, progress=progress)
        parameters: dict[str, object] = {}
    else:
        if solver != "auto":
            raise ValueError(f"solver is for lp, got {solver!r} with {choice.method}: {choice.why}")
        warm, parameters = _warm(problem, warm_start, warm_iterations, missing)
        limits = Limits(iterations, target, traced, checkpoint)
        result = _minimise(problem, choice, choices, warm, limits, exact, progress, warn)
    strategy = result.strategy
    if isinstance(strategy, Profile):
        strategy = problem.complete(strategy)
    parameters |= {
        "solver": solver,
        "exact": exact,
        "iterations": iterations,
        "target": target,
        **given,
    }
    return replace(result, strategy=strategy, why=choice.why, parameters=MappingProxyType(parameters))


def _form_of(choices: Choices) -> Form | None:
    """Return the form that an option is for."""
    if choices.get("abstraction") is not None:
        return "buckets"
    return "split" if choices.get("store") is not None else None


@dataclass(frozen=True)
class Limits:
    """Iterations, target, trace and checkpoint of a run, as in :func:`solve`."""

    iterations: int | None
    target: float | None
    traced: bool
    checkpoint: str | Path | None


def _minimise(
    problem: Problem,
    choice: Choice,
    choices: Choices,
    warm: tuple[Profile, int] | None,
    limits: Limits,
    exact: bool,
    progress: Progress,
    warn: Callable[[str], None] | None,
) -> Result:
    method, form = choice.method, choice.form
    config = config_of(method, choices, form)
    if warm is not None and isinstance(config, Variant):
        config = WarmStart(config, *warm)
    if form == "table" and limits.iterations is None:
        raise ValueError(f"{method} on a hash table needs a number of iterations: nothing certifies it")
    if form == "table" and limits.target is not None:
        raise ValueError(f"a target is for what can be certified, got {limits.target:g} on a hash table")
    if form == "table" and limits.traced:
        raise ValueError(f"a trace is of certificates, and nothing certifies {method} on a hash table")
    if exact and form in ("boards", "split", "buckets", "table"):
        raise ValueError(f"exact certificates are for strategies on trees, got the form {form}")
    if form in ("boards", "buckets"):
        progress("listing boards", float("inf"))
    if form == "split":
        assert isinstance(config, FactoredConfig)
        return _on_split(problem, config, choices, limits, progress, warn)
    engine = prepare(problem, config, form, choices)
    if form == "buckets" and not is_certified(engine, form):
        _check_uncertified(problem, limits)
    target = _target(problem, form, limits)
    most = {"boards": MOST_ON_BOARDS, "buckets": BUCKET_ITERATIONS}.get(form, MOST_ITERATIONS)
    if isinstance(config, BlueprintConfig):
        most = BLUEPRINT_ITERATIONS
    last = (0 if warm is None else warm[1]) + (limits.iterations or most)
    if limits.checkpoint is not None and warn is not None:
        _warn_of_size(problem, engine, form, last, limits.checkpoint, warn)
    result = run_minimiser(
        problem,
        method,
        engine,
        form,
        last,
        narrower_than(target),
        exact=exact,
        progress=progress,
        checks=FOR_TRACES if limits.traced else AT_THE_END if target is None else FOR_TARGETS,
        checkpoint=_checkpoint(problem, choice, engine.config, choices, limits.checkpoint),
    )
    storage = config.storage if isinstance(config, FactoredConfig) and form == "boards" else None
    result = replace(result, seed=getattr(config, "seed", None), storage=storage)
    return result if target is None else _judged(result, target.allowed(result.proof))


def _on_split(
    problem: Problem,
    config: FactoredConfig,
    choices: Choices,
    limits: Limits,
    progress: Progress,
    warn: Callable[[str], None] | None,
) -> Result:
    """Solve a game split into a trunk and subgames."""
    target = _target(problem, "split", limits)
    result = solve_split(
        problem,
        config,
        split_options(choices),
        limits.iterations or MOST_ON_BOARDS,
        narrower_than(target),
        checks=FOR_TRACES if limits.traced else AT_THE_END if target is None else FOR_TARGETS,
        progress=progress,
        warn=warn,
    )
    return result if target is None else _judged(result, target.allowed(result.proof))


def _check_uncertified(problem: Problem, limits: Limits) -> None:
    """Refuse what needs certificates where a game is too large for them."""
    for what, given in (("a target", limits.target), ("a trace", limits.traced or None)):
        if given is not None:
            raise ValueError(f"{what} needs certificates, for which {problem.game.name} is too large")


def _warn_of_size(
    problem: Problem,
    engine: AnyEngine,
    form: Form,
    iterations: int,
    path: str | Path,
    warn: Callable[[str], None],
) -> None:
    """Say how large a checkpoint may become, if it is large."""
    grows = form == "table"
    n_infosets = sum(problem.sizes.infosets) if grows and isinstance(problem.game, PokerGame) else 0
    size = largest_checkpoint(engine, iterations, n_infosets)
    if size > LARGE:
        warn(size_text(path, size, at_most=grows or is_compressed(engine.start())))


def _target(problem: Problem, form: Form, limits: Limits) -> Target | None:
    """Return the NashConv at which a run ends; None where only iterations end it."""
    if limits.target is not None:
        return Target(limits.target)
    if limits.iterations is not None or form in ("buckets", "table"):
        return None
    if form in ("boards", "split"):
        return Target(2 * problem.unit_size * BOARDS_EXPLOITABILITY)
    return Target(CFR_WIDTH, problem.scale)


def _judged(result: Result, target: float) -> Result:
    """Return a result with the width that was asked of it; its status says if that is missed."""
    judged = replace(result, target=target)
    return judged if judged.is_met else replace(judged, status=f"{result.status}, target missed")


def _checkpoint(
    problem: Problem, choice: Choice, config: object, choices: Choices, path: str | Path | None
) -> CheckpointFile | None:
    if path is None:
        return None
    if choice.form == "table" and not isinstance(problem.game, PokerGame):
        raise ValueError(f"checkpoints of hash tables are for poker games, got {problem.game.name}")
    where: str = choice.form
    if isinstance(config, FactoredConfig) and choice.form == "boards":
        where = f"{boards_of(problem, config, choices).boards.n_boards:,} boards"
    form = None if isinstance(problem.game, PokerGame) else problem.form
    return CheckpointFile(Path(path), identity_of(problem.game, choice.method, where, config, form))


def _warm(
    problem: Problem, strategy: StrategyLike | None, iterations: int | None, missing: str
) -> tuple[tuple[Profile, int] | None, dict[str, object]]:
    """Return a profile to go on from and how many iterations it stands for; and what results say of it."""
    if strategy is None:
        return None, {}
    completed = profile_on(problem.game, problem.whole, strategy, missing, completion(problem))
    stands_for = iterations or WARM_ITERATIONS
    parameters = {"missing": missing, "warm_iterations": stands_for, **completed.counts}
    return (problem.played(completed.strategy), stands_for), parameters


def check_options(
    method: str | None,
    form: str | None,
    solver: str,
    iterations: int | None,
    target: float | None,
    checkpoint: str | Path | None,
) -> Form | None:
    """Refuse bad options before a game is loaded for them; return the form."""
    if method is not None and method not in (LP, *METHODS):
        raise ValueError(f"method must be one of {', '.join((LP, *METHODS))}, got {method!r}")
    if form is not None and form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, got {form!r}")
    if solver not in ("auto", *SOLVERS):
        raise ValueError(f"solver must be one of auto, {', '.join(SOLVERS)}, got {solver!r}")
    if method not in (None, LP) and solver != "auto":
        raise ValueError(f"solver is for lp, got {solver!r} with {method}")
    if iterations is not None:
        check_kind("iterations", iterations, Integral, "an integer")
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations must be at least 1, got {iterations}")
    if target is not None:
        check_target(target)
    if checkpoint is not None:
        check_file(checkpoint, SUFFIXES, "a checkpoint")
    return form


def check_target(target: float) -> None:
    """Refuse a NashConv that no strategy can be held to."""
    check_kind("target", target, Real, "a number")
    if not 0 < target < math.inf:
        raise ValueError(f"target must be a NashConv above 0 and finite, got {target}")


def check_warm_start(
    method: str | None,
    form: str | None,
    strategy: StrategyLike | None,
    iterations: int | None,
    missing: str,
) -> None:
    """Refuse options of warm starts that do not go together, or with the method."""
    check_missing(missing)
    if strategy is None:
        check_unused(missing, "no warm start")
        if iterations is not None:
            raise ValueError(f"warm_iterations are for a warm start, got {iterations} without one")
        return
    if iterations is not None and iterations < 1:
        raise ValueError(f"warm_iterations must be at least 1, got {iterations}")
    if method is not None and method not in VARIANTS:
        raise ValueError(f"a warm start is for {', '.join(VARIANTS)}, got {method}")
    if form not in (None, "tree"):
        raise ValueError(f"a warm start is for the tree, got the form {form}")


def refuse_with_lp(minimiser_options: Iterable[str]) -> None:
    """Refuse options of regret minimisers where the method is the linear program."""
    for key in minimiser_options:
        verb = "are" if key.endswith("s") else "is"
        raise ValueError(f"{key} {verb} for regret minimisers, got method lp")
