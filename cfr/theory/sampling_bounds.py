"""Exact regrets of a Monte Carlo run, and bounds on them that hold with high probability."""

import math
import time
from dataclasses import dataclass

import numpy as np

from treeplex.cfr.engine import check_iterations
from treeplex.cfr.sampling.history_sampling import StreamState, advance_stream, start_stream
from treeplex.cfr.sampling.sampled_tree import sampled_tree
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.inequality import Inequality
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats, Treeplex

MARTINGALE = "Azuma: Farina, Kroer and Sandholm 2020, Proposition 1"
EXTERNAL = "Lanctot et al. 2009, Theorem 5"


@dataclass(frozen=True, repr=False)
class SampledRegretLog(Shown):
    """Exact gradients and values of a Monte Carlo run, summed from its first iteration.

    In iteration t player p plays x_t against a plan that makes its sequences earn g_t.

    Attributes
    ----------
    sampling : Sampling
    gradient : pair of (S,) f64
        The sum of g_t, in the player's own units of payoff.
    earned : pair of float
        The sum of ``x_t @ g_t``.
    state : StreamState
        The final state; its regrets are the sampled estimates of ``(z - x_t) @ g_t``, by infoset.
    seconds : float
    """

    sampling: Sampling
    gradient: tuple[Floats, Floats]
    earned: tuple[float, float]
    state: StreamState
    seconds: float

    def brief(self) -> str:
        """Return the number of iterations."""
        return f"{self.state.iterations:,} iterations"

    def regret(self, player: int, plan: Floats) -> float:
        """Return a player's exact regret against a fixed plan z (S,): ``sum_t (z - x_t) @ g_t``."""
        return float(plan @ self.gradient[player]) - self.earned[player]

    def sampled_regret(self, player: int, plan: Floats) -> float:
        """Return the sampled estimate of that: the plan times the cumulative sampled regrets."""
        return float(plan @ self.state.regret[player])


def sampled_regret_log(enumerated: NumberedTree, sampling: Sampling, iterations: int) -> SampledRegretLog:
    """Run a sampling method one iteration at a time from the start, and sum its exact gradients.

    Raises
    ------
    ValueError
        If regrets are clipped, weighted or pruned, there are several streams, or ``iterations`` is not
        positive.
    """
    check_iterations(iterations)
    if (
        sampling.floor > -math.inf
        or sampling.regret_exponent > 0.0
        or sampling.pruning is not None
        or sampling.streams > 1
    ):
        raise BadInputError(f"regrets must be as they were sampled, in one stream, got {sampling}")
    clock, form = time.perf_counter(), enumerated.form
    gradient = [np.zeros(t.n_sequences) for t in form.treeplexes]
    earned = [0.0, 0.0]
    x, y = (t.plan(t.uniform()) for t in form.treeplexes)
    tree, state = sampled_tree(enumerated), start_stream(form)
    for _ in range(iterations):
        state = advance_stream(form, tree, sampling, sampling.seed, state, 1)
        new_x, new_y = (_played(t, r) for t, r in zip(form.treeplexes, state.regret, strict=True))
        # Player 1 updates against player 0's new plan.
        gains = form.payoff.against(0, y), -form.payoff.against(1, new_x)
        for p, (plan, gain) in enumerate(zip((x, y), gains, strict=True)):
            gradient[p] += gain
            earned[p] += float(plan @ gain)
        x, y = new_x, new_y
    sums = (gradient[0], gradient[1]), (earned[0], earned[1])
    return SampledRegretLog(sampling, *sums, state, time.perf_counter() - clock)


def sampled_bounds(
    enumerated: NumberedTree, log: SampledRegretLog, p: float, against: Profile
) -> tuple[Inequality, ...]:
    """Return bounds on exact regrets, each holding with probability at least ``1 - p``.

    For a plan z fixed beforehand the exact regret exceeds the sampled one by a martingale, whose steps are at
    most M + M~, the ranges of exact and of sampled payoffs of plans; so it is at most the sampled regret plus
    ``(M + M~) sqrt(2 T log(1/p))``. The best plan in hindsight is not fixed beforehand: for it p is shared
    among all N pure plans, the logarithm is that of N/p, and the sampled regret the largest. Before any
    sample, external sampling is known to keep to ``(1 + sqrt(2/p)) I M sqrt(A T)``, I the player's infosets
    and A the most actions.

    Parameters
    ----------
    p : float
        In (0, 1).
    against : Profile
        A plan for each player, chosen before the run.

    Raises
    ------
    ValueError
        If p is out of range.
    """
    if not 0.0 < p < 1.0:
        raise BadInputError(f"p must be above 0 and below 1, got {p}")
    found, count = [], log.state.iterations
    spread = enumerated.tree.spread
    for player, t in enumerate(enumerated.form.treeplexes):
        span = spread + sampled_span(enumerated, log.sampling, player)
        most = t.best_response(log.state.regret[player]).total
        fixed, seen = (of(player, against.plans[player]) for of in (log.regret, log.sampled_regret))
        best = t.best_response(log.gradient[player]).total - log.earned[player]
        one, every = (span * math.sqrt(2.0 * count * (n - math.log(p))) for n in (0.0, log_pure_plans(t)))
        found.append(Inequality(f"player {player}: a plan fixed beforehand", MARTINGALE, fixed, seen + one))
        found.append(Inequality(f"player {player}: the best plan", MARTINGALE, best, most + every))
        if log.sampling.scheme == "external":
            actions = int((t.end - t.begin).max(initial=0))
            prior = (1.0 + math.sqrt(2.0 / p)) * t.n_infosets * spread * math.sqrt(actions * count)
            found.append(Inequality(f"player {player}: the best plan, a priori", EXTERNAL, best, prior))
    return tuple(found)


def sampled_span(enumerated: NumberedTree, sampling: Sampling, player: int) -> float:
    """Return the range of a plan's sampled payoff in one traversal.

    Where all own actions are tried that is the range of payoffs. Where not, a plan earns leaves' payoffs
    divided by how likely the player's own actions were tried, or nothing.
    """
    if sampling.scheme in ("external", "chance"):
        return enumerated.tree.spread
    rate, tree = np.ones(enumerated.tree.n_nodes), enumerated.tree
    actions = np.bincount(tree.parent[1:], minlength=tree.n_nodes)
    for n in range(1, tree.n_nodes):
        up = tree.parent[n]
        rate[n] = rate[up]
        if tree.player[up] == player and actions[up] > 1:
            least = sampling.exploration / actions[up] if sampling.scheme == "outcome" else sampling.epsilon
            rate[n] *= least
    worth = np.array([int(v) / tree.payoff_den for v in tree.payoff[tree.leaves]]) / rate[tree.leaves]
    return float(max(worth.max(), 0.0) - min(worth.min(), 0.0))


def log_pure_plans(treeplex: Treeplex) -> float:
    """Return the logarithm of the number of a player's reduced pure plans."""
    logs = np.zeros(treeplex.n_sequences)
    for i in range(treeplex.n_infosets - 1, -1, -1):
        rows = slice(treeplex.begin[i], treeplex.end[i])
        logs[treeplex.parent[i]] += np.logaddexp.reduce(logs[rows])
    return float(logs[0])


def _played(treeplex: Treeplex, regret: Floats) -> Floats:
    """Return the plan of regret matching."""
    return treeplex.plan(treeplex.behaviour(regret))
