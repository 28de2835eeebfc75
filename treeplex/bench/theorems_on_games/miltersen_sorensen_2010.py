"""Miltersen and Sørensen 2010: equilibria of games in which every move has a least probability."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.cases import random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, equilibrium, spread
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.bench.theorems_on_games.written import guess_the_ace, slips
from treeplex.seqform.certify.certificate import ExactPlan
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.sequence_form import SequenceForm, tree_form
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.quasi_perfect import (
    EPSILON,
    QuasiPerfect,
    lower_bounds,
    perturbed_program,
    quasi_perfect,
)
from treeplex.seqform.programs.sequence_program import LinearProgram, sequence_program
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.tree_arrays import Ints

SOURCE = "Miltersen and Sørensen, Computing a quasi-perfect equilibrium of a two-player game, 2010"
MODERATE = 1 / 40
"""A perturbation that floats can see, at which both perturbed programs are solved."""


def _games(effort: Effort) -> Iterator[Instance]:
    quick = ("kuhn_poker", "coin_toss", "dummy_pennies", "leduc_poker(raises=1)")
    for spec in effort.choose(quick, ("kuhn_poker(ranks=13)", "goofspiel", "leduc_poker")):
        yield Instance(spec)
    yield from random_games(effort, quick=4, full=40)


@lru_cache(64)
def _refined(spec: str) -> QuasiPerfect:
    return quasi_perfect(enumerated(spec).form)


def _mirrored(form: SequenceForm) -> SequenceForm:
    """Return the game from the other seat: the players exchanged, payoffs negated."""
    turned = form.payoff.base.transpose()
    base = ExactMatrix(turned.rows, turned.cols, -turned.num, turned.den, turned.shape)
    return replace(form, treeplexes=form.treeplexes[::-1], payoff=Payoff.sparse(base))


def _perturbed_optimum(form: SequenceForm, bounded_objective: bool) -> float:
    """Return the optimum of player 0's perturbed program, the other's bounds in its objective or not."""
    written = sequence_program(form, 0)
    program: LinearProgram = perturbed_program(form, written, MODERATE)
    if not bounded_objective:
        program = replace(program, cost=written.program.cost)
    return written.value(run_highs(program, "simplex", tolerance=1e-9).objective)


def _perturbed(instance: Instance, bounded_objective: bool) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    first, second = (_perturbed_optimum(f, bounded_objective) for f in (form, _mirrored(form)))
    yield Comparison(first, -second, spread(instance.game))


def _perturbed_programs(instance: Instance) -> Iterator[Comparison]:
    yield from _perturbed(instance, True)


def _own_bounds_alone(instance: Instance) -> Iterator[Comparison]:
    yield from _perturbed(instance, False)


PERTURBED_DUALITY = Theorem(
    name="perturbed-programs-are-dual",
    plain="With lower bounds on both plans, the other's bounds in the objective, the programs of both "
    "players have one optimum.",
    tex=r"\max_{Ex=e,\,x\ge l_1,\,F^\top q\le A^\top x} f^\top q + l_2^\top (A^\top x - F^\top q) "
    r"= \min_{Fy=f,\,y\ge l_2,\,E^\top p\ge Ay} e^\top p + l_1^\top (A y - E^\top p)",
    source=f"{SOURCE}; Farina, Gatti and Sandholm 2018",
    relation="==",
    instances=_games,
    measure=_perturbed_programs,
    twin=Twin("So they have without the other's bounds in the objective.", _own_bounds_alone),
)


def _worth(treeplex: Treeplex, gradient: Ints) -> tuple[Ints, Ints]:
    """Return the best-response values of sequences (S,) and, by sequence, those of their infosets (S,)."""
    q, best = gradient.copy(), gradient * 0
    spans = zip(treeplex.begin.tolist(), treeplex.end.tolist(), treeplex.parent.tolist(), strict=True)
    for lo, hi, parent in reversed(list(spans)):
        best[lo:hi] = max(q[lo:hi])
        q[parent] += best[lo]
    return q, best


def _above_bounds(form: SequenceForm, plans: tuple[ExactPlan, ExactPlan]) -> Iterator[Comparison]:
    """Compare with 0 what sequences above their lower bounds lose, and how far a plan falls below them."""
    for player, t in enumerate(form.treeplexes):
        earned, den = form.payoff.against_exact(player, plans[1 - player].num)
        q, best = _worth(t, np.array(earned if player == 0 else -earned, dtype=object))
        bounds, unit = lower_bounds(t, EPSILON)
        above = plans[player].num * unit - bounds * plans[player].den
        worst, below = max((above * (best - q))[1:], default=0), -min(above[1:], default=0)
        own = plans[player].den * unit
        lost = Fraction(int(worst), den * plans[1 - player].den * own)
        yield Comparison(lost, 0, at=f"losses of player {player} above bounds")
        yield Comparison(max(Fraction(int(below), own), Fraction(0)), 0, at=f"player {player} below bounds")


def _refined_losses(instance: Instance) -> Iterator[Comparison]:
    yield from _above_bounds(enumerated(instance.game).form, _refined(instance.game).plans)


def _aces(effort: Effort) -> Iterator[Instance]:
    for cards in effort.choose((3, 52), (10**6,)):
        yield Instance(choice=f"guess the ace of {cards} cards")


def _ace_form(instance: Instance) -> SequenceForm:
    return tree_form(build_tree(guess_the_ace(int(instance.choice.split()[-2]))))


def _absurd_guess_plans(form: SequenceForm) -> tuple[Floats, Floats]:
    """Return plans that stop and that would guess the ace: an equilibrium."""
    at = {label: s for t in form.treeplexes for s, label in enumerate(t.actions)}
    stops, guesses = (np.zeros(t.n_sequences) for t in form.treeplexes)
    stops[[0, at["stop"]]] = guesses[[0, at["ace"]]] = 1.0
    return stops, guesses


def _absurd_losses(instance: Instance) -> Iterator[Comparison]:
    form = _ace_form(instance)
    guesses = _absurd_guess_plans(form)[1]
    best = form.best_response(1, quasi_perfect(form).profile.plans[0])
    lost = guesses[1:] * (best.value[form.treeplexes[1].infoset_of[1:]] - best.q[1:])
    yield Comparison(float(np.max(lost)), 0.0, at="player 1")


LOSSES_AT_BOUNDS = Theorem(
    name="quasi-perfect-losses-at-bounds",
    plain="In a quasi-perfect equilibrium, at the perturbation where it is proved, every sequence that loses "
    "anything against the other's trembling plan is played at its lower bound, also off the path, and none "
    "below its bound.",
    tex=r"(x_s - \epsilon^{|s|}) (V_{I(s)} - Q_s) = 0, \quad x_s \ge \epsilon^{|s|}",
    source=SOURCE,
    relation="==",
    instances=_games,
    measure=_refined_losses,
    tolerance=0.0,
    twin=Twin("It is so in every equilibrium.", _absurd_losses, _aces),
)


def _guarantees(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    x, y = _refined(instance.game).profile.plans
    value = float(equilibrium(instance.game).certificate.value)
    yield Comparison(-form.best_response(1, x).total, value, spread(instance.game), "player 0")
    yield Comparison(form.best_response(0, y).total, value, spread(instance.game), "player 1")


def _perturbed_guarantee(instance: Instance) -> Iterator[Comparison]:
    form = enumerated(instance.game).form
    written = sequence_program(form, 0)
    run = run_highs(perturbed_program(form, written, MODERATE), "simplex", tolerance=1e-9)
    guaranteed = -form.best_response(1, written.plan(run.primal)).total
    value = float(equilibrium(instance.game).certificate.value)
    yield Comparison(guaranteed, value, spread(instance.game), "player 0")


REFINED_IS_EQUILIBRIUM = Theorem(
    name="quasi-perfect-is-an-equilibrium",
    plain="Both plans of a quasi-perfect equilibrium guarantee the value of the unperturbed game.",
    tex=r"\min_y \hat x^\top A y = v = \max_x x^\top A \hat y",
    source=SOURCE,
    relation="==",
    instances=_games,
    measure=_guarantees,
    twin=Twin("So does an optimal plan of the game perturbed by 1/40.", _perturbed_guarantee),
)


def _refined_guess(instance: Instance) -> Iterator[Comparison]:
    profile = quasi_perfect(_ace_form(instance)).profile
    yield Comparison(profile.action_probabilities(1, "guess")["not ace"], 1.0, at="not ace")


def _absurd_guess(instance: Instance) -> Iterator[Comparison]:
    form = _ace_form(instance)
    stops, guesses = _absurd_guess_plans(form)
    if form.best_response(0, guesses).total + form.best_response(1, stops).total == 0.0:  # an equilibrium
        yield Comparison(float(guesses[form.treeplexes[1].actions.index("not ace")]), 1.0, at="not ace")


GUESS_THE_ACE = Theorem(
    name="guess-the-ace",
    plain="Asked by mistake whether the top card of a full deck is the ace, the player of a quasi-perfect "
    "equilibrium says no.",
    tex=r"\lim_{\epsilon \to 0} \hat y^\epsilon(\text{not ace}) = 1",
    source=f"{SOURCE}; Guess-the-Ace",
    relation="==",
    instances=_aces,
    measure=_refined_guess,
    tolerance=1e-9,
    twin=Twin("The player of every equilibrium says no.", _absurd_guess),
)


def _prizes(effort: Effort) -> Iterator[Instance]:
    for prize in effort.choose((2, 1000), (10**6, 10**9)):
        yield Instance(choice=f"one slip or two for a prize of {prize}")


def _slipped(instance: Instance, bound: Callable[[int], float]) -> Iterator[Comparison]:
    """Compare with 1 the probability of "left" in a best response to slips at their lower bounds."""
    form = tree_form(build_tree(slips(int(instance.choice.split()[-1]))))
    first, second = form.treeplexes
    plan = np.array([bound(int(d)) for d in first.depth])
    plan[0] = 1.0
    plan[first.actions.index("further")] += plan[first.actions.index("on")]
    plan[first.actions.index("back")] = plan[first.actions.index("further")] - plan[first.actions.index("on")]
    best = form.best_response(1, plan).behaviour()
    yield Comparison(float(best[second.actions.index("left")]), 1.0, at="left")


def _refined_slips(instance: Instance) -> Iterator[Comparison]:
    form = tree_form(build_tree(slips(int(instance.choice.split()[-1]))))
    yield Comparison(quasi_perfect(form).profile.action_probabilities(1, "asked")["left"], 1.0, at="left")
    yield from _slipped(instance, lambda depth: float(EPSILON) ** depth)


def _even_slips(instance: Instance) -> Iterator[Comparison]:
    yield from _slipped(instance, lambda depth: float(EPSILON))


BOUNDS_BY_DEPTH = Theorem(
    name="one-slip-is-likelier-than-two",
    plain="With lower bounds that fall by epsilon with each own move, a player who may have been asked after "
    "one slip or after two expects one, whatever there is to win after two.",
    tex=r"l_s = \epsilon^{|s|}",
    source=SOURCE,
    relation="==",
    instances=_prizes,
    measure=_refined_slips,
    tolerance=1e-9,
    twin=Twin("So it is with one lower bound for all sequences.", _even_slips),
)

THEOREMS = (PERTURBED_DUALITY, LOSSES_AT_BOUNDS, REFINED_IS_EQUILIBRIUM, GUESS_THE_ACE, BOUNDS_BY_DEPTH)
