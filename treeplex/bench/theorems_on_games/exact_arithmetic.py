"""Exact arithmetic: floats as rationals, the check of plans, and fractions from their residues."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import numpy as np

from treeplex.bench.theorems.cases import named_and_random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, random_behaviour
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.seqform.certify.certificate import ExactPlan, exact_plan
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.programs.dixon import reconstruct
from treeplex.seqform.programs.rational_optimum import is_plan

HALF_ULP = Fraction(1, 2**53)


def _draws(effort: Effort) -> Iterator[Instance]:
    for seed in effort.seeds(quick=10, full=100):
        yield Instance(seed=seed)


def _numbers(instance: Instance) -> Floats:
    rng = np.random.default_rng(instance.seed)
    return rng.normal(size=8) * 10.0 ** rng.integers(-12, 12, size=8)


def _entries(values: Floats) -> list[Fraction]:
    """Return a column of floats as the exact matrix holds it."""
    at = np.arange(len(values))
    matrix = ExactMatrix.of_floats(at, at * 0, values, (len(values), 1))
    return [Fraction(int(num), matrix.den) for num in matrix.num]


def _as_they_are(instance: Instance) -> Iterator[Comparison]:
    values = _numbers(instance)
    for found, value in zip(_entries(values), values.tolist(), strict=True):
        yield Comparison(found, Fraction(value), at=str(value))


def _in_single_precision(instance: Instance) -> Iterator[Comparison]:
    values = _numbers(instance)
    for found, value in zip(_entries(values.astype(np.float32).astype(np.float64)), values, strict=True):
        yield Comparison(found, Fraction(float(value)), at=str(value))


FLOATS_ARE_RATIONALS = Theorem(
    name="floats-are-rationals",
    plain="Payoffs given as floats enter exact arithmetic as the rationals that they are.",
    tex=r"\mathrm{fl} = m \cdot 2^e, \quad |m| < 2^{53}",
    source="IEEE 754",
    relation="==",
    instances=_draws,
    measure=_as_they_are,
    tolerance=0.0,
    twin=Twin("So they do in single precision.", _in_single_precision),
)


def _trees(effort: Effort) -> Iterator[Instance]:
    return named_and_random_games(effort, quick=3, full=30)


def _worst_rounding(spec: str, floats: Floats) -> Comparison:
    """Compare the largest relative error of probabilities of chance with half a unit in the last place."""
    tree = enumerated(spec).tree
    exact = [Fraction(int(c), tree.chance_den) for c in tree.chance]
    return Comparison(
        max(abs(Fraction(f) - c) / c for f, c in zip(floats.tolist(), exact, strict=True)), HALF_ULP
    )


def _chance(instance: Instance) -> Iterator[Comparison]:
    yield _worst_rounding(instance.game, enumerated(instance.game).tree.chance_floats)


def _short_chance(instance: Instance) -> Iterator[Comparison]:
    floats = enumerated(instance.game).tree.chance_floats
    yield _worst_rounding(instance.game, floats.astype(np.float32).astype(np.float64))


CHANCE_ROUNDED_ONCE = Theorem(
    name="chance-is-rounded-once",
    plain="The probability of chance's moves to each history is rounded by at most half a unit in the last "
    "place.",
    tex=r"|\mathrm{fl}(\pi_c(h)) - \pi_c(h)| \le 2^{-53} \pi_c(h)",
    source="IEEE 754",
    relation="<=",
    instances=_trees,
    measure=_chance,
    tolerance=0.0,
    twin=Twin("So it is in single precision.", _short_chance),
)


INNER = "too much at an inner infoset"
ALTERED = ("a negative entry", "too much", "too little", INNER, "twice all")
"""What is made wrong in a plan."""


def _plans(effort: Effort) -> Iterator[Instance]:
    for game in _trees(effort):
        for choice in ("a plan", *ALTERED):
            yield Instance(game.game, game.seed, choice=choice)


def _altered(treeplex: Treeplex, instance: Instance) -> ExactPlan | None:
    """Return a plan with one thing made wrong, as the instance says; None if no infoset allows it."""
    rng, kind = np.random.default_rng(instance.seed), instance.choice
    plan = exact_plan(treeplex, random_behaviour(treeplex, rng))
    if kind == "a plan":
        return plan
    if kind == "twice all":
        return ExactPlan(plan.num * 2, plan.den)
    fitting = _ends(treeplex, is_inner=kind == INNER)
    if not len(fitting):
        return None
    num = plan.num.copy()
    most = fitting[np.argmax(num[fitting])]
    others = fitting[fitting != most]
    if kind == "too little":
        num[most] -= 1
    else:
        num[most] += plan.den
    if kind == "a negative entry":
        num[others[0]] -= plan.den
    return ExactPlan(num, plan.den)


def _ends(treeplex: Treeplex, is_inner: bool) -> Index:
    """Return sequences of one infoset that no infoset follows: all of two or more, or some if it is inner."""
    parents = set(treeplex.parent.tolist())
    for lo, hi in (_span(treeplex, i) for i in range(treeplex.n_infosets)):
        ends = [s for s in range(lo, hi) if s not in parents]
        if 0 < len(ends) < hi - lo if is_inner else len(ends) == hi - lo > 1:
            return np.array(ends)
    return np.zeros(0, dtype=np.int64)


def _span(treeplex: Treeplex, infoset: int) -> tuple[int, int]:
    return int(treeplex.begin[infoset]), int(treeplex.end[infoset])


def _checked(instance: Instance) -> Iterator[Comparison]:
    for player, t in enumerate(enumerated(instance.game).form.treeplexes):
        plan = _altered(t, instance)
        if plan is not None:
            yield Comparison(int(is_plan(t, plan)), int(instance.choice == "a plan"), at=f"player {player}")


def _flows_alone(instance: Instance) -> Iterator[Comparison]:
    for player, t in enumerate(enumerated(instance.game).form.treeplexes):
        plan = _altered(t, instance)
        if plan is not None:
            spans = (_span(t, i) for i in range(t.n_infosets))
            kept = plan.num[0] == plan.den
            kept &= all(sum(plan.num[lo:hi]) == plan.num[t.parent_of[lo]] for lo, hi in spans)
            yield Comparison(int(kept), int(instance.choice == "a plan"), at=f"player {player}")


PLANS_ARE_CHECKED = Theorem(
    name="plans-are-nonnegative-flows",
    plain="What satisfies every flow equation and has no negative entry is a plan, and nothing else is.",
    tex=r"x \in Q \iff Ex = e,\ x \ge 0",
    source="von Stengel, Efficient computation of behavior strategies, 1996",
    relation="==",
    instances=_plans,
    measure=_checked,
    tolerance=0.0,
    twin=Twin("What satisfies the flow equations is a plan.", _flows_alone),
)
PRIME = 2**61 - 1


def _reconstructed(instance: Instance, digits: int) -> Iterator[Comparison]:
    """Compare a random fraction with the one rebuilt from its residue modulo a power of a prime."""
    from flint import fmpz

    rng = Random(instance.seed)
    value = Fraction(rng.randrange(-(10**15), 10**15) * 2 + 1, rng.randrange(1, 10**15))
    modulus = PRIME**digits
    residue = value.numerator * pow(value.denominator, -1, modulus) % modulus
    found = reconstruct(fmpz(residue), fmpz(modulus))
    yield Comparison(Fraction(0) if found is None else Fraction(int(found[0]), int(found[1])), value)
    if found is not None:
        yield Comparison(int(int(found[1]) > 0), 1, at="positive denominator")


def _with_spare_digits(instance: Instance) -> Iterator[Comparison]:
    yield from _reconstructed(instance, 4)


def _without(instance: Instance) -> Iterator[Comparison]:
    yield from _reconstructed(instance, 1)


RECONSTRUCTION = Theorem(
    name="fractions-from-residues",
    plain="A fraction whose numerator times denominator is well below a modulus is the shortest one with its "
    "residue, and is found with a positive denominator.",
    tex=r"r d \equiv n \pmod m, \quad |n| \, d \ll m",
    source="Dixon, Exact solution of linear equations using p-adic expansions, 1982; Wang 1981",
    relation="==",
    instances=_draws,
    measure=_with_spare_digits,
    tolerance=0.0,
    twin=Twin("It is found modulo a number shorter than the fraction too.", _without),
)

THEOREMS = (FLOATS_ARE_RATIONALS, CHANCE_ROUNDED_ONCE, PLANS_ARE_CHECKED, RECONSTRUCTION)
