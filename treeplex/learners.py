"""Regret minimisers by name, each made ready for a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cfr import board_sampling, full_width, sampling, vector_cfr
from cfr.board_sampling import BoardSampling, sample_boards
from cfr.full_width import minimise
from cfr.sampling import SCHEMES, Sampling, mccfr
from cfr.variant import VARIANTS, Variant, exponent_named, variant_named
from cfr.vector_arrays import vector_arrays
from cfr.vector_cfr import minimise_vectors
from seqform.forced import without_forced_moves
from seqform.profile import Profile
from seqform.public_tree import PublicTree
from seqform.sequence_form import SequenceForm
from treeplex.iterating import Runner
from treeplex.problem import Problem

SAMPLERS: Mapping[str, Sampling | BoardSampling] = MappingProxyType(
    {f"mccfr-{scheme}": Sampling(scheme) for scheme in SCHEMES} | {"mccfr-public": BoardSampling()}
)
"""Monte Carlo methods by their names."""
NAMES = (*VARIANTS, *SAMPLERS)


@dataclass(frozen=True)
class Choices:
    """What may be asked of a regret minimiser beside its name; None leaves what it has by itself.

    Attributes
    ----------
    average : str, optional
        ``uniform``, ``linear``, ``quadratic`` or ``last``.
    counted : str, optional
        ``before``, ``after`` or ``seen``; full width only.
    order : str, optional
        ``alternating`` or ``simultaneous``; full width only.
    seed : int, optional
        Of the random numbers; Monte Carlo only, 0 unless given.
    """

    average: str | None = None
    counted: str | None = None
    order: str | None = None
    seed: int | None = None

    @property
    def given(self) -> dict[str, object]:
        """What was asked for."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}


def check_choices(name: str, choices: Choices) -> None:
    """Refuse what does not go together, before a game is loaded.

    Raises
    ------
    ValueError
        If there is no minimiser of that name, or it has no such choice.
    """
    learner(name, choices)
    legal = ("average", "seed") if name in SAMPLERS else ("average", "counted", "order")
    for key, value in choices.given.items():
        if key not in legal:
            raise ValueError(f"{name} takes {', '.join(legal)}, got {key} {value!r}")


def learner(name: str, choices: Choices) -> Variant | Sampling | BoardSampling:
    """Return the parameters of a minimiser; raises ``ValueError`` for what is not legal.

    Of Monte Carlo methods the average weighs iterations as the regrets do.
    """
    if name in SAMPLERS:
        chosen = SAMPLERS[name]
        if choices.average is None:
            return chosen
        exponent = exponent_named(choices.average)
        return replace(chosen, exponent=exponent, regret_exponent=exponent)
    return variant_named(name, average=choices.average, counted=choices.counted, order=choices.order)


def fits(problem: Problem, name: str) -> bool:
    """Return whether a game has what a minimiser needs: a public tree, or few enough histories."""
    chosen = learner(name, Choices())
    if isinstance(chosen, BoardSampling):
        return problem.tree is not None
    return not isinstance(chosen, Sampling) or problem.is_enumerable


def runner(problem: Problem, name: str, choices: Choices) -> Runner:
    """Return a minimiser on whichever form of the game is faster for it.

    Raises
    ------
    ValueError
        If a choice is not legal, or the game is too large to be sampled.
    """
    chosen = learner(name, choices)
    if isinstance(chosen, Sampling):
        return sampling_runner(problem, name, chosen, choices.seed or 0)
    if isinstance(chosen, BoardSampling):
        return board_runner(problem, name, chosen, choices.seed or 0)
    if problem.tree is not None and len(problem.form.payoff.link) > 0:
        return vector_runner(problem.tree, problem.form, name, chosen)
    return treeplex_runner(problem.form, name, chosen)


def treeplex_runner(form: SequenceForm, name: str, variant: Variant) -> Runner:
    """Return a full-width minimiser on the sequence form."""
    unforced = without_forced_moves(form)
    return Runner(
        name,
        variant,
        full_width.start(unforced.form, variant),
        lambda state, iterations: minimise(unforced.form, variant, iterations, state),
        lambda run: unforced.lift(run.profile),
    )


def sampling_runner(problem: Problem, name: str, chosen: Sampling, seed: int) -> Runner:
    """Return Monte Carlo CFR on the enumerated game, its profiles in the problem's numbering.

    Raises
    ------
    seqform.game_tree.TooManyHistoriesError
        If the game is too large to be enumerated.
    """
    trunk = problem.trunk
    return Runner(
        name,
        (chosen, seed),
        sampling.start(trunk.form, seed),
        lambda state, iterations: mccfr(trunk, chosen, iterations, seed, state),
        lambda run: run.profile.numbered_as(problem.form.treeplexes),
    )


def vector_runner(tree: PublicTree, form: SequenceForm, name: str, variant: Variant) -> Runner:
    """Return a full-width minimiser on the public tree, its profiles in the numbering of ``form``."""
    arrays = vector_arrays(tree)
    return Runner(
        name,
        variant,
        vector_cfr.start(arrays, variant),
        lambda state, iterations: minimise_vectors(tree, variant, iterations, state=state, arrays=arrays),
        lambda run: public_profile(tree, form, run.strategies),
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
    arrays = vector_arrays(tree)
    return Runner(
        name,
        (chosen, seed),
        board_sampling.start(arrays, seed),
        lambda state, iterations: sample_boards(tree, chosen, iterations, seed, state, arrays),
        lambda run: public_profile(tree, problem.form, run.strategies),
    )


def public_profile(
    tree: PublicTree,
    form: SequenceForm,
    strategies: tuple[Sequence[NDArray[np.float64]], Sequence[NDArray[np.float64]]],
) -> Profile:
    """Return a profile on the sequence form from behaviours (hands, actions) at each public node."""
    behaviour: list[Any] = []
    for p in (0, 1):
        rows = [
            at[tree.deals[tree.deal[n]].alive[p]].ravel()
            for n, at in zip(tree.nodes_of(p), strategies[p], strict=True)
        ]
        behaviour.append(np.concatenate([np.ones(1), *rows]))
    return Profile(form.treeplexes, (behaviour[0], behaviour[1]))
