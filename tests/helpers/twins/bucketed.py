"""Regret minimisation with hands in buckets, hand by hand and board by board, no kernel in it."""

from math import comb

import numpy as np

from treeplex.cfr.sequences.sequence_learning import numbers_of
from treeplex.games.base.protocol import CHANCE, TERMINAL


class Bucketed:
    """Iterations of a variant on a tree without merged boards; hands of one label on a street learn alike.

    ``label(board cards, hand) -> object`` says the bucket; hands of a player that is not ``abstracted`` have
    one each on each board. Alternating updates, plans averaged before them. A bucket's regrets are the mean
    of its hands' over all boards, weighted by their ranges; play changes when all boards have been walked.
    """

    def __init__(self, tree, label, variant, abstracted=(True, True)):
        self.tree, self.game, self.variant, self.done = tree, tree.game, variant, 0
        self.cards = [[tuple(hand) for hand in hands.cards.tolist()] for hands in tree.boards.hands]
        self.weight = [hands.weight for hands in tree.boards.hands]
        first, second = self.cards
        self.free = np.array([[float({*g}.isdisjoint(h)) for h in second] for g in first])
        self.below = [[] for _ in tree.boards.cards]
        for board, parent in enumerate(tree.boards.parent.tolist()):
            if board:
                self.below[parent].append(board)
        self.bucket, self.mass = [], []
        for p in (0, 1):
            self._label(p, label if abstracted[p] else lambda board, hand: (board, hand))
        self.regret, self.total = {}, {}

    def _label(self, player, label):
        """Number a player's buckets by street, and add up their weights; -1 for dead hands."""
        known = [{} for _ in range(int(self.tree.boards.street.max()) + 1)]
        mass = [[] for _ in known]
        rows = []
        for board, street in zip(self.tree.boards.cards, self.tree.boards.street.tolist(), strict=True):
            row = []
            for hand, weight in zip(self.cards[player], self.weight[player], strict=True):
                if not {*hand}.isdisjoint(board):
                    row.append(-1)
                    continue
                row.append(known[street].setdefault(label(board, hand), len(known[street])))
                if row[-1] == len(mass[street]):
                    mass[street].append(0.0)
                mass[street][row[-1]] += weight
            rows.append(np.array(row))
        self.bucket.append(rows)
        self.mass.append([np.array(one) for one in mass])

    def iterate(self, iterations):
        for _ in range(iterations):
            numbers = numbers_of(self.variant, 0, self.done, 1)
            positive, negative, _ = numbers.discount
            average = float(numbers.counts.before[0])
            for player in (0, 1):
                self.gain, self.reach = {}, {}
                live = [self._alive(p, 0) for p in (0, 1)]
                self._values(player, 0, 0, live[player], self.weight[1 - player] * live[1 - player])
                for node, gain in self.gain.items():
                    mass = self.mass[player][int(self.tree.betting.street[node])]
                    played = self._play(node, len(gain), len(mass))
                    total = self.total.get(node, np.zeros_like(gain))
                    self.total[node] = total + average * self.reach[node] / mass * played
                    regret = self.regret.get(node, np.zeros_like(gain)) + gain / mass
                    regret[np.abs(regret) < 1e-12] = 0.0
                    self.regret[node] = regret * np.where(regret > 0, float(positive[0]), float(negative[0]))
            self.done += 1

    def _alive(self, player, board):
        return np.array([float({*h}.isdisjoint(self.tree.boards.cards[board])) for h in self.cards[player]])

    def _play(self, node, n_actions, n_buckets):
        """Return the play of each bucket, (actions, buckets)."""
        regret = self.regret.get(node)
        if regret is None:
            return np.full((n_actions, n_buckets), 1 / n_actions)
        mass = regret.clip(0).sum(axis=0)
        return np.where(mass > 0, regret.clip(0) / np.where(mass > 0, mass, 1), 1 / n_actions)

    def _values(self, player, node, board, plan, other):
        """Return what each hand of a player is worth; add up its regrets and reaches below."""
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
        bucket = self.bucket[who][board]
        n_buckets = len(self.mass[who][int(betting.street[node])])
        played = self._play(node, len(children), n_buckets)[:, bucket]
        if who != player:
            return sum(
                self._values(player, c, board, plan, other * x) for c, x in zip(children, played, strict=True)
            )
        live, own = bucket >= 0, self.weight[player]
        reach = self.reach.setdefault(node, np.zeros(n_buckets))
        np.add.at(reach, bucket[live], (own * plan)[live])
        worth = np.array(
            [self._values(player, c, board, plan * x, other) for c, x in zip(children, played, strict=True)]
        )
        mean = (played * worth).sum(axis=0)
        gain = self.gain.setdefault(node, np.zeros((len(children), n_buckets)))
        for row, regret in zip(gain, worth - mean, strict=True):
            np.add.at(row, bucket[live], (own * regret)[live])
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

    def at(self, player, node, board, last=False):
        """Return the average or last behaviour of the live hands in the tree's order, (hands, actions)."""
        hands = self.tree.boards.hands[player]
        live = hands.hand[hands.on(board)]
        total = (self.regret if last else self.total)[node].clip(0)[:, self.bucket[player][board][live]].T
        mass = total.sum(axis=1, keepdims=True)
        return np.where(mass > 0, total / np.where(mass > 0, mass, 1), 1 / total.shape[1])
