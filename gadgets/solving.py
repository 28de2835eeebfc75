"""Solve a subgame again: a gadget's game by linear programming, or margins lexicographically."""

import time
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from gadgets.gadget import Gadget
from gadgets.lexicographic import lexicographic_margins
from gadgets.offers import BlueprintOffers, Offer, Offers
from gadgets.unsafe import UndefinedError
from seqform.certificate import Certificate, check_profile
from seqform.perturbed import quasi_perfect
from seqform.profile import Profile
from seqform.sequence_form import SequenceForm
from seqform.solve import mean_payoff, solve_lp
from seqform.subgame import Subgame
from seqform.treeplex import Floats

WIDTH = 1e-11
"""How narrow, in mean payoffs, the certificate of a gadget game is made if some solver can."""


@dataclass(frozen=True)
class SubgameSolution:
    """A subgame solved again.

    Attributes
    ----------
    subgame : Subgame
    method : str
    behaviour : (S,) f64
        The defender's in the whole game: the blueprint's outside the subgame.
    offer : Offer or None
        What the method offered the opponent at the tops.
    solution : Profile or None
        Of the gadget game; None where the method is no game or there was nothing to solve.
    certificate : Certificate or None
        Of that solution.
    kept : str
        Why the blueprint was kept, empty where the subgame was solved.
    seconds : float
    """

    subgame: Subgame
    method: str
    behaviour: Floats
    offer: Offer | None
    solution: Profile | None
    certificate: Certificate | None
    kept: str
    seconds: float


class SubgameSolver(Protocol):
    """A way to solve one subgame without looking at others."""

    @property
    def name(self) -> str:
        """What reports call it."""

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again."""


@dataclass(frozen=True)
class EquilibriumOf:
    """Play an equilibrium of a gadget's game: whichever one the simplex method ends with.

    Attributes
    ----------
    gadget : Gadget
    """

    gadget: Gadget

    @property
    def name(self) -> str:
        """What reports call it."""
        return self.gadget.name

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again.

        Raises
        ------
        TypeError, ValueError
            If the gadget returns something that is no game on this subgame.
        """
        return _solve_game(self.gadget, subgame, self.name, _any_equilibrium)


@dataclass(frozen=True)
class QuasiPerfectOf:
    """Play a quasi-perfect equilibrium of a gadget's game: sensible also where the opponent should not go.

    Attributes
    ----------
    gadget : Gadget
    """

    gadget: Gadget

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"quasi-perfect-{self.gadget.name}"

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again; raises what :class:`EquilibriumOf` and ``quasi_perfect`` raise."""
        return _solve_game(self.gadget, subgame, self.name, _quasi_perfect)


@dataclass(frozen=True)
class Lexicographic:
    """Make margins as large as possible from the smallest up.

    Attributes
    ----------
    offers : Offers
    """

    offers: Offers = field(default_factory=BlueprintOffers)

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self.offers.prefix}lexicographic"

    def solve(self, subgame: Subgame) -> SubgameSolution:
        """Solve a subgame again."""
        clock = time.perf_counter()
        if not subgame.live.any():
            return _kept(subgame, self.name, UNREACHABLE, clock)
        offer = self.offers.of(subgame)
        behaviour = lexicographic_margins(subgame, offer).behaviour
        return SubgameSolution(
            subgame, self.name, behaviour, offer, None, None, "", time.perf_counter() - clock
        )


UNREACHABLE = "chance and the defender's blueprint never come there"


def _any_equilibrium(form: SequenceForm) -> tuple[Profile, Certificate]:
    solution = solve_lp(form, target=WIDTH * mean_payoff(form))
    return solution.profile, solution.certificate


def _quasi_perfect(form: SequenceForm) -> tuple[Profile, Certificate]:
    refined = quasi_perfect(form)
    return refined.profile, refined.certificate


class _Equilibrium(Protocol):
    def __call__(self, form: SequenceForm, /) -> tuple[Profile, Certificate]: ...


def _solve_game(gadget: Gadget, subgame: Subgame, name: str, equilibrium: _Equilibrium) -> SubgameSolution:
    clock = time.perf_counter()
    if not subgame.live.any():
        return _kept(subgame, name, UNREACHABLE, clock)
    try:
        form = gadget.apply(subgame)
    except UndefinedError as error:
        return _kept(subgame, name, str(error), clock)
    if not isinstance(form, SequenceForm):
        raise TypeError(f"{gadget.name}.apply must return a SequenceForm, got {type(form).__name__}")
    _check_payoff(form, gadget.name)
    profile, certificate = equilibrium(form)
    behaviour = np.asarray(gadget.invert(subgame, profile), dtype=np.float64)
    if behaviour.shape != subgame.plan.shape:
        raise ValueError(
            f"{gadget.name}.invert must return behaviour of shape {subgame.plan.shape}, got {behaviour.shape}"
        )
    _check_behaviour(subgame, behaviour, gadget.name)
    offer = gadget.offer(subgame)
    return SubgameSolution(
        subgame, name, behaviour, offer, profile, certificate, "", time.perf_counter() - clock
    )


def _check_payoff(form: SequenceForm, name: str) -> None:
    sizes = tuple(t.n_sequences for t in form.treeplexes)
    if form.payoff.base.shape != sizes:
        raise ValueError(
            f"the game of {name} has {sizes[0]} and {sizes[1]} sequences, but a payoff of shape "
            f"{form.payoff.base.shape}"
        )


def _check_behaviour(subgame: Subgame, behaviour: Floats, name: str) -> None:
    defender, blueprint = subgame.cut.defender, subgame.blueprint
    new = np.where(subgame.cut.inside, behaviour, blueprint.behaviour[defender])
    other = blueprint.behaviour[1 - defender]
    pair = (new, other) if defender == 0 else (other, new)
    try:
        check_profile(subgame.cut.trunk.form, Profile(blueprint.treeplexes, pair))
    except ValueError as error:
        raise ValueError(f"{name}.invert: {error}") from error


def _kept(subgame: Subgame, name: str, why: str, clock: float) -> SubgameSolution:
    behaviour = subgame.blueprint.behaviour[subgame.cut.defender]
    return SubgameSolution(subgame, name, behaviour, None, None, None, why, time.perf_counter() - clock)
