"""Minimisers on betting times boards: hand by hand, or with hands tied by a card abstraction's buckets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf, nextafter
from types import MappingProxyType
from typing import Any, ClassVar, cast

import numpy as np

from treeplex.cfr.boards import bucket_br, bucket_cfr, factored_cfr
from treeplex.cfr.boards.board_state import (
    STORAGES,
    FactoredConfig,
    FixedPointFacts,
    Storage,
    check_last,
    factored_config,
    is_on_boards,
)
from treeplex.cfr.boards.bucket_br import BucketBR, ResponseConfig
from treeplex.cfr.boards.bucket_gains import abstract_nash_conv, guarantee_bounds
from treeplex.cfr.boards.bucket_state import EXPANDED_BYTES, bucket_bytes
from treeplex.cfr.boards.factored_cfr import check_threads
from treeplex.cfr.boards.fixed_point import FixedPoint, Scales
from treeplex.cfr.bucket_sampling import bucket_sampler
from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy, bucket_tree, on_boards
from treeplex.cfr.bucket_sampling.bucket_sampler import BlueprintCFR, BlueprintFacts, check_workers
from treeplex.cfr.bucket_sampling.sampler_config import (
    AVERAGES,
    PRUNINGS,
    BlueprintConfig,
    blueprint_config,
)
from treeplex.cfr.bucket_sampling.sampler_layout import BlueprintLayout
from treeplex.cfr.bucket_sampling.sampler_tables import state_bytes
from treeplex.cfr.engine import Mapped
from treeplex.cfr.variant import AVERAGES as WEIGHTS
from treeplex.cfr.variant import FINITE_AVERAGES, PLANNED, RULES_ON_BOARDS, VARIANTS
from treeplex.core.limits import check_tables
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress
from treeplex.core.result import Facts
from treeplex.core.table_facts import BoardCounts, TableBytes
from treeplex.files.abstraction_file import CardAbstractionLike, card_abstraction_of
from treeplex.files.strategies import ON_BOARDS
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.threads import run_aside
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.games.poker.game import PokerGame
from treeplex.process.interruption import current
from treeplex.seqform.boards.abstraction_facts import AbstractionFacts
from treeplex.seqform.boards.bucket_tree import BucketStrategy, BucketTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.board_certificate import FactoredCertificate, certify_factored
from treeplex.seqform.certify.certificate import Certificate, Target
from treeplex.seqform.certify.local_response import LowerBounds, local_best_response
from treeplex.seqform.trees.memory import machine_memory
from treeplex.solving.form import AnyEngine, AnyRun, Form, Limits, as_exploitability
from treeplex.solving.options import Options, Planned, horizon_of, option, read_flag

BOARDS_OF = "boards are of poker games"
"""In errors: what poker games are needed for."""
EXPLOITABILITY = 1e-3
"""Default exploitability of minimisers on boards, in pots, big blinds or largest stakes."""
MOST_ITERATIONS, BUCKET_ITERATIONS, BLUEPRINT_ITERATIONS = 100_000, 1000, 1_000_000
"""Default numbers of iterations: at most on boards; on buckets, of full width and sampled."""
BOUND_HANDS = 2000
"""Hands of each seat in which a local best response plays against what nothing can certify."""
ABSTRACTED: Mapping[str, tuple[bool, bool]] = MappingProxyType(
    {"both": (True, True), "0": (True, False), "1": (False, True)}
)
"""Whose hands are in buckets."""
LAST_FOR = "Weights of iterations; the last plan alone is for cfr+."
"""What averages are on boards and in buckets."""
FAMILY = tuple(name for name, variant in VARIANTS.items() if is_on_boards(variant))
"""The methods by regret matching, which run on boards."""
RESPONDING = "cfr-br"
"""On buckets both players learn by CFR+, each against best responses of the other in the whole game."""
SAMPLING = "mccfr-external"
"""The method that samples blueprints."""


@dataclass(frozen=True, kw_only=True)
class RuleOnBoards(Options):
    """Options of local rules, users' too, on betting times boards."""

    average: str | None = option("Weights of iterations.", ", ".join(FINITE_AVERAGES))
    isomorphism: bool | None = option(
        "Whether boards alike but for suits are solved as one; true unless given.", "true or false", read_flag
    )
    threads: int | None = option("They change nothing but the time; 1 unless given.", "an integer", int)


@dataclass(frozen=True, kw_only=True)
class OnBoards(RuleOnBoards):
    """Options of full-width minimisers on betting times boards."""

    average: str | None = option(LAST_FOR, ", ".join(WEIGHTS))
    storage: Storage | None = option("Number format of regrets and averages.", ", ".join(STORAGES))
    scales: Scales | None = option(
        "In int32: integers a chip of regret, by street; 16 up to the flop, then 0.5, unless given.",
        "numbers as 16,16,0.5,0.5",
    )
    average_scales: Scales | None = option(
        "In int32: integers a plan of probability 1, by street; 16, then 1, unless given.",
        "numbers as 16,16,1,1",
    )
    warm_up: int | None = option("In int32: iterations that are not averaged.", "an integer", int)


@dataclass(frozen=True, kw_only=True)
class PlannedOnBoards(OnBoards, Planned):
    """The same where the rule depends on how many iterations are planned."""


@dataclass(frozen=True, kw_only=True)
class OnBuckets(Options):
    """Options of full-width minimisers with hands in buckets."""

    average: str | None = option(LAST_FOR, ", ".join(WEIGHTS))
    threads: int | None = option("They change nothing but the time; 1 unless given.", "an integer", int)
    abstraction: CardAbstractionLike | None = option("The card abstraction.", "a file")
    abstracted: str | None = option("Whose hands are in buckets.", ", ".join(ABSTRACTED))


@dataclass(frozen=True, kw_only=True)
class PlannedOnBuckets(OnBuckets, Planned):
    """The same where the rule depends on how many iterations are planned."""


@dataclass(frozen=True, kw_only=True)
class BucketSampling(Options):
    """Options of external sampling with hands in buckets."""

    average: str | None = option("Weights of periods.", "linear or uniform")
    averaged: str | None = option("What averages are made of.", ", ".join(AVERAGES))
    seed: int | None = option("Of the random numbers; 0 unless given.", "an integer", int)
    threads: int | None = option("They change nothing but the time; 1 unless given.", "an integer", int)
    clusters: int | None = option("Public clusters, each with tables of its own.", "an integer", int)
    batch: int | None = option("Traversals between updates before the first board cards.", "an integer", int)
    period: int | None = option(
        "Traversals of one weight; about a million unless given.", "a multiple of batch", int
    )
    pruning: str | None = option(
        "Own actions may be skipped; with numbers as pluribus(threshold=-100,share=0.9).", ", ".join(PRUNINGS)
    )
    abstraction: CardAbstractionLike | None = option("The card abstraction.", "a file")


class Boards(Form):
    """Betting lines times boards, suits' names left out: poker games with board cards to come."""

    name = "boards"
    written = ON_BOARDS
    about = "betting lines times boards, suits' names left out"
    options: ClassVar[Mapping[str, type[Options]]] = MappingProxyType(
        dict.fromkeys(FAMILY, OnBoards)
        | dict.fromkeys(PLANNED, PlannedOnBoards)
        | dict.fromkeys(RULES_ON_BOARDS, RuleOnBoards)
    )
    own: ClassVar[type[Options] | None] = RuleOnBoards
    iterations = MOST_ITERATIONS
    is_walked = False

    def config(self, method: str, options: Options) -> FactoredConfig:
        """Return the variant, the number format and the scales in fixed point."""
        assert isinstance(options, RuleOnBoards)
        check_average(method, options.average)
        if not isinstance(options, OnBoards):
            return factored_config(method, options.average)
        fixed = FixedPoint.of(options.scales, options.average_scales, options.warm_up)
        storage = options.storage or "float32"
        return factored_config(method, options.average, storage, fixed, horizon_of(options))

    def check(self, method: str, options: Options, limits: Limits) -> None:
        """Refuse values of options, and iterations after which averages are no longer finite."""
        assert isinstance(options, RuleOnBoards)
        config = self.config(method, options)
        check_last(config, limits.iterations or 0)
        check_warm_up(config, limits.iterations)
        check_threads(threads_of(options.threads))

    def longest(self, config: Any) -> int:
        """Return the most iterations after which averages are finite."""
        learning = _learning(config)
        return super().longest(config) if learning is None else learning.most_iterations

    def engine(self, problem: Problem, config: Any, options: Options) -> AnyEngine:
        """Return an engine on all boards; a local rule has a bucket for each hand."""
        assert isinstance(options, RuleOnBoards)
        problem.report("listing boards")
        tree = boards_of(problem, config, isomorphism=options.isomorphism is not False)
        threads = threads_of(options.threads)
        if not config.is_by_rule:
            return factored_cfr.prepare(tree, config, threads)
        by_hand = BucketTree.by_hand(tree, problem.report)
        return Mapped(bucket_cfr.prepare(by_hand, config, threads), BucketStrategy.expanded)

    def judge(self, problem: Problem, engine: AnyEngine) -> Callable[[Any], Certificate]:
        """Return best responses on every real board."""
        return partial(certify_factored, problem.poker(BOARDS_OF))

    def n_infosets(self, problem: Problem, run: AnyRun) -> int:
        """Return the number of both players' infosets, counted."""
        return sum(problem.sizes.infosets)

    def facts(self, problem: Problem, engine: AnyEngine, run: AnyRun) -> tuple[Facts, ...]:
        """Return numbers of boards, sizes of tables, and what fixed point cut off."""
        config = engine.config
        assert run.certificate is not None
        counts = BoardCounts(run.strategy.tree.boards.n_boards, run.certificate.n_boards)
        n_bytes = sum(tables.n_bytes for tables in run.state.memories)
        if not isinstance(config, FactoredConfig):  # a local rule
            return counts, TableBytes(n_bytes, "float64")
        tables = TableBytes(n_bytes, config.storage)
        if config.storage != "int32":
            return counts, tables
        return counts, tables, FixedPointFacts.of(config, run.state)

    def target(self, problem: Problem) -> Target:
        """Return a thousandth of the pot, of the big blind or of the largest stake."""
        return usual_target(problem)

    def place(self, problem: Problem, config: Any, options: Options) -> str:
        """Return on how many boards the run ran."""
        assert isinstance(options, RuleOnBoards)
        tree = problem.boards(isomorphism=options.isomorphism is not False, entry_bytes=1)
        return f"{tree.boards.n_boards:,} boards"

    def in_words(self, problem: Problem, progress: Progress) -> Progress:
        """Return a callback that reports exploitability in players' units."""
        return as_exploitability(problem, progress)


class Buckets(Boards):
    """Betting lines times boards, hands of one bucket playing alike."""

    name = "buckets"
    about = "the same with hands tied by the buckets of a card abstraction"
    options: ClassVar[Mapping[str, type[Options]]] = MappingProxyType(
        dict.fromkeys((*FAMILY, *RULES_ON_BOARDS, RESPONDING), OnBuckets)
        | dict.fromkeys(PLANNED, PlannedOnBuckets)
        | {SAMPLING: BucketSampling}
    )
    own = OnBuckets
    iterations = BUCKET_ITERATIONS
    needs = ("abstraction", "a card abstraction")

    def config(self, method: str, options: Options) -> Any:
        """Return the config of a minimiser, of CFR-BR or of bucket sampling."""
        given = options.given
        if isinstance(options, BucketSampling):
            given = {key: value for key, value in given.items() if key not in ("abstraction", "threads")}
            return blueprint_config(**given)
        assert isinstance(options, OnBuckets)
        check_average(method, options.average)
        if method != RESPONDING:
            return factored_config(method, options.average, horizon=horizon_of(options))
        return ResponseConfig(factored_config("cfr+", options.average))

    def check(self, method: str, options: Options, limits: Limits) -> None:
        """Refuse values of options, and iterations after which averages are no longer finite."""
        config = self.config(method, options)
        learning = _learning(config)
        if isinstance(options, BucketSampling):
            check_workers(threads_of(options.threads))
            _check_period(config, limits.iterations)
            return
        assert learning is not None
        assert isinstance(options, OnBuckets)
        check_last(learning, limits.iterations or 0)
        check_threads(threads_of(options.threads))
        if not all(abstracted_of(options)) and method == RESPONDING:
            raise BadInputError(
                "cfr-br takes abstracted both: each player learns in buckets against best responses without "
                f"them, got {options.abstracted!r}"
            )

    def engine(self, problem: Problem, config: Any, options: Options) -> AnyEngine:
        """Return an engine on buckets; a blueprint's averages are on boards where these fit into memory."""
        problem.report("listing boards")
        if isinstance(options, BucketSampling):
            return _blueprint(problem, config, options)
        assert isinstance(options, OnBuckets)
        tree = _buckets_of(problem, config, options)
        prepare = bucket_br.prepare if isinstance(config, ResponseConfig) else bucket_cfr.prepare
        return cast(AnyEngine, prepare(tree, config, threads_of(options.threads)))

    def judge(self, problem: Problem, engine: AnyEngine) -> Any:
        """Return best responses in the real game, hand by hand; None for blueprints of large games."""
        return (
            None if isinstance(engine, BlueprintCFR) else partial(_certify_expanded, problem.poker(BOARDS_OF))
        )

    def facts(self, problem: Problem, engine: AnyEngine, run: AnyRun) -> tuple[Facts, ...]:
        """Return what is said of the abstraction, of a blueprint, and of boards and tables."""
        inner = engine.engine if isinstance(engine, Mapped) else engine
        if not isinstance(inner, BlueprintCFR):
            return *_judged(engine, run), TableBytes(sum(tables.n_bytes for tables in run.state.memories))
        blueprint, tables = BlueprintFacts.of(inner, run.state), TableBytes(run.state.n_bytes)
        if run.certificate is None:
            return *bounded(problem, run.strategy, inner.config.seed), blueprint, tables
        return *_judged(engine, run, is_sampled=True), blueprint, tables

    def target(self, problem: Problem) -> Any:
        """Return none: below the price of the abstraction exploitability does not fall."""
        return None

    def most(self, config: Any) -> int:
        """Return the default number of iterations, of full width or sampled."""
        return BLUEPRINT_ITERATIONS if isinstance(config, BlueprintConfig) else self.iterations

    def place(self, problem: Problem, config: Any, options: Options) -> str:
        """Return the name of the form."""
        return self.name

    def check_limits(self, problem: Problem, method: str, engine: AnyEngine, limits: Limits) -> None:
        """Refuse what needs certificates where a game is too large for them."""
        if isinstance(engine, BlueprintCFR):
            for what, given in (("a target", limits.target), ("a trace", limits.traced or None)):
                if given is not None:
                    raise BadInputError(
                        f"{what} needs certificates, for which {problem.game.name} is too large"
                    )


def check_average(method: str, average: str | None) -> None:
    """Refuse the last plan where it is not read off the regrets; raises ``ValueError``."""
    if average == "last" and method != "cfr+":
        raise BadInputError(f"the average 'last' is for cfr+, got {method}")


def check_warm_up(config: FactoredConfig, iterations: int | None) -> None:
    """Refuse fewer iterations than lead to an average; raises ``ValueError``."""
    warm_up = config.fixed.warm_up
    if config.averages and iterations is not None and iterations <= warm_up:
        raise BadInputError(
            f"iterations must be more than warm_up, {warm_up:,}, which are not averaged, got {iterations:,}"
        )


def _check_period(config: BlueprintConfig, iterations: int | None) -> None:
    """Refuse fewer traversals than lead to a snapshot; raises ``ValueError``."""
    if config.average == "snapshots" and iterations is not None and iterations < config.period:
        raise BadInputError(
            f"iterations must be at least a period, {config.period:,} traversals, as each gives averages a "
            f"snapshot, got {iterations:,}"
        )


def _learning(config: Any) -> FactoredConfig | None:
    """Return how players learn on boards or in buckets; None where blueprints are sampled."""
    learning = config.learning if isinstance(config, ResponseConfig) else config
    return learning if isinstance(learning, FactoredConfig) else None


def usual_target(problem: Problem) -> Target:
    """Return the NashConv at which exploitability is a thousandth of the pot, big blind or largest stake."""
    return Target(2 * problem.unit_size * EXPLOITABILITY)


def boards_of(problem: Problem, config: FactoredConfig, *, isomorphism: bool = True) -> FactoredTree:
    """Return the boards that an engine runs on; raises what :meth:`Problem.boards` does."""
    return problem.boards(isomorphism=isomorphism, entry_bytes=config.entry_bytes)


def threads_of(threads: int | None) -> int:
    """Return how many threads were asked for."""
    return 1 if threads is None else threads


def abstracted_of(options: OnBuckets) -> tuple[bool, bool]:
    """Return whether each player's hands are in buckets; raises ``ValueError`` for other than the choices."""
    chosen = options.abstracted or "both"
    if chosen not in ABSTRACTED:
        raise BadInputError(f"abstracted must be {', '.join(ABSTRACTED)}, got {chosen!r}")
    return ABSTRACTED[chosen]


def abstraction_for(problem: Problem, given: CardAbstractionLike | None) -> tuple[PokerGame, CardAbstraction]:
    """Return a game and the abstraction that was chosen, read if it is a path.

    Raises
    ------
    ValueError
        If there is none, the game is no poker game, or the abstraction does not fit it.
    """
    if given is None:
        raise BadInputError("the form buckets needs a card abstraction, got none")
    game = problem.poker("a card abstraction is of a poker game")
    return game, card_abstraction_of(given, game)


def _buckets_of(problem: Problem, config: FactoredConfig | ResponseConfig, options: OnBuckets) -> BucketTree:
    """Return the boards of a game with hands in the buckets of the abstraction that was chosen.

    Raises
    ------
    ValueError
        If there is none, it is of another game, or what an engine keeps would not fit into memory.
    """
    game, abstraction = abstraction_for(problem, options.abstraction)
    abstracted = abstracted_of(options)
    tree = problem.boards(entry_bytes=EXPANDED_BYTES)
    counts = np.array(abstraction.counts)
    responding = isinstance(config, ResponseConfig)
    learning, threads = _learning(config), threads_of(options.threads)
    assert learning is not None
    predictive = not responding and (learning.is_predictive or learning.is_by_rule)
    n_bytes = bucket_bytes(
        tree,
        counts,
        abstracted,
        threads,
        predictive=predictive,
        n_arrays=learning.n_arrays,
        responding=responding,
    )
    check_tables(game.name, n_bytes, machine_memory() * 3 // 4)
    return BucketTree.by_abstraction(tree, abstraction, abstracted, problem.report)


def _blueprint(problem: Problem, config: BlueprintConfig, options: BucketSampling) -> AnyEngine:
    """Return a blueprint's engine; its averages are on boards where a strategy on these fits into memory."""
    game, abstraction = abstraction_for(problem, options.abstraction)
    threads = threads_of(options.threads)
    engine = bucket_sampler.prepare(game, abstraction, config, threads, report=problem.report)
    check_tables(game.name, state_bytes(engine.layout), machine_memory() * 3 // 4)
    tree = blueprint_tree(problem, engine.layout)
    return engine if tree is None else Mapped(engine, partial(on_boards, tree))


def blueprint_tree(problem: Problem, layout: BlueprintLayout) -> BucketTree | None:
    """Return a blueprint's buckets on the boards of its game; None where these are too many to be judged."""
    try:
        tree = problem.boards(entry_bytes=EXPANDED_BYTES)
    except ValueError:  # it is too large for best responses
        return None
    return bucket_tree(layout, tree, problem.report)


def _certify_expanded(game: PokerGame, strategy: BucketStrategy) -> FactoredCertificate:
    """Judge a strategy by bucket in the real game, hand by hand."""
    return certify_factored(game, strategy.expanded())


def _judged(
    engine: AnyEngine, run: AnyRun, *, is_sampled: bool = False
) -> tuple[AbstractionFacts, BoardCounts]:
    strategy, certificate = run.strategy, run.certificate
    assert isinstance(strategy, BucketStrategy)
    assert isinstance(certificate, FactoredCertificate)
    price = _price(engine, run, certificate)
    return (
        AbstractionFacts.of(strategy.tree, abstract_nash_conv(strategy), price),
        BoardCounts(strategy.tree.tree.boards.n_boards, certificate.n_boards, is_sampled),
    )


def _price(engine: AnyEngine, run: AnyRun, certificate: Certificate) -> tuple[float, float] | None:
    """Return what the best strategies in both players' buckets concede together, after CFR-BR."""
    if not isinstance(engine, BucketBR):
        return None
    most = guarantee_bounds(engine, run.state)
    least = 0.0 if most is None else max(nextafter(-sum(most), -inf), 0.0)  # a sum rounds once
    return least, certificate.nash_conv


def bounded(
    problem: Problem, blueprint: BlueprintStrategy, seed: int
) -> tuple[AbstractionFacts, LowerBounds]:
    """Return what is said of a blueprint that no best response can judge: what a local one wins from it."""
    game = problem.poker(BOARDS_OF)
    play = partial(local_best_response, game, blueprint, hands=BOUND_HANDS, seed=seed, report=problem.report)
    bounds = run_aside(play, look=current().look, patience=0.0)
    return AbstractionFacts.of_abstraction(blueprint.layout.abstraction), bounds
