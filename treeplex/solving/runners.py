"""Each kind of regret minimiser made ready for a game, on whichever form of it is faster."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treeplex.cfr.decomposition import cfr_d as decomposition
from treeplex.cfr.decomposition.cfr_d import Solver, decompose, run_of
from treeplex.cfr.decomposition.trunk import Trunk
from treeplex.cfr.monte_carlo import board_sampling
from treeplex.cfr.monte_carlo.arrays import sampled_tree
from treeplex.cfr.monte_carlo.board_sampling import BoardSampling, advanced, laid_out
from treeplex.cfr.monte_carlo.sampling import Sampling
from treeplex.cfr.monte_carlo.streams import common_average, mccfr_streams, start_streams
from treeplex.cfr.public_tree import vector_cfr
from treeplex.cfr.public_tree.arrays import VectorArrays, vector_arrays
from treeplex.cfr.public_tree.gains import average_rows, strategies_of
from treeplex.cfr.public_tree.row_learning import Memories
from treeplex.cfr.public_tree.vector_cfr import minimise_vectors
from treeplex.cfr.sequence_form import full_width
from treeplex.cfr.sequence_form.full_width import average_profile, minimise
from treeplex.cfr.sequence_form.warm_start import warm_start
from treeplex.cfr.variants.variant import Variant
from treeplex.problem import Problem
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.reductions.forced import without_forced_moves
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.solving.decomposed import finish
from treeplex.solving.iterating import Runner


@dataclass(frozen=True)
class Warm:
    """A profile to go on from, and how many iterations it stands for."""

    profile: Profile
    iterations: int

    @property
    def digest(self) -> str:
        """What tells the profile from others."""
        return hashlib.sha256(b"".join(b.tobytes() for b in self.profile.behaviour)).hexdigest()


def treeplex_runner(form: SequenceForm, name: str, variant: Variant, warm: Warm | None = None) -> Runner:
    """Return a full-width minimiser on the sequence form, from nothing or from a profile."""
    unforced = without_forced_moves(form)
    start = full_width.start(unforced.form, variant)
    if warm is not None:
        check_profile(form, warm.profile)
        start = warm_start(unforced.form, variant, unforced.restrict(warm.profile), warm.iterations)
    return Runner(
        name,
        (variant, warm.iterations, warm.digest) if warm is not None else variant,
        start,
        lambda state, iterations: minimise(unforced.form, variant, iterations, state).state,
        lambda state: unforced.lift(average_profile(unforced.form, state.memories)),
    )


def sampling_runner(problem: Problem, name: str, chosen: Sampling, seed: int, threads: int) -> Runner:
    """Return Monte Carlo CFR on the enumerated game, a stream a thread; in the problem's numbering.

    Raises
    ------
    treeplex.seqform.trees.game_tree.TooManyHistoriesError
        If the game is too large to be enumerated.
    """
    trunk = problem.trunk
    tree = sampled_tree(trunk)
    if chosen.pruning is not None:
        # Where all payoffs are equal there is nothing to prune, and nothing to scale by.
        chosen = replace(chosen, pruning=chosen.pruning.scaled(problem.spread or 1.0))
    return Runner(
        name,
        (chosen, seed, threads),
        start_streams(trunk.form, seed, threads),
        lambda state, iterations: mccfr_streams(trunk, chosen, iterations, seed, threads, state, tree).state,
        lambda state: common_average(trunk.form, state).transfer(problem.form.treeplexes),
    )


def vector_runner(tree: PublicTree, form: SequenceForm, name: str, variant: Variant) -> Runner:
    """Return a full-width minimiser on the public tree, its profiles in the numbering of ``form``."""
    arrays = vector_arrays(tree)
    return Runner(
        name,
        variant,
        vector_cfr.start(arrays, variant),
        lambda state, iterations: (
            minimise_vectors(tree, variant, iterations, state=state, arrays=arrays).state
        ),
        lambda state: public_profile(tree, form, arrays, state.memories),
        "public",
    )


def board_runner(problem: Problem, name: str, chosen: BoardSampling, seed: int) -> Runner:
    """Return public-chance sampling on the public tree, its profiles in the problem's numbering.

    Raises
    ------
    ValueError
        If the game has no public tree.
    """
    tree = problem.tree
    if tree is None:
        raise ValueError(f"{name} needs a poker game, got {problem.game.name}")
    boards = laid_out(tree)
    return Runner(
        name,
        (chosen, seed),
        board_sampling.start(boards.arrays, seed),
        lambda state, iterations: advanced(boards, chosen, iterations, state),
        lambda state: public_profile(tree, problem.form, boards.arrays, state.memories),
        "public",
    )


def trunk_runner(problem: Problem, name: str, variant: Variant, solver: Solver) -> Runner:
    """Return CFR-D, whose subgames are solved again by Resolve whenever it is certified.

    Raises
    ------
    ValueError
        If the game cannot be cut, or is too large to be enumerated.
    """
    trunk = Trunk.of(problem.trunk)
    return Runner(
        name,
        (variant, solver),
        decomposition.begin(trunk, variant, solver),
        lambda state, iterations: decompose(trunk, variant, solver, iterations, state).state,
        lambda state: finish(run_of(trunk, state)).profile.transfer(problem.form.treeplexes),
    )


def public_profile(
    tree: PublicTree,
    form: SequenceForm,
    arrays: VectorArrays,
    memories: Memories,
) -> Profile:
    """Return the average of memories on a public tree as a profile on the sequence form."""
    strategies = strategies_of(tree, arrays, average_rows(arrays, memories))
    behaviour: list[Any] = []
    for p in (0, 1):
        rows = [
            at[tree.deals[tree.deal[n]].alive[p]].ravel()
            for n, at in zip(tree.nodes_of(p), strategies[p], strict=True)
        ]
        behaviour.append(np.concatenate([np.ones(1), *rows]))
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))
