"""Flow rows as inequalities, right where nothing can be lost; values under affine payoffs."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from treeplex.seqform.exact.rational_optimum import rational_optimum
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.lp.highs import run_highs
from treeplex.seqform.lp.program import plain_program
from treeplex.theorems.cases import named_games, random_games
from treeplex.theorems.effort import Effort
from treeplex.theorems.prepared import enumerated, equilibrium, spread
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

FACTOR = Fraction(7, 3)
"""Payoffs are multiplied by it where values under affine payoffs are compared."""


def _games(effort: Effort) -> Iterator[Instance]:
    yield from named_games(effort)
    yield Instance("dummy_pennies(mover=0)")
    yield from random_games(effort, quick=4, full=40)


def _affine(spec: str, factor: Fraction, constant: Fraction) -> SequenceForm:
    """Return a game with every leaf's payoff times a factor plus a constant, exactly."""
    numbered = enumerated(spec)
    tree, form = numbered.tree, numbered.form
    z = tree.leaves
    den = tree.payoff_den * factor.denominator * constant.denominator
    scaled = tree.payoff[z].astype(object) * factor.numerator * constant.denominator
    paid = scaled + constant.numerator * tree.payoff_den * factor.denominator
    matrix = ExactMatrix.of(
        numbered.last[0][z],
        numbered.last[1][z],
        tree.chance[z].astype(object) * paid,
        tree.chance_den * den,
        form.n_sequences,
    )
    return replace(form, payoff=Payoff.sparse(matrix))


def _least_payoff(spec: str) -> Fraction:
    tree = enumerated(spec).tree
    return min(Fraction(int(payoff), tree.payoff_den) for payoff in tree.payoff[tree.leaves])


def _slack_optimum(form: SequenceForm) -> float:
    """Return the optimum of player 0's program whose flow rows are inequalities: mass may be dropped."""
    written = plain_program(form, 0)
    flows = 1 + form.n_infosets[0]
    lower = written.program.row_lower.copy()
    lower[:flows] = -np.inf
    return run_highs(replace(written.program, row_lower=lower), "simplex").objective


def _shifted(instance: Instance) -> Iterator[Comparison]:
    least = _least_payoff(instance.game)
    value = float(equilibrium(instance.game).certificate.value)
    slack = _slack_optimum(_affine(instance.game, Fraction(1), -least))
    yield Comparison(slack, value - float(least), spread(instance.game))


def _not_shifted(instance: Instance) -> Iterator[Comparison]:
    value = float(equilibrium(instance.game).certificate.value)
    yield Comparison(_slack_optimum(enumerated(instance.game).form), value, spread(instance.game))


FLOWS_AS_INEQUALITIES = Theorem(
    name="flows-as-inequalities",
    plain="If every payoff of player 0 is at least 0, its program has the same optimum with flow rows that "
    "are inequalities: no mass is worth dropping.",
    tex=r"\max \{ f^\top q : Ex \le e,\ F^\top q \le A^\top x,\ x \ge 0 \} = v \quad\text{if } u \ge 0",
    source="Derived here; a published exact solver reports 1/2 on pennies with a dummy move, of value 0",
    relation="==",
    instances=_games,
    measure=_shifted,
    twin=Twin("So it has whatever the signs of payoffs.", _not_shifted),
)


def _affine_values(instance: Instance) -> Iterator[Comparison]:
    constant = Fraction(5, 2)
    moved = rational_optimum(_affine(instance.game, FACTOR, constant)).value
    yield Comparison(moved, FACTOR * rational_optimum(enumerated(instance.game).form).value + constant)


def _negated_values(instance: Instance) -> Iterator[Comparison]:
    moved = rational_optimum(_affine(instance.game, -FACTOR, Fraction(0))).value
    yield Comparison(moved, -FACTOR * rational_optimum(enumerated(instance.game).form).value)


AFFINE_PAYOFFS = Theorem(
    name="values-under-affine-payoffs",
    plain="With every payoff times a positive factor plus a constant the value of the game is so too.",
    tex=r"v(a u + b) = a \, v(u) + b \quad\text{for } a > 0",
    source="von Neumann and Morgenstern 1944",
    relation="==",
    instances=_games,
    measure=_affine_values,
    tolerance=0.0,
    twin=Twin("So it is with a negative factor.", _negated_values),
)

THEOREMS = (FLOWS_AS_INEQUALITIES, AFFINE_PAYOFFS)
