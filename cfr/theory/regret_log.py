"""Regret log of a run: exact weighted external regrets computed from the plans played, apart from the engine.

The identity ``NashConv = (regret_0 + regret_1 - improvement) / weight`` holds for the average plans.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treeplex.cfr.sequences.full_width import FullWidthState, prepare
from treeplex.cfr.sequences.sequence_learning import Memory
from treeplex.cfr.variant import Order, Variant
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "iteration",
    "nash_conv",
    "own_nash_conv",
    "regret_0",
    "regret_1",
    "improvement",
    "weight",
    "least_step",
)


@dataclass(frozen=True)
class Regrets:
    """Weighted external regrets of both players with weights w_t, in player 0's units of payoff.

    Player 0 learns from the plans (x_t, y_t), player 1 from (x'_t, y_t), where x'_t is x_t in simultaneous
    updates and x_(t+1) in alternating ones.

    Attributes
    ----------
    regret_0, regret_1 : float
        ``max_x sum_t w_t (u(x, t) - u(x_t, t))`` against the plans that the player learned from. Totals.
    improvement : float
        The sum of ``w_t (u(x'_t, y_t) - u(x_t, y_t))``; zero in simultaneous updates.
    weight : float
        The sum W of the weights.
    nash_conv : float
        Of the averages of x'_t and y_t, by best responses to them.
    least_step : float
        The smallest ``u(x'_t, y_t) - u(x_t, y_t)``, unweighted. Regret matching's is not negative (Burch,
        Moravcik and Schmid, Revisiting CFR+ and alternating updates, 2019).
    """

    regret_0: float
    regret_1: float
    improvement: float
    weight: float
    nash_conv: float
    least_step: float

    @property
    def implied(self) -> float:
        """The NashConv that the regrets imply, ``(regret_0 + regret_1 - improvement) / weight``."""
        return (self.regret_0 + self.regret_1 - self.improvement) / self.weight

    @property
    def residual(self) -> float:
        """``|nash_conv - implied|``; of the size of rounding errors if the engine is correct."""
        return abs(self.nash_conv - self.implied)


@dataclass(frozen=True, repr=False)
class RegretLog(Shown):
    """The regrets of T iterations of one variant, cumulated at K of them.

    Attributes
    ----------
    variant : Variant
    iteration : (K,) int64
        The rows' iterations, counted from the start of the run, also where the log begins later.
    rows : tuple of K Regrets
        Over the iterations from the first in the log to the row's.
    own_nash_conv : (K,) f64
        The certified NashConv of the average that the variant itself returns, rounded outward.
    weights : (T,) f64
        Of the average, up to a factor.
    steps : pair of (T, S) f64
        The counterfactual regret of each action in each iteration: its value less its infoset's, own play
        below and the other's plan as they then were (Zinkevich et al. 2008). Zero for the empty sequence.
    state : PairState
        The state after the last iteration, from which logs and runs can continue.
    seconds : float
    """

    variant: Variant
    iteration: Index
    rows: tuple[Regrets, ...]
    own_nash_conv: Floats
    weights: Floats
    steps: tuple[Floats, Floats]
    state: FullWidthState
    seconds: float

    def brief(self) -> str:
        """Return the number of iterations and the regrets of the last row."""
        first, second = self.last.regret_0, self.last.regret_1
        return f"{self.state.iterations:,} iterations, regrets {first:.6g} and {second:.6g}"

    @property
    def last(self) -> Regrets:
        """The regrets over all iterations in the log."""
        return self.rows[-1]

    def immediate(self, player: int) -> Floats:
        """Return the weighted sum of a player's counterfactual regrets, (S,).

        The value of a best response to these as a gradient equals the player's weighted external regret,
        since counterfactual regrets sum along a plan (Zinkevich et al. 2008, the proof of Theorem 3).
        """
        return np.asarray(self.weights @ self.steps[player])

    def table(self) -> "pd.DataFrame":
        """Return one row per entry of ``rows``.

        Columns: iteration; nash_conv, regret_0, regret_1, improvement, weight and least_step as in
        :class:`Regrets`; own_nash_conv, the certified NashConv of the variant's own average.
        """
        import pandas as pd

        table = pd.DataFrame([vars(row) for row in self.rows])
        return table.assign(iteration=self.iteration, own_nash_conv=self.own_nash_conv)[list(COLUMNS)]

    def csv(self) -> str:
        """Return the table as CSV text with a header; floats read back exactly."""
        return self.table().to_csv(index=False, lineterminator="\n")


def regret_log(
    form: SequenceForm,
    variant: Variant,
    iterations: int,
    state: FullWidthState | None = None,
    every: int = 1,
) -> RegretLog:
    """Run a variant one iteration at a time and compute its exact regrets from the plans played.

    Of the engine's state only plans and behaviours are read, not its regrets and averages: the log checks
    these.

    Parameters
    ----------
    form : SequenceForm
    variant : Variant
        Its average gives the weights; finite.
    iterations : int
        T, the number of iterations.
    state : PairState, optional
        The state to start from; the log covers the iterations after it.
    every : int
        Iterations between rows; the last iteration has a row in any case.

    Raises
    ------
    ValueError
        If a number is out of range, or the state is of another game.
    """
    clock = time.perf_counter()
    if every < 1 or iterations < 1:
        raise BadInputError(f"iterations and every must be at least 1, got {iterations} and {every}")
    engine = prepare(form, variant)
    at = engine.start() if state is None else state
    weights = _weights(variant, at.iterations, iterations)
    sums, numbers, rows, own = _Sums(form), [], [], []
    steps: tuple[list[Floats], list[Floats]] = [], []
    for k, weight in enumerate(weights.tolist(), start=1):
        after = engine.advance(at, 1)
        old, new = at.memories, after.memories
        x_next = (new if variant.order == "alternating" else old)[0].plan
        gradients = sums.add(weight, old[0].plan, x_next, old[1].plan)
        for t, memory, gradient, kept in zip(form.treeplexes, old, gradients, steps, strict=True):
            kept.append(immediate_regrets(t, current_behaviour(t, memory), gradient))
        at = after
        if k % every == 0 or k == iterations:
            numbers.append(at.iterations)
            rows.append(sums.regrets())
            own.append(certify(form, engine.strategy(at)).nash_conv)
    return RegretLog(
        variant,
        np.array(numbers),
        tuple(rows),
        np.array(own),
        weights,
        (np.array(steps[0]), np.array(steps[1])),
        at,
        time.perf_counter() - clock,
    )


def regrets_of(
    form: SequenceForm,
    x_plans: Sequence[Floats],
    y_plans: Sequence[Floats],
    weights: Sequence[float],
    order: Order,
) -> Regrets:
    """Return the regrets of given sequences of plans.

    Parameters
    ----------
    form : SequenceForm
    x_plans : T plans (S0,), or T + 1 in alternating order
    y_plans : T plans (S1,)
    weights : T floats
        Not negative, not all zero.
    order : {"alternating", "simultaneous"}

    Raises
    ------
    ValueError
        If the lengths do not fit each other, or the weights are not weights.
    """
    count, shift = len(weights), int(order == "alternating")
    if len(x_plans) != count + shift or len(y_plans) != count:
        raise BadInputError(
            f"{count} weights need {count + shift} plans of player 0 and {count} of player 1 in {order} "
            f"order, got {len(x_plans)} and {len(y_plans)}"
        )
    if not (min(weights, default=-1.0) >= 0.0 and 0.0 < math.fsum(weights) < math.inf):
        raise BadInputError(f"weights must be finite, at least 0 and not all 0, got {list(weights)}")
    sums = _Sums(form)
    for weight, x, x_next, y in zip(weights, x_plans, x_plans[shift:], y_plans, strict=False):
        sums.add(weight, x, x_next, y)
    return sums.regrets()


class _Sums:
    """Weighted sums over iterations of gradients, plans and values, with compensated summation (Knuth)."""

    def __init__(self, form: SequenceForm) -> None:
        n0, n1 = (t.n_sequences for t in form.treeplexes)
        self.form = form
        self.cuts = np.cumsum([n0, n1, n0, n1])
        self.high = np.zeros(2 * (n0 + n1) + 4)
        self.low = np.zeros_like(self.high)
        self.least_step = math.inf

    def add(self, weight: float, x: Floats, x_next: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Add an iteration; return both players' gradients, (S0,) and (S1,)."""
        gain, loss = self.form.payoff.against(0, y), self.form.payoff.against(1, x_next)
        step = float((x_next - x) @ gain)
        numbers = np.array([x @ gain, y @ loss, step, 1.0])
        terms = weight * np.concatenate((gain, loss, x_next, y, numbers))
        total = self.high + terms
        rest = total - self.high
        self.low += (self.high - (total - rest)) + (terms - rest)
        self.high = total
        self.least_step = min(self.least_step, step)
        return gain, -loss

    def regrets(self) -> Regrets:
        """Return the regrets over the iterations added so far."""
        form, (first, second) = self.form, self.form.treeplexes
        gain, loss, x, y, numbers = np.split(self.high + self.low, self.cuts)
        earned, lost, improvement, weight = numbers.tolist()
        return Regrets(
            first.best_response(gain).total - earned,
            second.best_response(-loss).total + lost,
            improvement,
            weight,
            form.best_response(0, y / weight).total + form.best_response(1, x / weight).total,
            self.least_step,
        )


def _weights(variant: Variant, done: int, iterations: int) -> Floats:
    """Return the weights of the iterations after ``done``, (T,)."""
    weights = variant.average.weights(done, iterations)
    if not math.isfinite(weights.sum()):
        raise BadInputError(f"weights must be finite, got those of the exponent {variant.average.exponent}")
    return weights


def current_behaviour(treeplex: Treeplex, memory: Memory) -> Floats:
    """Return a memory's current behaviour, (S,), also at infosets that the plan does not reach."""
    behaviour, mass = treeplex.uniform(), memory.mass[treeplex.infoset_of[1:]]
    np.divide(memory.play[1:], mass, out=behaviour[1:], where=mass > 0.0)
    return behaviour


def immediate_regrets(treeplex: Treeplex, behaviour: Floats, gradient: Floats) -> Floats:
    """Return the counterfactual regrets of one iteration ``q(a) - v(I)``, (S,); 0 for the empty sequence.

    Parameters
    ----------
    treeplex : Treeplex
    behaviour : (S,) f64
        The player's own.
    gradient : (S,) f64
        Against the other's plan, as in :meth:`Treeplex.best_response`.
    """
    q, value = treeplex.evaluate(behaviour, gradient)
    return np.concatenate(([0.0], q[1:] - value[treeplex.infoset_of[1:]]))
