"""Games, equilibria and strategies that many instances share, computed once in a process."""

from functools import lru_cache

import numpy as np

from treeplex.cfr.engine import average
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS
from treeplex.core.loading import game_of, load
from treeplex.core.problem import Problem
from treeplex.files.strategies import uniform_profile
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.programs.lp_solution import LPSolution, solve_lp
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.subgames.blueprints import distance_to_value as won_over_value

KEPT = 64
"""So many games, and what is computed of them, are kept; the oldest go."""


@lru_cache(KEPT)
def problem(spec: str) -> Problem:
    """Return a spec's problem."""
    return load(spec)


@lru_cache(KEPT)
def poker(spec: str) -> PokerGame:
    """Return the rules of a poker game; no form is built."""
    game = game_of(spec)
    if not isinstance(game, PokerGame):
        raise TypeError(f"this theorem is about poker games, got {spec}")
    return game


@lru_cache(KEPT)
def enumerated(spec: str) -> NumberedTree:
    """Return a game history by history."""
    return number_tree(build_tree(problem(spec).game))


@lru_cache(KEPT)
def equilibrium(spec: str) -> LPSolution:
    """Return an optimum of the enumerated game's programs."""
    return solve_lp(enumerated(spec).form)


@lru_cache(4 * KEPT)
def strategy(spec: str, name: str) -> Profile:
    """Return a profile of an enumerated game by name.

    ``uniform``; ``nash``, the optimum of the programs; ``cfr+:N``, the average of N iterations;
    ``random:SEED``, every infoset's probabilities uniform on the simplex; ``pure:SEED``, one action each;
    ``near:SEED:SHARE``, the optimum with that share of ``random:SEED`` in the behaviour at every infoset.

    Raises
    ------
    ValueError
        If the name is none of these.
    """
    kind, *keys = name.split(":")
    form = enumerated(spec).form
    if kind == "uniform":
        return uniform_profile(form)
    if kind == "nash":
        return equilibrium(spec).profile
    if kind == "cfr+":
        return average(full_width.prepare(form, VARIANTS["cfr+"]), int(keys[0]))
    if kind not in ("random", "pure", "near"):
        raise BadInputError(
            f"a strategy must be uniform, nash, cfr+:N, random:S, pure:S or near:S:SHARE, got {name!r}"
        )
    rng = np.random.default_rng(int(keys[0]))
    draw = pure_behaviour if kind == "pure" else random_behaviour
    first, second = (draw(t, rng) for t in form.treeplexes)
    if kind == "near":
        share, nash = float(keys[1]), equilibrium(spec).profile.behaviour
        first, second = (1 - share) * nash[0] + share * first, (1 - share) * nash[1] + share * second
    return Profile(form.treeplexes, (first, second))


def random_behaviour(treeplex: Treeplex, rng: np.random.Generator) -> Floats:
    """Return probabilities drawn uniformly from the simplex at every infoset, (S,)."""
    behaviour = treeplex.uniform()
    for lo, hi in zip(treeplex.begin.tolist(), treeplex.end.tolist(), strict=True):
        behaviour[lo:hi] = rng.dirichlet(np.ones(hi - lo))
    return behaviour


def pure_behaviour(treeplex: Treeplex, rng: np.random.Generator) -> Floats:
    """Return one action with probability 1 at every infoset, drawn uniformly, (S,)."""
    behaviour = np.zeros(treeplex.n_sequences)
    behaviour[0] = 1.0
    for lo, hi in zip(treeplex.begin.tolist(), treeplex.end.tolist(), strict=True):
        behaviour[rng.integers(lo, hi)] = 1.0
    return behaviour


def distance_to_value(spec: str, seat: int, profile: Profile) -> float:
    """Return how much more than the game's value a best response wins against one player's strategy."""
    return won_over_value(enumerated(spec).form, equilibrium(spec).certificate, seat, profile)


def spread(spec: str) -> float:
    """Return the largest payoff less the smallest; 1 where all payoffs are equal."""
    return problem(spec).spread or 1.0
