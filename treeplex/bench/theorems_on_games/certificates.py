"""Certificates: a basis proves its optimum exactly, and floats are widened by more than their rounding."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from treeplex.bench.theorems.cases import named_and_random_games, named_games, random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, equilibrium
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.seqform.certify.certificate import certify, certify_exactly
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.programs.rational_optimum import rational_optimum


def _exact_optimum(instance: Instance) -> Iterator[Comparison]:
    optimum = rational_optimum(enumerated(instance.game).form)
    proof, floats = optimum.certificate, equilibrium(instance.game).certificate
    yield Comparison(proof.lower, proof.upper, at="guaranteed and conceded")
    yield Comparison(int(floats.contains(optimum.value)), 1, at="in the interval of the floats")


def _float_optimum(instance: Instance) -> Iterator[Comparison]:
    proof = certify_exactly(enumerated(instance.game).form, equilibrium(instance.game).profile)
    yield Comparison(proof.lower, proof.upper)


BASIS_PROVES = Theorem(
    name="basis-proves-optimum",
    plain="The basis that a float solver ends with, solved in integers, gives plans whose guarantees are "
    "equal fractions, the value of the game; it lies in the interval that the floats prove.",
    tex=r"\min_y x_B^\top A y = v = \max_x x^\top A y_B \in \mathbb Q",
    source="Applegate, Cook, Dash and Espinoza, Exact solutions to linear programming problems, 2007",
    relation="==",
    instances=named_and_random_games,
    measure=_exact_optimum,
    tolerance=0.0,
    twin=Twin("The float solver's own plans, rounded to strategies, do so.", _float_optimum),
)


def _dyadic(treeplex: Treeplex, rng: np.random.Generator) -> Floats:
    """Return a behaviour of multiples of 1/64 that sum to 1 exactly: no judge rounds it."""
    behaviour = treeplex.uniform()
    for lo, hi in zip(treeplex.begin.tolist(), treeplex.end.tolist(), strict=True):
        behaviour[lo:hi] = rng.multinomial(64, np.full(hi - lo, 1 / (hi - lo))) / 64
    return behaviour


def _profile(instance: Instance) -> Profile:
    treeplexes = enumerated(instance.game).form.treeplexes
    rng = np.random.default_rng(instance.seed)
    return Profile(treeplexes, (_dyadic(treeplexes[0], rng), _dyadic(treeplexes[1], rng)))


def _dyadic_games(effort: Effort) -> Iterator[Instance]:
    yield from named_games(effort)
    yield Instance("leduc_poker")
    yield from random_games(effort, quick=6, full=60)


def _widened(instance: Instance) -> Iterator[Comparison]:
    form, profile = enumerated(instance.game).form, _profile(instance)
    floats, exact = certify(form, profile), certify_exactly(form, profile)
    yield Comparison(Fraction(floats.lower), exact.lower, at="lower")
    yield Comparison(exact.upper, Fraction(floats.upper), at="upper")


def _not_widened(instance: Instance) -> Iterator[Comparison]:
    form, profile = enumerated(instance.game).form, _profile(instance)
    exact, (x, y) = certify_exactly(form, profile), profile.plans
    yield Comparison(Fraction(-form.best_response(1, x).total), Fraction(exact.lower), at="lower")
    yield Comparison(Fraction(exact.upper), Fraction(form.best_response(0, y).total), at="upper")


FLOATS_WIDENED = Theorem(
    name="float-certificates-contain-exact-ones",
    plain="A certificate in floats, widened outward by its bound on all rounding, contains the certificate "
    "of the same plans in rational arithmetic.",
    tex=r"\mathrm{fl}(\ell) - \gamma_n m \le \ell \le v \le u \le \mathrm{fl}(u) + \gamma_n m, "
    r"\quad \gamma_n = \frac{n \epsilon}{1 - n \epsilon}",
    source="Higham, Accuracy and stability of numerical algorithms, 2002, section 3.1",
    relation="<=",
    instances=_dyadic_games,
    measure=_widened,
    tolerance=0.0,
    twin=Twin("It does so without being widened.", _not_widened),
)

THEOREMS = (BASIS_PROVES, FLOATS_WIDENED)
