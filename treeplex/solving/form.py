"""Forms: where a regret minimiser runs, which methods it has there, and how a run becomes a result.

A form is one file: a subclass of :class:`Form`, and a line in ``methods.py``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite
from pathlib import Path
from typing import Any, ClassVar

from treeplex.cfr.engine import Engine
from treeplex.cfr.local_rule import is_own
from treeplex.cfr.state_checks import MOST
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Facts, Result
from treeplex.files.checkpoint import CheckpointFile, identity_of
from treeplex.files.run_loop import (
    AT_THE_END,
    FOR_TARGETS,
    FOR_TRACES,
    SLICE_SECONDS,
    Checks,
    Run,
    Trace,
    long_enough,
    narrower_than,
    run_engine,
)
from treeplex.files.state_arrays import LARGE, is_compressed, largest_checkpoint, size_text
from treeplex.files.strategies import PROFILE
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import exploitability_text
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import Certificate, Target, certify, certify_exactly
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.options import Options

AnyEngine = Engine[Any, Any]
"""An engine of any state; its averages are strategies of the form that it runs on."""
AnyRun = Run[Any, Any, Any]
CFR_WIDTH = 1e-4
"""Default width of certificates of minimisers on trees, in parts of the game's scale."""
MOST_ITERATIONS = 200_000
"""Default limit on iterations on trees."""
SMALLEST_SPREAD, LARGEST_SPREAD = 1e-120, 1e120
"""Minimisers multiply payoffs by regrets and square them, for which floats must have room."""


@dataclass(frozen=True)
class Limits:
    """What ends a run and what is kept of it, as in :func:`treeplex.solve`."""

    iterations: int | None = None
    target: float | None = None
    traced: bool = False
    checkpoint: str | Path | None = None
    exact: bool = False
    warm: tuple[Profile, int] | None = None
    seconds: float | None = None

    def checks(self, target: Target | None) -> Checks:
        """Return how often a run with these limits and this target is certified."""
        if self.traced:
            return FOR_TRACES
        return AT_THE_END if target is None else FOR_TARGETS


class Form:
    """A form of games on which minimisers run.

    Attributes
    ----------
    name : str
        As in ``--form`` and in results.
    about : str
        What it is, in a sentence.
    options : mapping of str to type of Options
        The methods that run on it, by name, each with its options there.
    own : type of Options, or None
        The options of users' rules; None where these do not run.
    iterations : int
        Default limit on iterations.
    slice_seconds : float
        About how long the engine runs between looks at the clock.
    is_walked : bool
        Whether strategies are profiles, which can be certified in rationals.
    written : {"profile", "boards", "rows"}
        What strategies are to files, as :func:`treeplex.files.strategies.check_strategy_output` takes it.
    needs : pair of str, or None
        The option that chooses this form and must be given with it, and what it is in words.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    options: ClassVar[Mapping[str, type[Options]]]
    own: ClassVar[type[Options] | None] = None
    iterations: ClassVar[int] = MOST_ITERATIONS
    slice_seconds: ClassVar[float] = SLICE_SECONDS
    is_walked: ClassVar[bool] = True
    written: ClassVar[str] = PROFILE
    needs: ClassVar[tuple[str, str] | None] = None

    def kind(self, method: str) -> type[Options] | None:
        """Return the options of a method or of a rule ``module:name``; None if it does not run here."""
        return self.own if is_own(method) else self.options.get(method)

    def config(self, method: str, options: Options) -> Any:
        """Return the engine's config, by which a run is identified; raises ``ValueError``."""
        raise NotImplementedError

    def engine(self, problem: Problem, config: Any, options: Options) -> AnyEngine:
        """Return an engine; its strategies are in the numbering of the problem's form.

        Raises
        ------
        ValueError
            If the config does not run here, or the game has not what it needs.
        treeplex.seqform.trees.game_tree.TooManyHistoriesError
            If the game is too large to be enumerated.
        """
        raise NotImplementedError

    def check(self, method: str, options: Options, limits: Limits) -> None:
        """Refuse values of options before a game is loaded for them; raises ``ValueError``."""
        self.config(method, options)

    def judge(self, problem: Problem, engine: AnyEngine) -> Callable[[Any], Certificate] | None:
        """Return what certifies the engine's strategies; None where nothing can."""
        return partial(certify, problem.form)

    def n_infosets(self, problem: Problem, run: AnyRun) -> int:
        """Return the number of both players' infosets."""
        return sum(problem.form.n_infosets)

    def facts(self, problem: Problem, engine: AnyEngine, run: AnyRun) -> tuple[Facts, ...]:
        """Return what is told of runs on this form beside what is told of all."""
        return ()

    def target(self, problem: Problem) -> Target | None:
        """Return the NashConv at which a run ends unless told; None where only iterations end it."""
        return Target(CFR_WIDTH, problem.scale)

    def most(self, config: Any) -> int:
        """Return the default limit on iterations."""
        return self.iterations

    def longest(self, config: Any) -> int:
        """Return the most iterations that a state holds, at which a run by the clock ends too."""
        return MOST

    def check_limits(self, problem: Problem, method: str, engine: AnyEngine, limits: Limits) -> None:
        """Refuse limits that this form does not have; raises ``ValueError``."""

    def check_exact(self, limits: Limits) -> None:
        """Refuse certificates in rationals where strategies are no profiles; raises ``ValueError``."""
        if limits.exact and not self.is_walked:
            raise BadInputError(f"exact certificates are for strategies on trees, got the form {self.name}")

    def place(self, problem: Problem, config: Any, options: Options) -> str:
        """Return what a checkpoint says of where its run ran."""
        return self.name

    def largest(self, problem: Problem) -> int:
        """Return the most infosets that a state which grows may have; 0 where states do not grow."""
        return 0

    def in_words(self, problem: Problem, progress: Progress) -> Progress:
        """Return a callback that reports widths as users of this form read them."""
        return progress

    def note(self, problem: Problem) -> Callable[[Any], str] | None:
        """Return what is reported of a state beside the number of iterations."""
        return None

    def solve(
        self,
        problem: Problem,
        method: str,
        options: Options,
        limits: Limits,
        progress: Progress,
        warn: Callable[[str], None] | None,
    ) -> Result:
        """Run a method until its limits, from its checkpoint if there is one, and certify its average.

        Raises
        ------
        ValueError
            If something that was asked for is not to be had here.
        """
        self.check_exact(limits)
        config = self.config(method, options)
        if limits.warm is not None:
            config = self.warm(config, limits.warm)
        engine = self.engine(problem, config, options)
        self.check_limits(problem, method, engine, limits)
        target = self.asked(problem, limits)
        most = self.longest(config) if limits.seconds is not None else self.most(config)
        last = (0 if limits.warm is None else limits.warm[1]) + (limits.iterations or most)
        checkpoint = self._checkpoint(problem, method, engine, options, limits.checkpoint)
        if limits.checkpoint is not None and warn is not None:
            size = largest_checkpoint(engine, last, self.largest(problem))
            if size > LARGE:
                at_most = bool(self.largest(problem)) or is_compressed(engine.start())
                warn(size_text(limits.checkpoint, size, at_most=at_most))
        result = run_minimiser(
            problem,
            method,
            engine,
            self,
            last,
            narrower_than(target) if limits.seconds is None else long_enough(limits.seconds),
            exact=limits.exact,
            progress=progress,
            checks=limits.checks(target),
            checkpoint=checkpoint,
        )
        return result if target is None else judged(result, target)

    def warm(self, config: Any, start: tuple[Profile, int]) -> Any:
        """Return the config that goes on from a profile as if it were the average of so many iterations."""
        raise BadInputError(f"a warm start is for the tree, got the form {self.name}")

    def asked(self, problem: Problem, limits: Limits) -> Target | None:
        """Return the NashConv at which a run ends; None where only iterations end it."""
        if limits.target is not None:
            return Target(limits.target)
        ends = limits.iterations is not None or limits.seconds is not None
        return None if ends else self.target(problem)

    def _checkpoint(
        self, problem: Problem, method: str, engine: AnyEngine, options: Options, path: str | Path | None
    ) -> CheckpointFile | None:
        if path is None:
            return None
        form = None if isinstance(problem.game, PokerGame) else problem.form
        where = self.place(problem, engine.config, options)
        return CheckpointFile(Path(path), identity_of(problem.game, method, where, engine.config, form))


def judged(result: Result, asked: Target) -> Result:
    """Return a result with the width that was asked of it; its status says if that is missed."""
    found = replace(result, target=asked.allowed(result.proof))
    return found if found.is_met else replace(found, status=f"{result.status}, target missed")


def run_minimiser(
    problem: Problem,
    method: str,
    engine: AnyEngine,
    form: Form,
    iterations: int,
    enough: Callable[[Trace], bool],
    *,
    exact: bool = False,
    progress: Progress = silent,
    checks: Checks = FOR_TARGETS,
    checkpoint: CheckpointFile | None = None,
) -> Result:
    """Run up to ``iterations`` in all, stopping at the first check after which it is enough.

    Parameters
    ----------
    problem : Problem
    method : str
        What results call it.
    engine : Engine
        As ``form.engine`` returns it.
    form : Form
        Profiles are certified on the sequence form, strategies on boards and by bucket on every real board,
        sampled tables by nothing.
    iterations, enough, progress, checks, checkpoint
        As for :func:`treeplex.files.run_loop.run_engine`.
    exact : bool
        Certify in exact arithmetic; for profiles.

    Raises
    ------
    ValueError
        If the checkpoint is of another run, or has more iterations done.
    """
    run: AnyRun = run_engine(
        method,
        engine,
        iterations,
        form.judge(problem, engine),
        enough=enough,
        checks=checks,
        progress=form.in_words(problem, progress),
        note=form.note(problem),
        checkpoint=checkpoint,
        slice_seconds=form.slice_seconds,
    )
    certificate = certify_exactly(problem.form, run.strategy) if exact else run.certificate
    return Result(
        **problem.facts,
        form=form.name,
        method=method,
        status=run.status,
        strategy=run.strategy,
        certificate=certificate,
        iterations=run.state.iterations,
        seconds=run.seconds,
        n_infosets=form.n_infosets(problem, run),
        seed=getattr(engine.config, "seed", None),
        facts=form.facts(problem, engine, run),
        trace=run.trace,
    )


def as_exploitability(problem: Problem, progress: Progress, word: str = "exploitability") -> Progress:
    """Return a callback that reports exploitability in players' units instead of NashConv."""

    def with_exploitability(stage: str, width: float) -> None:
        shown = exploitability_text(width, problem.pot, problem.big_blind, problem.game.unit)
        progress(f"{stage}, {word} {shown}" if isfinite(width) else stage, inf)

    return with_exploitability


def check_payoffs(problem: Problem) -> None:
    """Refuse payoffs whose products leave the range of floats; raises ``ValueError``."""
    if not is_moderate(problem):
        raise BadInputError(
            f"regret minimisers take games whose payoffs differ by {SMALLEST_SPREAD:g} to "
            f"{LARGEST_SPREAD:g}, got {problem.spread:g}"
        )


def is_moderate(problem: Problem) -> bool:
    """Return whether the products of a game's payoffs stay in the range of floats."""
    spread = problem.spread if problem.tree is not None or problem.is_enumerable else 1.0
    return spread == 0.0 or SMALLEST_SPREAD <= spread <= LARGEST_SPREAD
