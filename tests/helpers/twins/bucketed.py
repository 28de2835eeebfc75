"""Regret minimisation with hands in buckets, hand by hand and board by board, no kernel in it."""

from math import comb

import numpy as np

from treeplex.cfr.sequence_form.schedule import numbers_of
from treeplex.games.protocol import CHANCE, TERMINAL


class Bucketed:
    """Iterations of a variant on a tree without merged boards; hands of a label on a board learn alike.

    ``label(board cards, hand) -> object`` says the bucket. Alternating updates, plans averaged before them.
    """

    def __init__(self, tree, label, variant):
        self.tree, self.game, self.variant, self.done = tree, tree.game, variant, 0
        self.cards = [[tuple(hand) for hand in hands.cards.tolist()] for hands in tree.boards.hands]
        self.weight = [hands.weight for hands in tree.boards.hands]
        first, second = self.cards
        self.free = np.array([[float({*g}.isdisjoint(h)) for h in second] for g in first])
        self.below = [[] for _ in tree.boards.cards]
        for board, parent in enumerate(tree.boards.parent.tolist()):
            if board:
                self.below[parent].append(board)
        self.pools = [[self._pool(p, cards, label) for cards in tree.boards.cards] for p in (0, 1)]
        self.regret, self.total = {}, {}

    def _pool(self, player, board, label):
        """Return the matrix (H, H) that takes numbers of hands to the weighted means of their buckets."""
        cards, weight = self.cards[player], self.weight[player]
        live = [{*hand}.isdisjoint(board) for hand in cards]
        named = [label(board, hand) if alive else None for hand, alive in zip(cards, live, strict=True)]
        alike = (
            np.array(
                [
                    [a and b and x == y for b, y in zip(live, named, strict=True)]
                    for a, x in zip(live, named, strict=True)
                ],
                float,
            )
            * weight
        )
        mass = alike.sum(axis=1, keepdims=True)
        return alike / np.where(mass > 0, mass, 1.0)

    def iterate(self, iterations):
        for _ in range(iterations):
            numbers = numbers_of(self.variant, 0, self.done, 1)
            positive, negative, _ = numbers.discount
            self.discount = float(positive[0]), float(negative[0])
            self.average = float(numbers.counts.before[0])
            for player in (0, 1):
                live = [self._alive(p, 0) for p in (0, 1)]
                self._values(player, 0, 0, live[player], self.weight[1 - player] * live[1 - player])
            self.done += 1

    def _alive(self, player, board):
        return np.array([float({*h}.isdisjoint(self.tree.boards.cards[board])) for h in self.cards[player]])

    def _behaviour(self, node, board, n_actions):
        regret = self.regret.get((node, board))
        if regret is None:
            return np.full((n_actions, len(self.cards[self.tree.betting.player[node]])), 1 / n_actions)
        mass = regret.clip(0).sum(axis=0)
        return np.where(mass > 0, regret.clip(0) / np.where(mass > 0, mass, 1), 1 / n_actions)

    def _values(self, player, node, board, plan, other):
        """Return what each hand of a player is worth; update its regrets and averages below."""
        betting = self.tree.betting
        who, children = int(betting.player[node]), betting.children[node].tolist()
        if who == TERMINAL:
            return self._worth(player, node, board) @ other * self._alive(player, board)
        if who == CHANCE:
            cards = len(self.tree.boards.cards[self.below[board][0]]) - len(self.tree.boards.cards[board])
            gone = len(self.tree.boards.cards[board]) + 2 * self.game.hole_cards
            ways = comb(len(self.game.deck.cards) - gone, cards)
            values = np.zeros(len(plan))
            for after in self.below[board]:
                seen = plan * self._alive(player, after), other * self._alive(1 - player, after)
                values += self._values(player, children[0], after, *seen) / ways
            return values
        played = self._behaviour(node, board, len(children))
        if who != player:
            return sum(
                self._values(player, c, board, plan, other * x) for c, x in zip(children, played, strict=True)
            )
        pool = self.pools[player][board]
        total = self.total.get((node, board), np.zeros_like(played))
        self.total[node, board] = total + self.average * (plan * played) @ pool.T
        worth = np.array(
            [self._values(player, c, board, plan * x, other) for c, x in zip(children, played, strict=True)]
        )
        mean = (played * worth).sum(axis=0)
        regret = self.regret.get((node, board), np.zeros_like(played)) + (worth - mean) @ pool.T
        regret[np.abs(regret) < 1e-12] = 0.0
        positive, negative = self.discount
        self.regret[node, board] = regret * np.where(regret > 0, positive, negative)
        return mean

    def _worth(self, player, node, board):
        """Return the payoff of each pair of hands, own hands first."""
        betting = self.tree.betting
        stake = int(betting.stake[node]) / betting.stake_den
        if betting.showdown[node]:
            cards = self.tree.boards.cards[board]
            first, second = (
                np.array([self.game.strength(h, cards) if {*h}.isdisjoint(cards) else 0 for h in hands])
                for hands in self.cards
            )
            worth = stake * np.sign(first[:, None] - second[None, :]) * self.free
        else:
            worth = stake * self.free
        return worth if player == 0 else -worth.T

    def at(self, player, node, board):
        """Return the average behaviour of the live hands in the order of the tree, (hands, actions)."""
        hands = self.tree.boards.hands[player]
        total = self.total[node, board][:, hands.hand[hands.on(board)]].T
        mass = total.sum(axis=1, keepdims=True)
        return np.where(mass > 0, total / np.where(mass > 0, mass, 1), 1 / total.shape[1])
