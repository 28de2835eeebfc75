"""Warm starts: a state whose average is a given profile and whose regrets stand for T iterations."""

import hashlib
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.engine import PairState
from treeplex.cfr.local_rule import LocalRule
from treeplex.cfr.sequences.full_width import FullWidthState, SequenceCFR
from treeplex.cfr.sequences.full_width import prepare as prepare_cold
from treeplex.cfr.sequences.sequence_learning import Counts, Memory, numbers_of
from treeplex.cfr.state_checks import check_count
from treeplex.cfr.variant import BestResponding, Hedge, TreeplexBlackwell, Variant
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import check_profile, repaired
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex

MOST_ITERATIONS = 10_000_000
"""Limit on T, since an array holds the weights of all T iterations."""


class PlayerView(NamedTuple):
    """One player's half of a profile.

    gain : (S,) the gradient against the other's plan.
    spread : (I,) the best value of each infoset against that plan less the worst.
    """

    treeplex: Treeplex
    behaviour: Floats
    gain: Floats
    spread: Floats


@dataclass(frozen=True)
class WarmStart:
    """A variant started from a profile as if that were the average of T iterations.

    Attributes
    ----------
    variant : Variant
    profile : Profile
    iterations : int
        T, the number of iterations that the profile stands for.
    digest : str
        SHA-256 of the profile's behaviour.
    """

    variant: Variant
    profile: Profile = field(repr=False, compare=False)
    iterations: int
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        if not 1 <= self.iterations <= MOST_ITERATIONS:
            raise BadInputError(
                f"iterations must be between 1 and {MOST_ITERATIONS:,}, got {self.iterations:,}"
            )
        digest = hashlib.sha256(b"".join(b.tobytes() for b in self.profile.behaviour)).hexdigest()
        object.__setattr__(self, "digest", digest)


@dataclass(frozen=True)
class WarmEngine:
    """A full-width engine whose first state is that of a warm start.

    Attributes
    ----------
    config : WarmStart
    engine : SequenceCFR
    first : PairState
    """

    config: WarmStart
    engine: SequenceCFR
    first: FullWidthState

    def start(self) -> FullWidthState:
        """Return the state of the warm start."""
        return self.first

    def check(self, state: FullWidthState) -> None:
        """Refuse a damaged state, or one before the warm start, with ``ValueError``."""
        check_count("iterations", state.iterations, least=self.config.iterations)
        self.engine.check(state)

    def advance(self, state: FullWidthState, iterations: int) -> FullWidthState:
        """Return the state after more iterations, as the full-width engine does."""
        return self.engine.advance(state, iterations)

    def strategy(self, state: FullWidthState) -> Profile:
        """Return the average profile."""
        return self.engine.strategy(state)


def prepare(form: SequenceForm, config: WarmStart) -> WarmEngine:
    """Return an engine that starts from a profile; raises what :func:`warm_state` raises."""
    return WarmEngine(config, prepare_cold(form, config.variant), warm_state(form, config))


def warm_state(form: SequenceForm, config: WarmStart) -> FullWidthState:
    """Return a state with a given profile as average and regrets that stand for T iterations.

    After Brown and Sandholm (Strategy-based warm starting for regret minimization in games, AAAI 2016).
    Regrets depend on past play through the gradient against the sum of the other's plans, which the profile
    gives, and the value earned at each infoset, which is chosen here: ``v'(I) = max_a (q(a) - k b(a))`` per
    iteration, where q includes v' below and b is the profile's behaviour. Then regrets proportional to b are
    at least the true ones; k is such that the sum of their squares is the bound of T iterations of regret
    matching, ``(A - 1) spread**2`` each, discounted as the variant says. So b is the first play, and for
    regret matching without prediction the potential argument continues: after n more iterations regrets are
    bounded as after T + n. With simultaneous updates they bound the NashConv of the average of the plans
    seen, as long as the values v' of both players at the root sum to at most 0, which limits T for a profile
    of given quality.

    Actions that the profile does not play have their true regret times discounts (zero in regret
    matching+). Hedge's regrets reproduce the profile at the rate after T iterations with ranges equal to the
    spread. A best responder starts with a best response to the profile.

    Raises
    ------
    ValueError
        If the profile is not one of this game.
    """
    profile, variant, iterations = config.profile, config.variant, config.iterations
    check_profile(form, profile)
    x, y = (repaired(t, b) for t, b in zip(form.treeplexes, profile.behaviour, strict=True))
    plans = form.treeplexes[0].plan(x), form.treeplexes[1].plan(y)
    first = _memory(_player_view(form, 0, x, plans[1]), variant, 0, iterations)
    second = _memory(_player_view(form, 1, y, plans[0]), variant, 1, iterations)
    return PairState(iterations, (first, second))


def _player_view(form: SequenceForm, player: int, behaviour: Floats, plan: Floats) -> PlayerView:
    t, gain = form.treeplexes[player], form.gradient(player, plan)
    spread = t.best_response(gain).value + t.best_response(-gain).value
    return PlayerView(t, behaviour, gain, spread)


def _memory(view: PlayerView, variant: Variant, player: int, iterations: int) -> Memory:
    t, minimiser = view.treeplex, variant.minimisers[player]
    if isinstance(minimiser, LocalRule):
        raise BadInputError("a local rule has no warm start")
    if isinstance(minimiser, TreeplexBlackwell):
        raise BadInputError("PTB+ has no warm start")
    numbers = numbers_of(variant, player, 0, iterations)
    play, squared_ranges = view.behaviour.copy(), np.zeros(t.n_infosets)
    if isinstance(minimiser, BestResponding):
        play, regret = t.best_response(view.gain).behaviour(), np.zeros(t.n_sequences)
    elif isinstance(minimiser, Hedge):
        squared_ranges = iterations * view.spread**2
        regret = _hedge_regrets(view, np.sqrt(squared_ranges) / minimiser.rate, iterations)
    else:
        assert numbers.discount is not None
        regret = _matching_regrets(view, numbers.discount.positive, numbers.discount.negative)
    weight = _weight(numbers.counts)
    play[0] = 0.0
    total = weight * t.plan(view.behaviour)
    return Memory(regret, play, np.ones(t.n_infosets), squared_ranges, t.plan(play), total)


def _weight(counts: Counts) -> float:
    """Return the sum of the weights of the T iterations in the average."""
    kept = np.append(np.cumprod(counts.keep[:0:-1])[::-1], 1.0)
    return math.fsum(kept * (counts.before + counts.after))


def _matching_regrets(view: PlayerView, positive: Floats, negative: Floats) -> Floats:
    """Return the discounted sums of equal regrets in each iteration, by sign; see ``warm_state``."""
    t, behaviour = view.treeplex, view.behaviour
    # The product of later discounts, for each iteration.
    left, left_below = np.cumprod(positive[::-1]), np.cumprod(negative[::-1])
    actions = t.end - t.begin
    square = np.bincount(t.infoset_of[1:], behaviour[1:] ** 2, t.n_infosets)
    potential = (actions - 1) * view.spread**2 * (left @ left)
    step = np.zeros(t.n_sequences)
    _regret_steps(
        t.begin, t.end, t.parent, behaviour, np.sqrt(potential / square) / left.sum(), view.gain.copy(), step
    )
    return np.asarray(np.where(step > 0.0, left.sum(), left_below.sum()) * step)


@njit(cache=True)
def _regret_steps(
    begin: Index, end: Index, parent: Index, behaviour: Floats, size: Floats, q: Floats, step: Floats
) -> None:
    """Write each action's regret per iteration, ``size * behaviour`` where played; q becomes values v'."""
    for i in range(len(begin) - 1, -1, -1):
        value = -np.inf
        for s in range(begin[i], end[i]):
            value = max(value, q[s] - size[i] * behaviour[s])
        for s in range(begin[i], end[i]):
            step[s] = size[i] * behaviour[s] if behaviour[s] > 0.0 else q[s] - value
        q[parent[i]] += value


def _hedge_regrets(view: PlayerView, unit: Floats, iterations: int) -> Floats:
    """Return regrets with ``exp(regret / unit)`` proportional to the profile; units are 1 / rate, (I,).

    Actions that are never played get ``-T spread``, or the lowest regret of the others if that is lower.
    """
    t, behaviour = view.treeplex, view.behaviour
    regret = np.zeros(t.n_sequences)
    for i, (lo, hi) in enumerate(zip(t.begin, t.end, strict=True)):
        row = behaviour[lo:hi]
        played = row > 0.0
        logs = np.log(row[played] / row.max()) * unit[i]
        regret[lo:hi] = min(-iterations * view.spread[i], logs.min())
        regret[lo:hi][played] = logs
    return regret
