"""The naive twin of sampled regret minimisation, held against every sample that could be drawn."""

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from tests.helpers.twins.games import Wrapped, die
from treeplex.bench.theorems_on_learning.samples import (
    branching,
    every_sample,
    exact_regrets,
    expected,
)
from treeplex.cfr.engine import iterate
from treeplex.cfr.sampling.history_sampling import SamplingState, traverse
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

WORD = 2**64


def numbered(game):
    return number_tree(build_tree(game))


@dataclass(frozen=True)
class Generic(Wrapped):
    """Another game's payoffs, each a little off, so that regrets which rounding decides do not occur."""

    def payoff(self, state):
        return self.game.payoff(state) + Fraction(die(10**6, state), 10**7)


class Stream:
    """Splitmix64 in plain integers; ``pick`` is the first entry whose cumulative probability exceeds one."""

    def __init__(self, seed):
        self.state = self.mixed(seed)

    @staticmethod
    def mixed(z):
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
        return z ^ z >> 31

    def pick(self, probabilities):
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        u = (self.mixed(self.state) >> 11) / 2**53
        below = [sum(probabilities[: k + 1]) for k in range(len(probabilities))]
        return next(k for k, b in enumerate(below) if u < float(b))


def table():
    return [defaultdict(lambda: defaultdict(float)) for _ in (0, 1)]


class Naive:
    """Sampled regret minimisation as it is told: recursion over histories, dictionaries by key and action."""

    def __init__(self, game, sampling, source):
        self.game, self.sampling, self.source = game, sampling, source
        self.regret, self.total = table(), table()
        self.iterations = self.visited = self.untried = 0
        self.root = self._written_out(game.root())

    def _written_out(self, state):
        """Return nested tuples (player, key, [(label, weight, child)], payoff); forced moves are left out."""
        game, player = self.game, self.game.player(state)
        if player == TERMINAL:
            return player, None, [], float(game.payoff(state))
        moves = game.chance(state) if player == CHANCE else [(a, None) for a in game.actions(state)]
        below = [(a, w, self._written_out(game.child(state, a))) for a, w in moves]
        if len(below) == 1:
            return below[0][2]
        if player == CHANCE:
            flat = []
            for a, w, child in below:
                deeper = [(None, w * v, c) for _, v, c in child[2]] if child[0] == CHANCE else [(a, w, child)]
                flat += deeper
            return player, None, flat, 0
        return player, game.infoset(state, player), below, 0

    def strategy(self, player, key, below):
        regrets = {a: max(self.regret[player][key][a], 0) for a, _, _ in below}
        mass = sum(regrets.values())
        return {a: r / mass if mass > 0 else 1 / len(below) for a, r in regrets.items()}

    def iterate(self):
        self.iterations += 1
        for player in (0, 1):
            for key, row in self.traverse(player).items():
                for a, r in row.items():
                    scaled = r * self.iterations**self.sampling.regret_exponent
                    self.regret[player][key][a] = max(
                        self.regret[player][key][a] + scaled, self.sampling.floor
                    )

    def traverse(self, player):
        """Return the sampled regrets of a traversal; the other player averages meanwhile."""
        fresh = defaultdict(lambda: defaultdict(float))
        if self.sampling.scheme == "outcome":
            self._outcome(self.root, player, [], 1.0, fresh)
        else:
            self._walk(self.root, player, 1.0, fresh)
        return fresh

    def _average(self, player, key, row, weight):
        for a, p in row.items():
            self.total[player][key][a] += max(self.iterations, 1) ** self.sampling.exponent * weight * p

    def _walk(self, node, player, reach, fresh):
        """Return the value times the reach: the other's, unsampled, over the tries of own actions."""
        who, key, below, payoff = node
        self.visited += 1
        if who == TERMINAL:
            return reach * (payoff if player == 0 else -payoff)
        if who == CHANCE:
            k = self.source.pick([w for _, w, _ in below])
            return self._walk(below[k][2], player, reach, fresh)
        row = self.strategy(who, key, below)
        if who == player:
            rates = self.rates(who, key, row)
            tried = {a: q == 1 or self.source.pick([q, 1 - q]) == 0 for a, q in rates.items()}
            self.untried += sum(not t for t in tried.values())
            pruning = self.sampling.pruning
            over = rates if pruning is None or pruning.increments == "weighted" else dict.fromkeys(row, 1.0)
            values = {
                a: self._walk(c, player, reach / over[a], fresh) if tried[a] else 0.0 for a, _, c in below
            }
            value = sum(row[a] * values[a] for a in row)
            for a in row:
                if pruning is None:
                    fresh[key][a] += values[a] - value
                elif tried[a]:
                    fresh[key][a] += values[a] - value / over[a]
            return value
        self._average(who, key, row, reach)
        if self.sampling.scheme != "chance":
            k = self.source.pick(list(row.values()))
            return self._walk(below[k][2], player, reach, fresh)
        return sum(self._walk(c, player, reach * row[a], fresh) for a, _, c in below if row[a] > 0)

    def rates(self, player, key, row):
        """Return how likely each own action is tried."""
        sampling, pruning = self.sampling, self.sampling.pruning
        rates = dict.fromkeys(row, 1.0)
        if sampling.scheme == "average":
            sums = self.total[player][key]
            whole = sampling.beta + sum(sums[a] for a in row)
            if whole > 0:
                for a in row:
                    share = (sampling.beta + sampling.tau * sums[a]) / whole
                    rates[a] = max(sampling.epsilon, min(1.0, share))
        regrets = self.regret[player][key]
        if pruning is not None and self.iterations > pruning.start and max(regrets.values()) > 0:
            for a in row:
                if regrets[a] < pruning.threshold:
                    depth = pruning.threshold - regrets[a]
                    rates[a] = max(pruning.floor, pruning.constant / (pruning.constant + depth))
        return rates

    def _outcome(self, node, player, path, sampled, fresh):
        """Outcome sampling by its definition: payoff times others' reach times own tail over probability."""
        who, key, below, payoff = node
        self.visited += 1
        if who == TERMINAL:
            utility = payoff if player == 0 else -payoff
            others = math.prod(p for who, _, _, _, p in path if who != player)
            for i, (who, key, action, row, _) in enumerate(path):
                if who == player:
                    tail = math.prod(p for w, _, _, _, p in path[i + 1 :] if w == player)
                    for a in row:
                        fresh[key][a] += (
                            utility * others / sampled * ((tail if a == action else 0) - row[action] * tail)
                        )
            return
        chance = {k: w for k, (_, w, _) in enumerate(below)}
        row = chance if who == CHANCE else self.strategy(who, key, below)
        rates = list(row.values())
        if who == player:
            explored = self.sampling.exploration
            rates = [explored / len(row) + (1 - explored) * p for p in rates]
        if who == 1 - player:
            reach = math.prod(p for w, _, _, _, p in path if w != player)
            self._average(who, key, row, reach / sampled)
        k = self.source.pick(rates)
        action = list(row)[k]
        step = (who, key, action, row, float(row[action]))
        self._outcome(below[k][2], player, [*path, step], sampled * float(rates[k]), fresh)

    def compare(self, form, state):
        assert state.visited == self.visited
        for p, t in enumerate(form.treeplexes):
            for name in ("regret", "total"):
                mine = arrays(t, getattr(self, name)[p])
                theirs = getattr(state, name)[p].copy()
                theirs[~np.isin(np.arange(t.n_sequences), branching(t))] = 0
                assert theirs == pytest.approx(mine, rel=1e-12, abs=1e-12)


def arrays(treeplex, rows):
    """Return a table as an array over sequences."""
    found = np.zeros(treeplex.n_sequences)
    for key, row in rows.items():
        i = treeplex.index[key]
        for s in range(treeplex.begin[i], treeplex.end[i]):
            found[s] = row[treeplex.actions[s]]
    return found


def regrets(form, profile, player):
    """Return the exact counterfactual regrets of a player's sequences."""
    t, own = form.treeplexes[player], profile.behaviour[player]
    q = form.payoff.against(player, profile.plans[1 - player]) * (1 if player == 0 else -1)
    regret = np.zeros(t.n_sequences)
    for i in range(t.n_infosets - 1, -1, -1):
        rows = slice(t.begin[i], t.end[i])
        value = own[rows] @ q[rows]
        regret[rows] = q[rows] - value
        q[t.parent[i]] += value
    return regret


def some_profile(form, seed, zeros=True):
    """Return a random profile in which, if allowed, some actions are never played."""
    rng = np.random.default_rng(seed)
    behaviour = []
    for t in form.treeplexes:
        x = rng.random(t.n_sequences) + 0.05
        if zeros:
            x[rng.random(t.n_sequences) < 0.25] = 0
        behaviour.append(t.behaviour(x))
    return Profile(form.treeplexes, tuple(behaviour))


def played(form, state):
    """Return what regret matching plays."""
    return Profile(
        form.treeplexes, tuple(t.behaviour(r) for t, r in zip(form.treeplexes, state.regret, strict=True))
    )


def expectation(game, enumerated, sampling, state, player):
    """Return the expected regret and total, all samples weighted by their probabilities, and their number."""
    naive = Naive(game, sampling, None)
    naive.iterations = state.iterations + 1
    for p, t in enumerate(enumerated.form.treeplexes):
        for i, key in enumerate(t.infosets):
            for s in range(t.begin[i], t.end[i]):
                naive.regret[p][key][t.actions[s]] = state.regret[p][s]
                naive.total[p][key][t.actions[s]] = state.total[p][s]

    def run(script):
        naive.source, naive.total[1 - player], naive.visited = script, table()[0], 0
        return naive.traverse(player)

    own, other = enumerated.form.treeplexes[player], enumerated.form.treeplexes[1 - player]
    regret, total, mass = np.zeros(own.n_sequences), np.zeros(other.n_sequences), 0.0
    samples = every_sample(lambda script: (run(script), naive.total[1 - player], naive.visited))
    for script, (found, averaged, visited) in samples:
        draws = np.concatenate((script.draws, np.zeros(3 * enumerated.tree.n_nodes)))
        sample = traverse(enumerated, sampling, state, player, draws)
        assert (sample.drawn, sample.visited) == (len(script.draws), visited)
        assert sample.regret == pytest.approx(arrays(own, found), abs=1e-11)
        assert sample.total == pytest.approx(arrays(other, averaged), abs=1e-11)
        regret += script.probability * sample.regret
        total += script.probability * sample.total
        mass += script.probability
    assert mass == pytest.approx(1, abs=1e-12)
    return regret, total, len(samples)


def check_samples(game, sampling, state):
    """Each sample is the naive one; all together are what theorems enumerate, and the exact regrets."""
    enumerated = numbered(game)
    state = state(enumerated.form)
    for player in (0, 1):
        regret, total, samples = expectation(game, enumerated, sampling, state, player)
        mean = expected(enumerated, sampling, state, player)
        assert mean.samples == samples
        assert mean.regret == pytest.approx(regret, abs=1e-12)
        assert mean.total == pytest.approx(total, abs=1e-12)
        own = branching(enumerated.form.treeplexes[player])
        exact = exact_regrets(enumerated.form, state, player)
        assert regret[own] == pytest.approx(exact[own], abs=1e-11)


def same(a, b):
    arrays = [(x, y) for n in ("regret", "total") for x, y in zip(getattr(a, n), getattr(b, n), strict=True)]
    return all(x.tobytes() == y.tobytes() for x, y in arrays) and (a.drawn, a.visited) == (b.drawn, b.visited)


def alone(engine, iterations, state=None):
    """Return the state of an engine's only stream after some more iterations."""
    return iterate(engine, iterations, None if state is None else SamplingState((state,))).streams[0]
