"""Cuts, blueprints, subgames and their solutions by name, computed once in a process."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from treeplex.bench.theorems.careless import MetAlternatives, ResponseAlternatives
from treeplex.bench.theorems.prepared import KEPT, enumerated, strategy
from treeplex.gadgets.alternatives import BlueprintAlternatives, EstimatedGifts, LowerBoundGifts
from treeplex.gadgets.distributional import Distributional, Normal, SameDeviation
from treeplex.gadgets.joint_optimum import JointOptimum, joint_optimum
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.gadgets.subgame_solvers import (
    EquilibriumOf,
    Lexicographic,
    QuasiPerfectOf,
    SubgameSolution,
    SubgameSolver,
    compose,
)
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.subgames.cut import Cut, cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame

REACH = BlueprintAlternatives(LowerBoundGifts())
ALL_GIFTS = BlueprintAlternatives(EstimatedGifts())
SAFE: Mapping[str, SubgameSolver] = MappingProxyType(
    {
        "resolve": EquilibriumOf(Resolve()),
        "reach-resolve": EquilibriumOf(Resolve(REACH)),
        "maxmargin": EquilibriumOf(Maxmargin()),
        "reach-maxmargin": EquilibriumOf(Maxmargin(REACH)),
        "lexicographic": Lexicographic(),
        "reach-lexicographic": Lexicographic(REACH),
    }
)
"""Methods for which Theorem 1 of Brown and Sandholm 2017 is promised."""
SOLVERS: Mapping[str, SubgameSolver] = MappingProxyType(
    {
        **SAFE,
        "all-gifts-resolve": EquilibriumOf(Resolve(ALL_GIFTS)),
        "all-gifts-maxmargin": EquilibriumOf(Maxmargin(ALL_GIFTS)),
        "quasi-perfect-resolve": QuasiPerfectOf(Resolve()),
        "quasi-perfect-maxmargin": QuasiPerfectOf(Maxmargin()),
        "distributional": EquilibriumOf(
            Distributional(Normal(BlueprintAlternatives(), SameDeviation(1.0), 8))
        ),
        "unsafe": EquilibriumOf(Unsafe()),
        "response-maxmargin": EquilibriumOf(Maxmargin(ResponseAlternatives())),
        "met-maxmargin": EquilibriumOf(Maxmargin(MetAlternatives())),
        "triple-reach-resolve": EquilibriumOf(Resolve(BlueprintAlternatives(LowerBoundGifts(3.0)))),
        "triple-gifts-resolve": EquilibriumOf(Resolve(BlueprintAlternatives(EstimatedGifts(3.0)))),
        "triple-gifts-maxmargin": EquilibriumOf(Maxmargin(BlueprintAlternatives(EstimatedGifts(3.0)))),
    }
)
"""Methods by the names that instances give them; from distributional on they promise no safety."""


@lru_cache(KEPT)
def cuts(spec: str, defender: int) -> tuple[Cut, ...]:
    """Return the usual subgames of a game; none where the defender decides nothing after the first move."""
    game = enumerated(spec)
    states = PublicStates.of(game.tree)
    try:
        names = states.first_subgames(defender)
    except ValueError:
        return ()
    return tuple(cut(states, game, [name], defender) for name in names)


@lru_cache(4 * KEPT)
def blueprint(spec: str, name: str) -> Profile:
    """Return a strategy by name: those of :func:`strategy`, and strategies of Coin Toss.

    ``guess:1/2,1/4,1/4`` are player 1's probabilities of each guess, in every subgame; player 0 plays half of
    the time, or ``guess:1/2,1/4,1/4:3/4,1/2`` as said for heads and for tails.
    """
    kind, *parts = name.split(":")
    if kind != "guess":
        return strategy(spec, name)
    own, other = enumerated(spec).form.treeplexes
    guess, *played = ([float(Fraction(p)) for p in part.split(",")] for part in parts)
    heads, tails = played[0] if played else (0.5, 0.5)
    plays = np.array([1.0, 1 - heads, heads, 1 - tails, tails])
    return Profile((own, other), (plays, np.array([1.0, *guess * other.n_infosets])))


@lru_cache(4 * KEPT)
def subgames(spec: str, defender: int, name: str) -> tuple[Subgame, ...]:
    """Return the usual subgames with a blueprint."""
    start = blueprint(spec, name)
    return tuple(Subgame.of(piece, start) for piece in cuts(spec, defender))


@lru_cache(4 * KEPT)
def solutions(spec: str, defender: int, name: str, method: str) -> tuple[SubgameSolution, ...]:
    """Return the usual subgames of a blueprint solved again by a method of ``SOLVERS``."""
    return solved(SOLVERS[method], subgames(spec, defender, name))


def solved(solver: SubgameSolver, pieces: tuple[Subgame, ...]) -> tuple[SubgameSolution, ...]:
    """Return subgames solved again, each by itself."""
    return tuple(solver.solve(piece) for piece in pieces)


@lru_cache(KEPT)
def joint(spec: str, defender: int, name: str) -> JointOptimum:
    """Return the joint optimum of the usual subgames of a blueprint."""
    return joint_optimum(subgames(spec, defender, name))


def composed_value(start: Profile, chosen: tuple[SubgameSolution, ...]) -> float:
    """Return what a best response wins against a blueprint with subgames' solutions in their places."""
    piece = chosen[0].subgame.cut
    return conceded(piece, compose(start, chosen))


def conceded(piece: Cut, profile: Profile) -> float:
    """Return what a best response wins against the defender's part of a profile."""
    return piece.game.form.best_response(piece.opponent, profile.plans[piece.defender]).total
