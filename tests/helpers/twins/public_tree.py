"""Random public trees, and what the vector solvers compute on them by dense matrices and recursion."""

import numpy as np

from treeplex.cfr.public.public_arrays import first_rows, live_hands, vector_arrays
from treeplex.cfr.public.public_gains import gains_of_rows
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.seqform.trees.tree_arrays import TreeDeal


def random_deal(rng, n_hands, n_keys=0, pool=4, alive=None, largest=5):
    """Draw a deal: any weights, shares and corrections, ties in strength, equal hands where there are some.

    ``alive``, a pair of bool arrays, leaves only those hands alive, and of those all but some.
    """
    weight, key, share, strength = [], [], [], []
    for p in (0, 1):
        n = n_hands[p]
        live = rng.random(n) < 0.8
        if alive is not None:
            live &= alive[p]
        w = np.array([int(x) for x in rng.integers(1, largest, n, endpoint=True)], dtype=object) * live
        k = np.array([rng.permutation(pool)[:n_keys] for _ in range(n)]).reshape(n, n_keys)
        k[rng.random(k.shape) < 0.2] = -1
        s = np.array([[int(x) for x in rng.integers(0, 3, n_keys)] for _ in range(n)], dtype=object)
        weight.append(w)
        key.append(k.astype(np.int32))
        share.append(s.reshape(n, n_keys) * live[:, None])
        strength.append(rng.integers(0, 4, n))
    mate = np.full(n_hands[0], -1, dtype=np.int32)
    n_mates = int(rng.integers(0, min(n_hands), endpoint=True))
    mate[rng.permutation(n_hands[0])[:n_mates]] = rng.permutation(n_hands[1])[:n_mates]
    same = np.zeros(n_hands[0], dtype=object)
    for g in np.flatnonzero(mate >= 0):
        strength[0][g] = strength[1][mate[g]]
        both = weight[0][g] != 0 and weight[1][mate[g]] != 0
        same[g] = int(rng.integers(-3, 3)) if both else 0
    return TreeDeal(
        tuple(weight), tuple(key), tuple(share), mate, same, tuple(strength), int(rng.integers(1, 60))
    )


def random_tree(rng, depth=4, n_keys=None):
    """Draw a public tree: decisions of one to three actions, boards that kill hands, leaves of both kinds."""
    n_hands = tuple(int(n) for n in rng.integers(1, 7, 2))
    n_keys = int(rng.integers(0, 4)) if n_keys is None else n_keys
    deals, rows = [random_deal(rng, n_hands, n_keys)], []

    def grow(parent, deal, depth):
        node = len(rows)
        kind = rng.choice(["leaf", "board", "move"], p=[0.2, 0.2, 0.6]) if parent >= 0 else "move"
        if depth == 0 or kind == "leaf":
            rows.append((parent, TERMINAL, deal, rng.random() < 0.6, int(rng.integers(-9, 10))))
            return
        rows.append((parent, CHANCE if kind == "board" else int(rng.integers(2)), deal, False, 0))
        for _ in range(rng.integers(1, 4)):
            if kind == "board":
                deals.append(random_deal(rng, n_hands, n_keys, alive=deals[deal].alive))
            grow(node, len(deals) - 1 if kind == "board" else deal, depth - 1)

    grow(-1, 0, depth)
    return public_tree(rows, deals, stake_den=int(rng.integers(1, 7)))


def public_tree(rows, deals, stake_den=1):
    """Build a public tree from rows (parent, player, deal, showdown, stake) in preorder."""
    parent, player, deal, showdown, stake = zip(*rows, strict=True)
    return PublicTree(
        name="drawn",
        unit="chips",
        parent=np.array(parent, dtype=np.int32),
        player=np.array(player, dtype=np.int8),
        action=tuple("" if p < 0 else f"a{n}" for n, p in enumerate(parent)),
        public=tuple(f"n{n}" for n in range(len(rows))),
        deal=np.array(deal, dtype=np.int32),
        showdown=np.array(showdown),
        stake=np.array(stake, dtype=object),
        stake_den=stake_den,
        deals=tuple(deals),
        hands=tuple(tuple(f"h{i}" for i in range(n)) for n in deals[0].n_hands),
        joiner="|",
    )


def random_strategies(tree, rng):
    """Draw a behaviour at every node of both players; one probability in three is zero."""
    strategies = []
    for p in (0, 1):
        drawn = []
        for node in tree.nodes_of(p):
            x = rng.random((len(tree.hands[p]), len(tree.children[node])))
            x *= rng.random(x.shape) > 1 / 3
            x[x.sum(axis=1) == 0] = 1.0
            drawn.append(x / x.sum(axis=1, keepdims=True))
        strategies.append(drawn)
    return strategies


class NaiveTree:
    """Values of a public tree by recursion over nodes and a dense matrix a leaf."""

    def __init__(self, tree):
        self.tree = tree
        self.place = [{n: i for i, n in enumerate(tree.nodes_of(p).tolist())} for p in (0, 1)]

    def leaf(self, node):
        """Return player 0's payoff for each pair of hands, chance included (H0, H1)."""
        tree, deal = self.tree, self.tree.deals[self.tree.deal[node]]
        payoff = deal.matrix().astype(float) / deal.den * float(tree.stake[node]) / tree.stake_den
        if tree.showdown[node]:
            payoff *= np.sign(deal.strength[0][:, None] - deal.strength[1][None, :])
        return payoff

    def walk(self, node, player, reach, strategies, choose):
        """Return a player's counterfactual values; ``choose(place, q)`` says what they are worth."""
        tree = self.tree
        if tree.player[node] == TERMINAL:
            payoff = self.leaf(node)
            return payoff @ reach if player == 0 else -payoff.T @ reach
        children = tree.children[node].tolist()
        if tree.player[node] == player:
            q = [self.walk(c, player, reach, strategies, choose) for c in children]
            return choose(self.place[player][node], np.array(q).T)
        reaches = [reach] * len(children)
        if tree.player[node] == 1 - player:
            x = strategies[1 - player][self.place[1 - player][node]]
            reaches = [reach * x[:, a] for a in range(len(children))]
        return sum(
            self.walk(c, player, r, strategies, choose) for c, r in zip(children, reaches, strict=True)
        )

    def ones(self, player):
        return np.ones(len(self.tree.hands[player]))

    def gains(self, strategies):
        """Return (lower, upper, value) by best responses hand by hand."""
        best = [
            self.walk(0, p, self.ones(1 - p), strategies, lambda _, q: q.max(axis=1)).sum() for p in (0, 1)
        ]
        value = self.walk(
            0, 0, self.ones(1), strategies, lambda at, q: (q * strategies[0][at]).sum(axis=1)
        ).sum()
        return -best[1], best[0], value


class NaiveCfrPlus:
    """CFR+ by the book: player 0 first, then player 1 against it; plans after the update weighted t."""

    def __init__(self, tree, noise):
        self.naive, self.tree, self.noise = NaiveTree(tree), tree, noise
        shapes = [[(len(tree.hands[p]), len(tree.children[n])) for n in tree.nodes_of(p)] for p in (0, 1)]
        self.regret = [[np.zeros(s) for s in shapes[p]] for p in (0, 1)]
        self.total = [[np.zeros(s) for s in shapes[p]] for p in (0, 1)]
        self.current = [[np.full(s, 1 / s[1]) for s in shapes[p]] for p in (0, 1)]

    def iterate(self, t):
        for p in (0, 1):
            self.naive.walk(
                0, p, self.naive.ones(1 - p), self.current, lambda at, q, p=p: self._learn(p, at, q)
            )
            self.current[p] = [_matched(r) for r in self.regret[p]]
            self._add_plan(0, p, self.naive.ones(p), t)

    def _learn(self, p, at, q):
        value = (q * self.current[p][at]).sum(axis=1)
        regret = self.regret[p][at] + q - value[:, None]
        self.regret[p][at] = np.where(regret > self.noise, regret, 0)
        return value

    def _add_plan(self, node, p, reach, t):
        for a, child in enumerate(self.tree.children[node].tolist()):
            below = reach
            if self.tree.player[node] == p:
                at = self.naive.place[p][node]
                below = reach * self.current[p][at][:, a]
                self.total[p][at][:, a] += t * below
            self._add_plan(child, p, below, t)

    def average(self):
        """Return totals normalised, the current strategy where a hand's total is zero."""
        return [
            [
                np.where(s.sum(axis=1, keepdims=True) > 0, _matched(s), x)
                for s, x in zip(total, current, strict=True)
            ]
            for total, current in zip(self.total, self.current, strict=True)
        ]


def _matched(r):
    mass = r.sum(axis=1, keepdims=True)
    return np.where(mass > 0, r / np.where(mass > 0, mass, 1), 1 / r.shape[1])


def vector_gains(tree, strategies):
    """Return what behaviour at each node of ``tree.nodes_of(player)``, (hands, actions), guarantees."""
    arrays = vector_arrays(tree)
    return gains_of_rows(arrays, *(in_rows(tree, arrays.sides[p], p, strategies[p]) for p in (0, 1)))


def in_rows(tree, side, player, strategies):
    flat, first = np.zeros(side.rows.start[-1]), first_rows(side)
    for node, strategy in zip(tree.nodes_of(player).tolist(), strategies, strict=True):
        live = strategy[live_hands(side, int(tree.deal[node]))]
        for a in range(live.shape[1]):
            start = side.rows.start[first[node] + a]
            flat[start : start + len(live)] = live[:, a]
    return flat
