"""Regret minimisers by recursion over histories, to be held against compiled ones."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from math import exp, isinf, sqrt

import pytest

from tests.helpers.twins.games import Wrapped, die
from treeplex.cfr.variant import BestResponding, Hedge, Matching, Ramp
from treeplex.games.base.protocol import CHANCE, TERMINAL


@dataclass(frozen=True)
class Generic(Wrapped):
    """Another game's payoffs, each a little off, so that no two actions are worth exactly the same.

    Where they are, which of them regret matching takes hangs on the last bit of a sum.
    """

    def payoff(self, state):
        return self.game.payoff(state) + Fraction(die(10**6, state), 10**7)


class NaiveCfr:
    """Full-width CFR as it is told: walk all histories, keep all in dictionaries by infoset and action."""

    def __init__(self, game, variant):
        self.game, self.variant = game, variant
        self.regret = [defaultdict(lambda: defaultdict(float)) for _ in (0, 1)]
        self.last = [defaultdict(lambda: defaultdict(float)) for _ in (0, 1)]
        self.total = [defaultdict(lambda: defaultdict(float)) for _ in (0, 1)]
        self.seen = [defaultdict(float) for _ in (0, 1)]
        self.best = [{}, {}]
        self.iterations = 0
        self.root = self._written_out(game.root())

    def _written_out(self, state):
        """Return nested tuples (player, key, [(label, weight, child)], payoff)."""
        game, player = self.game, self.game.player(state)
        if player == TERMINAL:
            return player, None, [], float(game.payoff(state))
        if player == CHANCE:
            outcomes = [(a, float(w), self._written_out(game.child(state, a))) for a, w in game.chance(state)]
            return player, None, outcomes, 0
        below = [(a, None, self._written_out(game.child(state, a))) for a in game.actions(state)]
        return player, game.infoset(state, player), below, 0

    def strategy(self, player, key, actions):
        minimiser = self.variant.minimisers[player]
        if isinstance(minimiser, BestResponding):
            chosen = self.best[player].get(key)
            return {a: 1 / len(actions) if chosen is None else float(a == chosen) for a in actions}
        regrets = self.regret[player][key]
        if isinstance(minimiser, Hedge):
            seen = self.seen[player][key]
            rate = minimiser.rate / sqrt(seen) if seen > 0 else 0.0
            weights = {a: exp(rate * regrets[a]) for a in actions}
        else:
            last = self.last[player][key]
            weights = {a: max(regrets[a] + minimiser.prediction * last[a], 0.0) for a in actions}
        mass = sum(weights.values())
        return {a: weights[a] / mass if mass > 0 else 1 / len(actions) for a in actions}

    def iterate(self):
        self.iterations += 1
        if self.variant.order == "simultaneous":
            fresh = [self._observed(p) for p in (0, 1)]
            for p in (0, 1):
                self._update(p, fresh[p])
            return
        for p in (0, 1):
            self._update(p, self._observed(p))

    def _observed(self, player):
        fresh = defaultdict(lambda: defaultdict(float))
        if isinstance(self.variant.minimisers[player], BestResponding):
            self._gather(self.root, player, 1.0, fresh)
            return self._best(fresh, player)
        self._walk(self.root, player, 1.0, fresh)
        return fresh

    def _update(self, player, fresh):
        minimiser, average, t = self.variant.minimisers[player], self.variant.average, self.iterations
        ramp = isinstance(average.exponent, Ramp)
        weight = 1.0 if ramp or isinf(average.exponent) else t**average.exponent
        seen_after = player == 0 and self.variant.order == "alternating"
        after = average.counted == "after" or (average.counted == "seen" and seen_after)
        if ramp:
            keep = ((t - 1) / t) ** self._exponent(average.exponent)
            for row in self.total[player].values():
                for a in row:
                    row[a] *= keep
        elif isinf(average.exponent):
            self.total[player].clear()
        if not after:
            self._average(self.root, player, weight, set())
        if isinstance(minimiser, BestResponding):
            self.best[player] = fresh
        for key, regrets in fresh.items() if not isinstance(minimiser, BestResponding) else ():
            self.seen[player][key] += (max(regrets.values()) - min(regrets.values())) ** 2
            for a, r in regrets.items():
                total = self.regret[player][key][a] + r
                if isinstance(minimiser, Matching):
                    total *= self._factor(minimiser.alpha if total > 0 else minimiser.beta)
                self.regret[player][key][a] = total
                self.last[player][key][a] = r
        if after:
            self._average(self.root, player, weight, set())

    def _exponent(self, exponent):
        if isinstance(exponent, Ramp):
            return exponent.start + exponent.slope * min(self.iterations / exponent.horizon, 1)
        return exponent

    def _factor(self, exponent):
        exponent = self._exponent(exponent)
        if isinf(exponent):
            return 1.0 if exponent > 0 else 0.0
        return self.iterations**exponent / (self.iterations**exponent + 1)

    def _walk(self, node, player, others, fresh):
        """Return the counterfactual value; add regrets of all histories of an infoset before any is used."""
        who, key, below, payoff = node
        if who == TERMINAL:
            return others * (payoff if player == 0 else -payoff)
        if who == CHANCE:
            return sum(self._walk(child, player, others * w, fresh) for _, w, child in below)
        row = self.strategy(who, key, [a for a, _, _ in below])
        if who != player:
            return sum(self._walk(child, player, others * row[a], fresh) for a, _, child in below)
        values = {a: self._walk(child, player, others, fresh) for a, _, child in below}
        value = sum(row[a] * values[a] for a in row)
        for a in row:
            fresh[key][a] += values[a] - value
        return value

    def _gather(self, node, player, others, histories):
        """Collect, for each infoset of the player, its histories and how likely the others make them."""
        who, key, below, _ = node
        row = None
        if who in (0, 1):
            row = self.strategy(who, key, [a for a, _, _ in below])
        if who == player:
            histories[key].setdefault("nodes", []).append((node, others))
        for a, w, child in below:
            part = w if who == CHANCE else 1.0 if who == player else row[a]
            self._gather(child, player, others * part, histories)

    def _best(self, histories, player):
        """Return the best action of each infoset, those below first."""
        chosen = {}

        def value(node, others):
            who, key, below, payoff = node
            if who == TERMINAL:
                return others * (payoff if player == 0 else -payoff)
            if who == CHANCE:
                return sum(value(child, others * w) for _, w, child in below)
            if who != player:
                row = self.strategy(who, key, [a for a, _, _ in below])
                return sum(value(child, others * row[a]) for a, _, child in below)
            choose(key)
            return value(next(c for a, _, c in below if a == chosen[key]), others)

        def choose(key):
            if key not in chosen:
                nodes = histories[key]["nodes"]
                worth = defaultdict(float)
                for (_, _, below, _), others in nodes:
                    for a, _, child in below:
                        worth[a] += value(child, others)
                chosen[key] = max(worth, key=worth.get)

        for key in list(histories):
            choose(key)
        return chosen

    def _average(self, node, player, own, seen):
        who, key, below, _ = node
        row = self.strategy(who, key, [a for a, _, _ in below]) if who == player else None
        if who == player and key not in seen:
            seen.add(key)
            for a in row:
                self.total[player][key][a] += own * row[a]
        for a, _, child in below:
            self._average(child, player, own * row[a] if row else own, seen)

    def compare(self, form, state, unit=1.0):
        """Regrets are the same to 1e-12, sums of plans to that part of themselves or of a unit."""
        for p, t in enumerate(form.treeplexes):
            memory = state.memories[p]
            for key, lo, hi in zip(t.infosets, t.begin, t.end, strict=True):
                for s in range(lo, hi):
                    a = t.actions[s]
                    assert memory.regret[s] == pytest.approx(self.regret[p][key][a], abs=1e-12)
                    assert memory.total[s] == pytest.approx(
                        self.total[p][key][a], rel=1e-12, abs=1e-12 * unit
                    )
