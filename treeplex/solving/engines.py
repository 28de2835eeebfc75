"""Engines prepared from a problem, a config and a form; averages mapped to the problem's numbering."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from treeplex.cfr.boards import bucket_br, bucket_cfr, factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.boards.bucket_br import ResponseConfig
from treeplex.cfr.boards.bucket_state import EXPANDED_BYTES, bucket_bytes
from treeplex.cfr.bucket_sampling import bucket_sampler as blueprint_cfr
from treeplex.cfr.bucket_sampling.blueprint_strategy import bucket_tree, on_boards
from treeplex.cfr.bucket_sampling.bucket_sampler import BlueprintCFR
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.bucket_sampling.sampler_layout import BlueprintLayout
from treeplex.cfr.bucket_sampling.sampler_tables import state_bytes
from treeplex.cfr.engine import Engine, Mapped
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.public.public_gains import NodeStrategies
from treeplex.cfr.sampling import board_sampling, poker_sampling
from treeplex.cfr.sampling import history_sampling as sampling
from treeplex.cfr.sampling import table_sampling as table
from treeplex.cfr.sampling.board_sampling import BoardSampling
from treeplex.cfr.sampling.poker_sampling import MAX_INFOSETS
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.sequences import cfr_d as decomposition
from treeplex.cfr.sequences import full_width, warm_start
from treeplex.cfr.sequences.cfr_d import Decomposition, TrunkAverage
from treeplex.cfr.sequences.two_sided_trunk import Trunk
from treeplex.cfr.sequences.warm_start import WarmStart
from treeplex.cfr.variant import VARIANTS, Variant
from treeplex.core.limits import check_tables
from treeplex.core.problem import Problem
from treeplex.core.strategy import SampledStrategy
from treeplex.files.abstraction_file import read_abstraction
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.bucket_tree import BucketTree
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.reductions.removed_infosets import without_forced_moves
from treeplex.seqform.trees.memory import machine_memory
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.solving.methods import DECOMPOSED, Choices, Config, Form, abstracted_of, forms_of
from treeplex.solving.resolved_trunk import finish

AnyEngine = Engine[Any, Any]
"""An engine of any state; its averages are strategies of the form that it runs on."""
SMALLEST_SPREAD, LARGEST_SPREAD = 1e-120, 1e120
"""Minimisers multiply payoffs by regrets and square them, for which floats must have room."""


def fits(problem: Problem, method: str) -> bool:
    """Return whether a game has what a method needs: a public tree, or few enough histories.

    Where hands are locked, only minimisers on the sequence form fit. No minimiser takes payoffs whose
    products leave the range of floats.
    """
    if not is_moderate(problem):
        return False
    if method in VARIANTS:
        return True
    if problem.locked is not None:
        return False
    if method == DECOMPOSED:
        return problem.is_enumerable and _can_be_cut(problem)
    return problem.tree is not None if forms_of(method) == ("public",) else problem.is_enumerable


def prepare(problem: Problem, config: Config, form: Form, choices: Choices | None = None) -> AnyEngine:
    """Return an engine on a form of a problem; profiles are in the numbering of the problem's form.

    Parameters
    ----------
    problem : Problem
    config : Config
    form : {"tree", "public", "boards", "buckets", "table"}
    choices : Choices, optional
        What configs do not say: ``threads``, ``workers``, ``isomorphism``, ``max_infosets``, and on buckets
        ``abstraction`` and ``abstracted``.

    Raises
    ------
    ValueError
        If the config does not run on the form, or the game has not what it needs.
    treeplex.seqform.trees.game_tree.TooManyHistoriesError
        If the game is too large to be enumerated.
    """
    options: Choices = {} if choices is None else choices
    match config, form:
        case FactoredConfig() | ResponseConfig() | BlueprintConfig(), "boards" | "buckets":
            return _by_streets(problem, config, form, options)
        case Sampling(), "table":
            return _table(problem, config, options)
    check_payoffs(problem)
    if problem.locked is not None and not isinstance(config, Variant | WarmStart):
        raise ValueError(f"where hands are locked a regret minimiser is of full width, got {config}")
    match config, form:
        case Variant() | WarmStart(), "tree":
            return _full_width(problem.form, config)
        case Variant() | BoardSampling(), "public":
            return _public(problem, config)
        case Sampling(), "tree":
            return _sampled(problem, config)
        case Decomposition(), "tree":
            trunk = Trunk.of(problem.enumerated)
            return Mapped(decomposition.prepare(trunk, config), partial(_solved_again, problem.form))
        case _:
            raise ValueError(f"{form} is no form for {config}")


def _by_streets(
    problem: Problem, config: FactoredConfig | ResponseConfig | BlueprintConfig, form: Form, choices: Choices
) -> AnyEngine:
    """Return an engine on betting times boards or sampled ones, with hands by themselves or in buckets."""
    if isinstance(config, BlueprintConfig):
        return _blueprint(problem, config, choices)
    threads = threads_of(choices)
    if form == "boards" and isinstance(config, FactoredConfig):
        return factored_cfr.prepare(boards_of(problem, config, choices), config, threads)
    tree = buckets_of(problem, config, choices)
    if isinstance(config, FactoredConfig):
        return bucket_cfr.prepare(tree, config, threads)
    return bucket_br.prepare(tree, config, threads)


def _blueprint(problem: Problem, config: BlueprintConfig, choices: Choices) -> AnyEngine:
    """Return a blueprint's engine; its averages are on boards where a strategy on these fits into memory."""
    game, abstraction = problem.game, abstraction_of(choices)
    if not isinstance(game, PokerGame):
        raise ValueError(f"a card abstraction is of a poker game, got {game.name}")
    engine = blueprint_cfr.prepare(
        game, abstraction, config, choices.get("workers") or 1, report=problem.report
    )
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


def is_certified(engine: AnyEngine, form: Form) -> bool:
    """Return whether an engine's averages can be judged: those of hash tables and of large blueprints not."""
    return form != "table" and not isinstance(engine, BlueprintCFR)


def boards_of(problem: Problem, config: FactoredConfig, choices: Choices) -> FactoredTree:
    """Return the boards that an engine runs on; raises what :meth:`Problem.boards` does."""
    isomorphism = choices.get("isomorphism") is not False
    return problem.boards(isomorphism=isomorphism, entry_bytes=config.entry_bytes)


def buckets_of(problem: Problem, config: FactoredConfig | ResponseConfig, choices: Choices) -> BucketTree:
    """Return the boards of a game with hands in the buckets of the abstraction that was chosen.

    Raises
    ------
    ValueError
        If there is none, it is of another game, or what an engine keeps would not fit into memory.
    """
    abstraction, abstracted = abstraction_of(choices), abstracted_of(choices)
    game = problem.game
    if not isinstance(game, PokerGame):
        raise ValueError(f"a card abstraction is of a poker game, got {game.name}")
    abstraction.check(game)
    tree = problem.boards(entry_bytes=EXPANDED_BYTES)
    counts = np.array(abstraction.counts)
    responding = isinstance(config, ResponseConfig)
    predictive = isinstance(config, FactoredConfig) and config.is_predictive
    threads = threads_of(choices)
    n_bytes = bucket_bytes(tree, counts, abstracted, threads, predictive=predictive, responding=responding)
    check_tables(game.name, n_bytes, machine_memory() * 3 // 4)
    return BucketTree.by_abstraction(tree, abstraction, abstracted, problem.report)


def abstraction_of(choices: Choices) -> CardAbstraction:
    """Return the abstraction that was chosen, read if it is a path; ``ValueError`` if there is none."""
    given = choices.get("abstraction")
    if given is None:
        raise ValueError("the form buckets needs a card abstraction, got none")
    return read_abstraction(given) if isinstance(given, str | Path) else given


def threads_of(choices: Choices) -> int:
    """Return on how many threads an engine on boards runs."""
    threads = choices.get("threads")
    return 1 if threads is None else threads


def _table(problem: Problem, config: Sampling, choices: Choices) -> AnyEngine:
    """Return Monte Carlo CFR with a hash table: on betting lines of poker games, on the rules of others."""
    game = problem.game
    if isinstance(game, PokerGame):
        most = choices.get("max_infosets")
        most = MAX_INFOSETS if most is None else most
        engine = poker_sampling.prepare(game, config, most, report=problem.report)
        return Mapped(engine, SampledStrategy)
    if choices.get("max_infosets") is not None:
        raise ValueError(f"max_infosets is for poker games, got it with {game.name}")
    return Mapped(table.prepare(game, config), SampledStrategy)


def _full_width(form: SequenceForm, config: Variant | WarmStart) -> AnyEngine:
    """Return an engine on the sequence form without forced moves, from nothing or from a profile."""
    unforced = without_forced_moves(form)
    if isinstance(config, Variant):
        return Mapped(full_width.prepare(unforced.form, config), unforced.lift)
    check_profile(form, config.profile)
    warm = replace(config, profile=unforced.restrict(config.profile))
    return Mapped(warm_start.prepare(unforced.form, warm), unforced.lift)


def _sampled(problem: Problem, config: Sampling) -> AnyEngine:
    """Return Monte Carlo CFR on the enumerated game."""
    if config.pruning is not None:
        # Where all payoffs are equal there is nothing to prune, and nothing to scale by.
        config = replace(config, pruning=config.pruning.scaled(problem.spread or 1.0))
    return Mapped(sampling.prepare(problem.enumerated, config), partial(_on_form, problem.form))


def _public(problem: Problem, config: Variant | BoardSampling) -> AnyEngine:
    """Return an engine on the public tree."""
    tree = problem.vector_tree
    if tree is None:
        raise ValueError(f"a public tree is of poker games without locked hands, got {problem.game.name}")
    carry = partial(public_profile, tree, problem.form)
    if isinstance(config, BoardSampling):
        return Mapped(board_sampling.prepare(tree, config), carry)
    return Mapped(vector_cfr.prepare(tree, config), carry)


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


def check_payoffs(problem: Problem) -> None:
    """Refuse payoffs whose products leave the range of floats; raises ``ValueError``."""
    if not is_moderate(problem):
        raise ValueError(
            f"regret minimisers take games whose payoffs differ by {SMALLEST_SPREAD:g} to "
            f"{LARGEST_SPREAD:g}, got {problem.spread:g}"
        )


def is_moderate(problem: Problem) -> bool:
    """Return whether the products of a game's payoffs stay in the range of floats."""
    spread = problem.spread if problem.tree is not None or problem.is_enumerable else 1.0
    return spread == 0.0 or SMALLEST_SPREAD <= spread <= LARGEST_SPREAD


def _can_be_cut(problem: Problem) -> bool:
    try:
        return bool(Trunk.of(problem.enumerated))
    except ValueError:
        return False
