"""Courses: one player's compiled local rules against plans that an adversary chooses."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from treeplex.bench.theorems.cases import random_games
from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import enumerated, pure_behaviour, random_behaviour, spread
from treeplex.bench.theorems.theorem import Comparison, Instance
from treeplex.cfr.sequences.full_width import learn
from treeplex.cfr.sequences.sequence_learning import Memory, numbers_of, update_arrays
from treeplex.cfr.theory.regret_bounds import RegretSteps, discounted_bound, hedge_bound, observed_steps
from treeplex.cfr.theory.regret_log import current_behaviour, immediate_regrets
from treeplex.cfr.variant import VARIANTS, Average, Matching, Variant, exponent_named
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

MATCH = "matrix_game(payoff=[[1,0],[0,1]])"
"""Player 0 earns 1 for naming player 1's column: an infoset of two actions, whose values lie in [0, 1]."""
MATCH_3 = "matrix_game(payoff=[[1,0],[1,0],[0,1]])"
MATCH_10 = "matrix_game(payoff=[[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[0,1]])"
ADVERSARIES = ("random", "pure", "spiteful", "teasing", "shifting")
"""What plans the other player chooses; see :func:`_answer`."""
ITERATIONS, LONG = 60, 200
"""Of courses, and of those that are long."""
KEPT = 512
"""So many courses are kept in a process; the oldest go."""


@dataclass(frozen=True)
class Course:
    """What a learner did against an adversary in T iterations.

    Attributes
    ----------
    treeplex : Treeplex
        The learner's.
    variant : Variant
        With the learner's minimiser for both players.
    plans, gradients, steps : (T, S) f64
        The learner's plan, its gradient against the other's, and its immediate counterfactual regrets.
    regrets : (T, S) f64
        The regrets that the compiled rule holds after each iteration.
    """

    treeplex: Treeplex
    variant: Variant
    plans: Floats
    gradients: Floats
    steps: Floats
    regrets: Floats

    @property
    def weights(self) -> Floats:
        """The weights of the variant's average, (T,)."""
        return self.variant.average.weights(0, len(self.plans))

    @property
    def seen(self) -> RegretSteps:
        """The sizes of the steps, less predictions where the rule has them."""
        minimiser = self.variant.minimisers[0]
        guess = minimiser.prediction if isinstance(minimiser, Matching) else 0.0
        return observed_steps(self.treeplex, self.steps, guess)

    def regret(self, first: int = 0, last: int | None = None) -> float:
        """Return the weighted regret over iterations ``first`` to ``last - 1``, counted from 0; over all."""
        part = slice(first, last)
        weights, gradients = self.weights[part], self.gradients[part]
        earned = float(weights @ np.einsum("ts,ts->t", self.plans[part], gradients))
        return self.treeplex.best_response(weights @ gradients).total - earned


def bound_of(course: Course, steps: RegretSteps | None = None) -> float:
    """Return the bound on a course's weighted regret that follows for its rule from steps or those seen."""
    numbers, found = numbers_of(course.variant, 0, 0, len(course.plans)), steps or course.seen
    if numbers.discount is not None:
        return float(discounted_bound(numbers.discount, course.weights, found.norms, found.falls).sum())
    assert numbers.rate is not None
    return float(hedge_bound(numbers.rate, found.ranges, found.actions).sum())


def largest_steps(course: Course, most: float) -> RegretSteps:
    """Return the largest steps that payoffs allow a rule without prediction, ``most`` their spread."""
    actions = (course.treeplex.end - course.treeplex.begin).astype(float)
    ranges = np.full((len(course.plans), len(actions)), most)
    return RegretSteps(ranges * math.sqrt(float(actions.max(initial=0.0))), ranges, ranges, actions)


def root_of_squares(course: Course, upto: int | None = None) -> float:
    """Return the sum over infosets of ``sqrt(sum_t |r_t|**2)``, r_t an iteration's immediate regrets."""
    norms = observed_steps(course.treeplex, course.steps[:upto], 0.0).norms
    return float(np.sqrt((norms**2).sum(axis=0)).sum())


def prior_of(course: Course, most: float) -> float:
    """Return ``most * infosets * sqrt(actions * T)``, ``most`` the spread of payoffs."""
    t = course.treeplex
    return most * t.n_infosets * math.sqrt(float((t.end - t.begin).max(initial=0)) * len(course.plans))


def course_name(
    minimiser: str, adversary: str, average: str = "uniform", iterations: int = ITERATIONS
) -> str:
    """Return a course's name, the choice of its instances: ``cfr+ against spiteful uniform 60``."""
    return f"{minimiser} against {adversary} {average} {iterations}"


def courses(
    effort: Effort, names: tuple[str, ...], averages: tuple[str, ...] = ("uniform",)
) -> Iterator[Instance]:
    """Yield courses of some variants' rules against every adversary, on one infoset and on games."""
    for spec in effort.choose(
        (MATCH, MATCH_3, "kuhn_poker"), (MATCH_10, "coin_toss", "leduc_poker(raises=1)")
    ):
        for name in names:
            for average in averages:
                for adversary in ADVERSARIES:
                    if adversary != "teasing" or spec.startswith("matrix"):
                        yield Instance(spec, 1, 0, course_name(name, adversary, average))
    for game in random_games(effort, quick=6, full=100):
        name = names[game.seed % len(names)]
        adversary = ("random", "pure", "spiteful", "shifting")[game.seed // len(names) % 4]
        average = averages[game.seed % len(averages)]
        yield Instance(game.game, game.seed, game.seed % 2, course_name(name, adversary, average))


def named_courses(name: str, average: str = "uniform") -> Iterator[Instance]:
    """Yield long courses of one rule on the infoset of :data:`MATCH`, which drive regrets up."""
    for adversary in ("shifting", "teasing", "spiteful"):
        yield Instance(MATCH, 1, 0, course_name(name, adversary, average, LONG))


@lru_cache(KEPT)
def course_of(game: str, seed: int, seat: int, choice: str) -> Course:
    """Return a course by its name.

    The learner's rules are those that engines compile; the iterations' gradients come from outside.
    """
    name, _, adversary, average, iterations = choice.split()
    form, rng, count = enumerated(game).form, np.random.default_rng(seed), int(iterations)
    minimiser, t = VARIANTS[name].minimisers[0], form.treeplexes[seat]
    variant = Variant((minimiser, minimiser), average=Average(exponent_named(average)))
    side, memory, rows = update_arrays(form, seat), Memory.fresh(t), []
    for k in range(count):
        gradient = form.gradient(seat, _answer(form, seat, memory.plan, adversary, k / count, rng))
        step = immediate_regrets(t, current_behaviour(t, memory), gradient)
        before = memory.plan.copy()
        learn(side, memory, gradient.copy(), numbers_of(variant, seat, k, 1))
        rows.append((before, gradient, step, memory.regret.copy()))
    return Course(t, variant, *(np.array(column) for column in zip(*rows, strict=True)))


def of_instance(instance: Instance) -> Course:
    """Return the course of an instance."""
    assert instance.seat is not None
    return course_of(instance.game, instance.seed, instance.seat, instance.choice)


def within(instance: Instance, right: float, at: str = "") -> Comparison:
    """Compare a course's regret with a bound, in units of the spread of payoffs times the sum of weights."""
    course = of_instance(instance)
    return Comparison(course.regret(), right, spread(instance.game) * float(course.weights.sum()), at)


def _answer(
    form: SequenceForm, seat: int, plan: Floats, adversary: str, done: float, rng: np.random.Generator
) -> Floats:
    """Return the other player's plan of an iteration, ``done`` the part of iterations before it.

    ``random`` and ``pure`` draw it; ``spiteful`` is the best response to the learner's plan; ``shifting``
    always takes the first actions in the first half and the last ones in the second; ``teasing`` takes the
    first column of a matrix game while the first row is hardly played, else the second.
    """
    t = form.treeplexes[1 - seat]
    if adversary == "random":
        return t.plan(random_behaviour(t, rng))
    if adversary == "pure":
        return t.plan(pure_behaviour(t, rng))
    if adversary == "spiteful":
        return t.plan(form.best_response(1 - seat, plan).behaviour())
    first = done < 0.5 if adversary == "shifting" else plan[1] < 0.05
    behaviour = np.zeros(t.n_sequences)
    behaviour[0] = 1.0
    behaviour[t.begin if first else t.end - 1] = 1.0
    return t.plan(behaviour)
