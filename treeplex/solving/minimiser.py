"""Results of a regret minimiser: its engine run by the run loop, its average certified."""

from collections.abc import Callable
from functools import partial
from math import inf, isfinite, nextafter
from typing import Any

from treeplex.cfr.boards.board_state import FixedPointFacts
from treeplex.cfr.boards.bucket_br import BucketBR
from treeplex.cfr.boards.bucket_gains import abstract_nash_conv, guarantee_bounds
from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy
from treeplex.cfr.bucket_sampling.bucket_sampler import BlueprintCFR, BlueprintFacts
from treeplex.cfr.engine import Mapped
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result
from treeplex.core.strategy import board_facts
from treeplex.files.checkpoint import CheckpointFile
from treeplex.files.run_loop import FOR_TARGETS, SLICE_SECONDS, Checks, Run, Trace, run_engine
from treeplex.games.base.number_texts import exploitability_text
from treeplex.games.base.threads import run_aside
from treeplex.games.poker.game import PokerGame
from treeplex.process.interruption import current
from treeplex.seqform.boards.abstraction_facts import AbstractionFacts
from treeplex.seqform.boards.bucket_tree import BucketStrategy
from treeplex.seqform.certify.board_certificate import FactoredCertificate, certify_factored
from treeplex.seqform.certify.certificate import Certificate, certify, certify_exactly
from treeplex.seqform.certify.local_response import local_best_response
from treeplex.solving.engines import AnyEngine, is_certified
from treeplex.solving.methods import Form

TABLE_SLICE_SECONDS = 5.0
"""Approximate seconds per slice of engines on hash tables: each slice copies the table."""
BOUND_HANDS = 2000
"""Hands of each seat in which a local best response plays against what nothing can certify."""


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
        As :func:`treeplex.solving.engines.prepare` returns it for ``form``.
    form : {"tree", "public", "boards", "buckets", "table"}
        What the engine runs on. Profiles are certified on the sequence form, strategies on boards and by
        bucket on every real board, sampled tables by nothing.
    iterations, enough, progress, checks, checkpoint
        As for :func:`treeplex.files.run_loop.run_engine`.
    exact : bool
        Certify in exact arithmetic; for profiles.

    Raises
    ------
    ValueError
        If the checkpoint is of another run, or has more iterations done.
    """
    run: Run[Any, Any, Any] = run_engine(
        method,
        engine,
        iterations,
        _judge(problem, form) if is_certified(engine, form) else None,
        enough=enough,
        checks=checks,
        progress=_with_exploitability(problem, progress) if form in ("boards", "buckets") else progress,
        note=_infosets_met if form == "table" else None,
        checkpoint=checkpoint,
        slice_seconds=TABLE_SLICE_SECONDS if form == "table" else SLICE_SECONDS,
    )
    certificate = certify_exactly(problem.form, run.strategy) if exact else run.certificate
    return Result(
        **problem.facts,
        **_form_facts(problem, form, engine, run),
        form=form,
        method=method,
        status=run.status,
        strategy=run.strategy,
        certificate=certificate,
        iterations=run.state.iterations,
        seconds=run.seconds,
        trace=run.trace,
    )


def _judge(problem: Problem, form: Form) -> Callable[[Any], Certificate]:
    """Return the judge of a form's strategies."""
    if form == "boards":
        assert isinstance(problem.game, PokerGame)
        return partial(certify_factored, problem.game)
    if form == "buckets":
        return partial(_certify_expanded, problem)
    return partial(certify, problem.form)


def _certify_expanded(problem: Problem, strategy: BucketStrategy) -> FactoredCertificate:
    """Judge a strategy by bucket in the real game, hand by hand."""
    assert isinstance(problem.game, PokerGame)
    return certify_factored(problem.game, strategy.expanded())


def _form_facts(problem: Problem, form: Form, engine: AnyEngine, run: Run[Any, Any, Any]) -> dict[str, Any]:
    """Return the fields of a result that only one form has, and the number of infosets."""
    if form == "table":
        return {"n_infosets": run.state.n_infosets, "n_bytes": run.state.n_bytes}
    if form == "boards":
        assert run.certificate is not None
        n_bytes = sum(tables.n_bytes for tables in run.state.memories)
        facts = {**board_facts(problem, run.strategy, run.certificate), "n_bytes": n_bytes}
        return {**facts, "fixed_point": FixedPointFacts.of(engine.config, run.state)}
    if form == "buckets":
        inner = engine.engine if isinstance(engine, Mapped) else engine
        if isinstance(inner, BlueprintCFR):
            return _blueprint_facts(problem, inner, run)
        n_bytes = sum(tables.n_bytes for tables in run.state.memories)
        return {**_bucket_facts(problem, engine, run), "n_bytes": n_bytes}
    return {"n_infosets": sum(problem.form.n_infosets)}


def _blueprint_facts(problem: Problem, engine: BlueprintCFR, run: Run[Any, Any, Any]) -> dict[str, Any]:
    certified = run.certificate is not None
    facts = (
        _bucket_facts(problem, engine, run)
        if certified
        else bounded(problem, run.strategy, engine.config.seed)
    )
    return {**facts, "n_bytes": run.state.n_bytes, "blueprint": BlueprintFacts.of(engine, run.state)}


def _bucket_facts(problem: Problem, engine: AnyEngine, run: Run[Any, Any, Any]) -> dict[str, Any]:
    strategy, certificate = run.strategy, run.certificate
    assert isinstance(strategy, BucketStrategy)
    assert isinstance(certificate, FactoredCertificate)
    return {
        "n_infosets": sum(problem.sizes.infosets),
        "n_boards": strategy.tree.tree.boards.n_boards,
        "n_real_boards": certificate.n_boards,
        "abstraction": AbstractionFacts.of(
            strategy.tree, abstract_nash_conv(strategy), _price(engine, run, certificate)
        ),
    }


def _price(
    engine: AnyEngine, run: Run[Any, Any, Any], certificate: Certificate
) -> tuple[float, float] | None:
    """Return what the best strategies in both players' buckets concede together, after CFR-BR."""
    if not isinstance(engine, BucketBR):
        return None
    most = guarantee_bounds(engine, run.state)
    least = 0.0 if most is None else max(nextafter(-sum(most), -inf), 0.0)  # a sum rounds once
    return least, certificate.nash_conv


def bounded(problem: Problem, blueprint: BlueprintStrategy, seed: int) -> dict[str, Any]:
    """Return what is said of a blueprint that no best response can judge: what a local one wins from it."""
    assert isinstance(problem.game, PokerGame)
    play = partial(
        local_best_response, problem.game, blueprint, hands=BOUND_HANDS, seed=seed, report=problem.report
    )
    return {
        "n_infosets": sum(problem.sizes.infosets),
        "abstraction": AbstractionFacts.of_abstraction(blueprint.layout.abstraction),
        "lower_bounds": run_aside(play, look=current().look, patience=0.0),
    }


def _infosets_met(state: Any) -> str:
    return f"{state.n_infosets:,} infosets"


def _with_exploitability(problem: Problem, progress: Progress) -> Progress:
    """Return a callback that reports exploitability in players' units instead of NashConv."""

    def with_exploitability(stage: str, width: float) -> None:
        shown = exploitability_text(width, problem.pot, problem.big_blind, problem.game.unit)
        progress(f"{stage}, exploitability {shown}" if isfinite(width) else stage, float("inf"))

    return with_exploitability
