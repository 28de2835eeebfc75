"""``treeplex.solve``: options checked, method and form chosen, the result certified.

Options are checked before a game is loaded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from treeplex.cfr.local_rule import LocalRule, name_of
from treeplex.cfr.variant import PLANNED, VARIANTS, variant_named
from treeplex.core.loading import GameLike, load, path_of, unwalked
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result
from treeplex.files.abstraction_file import read_abstraction
from treeplex.files.checkpoint import SUFFIXES
from treeplex.files.completion import check_missing, check_unused
from treeplex.files.outputs import check_apart, check_file
from treeplex.files.strategies import StrategyLike, completion, profile_on
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, check_kind
from treeplex.games.base.reading import shown
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.programs.highs import SOLVERS
from treeplex.solving.choice import LP, Choice, choose
from treeplex.solving.form import Limits
from treeplex.solving.linear_program import solve_program
from treeplex.solving.methods import FORMS, check_given, check_method, form_chosen, known_options, options_of
from treeplex.solving.options import plain

WARM_ITERATIONS = 1000
"""Default number of iterations that a warm start counts as."""


def solve(
    game: GameLike,
    method: str | LocalRule | None = None,
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
    **options: Any,
) -> Result:
    """Solve a game and prove how well.

    Parameters
    ----------
    game : str, Path, Game or Problem
        A spec such as ``leduc_poker(ranks=5)``, a file's path, or any game.
    method : str or LocalRule, optional
        ``lp``, the sequence-form linear program, one that :func:`treeplex.methods` lists, or a rule of your
        own, as an object that has a name in its module or as ``module:name``. Unless given:
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
        stake where there is neither). On buckets a run ends after its iterations, 1,000 or, where it samples,
        a million unless given: below the price of the abstraction exploitability does not fall.
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
    **options
        For regret minimisers: what the method has on the form, as :func:`treeplex.methods` lists it. With
        ``abstraction``, a :class:`CardAbstraction` or the path of its file, hands of one bucket play alike;
        what is certified is still the real game.

    Returns
    -------
    Result
        The strategy of both players, and its certificate: an interval that is proved to hold the value.

    Raises
    ------
    TypeError
        If ``iterations``, ``target``, ``exact`` or ``traced`` is of another kind.
    ValueError
        If the game, the method, the form or an option is not what it must be.
    treeplex.games.base.errors.NotSolvedError
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
    method = None if method is None else name_of(method)
    check_options(method, form, solver, iterations, target, checkpoint)
    for name, flag in (("exact", exact), ("traced", traced)):
        check_kind(name, flag, bool, "true or false")
    # Numbers of numpy are kept as Python's own, as JSON has them.
    options = {name: plain(one) for name, one in options.items()}
    iterations, warm_iterations = plain(iterations), plain(warm_iterations)
    target = None if target is None else float(target)
    given = {name: value for name, value in options.items() if value is not None}
    if unknown := options.keys() - known_options():
        raise TypeError(f"solve has no option {', '.join(sorted(unknown))}; see treeplex methods")
    on = form or form_chosen(given)
    check_warm_start(method, on, warm_start, warm_iterations, missing)
    read = {"warm_start": warm_start, "abstraction": given.get("abstraction")}
    paths = {what: one if isinstance(one, str | Path) else None for what, one in read.items()}
    check_apart({"checkpoint": checkpoint}, {"the game": path_of(game), **paths})
    limits = Limits(iterations, target, traced, checkpoint, exact)
    begun = 0 if warm_start is None else warm_iterations or WARM_ITERATIONS
    given |= planned(method, given, limits, begun)
    run = {
        "iterations": iterations,
        "a trace": traced or None,
        "checkpoint": checkpoint,
        "warm_start": warm_start,
    }
    minimiser_options = {**given, **{key: value for key, value in run.items() if value is not None}}
    if method == LP:
        refuse_with_lp(minimiser_options)
    elif method is not None or (on is not None and FORMS[on].needs is not None):
        check_given(method or "cfr+", on, given, limits)
    if isinstance(given.get("abstraction"), str | Path):  # a bad file is known before a game is made
        given["abstraction"] = read_abstraction(options["abstraction"])
    # What runs on a hash table may be too large to be walked.
    make = unwalked if form == "table" else load
    problem = make(game, bets=bets, raises=raises, progress=progress)
    if warm_start is None:
        choice = choose(problem, method, form, bool(minimiser_options), given)
    else:
        choice = Choice(method or "cfr+", "tree", "a warm start is for full-width minimisers on the tree")
    if announce is not None:
        announce(choice)
    parameters: dict[str, object] = {}
    if choice.method == LP:
        result = solve_program(problem, solver, exact=exact, target=target, progress=progress)
    else:
        if solver != "auto":
            raise BadInputError(f"solver is for lp, got {solver!r} with {choice.method}: {choice.why}")
        warm, parameters = _warm(problem, warm_start, warm_iterations, missing)
        chosen = options_of(choice.method, choice.form, given)
        FORMS[choice.form].check(choice.method, chosen, limits)
        limits = replace(limits, warm=warm)
        result = FORMS[choice.form].solve(problem, choice.method, chosen, limits, progress, warn)
    strategy = result.strategy
    if isinstance(strategy, Profile):
        strategy = problem.complete(strategy)
    told = {name: value for name, value in options.items() if value is not None}
    parameters |= {"solver": solver, "exact": exact, "iterations": iterations, "target": target, **told}
    return replace(result, strategy=strategy, why=choice.why, parameters=MappingProxyType(parameters))


def planned(
    method: str | None, given: Mapping[str, object], limits: Limits, begun: int = 0
) -> dict[str, object]:
    """Return the planned iterations of a rule that depends on them: those of the run unless given.

    A run that begins as if after ``begun`` iterations has these too.

    Raises
    ------
    ValueError
        If they are not given and something else may end the run.
    """
    if method not in PLANNED or "horizon" in given:
        return {}
    if not variant_named(method, average=cast("str | None", given.get("average"))).is_planned:
        return {}
    if limits.iterations is None or limits.target is not None:
        raise BadInputError(
            f"{method} plans its iterations: horizon must say how many unless iterations alone end it"
        )
    return {"horizon": begun + limits.iterations}


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
) -> None:
    """Refuse bad options before a game is loaded for them; raises ``ValueError``."""
    if method is not None:
        check_method(method, LP)
    check_kind("form", form, str | None, "a name")
    if form is not None and form not in FORMS:
        raise BadInputError(f"form must be one of {', '.join(FORMS)}, got {form!r}")
    if solver not in ("auto", *SOLVERS):
        raise BadInputError(f"solver must be one of auto, {', '.join(SOLVERS)}, got {solver!r}")
    if method not in (None, LP) and solver != "auto":
        raise BadInputError(f"solver is for lp, got {solver!r} with {method}")
    if iterations is not None:
        check_kind("iterations", iterations, Integral, "an integer")
        if isinstance(iterations, bool) or iterations < 1:
            raise BadInputError(f"iterations must be at least 1, got {iterations}")
    if target is not None:
        check_target(target)
    if checkpoint is not None:
        check_file(checkpoint, SUFFIXES, "a checkpoint")


def check_target(target: float) -> None:
    """Refuse a NashConv that no strategy can be held to."""
    check_kind("target", target, Real, "a number")
    try:
        number = float(target)
    except OverflowError:
        number = math.inf
    if isinstance(target, bool) or not 0.0 < number < math.inf:
        raise BadInputError(f"target must be a NashConv above 0 and finite, got {shown(target)}")


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
            raise BadInputError(f"warm_iterations are for a warm start, got {iterations} without one")
        return
    if iterations is not None:
        check_integer("warm_iterations", iterations, 1)
    if method is not None and method not in VARIANTS:
        raise BadInputError(f"a warm start is for {', '.join(VARIANTS)}, got {method}")
    if form not in (None, "tree"):
        raise BadInputError(f"a warm start is for the tree, got the form {form}")


def refuse_with_lp(minimiser_options: Iterable[str]) -> None:
    """Refuse options of regret minimisers where the method is the linear program."""
    for key in minimiser_options:
        verb = "are" if key.endswith("s") else "is"
        raise BadInputError(f"{key} {verb} for regret minimisers, got method lp")
