"""Brown and Sandholm 2017, appendix B.1: alternative values that are drawn at random."""

from collections.abc import Iterator
from math import exp, pi, sqrt
from statistics import NormalDist

import numpy as np
from scipy.optimize import brentq

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import spread
from treeplex.bench.theorems.solved_instances import FIGURE_4_GAME, instances, of_case, parts
from treeplex.bench.theorems.solved_measures import unsafe
from treeplex.bench.theorems.solved_subgames import solutions, subgames
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.gadgets.alternatives import BlueprintAlternatives
from treeplex.gadgets.distributional import Distributional, Normal, SameDeviation, standard_normal
from treeplex.seqform.programs.lp_solution import solve_lp

SOURCE = "Brown and Sandholm 2017, appendix B.1"
OFFERED = (1.0, 10.0)
ENTERED = {"A": (0.99, 9.99), "B": (1.01, 0.0)}
"""Two strategies, by what the opponent gets at two tops; and the alternative values there."""
OBJECTIVES = {
    0.005: (11.0001, 11.0100),
    0.01: (11.0017, 11.0108),
    0.02: (11.0079, 11.0140),
    0.1: (11.0702, 11.0451),
    1.0: (11.788, 11.404),
}
"""The objective of A and of B by the deviation, to four digits, three in the last row."""
CROSSOVER = 0.03623
FOUR_DIGITS = 0.5e-4


def most_of(value: float, mean: float, deviation: float) -> float:
    """Return E max(value, X) for X normal with this mean and deviation; 0 is no spread."""
    if deviation == 0.0:
        return max(value, mean)
    d = (value - mean) / deviation
    return mean + (value - mean) * NormalDist().cdf(d) + deviation * exp(-d * d / 2) / sqrt(2 * pi)


def objective(strategy: str, deviation: float) -> float:
    """Return the sum over both tops of E max(value, alternative value)."""
    return sum(most_of(v, m, deviation) for v, m in zip(ENTERED[strategy], OFFERED, strict=True))


def _by_atoms(strategy: str, deviation: float) -> float:
    """Return the same by the draws of the gadget's game, 256 equally likely ones."""
    means, _ = standard_normal(256)
    both = zip(ENTERED[strategy], OFFERED, strict=True)
    return sum(float(np.maximum(value, mean + deviation * means).mean()) for value, mean in both)


def _rows(effort: Effort) -> Iterator[Instance]:
    yield Instance(choice="crossover")
    for deviation in OBJECTIVES:
        yield Instance(choice=f"deviation {deviation}")


def _row(instance: Instance) -> Iterator[Comparison]:
    if instance.choice == "crossover":
        found = brentq(lambda s: objective("A", s) - objective("B", s), 0.01, 0.1, xtol=1e-9)
        yield Comparison(float(found), CROSSOVER, scale=0.1)
        return
    deviation = float(instance.choice.split()[1])
    for strategy, printed in zip("AB", OBJECTIVES[deviation], strict=True):
        scale = 10.0 if deviation == 1.0 else 1.0
        yield Comparison(objective(strategy, deviation), printed, scale, f"strategy {strategy}")
    first, second = (_by_atoms(strategy, deviation) for strategy in "AB")
    prefers_first = OBJECTIVES[deviation][0] < OBJECTIVES[deviation][1]
    yield Comparison(float(first < second), float(prefers_first), at="whether the gadget prefers A")


def _same_choice(instance: Instance) -> Iterator[Comparison]:
    if instance.choice != "crossover":
        deviation = float(instance.choice.split()[1])
        first, second = (objective("A", s) < objective("B", s) for s in (0.0, deviation))
        yield Comparison(float(first), float(second), at="whether A is preferred")


CROSSOVER_THEOREM = Theorem(
    name="distributional-crossover",
    plain=(
        "Alternative values 1 and 10, one strategy that lowers both by 1/100 and one that gives 1/100 at the "
        "first and saves 10 at the second: Distributional prefers the second for deviations above .03623."
    ),
    tex=r"\sum_t E \max(v_t, X_t), \quad X_t \sim N(\mu_t, s^2)",
    source=f"{SOURCE}, the example; figures derived",
    relation="==",
    instances=_rows,
    measure=_row,
    tolerance=FOUR_DIGITS,
    twin=Twin("Distributional prefers what Resolve prefers, whatever the deviation.", _same_choice),
)


def _atoms(effort: Effort) -> Iterator[Instance]:
    for count in effort.choose((1, 2, 3, 8, 16), (64, 256)):
        yield Instance(choice=f"{count} atoms")


def _short(instance: Instance) -> Iterator[tuple[float, float]]:
    """Yield by how much atoms understate E max(v, X) at several v, and the stated error."""
    means, error = standard_normal(int(instance.choice.split()[0]))
    for v in (*np.linspace(-3.0, 3.0, 61).tolist(), *means.tolist()):
        yield most_of(v, 0.0, 1.0) - float(np.maximum(v, means).mean()), error


def _understated(instance: Instance) -> Iterator[Comparison]:
    for short, error in _short(instance):
        yield Comparison(0.0, short, at="at least")
        yield Comparison(short, error, at="at most")


def _half(instance: Instance) -> Iterator[Comparison]:
    for short, error in _short(instance):
        yield Comparison(short, error / 2)


ATOMS = Theorem(
    name="atoms-of-a-normal",
    plain=(
        "A normal distribution in bins of equal probability, each at its mean, understates E max(v, X), and "
        "by no more than the largest E (X - m)+ of a bin."
    ),
    tex=r"0 \le E \max(v, X) - \tfrac1K \sum_k \max(v, m_k) \le \max_k E_k (X - m_k)^+",
    source="derived, by Jensen's inequality in each bin",
    relation="<=",
    instances=_atoms,
    measure=_understated,
    tolerance=1e-12,
    equality="At the mean of an outermost bin.",
    twin=Twin("Half of that error is enough.", _half),
)

DEVIATIONS = ("0", "0.3", "1")


def _value(instance: Instance) -> Iterator[Comparison]:
    spec, seat, start, deviation = parts(instance)
    gadget = Distributional(Normal(BlueprintAlternatives(), SameDeviation(float(deviation)), 3))
    for piece, sure in zip(subgames(spec, seat, start), solutions(spec, seat, start, "resolve"), strict=True):
        if sure.certificate is not None:
            sign = 1 if piece.cut.opponent == 0 else -1
            left = sign * float(sure.certificate.value)
            right = sign * float(solve_lp(gadget.apply(piece)).certificate.value)
            yield Comparison(left, right, spread(spec), piece.cut.name)
            if float(deviation) == 0.0:
                yield Comparison(right, left, spread(spec), f"{piece.cut.name}, no deviation")


def _not_safe(effort: Effort) -> Iterator[Instance]:
    yield of_case((FIGURE_4_GAME, 1, "guess:1/2,1/2"), "distributional")
    yield from instances(effort, ("distributional",), quick=1, full=20)


DISTRIBUTIONAL_VALUE = Theorem(
    name="distributional-value",
    plain=(
        "The game of Distributional is worth no less to the opponent than that of Resolve at the same means, "
        "and the same without any deviation."
    ),
    tex=r"\sum_t w_t \max(v_t, E X_t) \le \sum_t w_t E \max(v_t, X_t)",
    source=f"{SOURCE}; derived by Jensen's inequality",
    relation="<=",
    instances=lambda effort: instances(effort, DEVIATIONS, quick=2, full=30),
    measure=_value,
    equality="A deviation of 0: Distributional is Resolve.",
    twin=Twin("Distributional is safe: it concedes no more than the blueprint.", unsafe, _not_safe),
)

THEOREMS = (CROSSOVER_THEOREM, ATOMS, DISTRIBUTIONAL_VALUE)
