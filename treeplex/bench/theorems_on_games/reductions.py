"""Games changed so that the effect on the value is known: flows, payoffs, forced moves, fewer actions."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from treeplex.bench.theorems.cases import named_games, random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, equilibrium, random_behaviour, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.programs.guided_program import restricted_plan
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.programs.sequence_program import plain_program
from treeplex.seqform.reductions.removed_infosets import (
    contracted,
    renumbered,
    without_forced_moves,
)

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


def _profile(instance: Instance, form: SequenceForm) -> Profile:
    rng = np.random.default_rng(instance.seed)
    first, second = (random_behaviour(t, rng) for t in form.treeplexes)
    return Profile(form.treeplexes, (first, second))


def _forced_games(effort: Effort) -> Iterator[Instance]:
    yield from random_games(effort, quick=8, full=60)
    yield Instance("kuhn_poker")


def _both_bounds(
    spec: str, forms: tuple[SequenceForm, SequenceForm], profiles: tuple[Profile, Profile]
) -> Iterator[Comparison]:
    """Compare what the plans of two profiles guarantee in their games."""
    for player in (0, 1):
        left, right = (
            form.best_response(player, profile.plans[1 - player]).total
            for form, profile in zip(forms, profiles, strict=True)
        )
        yield Comparison(left, right, spread(spec), f"player {player}'s best response")


def _unforced(instance: Instance) -> Iterator[Comparison]:
    whole = enumerated(instance.game).form
    shorter = without_forced_moves(whole)
    profile = _profile(instance, whole)
    yield from _both_bounds(instance.game, (shorter.form, whole), (shorter.restrict(profile), profile))
    small = _profile(instance, shorter.form)
    yield from _both_bounds(instance.game, (shorter.form, whole), (small, shorter.lift(small)))
    less, value = (rational_optimum(form).value for form in (shorter.form, whole))
    yield Comparison(less, value, at="value of the game")


def _without_choices(instance: Instance) -> Iterator[Comparison]:
    whole = enumerated(instance.game).form
    gone = [np.append(t.end - t.begin <= 2, False) for t in whole.treeplexes]
    (first, rows), (second, cols) = map(contracted, whole.treeplexes, gone)
    payoff = Payoff.sparse(renumbered(whole.payoff.base, rows, cols))
    shorter = replace(whole, treeplexes=(first, second), payoff=payoff)
    yield Comparison(rational_optimum(shorter).value, rational_optimum(whole).value)


FORCED_MOVES = Theorem(
    name="forced-moves-change-nothing",
    plain="Without its infosets of one action a game has the same value, and strategies with and without "
    "them guarantee the same.",
    tex=r"|A(I)| = 1 \Rightarrow x_{(I,a)} = x_{\mathrm{par}(I)}",
    source="von Stengel, Efficient computation of behavior strategies, 1996",
    relation="==",
    instances=_forced_games,
    measure=_unforced,
    tolerance=1e-12,
    twin=Twin("So it is without the infosets of two actions.", _without_choices),
)


def _support(treeplex: Treeplex, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which sequences may be played: each with probability 1/2, one at least at each infoset, (S,)."""
    kept = rng.random(treeplex.n_sequences) < 0.5
    kept[[0, *(int(rng.integers(lo, hi)) for lo, hi in zip(treeplex.begin, treeplex.end, strict=True))]] = (
        True
    )
    return kept


def _restricted_values(instance: Instance, player: int) -> tuple[float, float]:
    """Return the value with fewer actions of one player, and what that solution shows of the whole game."""
    form, rng = enumerated(instance.game).form, np.random.default_rng(instance.seed)
    everything = [np.ones(t.n_sequences, dtype=np.bool_) for t in form.treeplexes]
    everything[player] = _support(form.treeplexes[player], rng)
    support = (everything[0], everything[1])
    value = float(rational_optimum(form.restrict(support)).value)
    plan = restricted_plan(form, player, support[player], support[1 - player], "simplex").plan
    return value, form.best_response(1 - player, plan).total * (1 if player == 1 else -1)


def _fewer(instance: Instance) -> Iterator[Comparison]:
    value, size = float(equilibrium(instance.game).certificate.value), spread(instance.game)
    less, shown = _restricted_values(instance, 0)
    yield Comparison(less, value, size, "player 0 has fewer")
    yield Comparison(less, shown, size, "its plan guarantees as much in the whole game")
    more, shown = _restricted_values(instance, 1)
    yield Comparison(value, more, size, "player 1 has fewer")
    yield Comparison(shown, more, size, "its plan concedes no more in the whole game")


def _fewer_of_the_other(instance: Instance) -> Iterator[Comparison]:
    value = float(equilibrium(instance.game).certificate.value)
    yield Comparison(_restricted_values(instance, 1)[0], value, spread(instance.game), "player 1 has fewer")


FEWER_ACTIONS = Theorem(
    name="fewer-actions-never-help",
    plain="A player who may play fewer sequences gets no more than the value, and what an optimal plan of "
    "that game guarantees it also guarantees in the whole game.",
    tex=r"Q' \subseteq Q \Rightarrow \max_{x \in Q'} \min_y x^\top A y \le v",
    source="von Neumann 1928",
    relation="<=",
    instances=_games,
    measure=_fewer,
    twin=Twin("The value never rises, whoever may play fewer.", _fewer_of_the_other),
)


THEOREMS = (FLOWS_AS_INEQUALITIES, AFFINE_PAYOFFS, FORCED_MOVES, FEWER_ACTIONS)
