"""Naive twins: the same quantities straight from a game's rules, in fractions, by loops that hide nothing."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from treeplex.games.base.protocol import CHANCE, TERMINAL


class Leaf(NamedTuple):
    """The end of a history: chance's part of its probability, player 0's payoff, each player's own moves."""

    weight: Fraction
    payoff: Fraction
    past: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]


def leaves(game, state=None, weight=Fraction(1), past=((), ())):
    """Return all leaves below a state; moves are pairs (infoset, action)."""
    state = game.root() if state is None else state
    player = game.player(state)
    if player == TERMINAL:
        return [Leaf(weight, Fraction(game.payoff(state)), past)]
    found = []
    if player == CHANCE:
        for label, probability in game.chance(state):
            found += leaves(game, game.child(state, label), weight * probability, past)
        return found
    for action in game.actions(state):
        longer = list(past)
        longer[player] = (*past[player], (game.infoset(state, player), action))
        found += leaves(game, game.child(state, action), weight, tuple(longer))
    return found


def moves_of(treeplex):
    """Return the sequence number of each (infoset, action)."""
    return {
        (key, treeplex.actions[s]): s
        for key, lo, hi in zip(treeplex.infosets, treeplex.begin, treeplex.end, strict=True)
        for s in range(lo, hi)
    }


def probabilities(treeplex, behaviour):
    """Return {(infoset, action): probability} in fractions: the floats as they are, over their sum."""
    table = {}
    for key, lo, hi in zip(treeplex.infosets, treeplex.begin, treeplex.end, strict=True):
        row = [Fraction(b) for b in behaviour[lo:hi].tolist()]
        table |= {(key, treeplex.actions[lo + k]): b / sum(row) for k, b in enumerate(row)}
    return table


def best_response(ends, player, opponent):
    """Return (value for ``player``, {infoset: counterfactual value}) against probabilities of the other."""
    sign = 1 if player == 0 else -1
    gain = defaultdict(Fraction)
    below = defaultdict(set)
    actions = defaultdict(set)
    for leaf in ends:
        reach = leaf.weight
        for move in leaf.past[1 - player]:
            reach *= opponent[move]
        own = leaf.past[player]
        gain[own] += sign * reach * leaf.payoff
        for depth, (key, action) in enumerate(own):
            below[own[:depth]].add(key)
            actions[own[:depth], key].add(action)
    values = {}

    def worth(sequence):
        total = gain[sequence]
        for key in below[sequence]:
            values[key] = max(worth((*sequence, (key, a))) for a in actions[sequence, key])
            total += values[key]
        return total

    return worth(()), values


def expected(ends, first, second):
    """Return player 0's expected payoff."""
    total = Fraction(0)
    for leaf in ends:
        p = leaf.weight * leaf.payoff
        for table, past in zip((first, second), leaf.past, strict=True):
            for move in past:
                p *= table[move]
        total += p
    return total


def bounds(game, form, behaviour):
    """Return (expected payoff, lower, upper) of a pair of behaviours, exactly."""
    ends = leaves(game)
    first, second = (probabilities(t, b) for t, b in zip(form.treeplexes, behaviour, strict=True))
    return (
        expected(ends, first, second),
        -best_response(ends, 1, first)[0],
        best_response(ends, 0, second)[0],
    )


def payoff_matrix(game, form):
    """Return A as an object array of fractions, one leaf after the other."""
    first, second = (moves_of(t) for t in form.treeplexes)
    matrix = np.full([t.n_sequences for t in form.treeplexes], Fraction(0), dtype=object)
    for leaf in leaves(game):
        s = first[leaf.past[0][-1]] if leaf.past[0] else 0
        r = second[leaf.past[1][-1]] if leaf.past[1] else 0
        matrix[s, r] += leaf.weight * leaf.payoff
    return matrix


def flow_matrix(treeplex):
    """Return E: row 0 is the empty sequence, row 1 + i the actions of infoset i less its parent."""
    matrix = np.zeros((1 + treeplex.n_infosets, treeplex.n_sequences))
    matrix[0, 0] = 1
    for i in range(treeplex.n_infosets):
        matrix[1 + i, treeplex.parent[i]] = -1
        for s in range(treeplex.begin[i], treeplex.end[i]):
            matrix[1 + i, s] = 1
    return matrix


def exact_entries(payoff):
    """Return a payoff, sparse or factored, as {(sequence, sequence): fraction}, without zeros."""
    entries = defaultdict(Fraction)
    for r, c, a in triples(payoff.base):
        entries[r, c] += a
    columns = [defaultdict(Fraction) for _ in payoff.link]
    for s, k, a in triples(payoff.right):
        columns[k][s] += a
    for k in range(1, len(columns)):
        if payoff.link[k]:
            for s, a in columns[k - 1].items():
                columns[k][s] += a
    for r, k, a in triples(payoff.left):
        for s, b in columns[k].items():
            entries[r, s] += a * b
    return {at: a for at, a in entries.items() if a}


def triples(matrix):
    """Yield (row, column, fraction) of an exact matrix."""
    for r, c, a in zip(matrix.rows.tolist(), matrix.cols.tolist(), matrix.num, strict=True):
        yield r, c, Fraction(int(a), matrix.den)


def random_behaviour(treeplex, rng, smallest=0):
    """Return a behaviour; odds are zero one time in four, else down to 10 ** smallest."""
    behaviour = np.ones(treeplex.n_sequences)
    for lo, hi in zip(treeplex.begin, treeplex.end, strict=True):
        odds = rng.random(hi - lo) * 10.0 ** rng.integers(smallest, 1, hi - lo)
        odds *= rng.random(hi - lo) > 0.25
        odds[rng.integers(hi - lo)] += 1.0
        behaviour[lo:hi] = odds / odds.sum()
    return behaviour


def die(sides, *about):
    """Return a throw of a die that depends on its arguments alone."""
    return int.from_bytes(blake2b(repr(about).encode(), digest_size=8).digest(), "big") % sides


@dataclass(frozen=True)
class Wrapped:
    """A game that does in everything as another does."""

    game: Any

    @property
    def name(self):
        return f"{type(self).__name__} {self.game.name}"

    @property
    def unit(self):
        return self.game.unit

    def root(self):
        return self.game.root()

    def player(self, state):
        return self.game.player(state)

    def actions(self, state):
        return self.game.actions(state)

    def chance(self, state):
        return self.game.chance(state)

    def child(self, state, action):
        return self.game.child(state, action)

    def infoset(self, state, player):
        return self.game.infoset(state, player)

    def public(self, state):
        return self.game.public(state)

    def payoff(self, state):
        return self.game.payoff(state)


@dataclass(frozen=True)
class Swapped(Wrapped):
    """The players change seats: the payoff becomes minus its transpose."""

    def player(self, state):
        return {0: 1, 1: 0}.get(self.game.player(state), self.game.player(state))

    def infoset(self, state, player):
        return self.game.infoset(state, 1 - player)

    def payoff(self, state):
        return -self.game.payoff(state)


@dataclass(frozen=True)
class Relabelled(Wrapped):
    """Actions, outcomes, infosets and public states have other names, and stand in another order."""

    seed: int

    def actions(self, state):
        return tuple(sorted((f"~{a}" for a in self.game.actions(state)), key=self._place))

    def chance(self, state):
        return sorted(((f"~{a}", p) for a, p in self.game.chance(state)), key=lambda o: self._place(o[0]))

    def child(self, state, action):
        return self.game.child(state, action[1:])

    def infoset(self, state, player):
        return f"{die(10**9, self.seed)}{self.game.infoset(state, player)[::-1]}"

    def public(self, state):
        return self.game.public(state) + "!"

    def _place(self, label):
        return die(10**9, self.seed, label)


@dataclass(frozen=True)
class Scaled(Wrapped):
    """All payoffs times a factor."""

    factor: Fraction

    def payoff(self, state):
        return self.factor * self.game.payoff(state)


@dataclass(frozen=True)
class Uneven(Wrapped):
    """Each payoff times a power of ten of its own, from -reach to reach."""

    reach: int
    seed: int

    def payoff(self, state):
        power = die(2 * self.reach + 1, self.seed, state) - self.reach
        return self.game.payoff(state) * Fraction(10) ** power
