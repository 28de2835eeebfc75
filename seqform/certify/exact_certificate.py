"""Certificates in rational arithmetic, without rounding."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from treeplex.seqform.certify.certificate import Certificate, check_profile, repaired
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.trees.deal import Ints

PROBABILITY_BITS = 48
"""Probabilities are rounded to multiples of 2**-48 before plans are built from them."""


@dataclass(frozen=True)
class ExactPlan:
    """A realization plan in exact arithmetic.

    Attributes
    ----------
    num : (S,) exact integers
    den : int
        The common denominator: the plan is ``num / den``.
    """

    num: Ints
    den: int


def certify_exactly(form: SequenceForm, profile: Profile) -> Certificate:
    """Return a proved interval for the value of a game, in exact arithmetic.

    Probabilities, never plans, are rounded to rationals that sum to exactly one; plans are rebuilt from
    them, and best responses computed, in integers (theorems C3.3, C3.4).
    """
    clock = time.perf_counter()
    check_profile(form, profile)
    x, y = (exact_plan(t, b) for t, b in zip(form.treeplexes, profile.behaviour, strict=True))
    value, lower, upper = exact_bounds(form, x, y)
    return Certificate(value, lower, upper, 0.0, time.perf_counter() - clock)


def exact_plan(treeplex: Treeplex, behaviour: Floats) -> ExactPlan:
    """Round a behaviour to rationals and build its plan exactly."""
    one = 1 << PROBABILITY_BITS
    odds = np.array([round(b * one) for b in repaired(treeplex, behaviour).tolist()], dtype=object)
    num = np.zeros(treeplex.n_sequences, dtype=object)
    num[0] = 1
    for lo, hi, parent in zip(treeplex.begin, treeplex.end, treeplex.parent, strict=True):
        row = odds[lo:hi]
        row[int(np.argmax(row))] += one - int(row.sum())
        num[lo:hi] = num[parent] * row
    deepest = int(treeplex.depth.max())
    shift = np.array([1 << (PROBABILITY_BITS * int(deepest - d)) for d in treeplex.depth], dtype=object)
    return ExactPlan(num * shift, one**deepest)


def rational_plan(treeplex: Treeplex, behaviour: Sequence[Fraction]) -> ExactPlan:
    """Return the plan of a rational behaviour, S: each sequence's own reach, over one denominator."""
    plan = [Fraction(1)]
    for parent, odds in zip(treeplex.parent_of.tolist()[1:], behaviour[1:], strict=True):
        plan.append(plan[parent] * odds)
    den = lcm(*(reach.denominator for reach in plan))
    num = [reach.numerator * (den // reach.denominator) for reach in plan]
    return ExactPlan(np.array(num, dtype=object), den)


def behaviour_of(treeplex: Treeplex, plan: ExactPlan, off_path: Floats) -> Floats:
    """Return the behaviour of an exact plan, each probability rounded once, (S,).

    Parameters
    ----------
    treeplex : Treeplex
    plan : ExactPlan
    off_path : (S,) f64
        The behaviour at infosets that the plan does not reach.
    """
    behaviour = off_path.copy()
    for s, parent in enumerate(treeplex.parent_of.tolist()[1:], 1):
        if plan.num[parent]:
            behaviour[s] = int(plan.num[s]) / int(plan.num[parent])
    return behaviour


def exact_bounds(form: SequenceForm, x: ExactPlan, y: ExactPlan) -> tuple[Fraction, Fraction, Fraction]:
    """Return (x' A y, min over y of x' A y, max over x of x' A y), exactly."""
    against_y, den = form.payoff.against_exact(0, y.num)
    value = Fraction(int(x.num.dot(against_y)), den * y.den * x.den)
    return value, -exact_best_response(form, 1, x), exact_best_response(form, 0, y)


def exact_best_response(form: SequenceForm, player: int, plan: ExactPlan) -> Fraction:
    """Return what a player's best response to the other player's plan pays that player, exactly."""
    gradient, den = form.payoff.against_exact(player, plan.num)
    return Fraction(
        exact_maximum(form.treeplexes[player], gradient if player == 0 else -gradient), den * plan.den
    )


def exact_maximum(treeplex: Treeplex, gradient: Ints) -> int:
    """Return the best response's total to an integer gradient (the exact twin of the compiled loop)."""
    q = gradient.copy()
    bounds = list(zip(treeplex.begin.tolist(), treeplex.end.tolist(), treeplex.parent.tolist(), strict=True))
    for lo, hi, parent in reversed(bounds):
        q[parent] += max(q[lo:hi])
    return int(q[0])
