"""Minimisers on games that are enumerated: on histories or the sequence form, and on public trees."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, cast

import numpy as np

from treeplex.cfr.engine import Mapped
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.public.public_gains import NodeStrategies
from treeplex.cfr.sampling import board_sampling, history_sampling
from treeplex.cfr.sampling.board_sampling import BoardSampling
from treeplex.cfr.sampling.sampling_config import SCHEMES, Pruning, Sampling
from treeplex.cfr.sequences import cfr_d, full_width, warm_start
from treeplex.cfr.sequences.cfr_d import Decomposition, Iterated, TrunkAverage
from treeplex.cfr.sequences.two_sided_trunk import TwoSidedTrunk
from treeplex.cfr.sequences.warm_start import WarmStart
from treeplex.cfr.variant import (
    AVERAGES,
    FINITE_AVERAGES,
    ON_TREEPLEXES,
    PLANNED,
    RULES,
    VARIANTS,
    Variant,
    exponent_named,
    is_full_width,
    variant_named,
)
from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.reductions.removed_infosets import without_forced_moves
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.solving.form import AnyEngine, Form, check_payoffs, is_moderate
from treeplex.solving.options import Options, Planned, option
from treeplex.solving.resolved_trunk import finish

SAMPLERS: Mapping[str, Sampling | BoardSampling] = MappingProxyType(
    {f"mccfr-{scheme}": Sampling(scheme) for scheme in SCHEMES}
    | {"mccfr-pruned": Sampling(pruning=Pruning(threshold=-115.0, constant=1150.0))}
    | {"mccfr-public": BoardSampling()}
)
"""Monte Carlo methods by their names; pruning is for payoffs from 0 to 1, and scaled to the game's."""
DECOMPOSED = "cfr-d"
SUBGAME_ITERATIONS = 100
"""CFR+ iterations by which CFR-D solves each subgame."""
WEIGHTS = ", ".join(AVERAGES)


@dataclass(frozen=True, kw_only=True)
class FullWidth(Options):
    """Options of full-width minimisers on trees."""

    average: str | None = option("Weights of iterations.", WEIGHTS)
    counted: str | None = option("Which plan is averaged.", "before, after or seen (by the opponent)")
    order: str | None = option("Of updates.", "alternating or simultaneous")


@dataclass(frozen=True, kw_only=True)
class PlannedOnTrees(FullWidth, Planned):
    """The same where the rule depends on how many iterations are planned."""


@dataclass(frozen=True, kw_only=True)
class Decomposing(Options):
    """Options of CFR-D, which averages what was seen."""

    average: str | None = option("Weights of iterations.", WEIGHTS)
    order: str | None = option("Of updates; simultaneous unless given.", "alternating or simultaneous")


@dataclass(frozen=True, kw_only=True)
class Seeded(Options):
    """Options of sampling on public trees; averages weigh iterations as regrets do."""

    average: str | None = option("Weights of iterations.", ", ".join(FINITE_AVERAGES))
    seed: int | None = option("Of the random numbers; 0 unless given.", "an integer", int)


@dataclass(frozen=True, kw_only=True)
class Streamed(Seeded):
    """Options of sampling on histories."""

    streams: int | None = option("Independent runs, averages added up; 1 unless given.", "an integer", int)


@dataclass(frozen=True, kw_only=True)
class Exploring(Streamed):
    """Options of outcome sampling on histories."""

    exploration: float | None = option(
        "How often an updated player's action is drawn evenly; 0.6 unless given.",
        "a number above 0 and at most 1",
        float,
    )


@dataclass(frozen=True, kw_only=True)
class OnTreesPruned(Options):
    """Options of sampling with pruning, whose threshold is for regrets that are not weighted."""

    seed: int | None = option("Of the random numbers; 0 unless given.", "an integer", int)
    streams: int | None = option("Independent runs, averages added up; 1 unless given.", "an integer", int)


class Histories(Form):
    """The sequence form without forced moves, or the histories that it comes from."""

    name = "tree"
    about = "the sequence form, or the histories that it comes from"
    options: ClassVar[Mapping[str, type[Options]]] = MappingProxyType(
        dict.fromkeys((*VARIANTS, *RULES, *ON_TREEPLEXES), FullWidth)
        | dict.fromkeys(PLANNED, PlannedOnTrees)
        | {f"mccfr-{scheme}": Streamed for scheme in SCHEMES}
        | {"mccfr-outcome": Exploring, "mccfr-pruned": OnTreesPruned, DECOMPOSED: Decomposing}
    )
    own = FullWidth

    def config(self, method: str, options: Options) -> Variant | Sampling | Decomposition:
        """Return a variant, a way to sample or a decomposition."""
        match options:
            case FullWidth():
                return variant_named(method, **options.given)
            case Decomposing():
                order = options.order or "simultaneous"
                trunk = variant_named("cfr+", average=options.average, counted="seen", order=order)
                return Decomposition(trunk, Iterated(SUBGAME_ITERATIONS))
        sampling = sampler(method, options)
        assert isinstance(sampling, Sampling)
        return sampling

    def engine(self, problem: Problem, config: Any, options: Options) -> AnyEngine:
        """Return an engine on the sequence form, on sampled histories, or on a trunk."""
        check_payoffs(problem)
        match config:
            case Variant():
                unforced = without_forced_moves(problem.form)
                return Mapped(full_width.prepare(unforced.form, config), unforced.lift)
            case WarmStart():
                check_profile(problem.form, config.profile)
                unforced = without_forced_moves(problem.form)
                start = replace(config, profile=unforced.restrict(config.profile))
                return Mapped(warm_start.prepare(unforced.form, start), unforced.lift)
        refuse_locks(problem, config)
        if isinstance(config, Decomposition):
            trunk = TwoSidedTrunk.of(problem.enumerated)
            return Mapped(cfr_d.prepare(trunk, config), partial(_solved_again, problem.form))
        if config.pruning is not None:
            # Where all payoffs are equal there is nothing to prune, and nothing to scale by.
            config = replace(config, pruning=config.pruning.scaled(problem.spread or 1.0))
        engine = history_sampling.prepare(problem.enumerated, config)
        return Mapped(engine, partial(_on_form, problem.form))

    def warm(self, config: Any, start: tuple[Profile, int]) -> WarmStart:
        """Return the variant that goes on from a profile."""
        return WarmStart(config, *start)


class Public(Form):
    """The public tree of a poker game, all hands of a board at once."""

    name = "public"
    about = "the public tree of a poker game, all hands at once"
    options: ClassVar[Mapping[str, type[Options]]] = MappingProxyType(
        dict.fromkeys(VARIANTS, FullWidth) | dict.fromkeys(PLANNED, PlannedOnTrees) | {"mccfr-public": Seeded}
    )

    def config(self, method: str, options: Options) -> Variant | BoardSampling:
        """Return a variant, or how boards are sampled."""
        if isinstance(options, FullWidth):
            return variant_named(method, **options.given)
        sampling = sampler(method, options)
        assert isinstance(sampling, BoardSampling)
        return sampling

    def engine(self, problem: Problem, config: Any, options: Options) -> AnyEngine:
        """Return an engine on the public tree."""
        check_payoffs(problem)
        if not isinstance(config, Variant):
            refuse_locks(problem, config)
        tree = problem.vector_tree
        if tree is None:
            raise BadInputError(
                f"a public tree is of poker games without locked hands, got {problem.game.name}"
            )
        carry = partial(public_profile, tree, problem.form)
        if isinstance(config, BoardSampling):
            return Mapped(board_sampling.prepare(tree, config), carry)
        return Mapped(vector_cfr.prepare(tree, config), carry)


def sampler(method: str, options: Options) -> Sampling | BoardSampling:
    """Return how a Monte Carlo method samples; an average weighs iterations as the regrets do.

    Raises
    ------
    ValueError
        If the average is none, or the last plans alone, which sampling does not have.
    """
    given = options.given
    average = given.pop("average", None)
    config: Sampling | BoardSampling = replace(cast(Any, SAMPLERS[method]), **given)
    if average is None:
        return config
    assert isinstance(average, str)
    exponent = exponent_named(average)
    if math.isinf(exponent):
        raise BadInputError(f"{method} takes the average {', '.join(FINITE_AVERAGES)}, got {average!r}")
    return replace(config, exponent=exponent, regret_exponent=exponent)


def refuse_locks(problem: Problem, config: object) -> None:
    """Refuse a game with locked hands to all but minimisers of full width; raises ``ValueError``."""
    if problem.locked is not None:
        raise BadInputError(f"where hands are locked a regret minimiser is of full width, got {config}")


def fits(problem: Problem, method: str) -> bool:
    """Return whether a game has what a method needs: a public tree, or few enough histories.

    Where hands are locked, only minimisers on the sequence form fit. No minimiser takes payoffs whose
    products leave the range of floats.
    """
    if not is_moderate(problem):
        return False
    if is_full_width(method):
        return True
    if problem.locked is not None:
        return False
    if method == DECOMPOSED:
        return problem.is_enumerable and _can_be_cut(problem)
    return problem.is_enumerable if method in Histories.options else problem.tree is not None


def _can_be_cut(problem: Problem) -> bool:
    try:
        return bool(TwoSidedTrunk.of(problem.enumerated))
    except ValueError:
        return False


def _solved_again(form: SequenceForm, average: TrunkAverage) -> Profile:
    """Return a trunk's average, subgames solved again by Resolve, in the numbering of a form."""
    return _on_form(form, finish(average).profile)


def _on_form(form: SequenceForm, profile: Profile) -> Profile:
    """Return a profile of enumerated histories in the numbering of a form.

    A public tree has infosets too for hands that meet no hand of the opponent on a board, which no history
    has: there play is uniform.
    """
    first, second = form.treeplexes
    return profile.transfer(form.treeplexes, (first.uniform(), second.uniform()))


def public_profile(tree: PublicTree, form: SequenceForm, strategies: NodeStrategies) -> Profile:
    """Return behaviour at the nodes of a public tree as a profile on its sequence form."""
    behaviour: list[Floats] = []
    for p in (0, 1):
        rows = [
            at[tree.deals[tree.deal[n]].alive[p]].ravel()
            for n, at in zip(tree.nodes_of(p), strategies[p], strict=True)
        ]
        behaviour.append(np.concatenate([np.ones(1), *rows]))
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))
