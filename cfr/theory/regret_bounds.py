"""Proved bounds on regrets and NashConv as inequalities, their left sides taken from a regret log.

Regrets are totals over the weighted iterations. Bounds on NashConv also after each of some iterations of a
run, not after the last one only.
"""

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from treeplex.cfr.sequences.sequence_learning import Discount, numbers_of
from treeplex.cfr.theory.regret_log import RegretLog
from treeplex.cfr.variant import BestResponding, Hedge, Matching
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.inequality import Inequality
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex

SUM = "Zinkevich et al. 2008, Theorem 3"
VANILLA = "Zinkevich et al. 2008, Theorem 4"
PLUS = "Tammelin et al. 2015: regret matching+, weights that do not fall"
POTENTIAL = "the potential of discounted regret matching, summed by parts"
EXPONENTIAL = "Hoeffding's lemma with falling rates (Cesa-Bianchi and Lugosi 2006, section 2.3)"
HISTORIES = "Lanctot et al. 2009: infosets with the same own actions share one reach"
FOLK = "the folk theorem; alternating, Burch, Moravcik and Schmid 2019"


class RegretSteps(NamedTuple):
    """Sizes of the counterfactual regrets of each iteration at each infoset, (T, I), or bounds on them.

    norms : Euclidean norm of the regrets less their predictions.
    falls : the largest loss of an action, at least 0.
    ranges : largest less smallest.
    actions : (I,) number of actions.
    """

    norms: Floats
    falls: Floats
    ranges: Floats
    actions: Floats


def bounds(form: SequenceForm, log: RegretLog, spread: float | None = None) -> tuple[Inequality, ...]:
    """Return the bounds that are proved for the variant of a regret log.

    For every variant a player's regret is at most the sum of its positive immediate counterfactual regrets.
    For regret matching without prediction (any discounts and average, :func:`discounted_bound`; with
    prediction only where negative regrets are dropped) and for Hedge with a uniform average these are bounded
    in turn: from the measured regrets of the iterations ("steps seen"), and from the spread of payoffs alone
    ("a priori"). For best responses no bound is stated. Logs that begin after the first iteration have only
    the bound by the sum. NashConv is bounded by the regrets where updates cannot make player 0 worse off:
    simultaneous order, regret matching without prediction, and best responses.

    Parameters
    ----------
    form : SequenceForm
    log : RegretLog
        Of a run on the form.
    spread : float, optional
        The largest payoff of the game less the smallest; without it there are no a-priori bounds.

    Raises
    ------
    ValueError
        If the spread is not finite and at least 0.
    """
    if spread is not None and not 0.0 <= spread < math.inf:
        raise BadInputError(f"spread must be finite and at least 0, got {spread}")
    last = log.last
    found: list[Inequality] = []
    for player, regret in enumerate((last.regret_0, last.regret_1)):
        found.append(
            Inequality(
                f"player {player}: positive immediate regrets", SUM, regret, _positive(form, log, player)
            )
        )
        found += _allowed_totals(form, log, player, regret, spread)
    if _cannot_worsen(log):
        found.append(
            Inequality(
                "NashConv: regrets", FOLK, last.nash_conv, (last.regret_0 + last.regret_1) / last.weight
            )
        )
        prior = [[b.right for b in found if b.name.startswith(f"player {p}: a priori")] for p in (0, 1)]
        if all(prior):
            total = sum(min(p) for p in prior) / last.weight
            found.append(Inequality("NashConv: a priori", FOLK, last.nash_conv, total))
    return tuple(found)


def discounted_bound(discount: Discount, weights: Floats, norms: Floats, falls: Floats) -> Floats:
    """Bound the weighted immediate regret of discounted regret matching, (I,).

    Regrets before the discount follow ``Q_t = d_(t-1) Q_(t-1) + r_t``, with d by sign. Play in proportion
    to positive regret makes the square of their positive part grow by at most ``|r_t|**2`` (Blackwell), or
    ``|r_t - m_t|**2`` with a prediction m_t where negative regrets are dropped. Summing
    ``w_t r_t = w_t (Q_t - d_(t-1) Q_(t-1))`` by parts leaves ``w_T Q_T`` and
    ``(w_t - w_(t+1) d_t) Q_t``, of which only what is positive counts. For no discount and uniform
    weights this is ``sqrt(sum |r_t|**2)`` (Zinkevich et al. 2008), for regret matching+ ``w_T`` times that
    (Tammelin et al. 2015), for linear discounts and weights ``sqrt(sum t**2 |r_t|**2)`` (Brown and Sandholm
    2019).

    Parameters
    ----------
    discount : Discount
        Its factors (T,).
    weights : (T,) f64
        Of the average, not falling.
    norms, falls : (T, I) f64
        As in :class:`RegretSteps`.
    """
    square, fall, extra = (np.zeros(norms.shape[1]) for _ in range(3))
    for t, weight in enumerate(weights):
        if t:
            kept, kept_below = discount.positive[t - 1], discount.negative[t - 1]
            extra += max(weights[t - 1] - weight * kept, 0.0) * np.sqrt(square)
            extra += max(weight * kept_below - weights[t - 1], 0.0) * fall
            square, fall = kept**2 * square, kept_below * fall
        square, fall = square + norms[t] ** 2, fall + falls[t]
    return np.asarray(weights[-1] * np.sqrt(square) + extra)


def hedge_bound(rate: float, ranges: Floats, actions: Floats) -> Floats:
    """Bound the immediate regret of Hedge by ``log(A) / eta_T + sum_t min(r_t, eta_t r_t**2 / 8)``, (I,).

    The play of iteration t is at the rate ``eta_t = rate / sqrt(V_(t-1))``, V_t the sum of the squared
    ranges r up to t. What it earns and the mixed gain ``log(sum_a play_a exp(eta_t gain_a)) / eta_t`` differ
    by at most ``eta_t r_t**2 / 8`` (Hoeffding's lemma), and by no more than the range. With rates that do
    not rise, the mixed gains sum to at least the best action's less ``log(A) / eta_T``, for
    ``log(sum_a exp(eta G_a) / A) / eta`` does not fall in eta (Cesa-Bianchi and Lugosi 2006, section 2.3;
    de Rooij et al. 2014). As long as V_(t-1) is zero, play is uniform at any rate: that of the first play
    after it is taken, and any that is large enough where there is none.

    Parameters
    ----------
    rate : float
        A pure number.
    ranges : (T, I) f64
    actions : (I,) f64
        How many.
    """
    sums = np.cumsum(ranges**2, axis=0)
    before = np.concatenate((np.zeros((1, ranges.shape[1])), sums[:-1]))
    first = np.min(before, axis=0, where=before > 0.0, initial=math.inf)
    scale = np.sqrt(np.where(before > 0.0, before, np.where(first < math.inf, first, 0.0)))
    curved = np.full(ranges.shape, math.inf)
    np.divide(rate * ranges**2 / 8.0, scale, out=curved, where=scale > 0.0)
    return np.asarray(np.log(actions) * scale[-1] / rate + np.minimum(ranges, curved).sum(axis=0))


def hedge_bound_before(rate: float, squares: float, actions: float) -> float:
    """Bound the immediate regret of Hedge by ``sqrt(V) (log(A) / rate + rate sqrt(2) / 4 + 2 + sqrt(2))``.

    From :func:`hedge_bound`, whatever the ranges whose squares sum to at most V. Steps at which the sum at
    most doubles cost ``rate r_t**2 / (8 sqrt(V_(t-1))) <= rate sqrt(2) r_t**2 / (8 sqrt(V_t))``, and
    ``r_t**2 / sqrt(V_t)`` sums to at most ``2 sqrt(V)``. Those at which it more than doubles cost at most
    ``r_t <= sqrt(V_t)``, a sum below that of the geometric series ``sqrt(V) sum_k 2**(-k / 2)``, which is
    ``(2 + sqrt(2)) sqrt(V)``.
    """
    root = math.sqrt(2.0)
    return math.sqrt(squares) * (math.log(actions) / rate + rate * root / 4.0 + 2.0 + root)


def observed_steps(treeplex: Treeplex, steps: Floats, prediction: float) -> RegretSteps:
    """Return norms, falls and ranges of the counterfactual regrets (T, S) of a run."""
    guessed = np.concatenate((np.zeros((1, steps.shape[1])), prediction * steps[:-1]))
    at, rows = treeplex.begin - 1, steps[:, 1:]
    worst, best = np.minimum.reduceat(rows, at, axis=1), np.maximum.reduceat(rows, at, axis=1)
    norms = np.sqrt(np.add.reduceat((rows - guessed[:, 1:]) ** 2, at, axis=1))
    return RegretSteps(
        norms, np.maximum(-worst, 0.0), best - worst, (treeplex.end - treeplex.begin).astype(float)
    )


def same_actions(treeplex: Treeplex) -> int | float:
    """Return Lanctot's M: the sum over own action histories of the root of how many infosets share it."""
    paths: list[tuple[str, ...]] = [()]
    for s in range(1, treeplex.n_sequences):
        paths.append((*paths[treeplex.parent_of[s]], treeplex.actions[s]))
    return sum(math.sqrt(n) for n in Counter(paths[p] for p in treeplex.parent).values())


def _positive(form: SequenceForm, log: RegretLog, player: int) -> float:
    t = form.treeplexes[player]
    if t.n_infosets == 0:
        return 0.0
    return float(np.maximum(np.maximum.reduceat(log.immediate(player), t.begin), 0.0).sum())


def _allowed_totals(
    form: SequenceForm, log: RegretLog, player: int, regret: float, spread: float | None
) -> list[Inequality]:
    """Return the bounds on a player's regret that come from its minimiser, if one is proved."""
    t, minimiser = form.treeplexes[player], log.variant.minimisers[player]
    prediction = minimiser.prediction if isinstance(minimiser, Matching) else 0.0
    if t.n_infosets == 0:
        return []
    measured = _allowed(log, player, observed_steps(t, log.steps[player], prediction))
    if measured is None:
        return []
    source = _source(log, player)
    found = [Inequality(f"player {player}: steps seen", source, regret, float(measured.sum()))]
    if spread is None:
        return found
    # Counterfactual values weigh payoffs by the reach of all others, which is at most 1.
    widest = float((t.end - t.begin).max())
    count = len(log.weights)
    if isinstance(minimiser, Hedge):
        local = hedge_bound_before(minimiser.rate, count * spread**2, widest)
        return [*found, Inequality(f"player {player}: a priori", source, regret, local * t.n_infosets)]
    whole = np.full((count, 1), spread)
    most = RegretSteps((1.0 + prediction) * math.sqrt(widest) * whole, whole, whole, np.array([widest]))
    allowed = _allowed(log, player, most)
    assert allowed is not None
    local = float(allowed[0])
    found.append(Inequality(f"player {player}: a priori", source, regret, local * t.n_infosets))
    m = local * same_actions(t)
    return [*found, Inequality(f"player {player}: a priori, by own actions", HISTORIES, regret, m)]


def _allowed(log: RegretLog, player: int, steps: RegretSteps) -> Floats | None:
    """Return the bound on each infoset's immediate regret, (I,); None where none is proved."""
    variant, count = log.variant, len(log.weights)
    if log.state.iterations != count:
        return None
    numbers = numbers_of(variant, player, 0, count)
    if numbers.discount is not None:
        if numbers.discount.prediction > 0.0 and numbers.discount.negative.any():
            return None
        return discounted_bound(numbers.discount, log.weights, steps.norms, steps.falls)
    if numbers.rate is not None and variant.average.exponent == 0.0:
        return hedge_bound(numbers.rate, steps.ranges, steps.actions)
    return None


def _source(log: RegretLog, player: int) -> str:
    minimiser, exponent = log.variant.minimisers[player], log.variant.average.exponent
    if not isinstance(minimiser, Matching):
        return EXPONENTIAL
    if minimiser == Matching() and exponent == 0.0:
        return VANILLA
    return PLUS if minimiser == Matching(beta=-math.inf) else POTENTIAL


def _cannot_worsen(log: RegretLog) -> bool:
    """Whether player 0's update is proved never to earn it less against the plan that it answers."""
    first = log.variant.minimisers[0]
    matching = isinstance(first, Matching) and first.prediction == 0.0
    return log.variant.order == "simultaneous" or matching or isinstance(first, BestResponding)


MOST_POINTS = 25
"""Iterations after which bounds are computed, apart by equal factors."""
KINDS = ("steps seen", "a priori")
"""Bounds from the regrets of single iterations as they were, and from the spread of payoffs alone."""


@dataclass(frozen=True)
class BoundCourse:
    """A proved bound on NashConv in the course of a run.

    Attributes
    ----------
    name : str
        One of ``KINDS``.
    iteration : (K,) int64
    bound : (K,) float64
        On the NashConv of the averages after each of these iterations.
    """

    name: str
    iteration: Index
    bound: Floats


def bound_courses(form: SequenceForm, log: RegretLog, spread: float) -> tuple[BoundCourse, ...]:
    """Return the bounds on NashConv that hold after some iterations of a log, for each of ``KINDS`` proved.

    A bound on both regrets, over the sum of the weights, bounds NashConv wherever the regrets do
    (:func:`treeplex.cfr.theory.regret_bounds.bounds`).

    Parameters
    ----------
    form : SequenceForm
    log : RegretLog
        Of a run on the form.
    spread : float
        The largest payoff of the game less the smallest.
    """
    rows = np.unique(np.geomspace(1, len(log.rows), MOST_POINTS).round().astype(np.int64)) - 1
    at = [_bounds_at(form, log, int(row), spread) for row in rows]
    return tuple(
        BoundCourse(kind, log.iteration[rows], np.array([found[kind] for found in at]))
        for kind in KINDS
        if all(kind in found for found in at)
    )


def _bounds_at(form: SequenceForm, log: RegretLog, row: int, spread: float) -> dict[str, float]:
    """Return the bounds on NashConv by kind after the iteration of a row."""
    part = _until(log, row)
    found = bounds(form, part, spread)
    if all(bound.name != "NashConv: regrets" for bound in found):
        return {}
    allowed: dict[str, float] = {}
    for kind in KINDS:
        totals = [
            [bound.right for bound in found if bound.name.startswith(f"player {player}: {kind}")]
            for player in (0, 1)
        ]
        if all(totals):
            allowed[kind] = sum(map(min, totals)) / part.last.weight
    return allowed


def _until(log: RegretLog, row: int) -> RegretLog:
    """Return a log as it was after the iteration of one of its rows."""
    begun = log.state.iterations - len(log.weights)
    count = int(log.iteration[row]) - begun
    return replace(
        log,
        iteration=log.iteration[: row + 1],
        rows=log.rows[: row + 1],
        own_nash_conv=log.own_nash_conv[: row + 1],
        weights=log.weights[:count],
        steps=(log.steps[0][:count], log.steps[1][:count]),
        state=replace(log.state, iterations=begun + count),
    )
