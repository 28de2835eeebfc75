"""One player's local minimisers on a treeplex, one update at a time."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.update_rules import NOISE
from treeplex.cfr.variant import BestResponding, Exponent, Hedge, Matching, Minimiser, Ramp
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

Flags = NDArray[np.bool_]
NEAR = 1e-9
"""Probabilities that sum to 1 less this sum to 1."""


class Update(NamedTuple):
    """A player after an update.

    learner : the player with new regrets and a new plan.
    tied : (S,) the actions between which only rounding errors decide, at infosets where they do.
    """

    learner: "Learner"
    tied: Flags

    def allows(self, play: Floats) -> Flags:
        """Return at which sequences a behaviour (S,) plays tied actions alone, (S,)."""
        return np.asarray(self.learner.sums(play * self.tied) >= 1.0 - NEAR)


@dataclass(frozen=True)
class Learner:
    """One player's local minimisers: the rules of a variant in array operations, a twin of the compiled ones.

    Attributes
    ----------
    treeplex : Treeplex
    minimiser : Minimiser
    noise : (S,) f64
        Regrets below this are ties.
    regret : (S,) f64
    behaviour, plan : (S,) f64
        Current play.
    squared_ranges : (I,) f64
        Of Hedge.
    uniform : (S,) f64
        The behaviour that plays every action equally often.
    """

    treeplex: Treeplex
    minimiser: Minimiser
    noise: Floats
    regret: Floats
    behaviour: Floats
    plan: Floats
    squared_ranges: Floats
    uniform: Floats

    @staticmethod
    def fresh(form: SequenceForm, player: int, minimiser: Minimiser) -> "Learner":
        """Return a player before the first iteration: no regret, uniform play."""
        t, other = form.treeplexes[player], form.treeplexes[1 - player]
        largest = t.best_response(form.payoff.magnitude.against(player, other.plan(other.uniform()))).value
        noise = np.append(0.0, NOISE * largest[t.infoset_of[1:]])
        uniform = t.uniform()
        zeros = np.zeros(t.n_sequences)
        squares = np.zeros(t.n_infosets)
        return Learner(t, minimiser, noise, zeros, uniform, t.plan(uniform), squares, uniform)

    def updated(self, gradient: Floats, t: int) -> Update:
        """Return the player after iteration t, the t-th update, against a gradient (S,)."""
        if self.treeplex.n_infosets == 0:
            return Update(self, np.zeros(1, dtype=np.bool_))
        if isinstance(self.minimiser, BestResponding):
            return self._best_responded(gradient)
        q, value = self.treeplex.evaluate(self.behaviour, gradient)
        gain = q - np.append(0.0, value)[self._row]
        gain[0] = 0.0
        if isinstance(self.minimiser, Hedge):
            return Update(self._hedged(self.minimiser, gain), np.zeros(len(q), dtype=np.bool_))
        assert isinstance(self.minimiser, Matching)
        return self._matched(self.minimiser, gain, t)

    def playing(self, behaviour: Floats) -> "Learner":
        """Return the player with other current play, (S,)."""
        return replace(self, behaviour=behaviour, plan=self.treeplex.plan(behaviour))

    @property
    def _row(self) -> NDArray[np.int64]:
        """One plus the infoset of each sequence, 0 for the empty one, (S,)."""
        return self.treeplex.infoset_of + 1

    def sums(self, values: Floats) -> Floats:
        """Return each infoset's sum of values (S,), at all of its sequences, (S,); 1 for the empty one."""
        return np.append(1.0, np.add.reduceat(values[1:], self.treeplex.begin - 1))[self._row]

    def _extremes(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the least and the largest value of each infoset, (I,)."""
        starts = self.treeplex.begin - 1
        return np.minimum.reduceat(values[1:], starts), np.maximum.reduceat(values[1:], starts)

    def _matched(self, rule: Matching, gain: Floats, t: int) -> Update:
        """Regret matching with the discounts and the prediction of a rule."""
        regret = self._without_noise(self.regret + gain)
        regret = regret * np.where(regret > 0.0, discount(t, rule.alpha), discount(t, rule.beta))
        odds = self._without_noise(regret + rule.prediction * gain)
        play = np.maximum(odds, 0.0)
        mass = self.sums(play)
        chosen = mass > 0.0
        behaviour = np.where(chosen, play / np.where(chosen, mass, 1.0), self.uniform)
        behaviour[0] = 1.0
        tied = ~chosen & (odds == 0.0)
        tied[0] = False
        return Update(replace(self, regret=regret).playing(behaviour), tied)

    def _without_noise(self, regret: Floats) -> Floats:
        return np.where(np.abs(regret) < self.noise, 0.0, regret)

    def _hedged(self, rule: Hedge, gain: Floats) -> "Learner":
        """Exponential weights with the adaptive rate of each infoset."""
        regret = self.regret + gain
        least, most = self._extremes(gain)
        width, small = most - least, self.noise[self.treeplex.begin]
        squares = self.squared_ranges + np.where(width > small, width, 0.0) ** 2
        seen = squares > 0.0
        rate = np.append(0.0, np.where(seen, rule.rate / np.sqrt(np.where(seen, squares, 1.0)), 0.0))[
            self._row
        ]
        top = np.append(0.0, self._extremes(regret)[1])[self._row]
        weights = np.exp(rate * (regret - top))
        behaviour = weights / self.sums(weights)
        behaviour[0] = 1.0
        return replace(self, regret=regret, squared_ranges=squares).playing(behaviour)

    def _best_responded(self, gradient: Floats) -> Update:
        response = self.treeplex.best_response(gradient)
        top = np.append(0.0, response.value)[self._row]
        near = top - response.q <= self.noise
        near[0] = False
        tied = near & (self.sums(near.astype(np.float64)) > 1.5)
        return Update(self.playing(response.behaviour()), tied)


def discount(t: int, exponent: Exponent) -> float:
    """Return ``t**exponent / (t**exponent + 1)``, the factor of a regret after iteration t."""
    if isinstance(exponent, Ramp):
        exponent = exponent.start + exponent.slope * min(t / exponent.horizon, 1.0)
    if np.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return float(1.0 / (1.0 + float(t) ** -exponent))
