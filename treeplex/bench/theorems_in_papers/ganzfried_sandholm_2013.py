"""Ganzfried and Sandholm 2013: the pseudo-harmonic mapping of bets, its indifference and its axioms."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.off_tree.translation import pseudo_harmonic

SOURCE = "Ganzfried and Sandholm, Action translation in extensive-form games with large action spaces, 2013"


def _sizes(effort: Effort) -> Iterator[Instance]:
    for named in effort.choose(("1/2 3/4 1", "0 1/3 1"), ("1 2 10", "1/4 1/2 1")):
        yield Instance(choice=named)
    for seed in effort.seeds(quick=20, full=500):
        rng = Random(seed)
        lower = Fraction(rng.randrange(60), 20)
        upper = lower + Fraction(rng.randrange(1, 60), 20)
        size = lower + (upper - lower) * Fraction(rng.randrange(1, 40), 40)
        yield Instance(seed=seed, choice=f"{lower} {size} {upper}")


def _read(instance: Instance) -> tuple[Fraction, Fraction, Fraction]:
    lower, size, upper = map(Fraction, instance.choice.split())
    return lower, size, upper


def _called(lower: Fraction, upper: Fraction, share: float | Fraction) -> float:
    """Return how often a bet is called that is read as the lower size with this share."""
    return float(share / (1 + lower) + (1 - share) / (1 + upper))


def _indifference(instance: Instance) -> Iterator[Comparison]:
    lower, size, upper = _read(instance)
    called = _called(lower, upper, pseudo_harmonic(lower, size, upper))
    yield Comparison(called, float(1 / (1 + size)), at="how often the bet is called")
    yield Comparison((1 - called) - called * float(size), 0.0, float(1 + size), "what a bluff earns")


def _arithmetic(instance: Instance) -> Iterator[Comparison]:
    lower, size, upper = _read(instance)
    called = _called(lower, upper, (upper - size) / (upper - lower))
    yield Comparison(called, float(1 / (1 + size)), at="how often the bet is called")


INDIFFERENCE = Theorem(
    name="pseudo-harmonic-indifference",
    plain="Who calls known bets of s pots with probability 1 / (1 + s) and reads an unknown bet x by the "
    "pseudo-harmonic mapping calls it with 1 / (1 + x): a bluff of any size earns nothing.",
    tex=r"\frac{f}{1+A} + \frac{1-f}{1+B} = \frac1{1+x}, \quad f = \frac{(B-x)(1+A)}{(B-A)(1+x)}",
    source=f"{SOURCE}, section 6",
    relation="==",
    instances=_sizes,
    measure=_indifference,
    tolerance=1e-14,
    twin=Twin("So it is with the arithmetic mapping (B - x) / (B - A).", _arithmetic),
)


def _boundaries(instance: Instance) -> Iterator[Comparison]:
    lower, _, upper = _read(instance)
    yield Comparison(pseudo_harmonic(lower, lower, upper), 1.0, at="at A")
    yield Comparison(pseudo_harmonic(lower, upper, upper), 0.0, at="at B")
    threshold = (lower + upper + 2 * lower * upper) / (lower + upper + 2)
    yield Comparison(pseudo_harmonic(lower, threshold, upper), 0.5, at="at the threshold")
    if instance.choice == "1/2 3/4 1":
        yield Comparison(pseudo_harmonic(*_read(instance)), 3 / 7, at="3/4 between 1/2 and 1")


def _middle(instance: Instance) -> Iterator[Comparison]:
    lower, _, upper = _read(instance)
    yield Comparison(pseudo_harmonic(lower, (lower + upper) / 2, upper), 0.5)


BOUNDARIES = Theorem(
    name="pseudo-harmonic-boundaries",
    plain="A known bet is read as itself, and the threshold (A + B + 2AB) / (A + B + 2) as either with equal "
    "probability.",
    tex=r"f(A) = 1, \quad f(B) = 0, \quad f\Big(\frac{A+B+2AB}{A+B+2}\Big) = \frac12",
    source=f"{SOURCE}; boundary axiom and deterministic threshold",
    relation="==",
    instances=_sizes,
    measure=_boundaries,
    tolerance=1e-15,
    twin=Twin("The middle between both sizes is read as either with equal probability.", _middle),
)


def _monotone(instance: Instance) -> Iterator[Comparison]:
    lower, size, upper = _read(instance)
    there = pseudo_harmonic(lower, size, upper)
    yield Comparison(there, pseudo_harmonic(lower, (lower + size) / 2, upper), at="smaller bets")
    yield Comparison(pseudo_harmonic(lower, (size + upper) / 2, upper), there, at="larger bets")
    arithmetic = float((upper - size) / (upper - lower))
    yield Comparison(there, arithmetic, at="below the arithmetic mapping")


def _geometric(instance: Instance) -> Iterator[Comparison]:
    lower, size, upper = _read(instance)
    if lower > 0:
        odds = lower * (upper - size), size * (size - lower)
        geometric = float(odds[0] / sum(odds))
        yield Comparison(pseudo_harmonic(lower, size, upper), geometric, at="below the geometric mapping")


MONOTONE = Theorem(
    name="pseudo-harmonic-is-monotone",
    plain="The larger a bet, the less often it is read as the smaller size, and less often than by the "
    "arithmetic mapping.",
    tex=r"x < x' \Rightarrow f(x') < f(x) < \tfrac{B-x}{B-A}",
    source=f"{SOURCE}; monotonicity axiom",
    relation="<=",
    instances=_sizes,
    measure=_monotone,
    tolerance=0.0,
    twin=Twin(
        "And less often than by the geometric mapping, with odds A (B - x) to x (x - A): so it is up to "
        "x = A (1 + B) / (1 + A) alone.",
        _geometric,
    ),
)

THEOREMS = (INDIFFERENCE, BOUNDARIES, MONOTONE)
