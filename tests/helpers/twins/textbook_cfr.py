"""Counterfactual regret minimisation as textbooks write it, with the mistakes that are made with it."""

from collections import defaultdict
from dataclasses import dataclass, field

from treeplex.games.base.protocol import CHANCE, TERMINAL


@dataclass
class TextbookCfr:
    """Regret matching by recursion over histories, in dictionaries by (player, infoset).

    ``plus`` clips regrets; ``weights`` gives each iteration's weight in the average, of the plan before the
    update; ``order`` is the players of each walk; ``at_once`` lets each history's update count at once, and
    averages what is met. ``bug`` is a mistake, see ``_visit``.
    """

    game: object
    plus: bool = False
    weights: object = staticmethod(lambda t: 1.0)
    order: tuple = ((0,), (1,))
    at_once: bool = False
    bug: str = ""
    regret: dict = field(default_factory=lambda: defaultdict(lambda: defaultdict(float)))
    total: dict = field(default_factory=lambda: defaultdict(lambda: defaultdict(float)))
    fresh: dict = field(default_factory=lambda: defaultdict(lambda: defaultdict(float)))
    t: int = 0

    def run(self, iterations):
        for _ in range(iterations):
            self.t += 1
            for updating in self.order:
                self._visit(self.game.root(), (1.0, 1.0), 1.0, updating)
                self._settle()
        return self

    def play(self, key, actions):
        positive = {a: max(self.regret[key][a], 0.0) for a in actions}
        mass = sum(positive.values())
        return {a: r / mass if mass > 0 else 1 / len(actions) for a, r in positive.items()}

    def average(self):
        """Return {(player, infoset): {action: probability}}."""
        table = {}
        for key, row in self.total.items():
            odds = self.play(key, list(row)) if self.bug == "no averaging" else row
            mass = sum(odds.values())
            table[key] = {a: p / mass if mass > 0 else 1 / len(row) for a, p in odds.items()}
        return table

    def _visit(self, state, reach, chance, updating):
        game, player = self.game, self.game.player(state)
        if player == TERMINAL:
            return self._payoff(state)
        if player == CHANCE:
            value = 0.0
            for k, (label, odds) in enumerate(game.chance(state)):
                p = float(odds) * (1.5 if self.bug == "chance weight" and k == 0 else 1.0)
                value += p * self._visit(game.child(state, label), reach, chance * p, updating)
            return value
        key = player, game.infoset(state, player)
        play = self.play(key, list(game.actions(state)))
        if player in updating:
            for a, p in play.items():
                self.total[key][a] += self.weights(self.t) * reach[player] * p
        values = {
            a: self._visit(game.child(state, a), self._extended(reach, player, p), chance, updating)
            for a, p in play.items()
        }
        value = sum(play[a] * values[a] for a in play)
        if player in updating:
            other = reach[player if self.bug == "wrong reach" else 1 - player]
            for a in play:
                gain = (values[a] - value) * (1 if player == 0 else -1)
                self._add(key, a, chance * other * gain)
        return value

    def _payoff(self, state):
        sign = -1 if self.bug.startswith("leaf ") and str(state) == self.bug.removeprefix("leaf ") else 1
        return sign * float(self.game.payoff(state))

    def _add(self, key, action, gain):
        if self.at_once:
            self.regret[key][action] += gain
            if self.plus:
                self.regret[key][action] = max(self.regret[key][action], 0.0)
        else:
            self.fresh[key][action] += gain

    def _settle(self):
        for key, row in self.fresh.items():
            for a, gain in row.items():
                total = self.regret[key][a] + gain
                self.regret[key][a] = max(total, 0.0) if self.plus else total
        self.fresh.clear()

    @staticmethod
    def _extended(reach, player, p):
        return (reach[0] * p, reach[1]) if player == 0 else (reach[0], reach[1] * p)


def leaf_paths(game, state=None, path=()):
    """Return {leaf as text: infosets (player, key) on the way to it}, in order."""
    state = game.root() if state is None else state
    player = game.player(state)
    if player == TERMINAL:
        return {str(state): path}
    if player == CHANCE:
        below = [(game.child(state, a), path) for a, _ in game.chance(state)]
    else:
        longer = (*path, (player, game.infoset(state, player)))
        below = [(game.child(state, a), longer) for a in game.actions(state)]
    return {text: way for child, longer in below for text, way in leaf_paths(game, child, longer).items()}
