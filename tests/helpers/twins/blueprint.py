"""The naive twin of blueprints: the method as it is told, on the game's rules, tables as dictionaries."""

from collections import defaultdict
from fractions import Fraction

from tests.helpers.twins.sampled import WORD, Stream
from treeplex.cfr.bucket_sampling.sampler_config import LibratusPruning, PluribusPruning
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.poker.game import PokerState

GAMMA = 0x9E3779B97F4A7C15
LARGEST = 2**31 - 1


class Numbers(Stream):
    """The random numbers of one traversal."""

    def __init__(self, seed, number):
        self.state = self.mixed((self.mixed(seed) + number * GAMMA) % WORD)


class NaiveBlueprint:
    """Tables by (cluster, betting line, bucket); ``source`` makes the random numbers of a traversal.

    Parameters
    ----------
    layout : BlueprintLayout
        Of which only game, abstraction, clusters, unit and stake are read.
    config : BlueprintConfig
    source : callable, optional
        From the number of a traversal.
    """

    def __init__(self, layout, config, source=None):
        self.game, self.abstraction, self.config = layout.game, layout.abstraction, config
        self.unit, self.stake, self.clusters = layout.unit, layout.stake, layout.clusters
        self.source_of = source or (lambda number: Numbers(config.seed, number))
        self.regret, self.gain, self.count = (defaultdict(lambda: defaultdict(int)) for _ in range(3))
        self.infosets = defaultdict(set)
        self.iterations = self.visited = self.untried = 0
        floor = -LARGEST if config.pruning is None else config.pruning.floor * self.stake
        self.floor = int(max(floor, -LARGEST))

    def run(self, traversals):
        for _ in range(traversals):
            self.traverse()
            if self.iterations % self.config.batch == 0:
                self.end_batch()
            if self.iterations % self.config.period == 0:
                self.end_period()

    def end_batch(self):
        for row, gains in self.gain.items():
            for a, gain in gains.items():
                self.regret[row][a] = max(min(self.regret[row][a] + gain, LARGEST), self.floor)
        self.gain.clear()

    def end_period(self):
        number, most = self.iterations // self.config.period, self.config.linear_periods
        if number < most:
            for row in self.regret.values():
                for a in row:
                    row[a] = round(row[a] * (number / (number + 1)))

    def deal(self):
        """Return both hands and the board, drawn card by card."""
        deck, hole = list(self.game.deck.cards), self.game.hole_cards
        size = 2 * hole + sum(self.game.board_cards)
        for k in range(size):
            at = k + self.source.pick([Fraction(1, len(deck) - k)] * (len(deck) - k))
            deck[k], deck[at] = deck[at], deck[k]
        hands = tuple(tuple(sorted(h)) for h in (deck[:hole], deck[hole : 2 * hole]))
        return hands, tuple(deck[2 * hole : size])

    def row(self, state, player):
        """Return the name of a row; all clusters have those of the first street in common."""
        n = len(state.board)
        street = [sum(self.abstraction.rounds[1 : s + 1]) for s in range(len(self.abstraction.rounds))].index(
            n
        )
        bucket = int(self.abstraction.buckets(street, state.board, [state.hands[player]])[0])
        first = self.abstraction.rounds[1] if n else 0
        cluster = int(self.clusters.of([state.board[:first]])[0]) if n else None
        self.infosets[cluster, state.line, bucket].add(self.game.infoset(state, player))
        return cluster, state.line, bucket

    def shares(self, row, actions):
        gains = [max(self.regret[row][a], 0) for a in actions]
        return [Fraction(g, sum(gains)) if sum(gains) else Fraction(1, len(actions)) for g in gains]

    def onward(self, state, player, weight):
        """Pass over chance, forced moves and the other player, whose actions are sampled and counted."""
        game = self.game
        while game.player(state) != TERMINAL:
            actions = game.actions(state)
            if game.player(state) == CHANCE:
                street = self.board[len(state.board) : game.point(state.line).n_board]
                state = PokerState(state.hands, state.board + street, game.point(state.line).after)
            elif len(actions) == 1:
                state = game.child(state, actions[0])
            elif game.player(state) != player:
                row = self.row(state, 1 - player)
                a = actions[self.source.pick(self.shares(row, actions))]
                self.count[row][a] += weight
                self.visited += 1
                state = game.child(state, a)
            else:
                break
        return state

    def rate(self, state, a, regret):
        """Return how likely an own action is tried, where some regret is positive."""
        pruning = self.config.pruning
        threshold = pruning.threshold * self.stake
        if regret >= threshold:
            return 1.0
        if isinstance(pruning, LibratusPruning):
            constant = pruning.constant * self.stake
            return max(pruning.least, constant / (constant + threshold - regret))
        ends = self.game.player(self.game.child(state, a)) == TERMINAL
        last = len(state.board) == sum(self.game.board_cards)
        return 1.0 if ends or last or not self.skips else 0.0

    def traverse(self):
        player, self.source = self.iterations % 2, self.source_of(self.iterations)
        weight = min(self.iterations // self.config.period + 1, self.config.linear_periods)
        hands, self.board = self.deal()
        pruning = self.config.pruning
        if pruning is not None and self.iterations < pruning.start:
            pruning = None
        self.skips = False
        if isinstance(pruning, PluribusPruning):
            self.skips = self.source.pick([pruning.share, 1 - pruning.share]) == 0
        self.iterations += 1
        start = self.onward(PokerState(hands, (), self.game.first_line), player, weight)
        visits, values, below = [start], {}, {}
        # breadth first, as random numbers are used
        for state in visits:
            if self.game.player(state) == TERMINAL:
                continue
            actions, row = self.game.actions(state), self.row(state, player)
            self.visited += 1
            prunes = pruning is not None and any(self.regret[row][a] > 0 for a in actions)
            for a in actions:
                rate = self.rate(state, a, self.regret[row][a]) if prunes else 1.0
                if rate == 1.0 or (rate > 0.0 and self.source.pick([rate, 1 - rate]) == 0):
                    below[state, a] = self.onward(self.game.child(state, a), player, weight)
                    visits.append(below[state, a])
                else:
                    self.untried += 1
        for state in reversed(visits):
            values[state] = self.back_up(state, player, below, values)

    def back_up(self, state, player, below, values):
        if self.game.player(state) == TERMINAL:
            return float(self.game.payoff(state) / Fraction(self.unit)) * (1 if player == 0 else -1)
        actions, row = self.game.actions(state), self.row(state, player)
        worth = [values[below[state, a]] if (state, a) in below else 0.0 for a in actions]
        weights = [max(self.regret[row][a], 0) for a in actions]
        if not sum(weights):
            weights = [1] * len(actions)
        value = 0.0
        for w, v in zip(weights, worth, strict=True):
            value += w * v
        value /= sum(weights)
        for a, v in zip(actions, worth, strict=True):
            if (state, a) in below:
                self.learn(row, a, round(v - value))
        return value

    def learn(self, row, a, gain):
        if row[0] is None and self.clusters.count > 1:
            self.gain[row][a] += gain
        else:
            total = self.regret[row][a] + gain
            self.regret[row][a] = max(min(total, LARGEST), self.floor)
