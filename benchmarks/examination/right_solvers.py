"""Right solvers as a stranger writes them in plain Python: classes with ``solve(game, iterations)``."""

from __future__ import annotations

import math
import random
from typing import Any, ClassVar

from benchmarks.examination.unrolled import Infoset, Mistakes, Node, Table, Unrolled, share
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game


class Cfr:
    """Counterfactual regret minimisation on sequences, both players at once, uniform average."""

    mistakes: ClassVar[Mistakes] = Mistakes()

    def solve(self, game: Game[Any], iterations: int) -> Table:
        """Return the average after so many iterations."""
        self.game = Unrolled(game, self.mistakes)
        self.regret = [0.0] * self.game.n_slots
        self.sums = [0.0] * self.game.n_slots
        self.begin()
        for t in range(1, iterations + 1):
            self.iterate(t)
        return self.answer()

    def begin(self) -> None:
        """Prepare what a method needs beside regrets and sums."""

    def answer(self) -> Table:
        """Return the strategy."""
        return self.game.mean(self.sums)

    def iterate(self, t: int) -> None:
        """Update both players against each other's plans from before."""
        play = self.play(t)
        plan = self.game.plan(play)
        for player in (0, 1):
            self.update(player, play, plan, t)
        self.average(play, plan, t)

    def play(self, t: int) -> list[float]:
        """Return the current behaviour by sequence."""
        play = [1.0, 1.0]
        for infoset in self.game.infosets:
            play += self.row(infoset, t)
        return play

    def row(self, infoset: Infoset, _t: int) -> list[float]:
        """Return the current behaviour at an infoset."""
        return share([self.regret[slot] for slot in infoset.slots])

    def update(self, player: int, play: list[float], plan: list[float], t: int) -> None:
        """Add a player's regrets against the other's plan."""
        values = self.game.gradient(plan, player)
        for infoset in reversed(self.game.infosets):
            if infoset.player == player:
                own = [values[s] for s in infoset.sequences]
                value = sum(play[s] * values[s] for s in infoset.sequences)
                values[infoset.parent] += value
                self.learn(infoset, [v - value for v in own], t)

    def learn(self, infoset: Infoset, gains: list[float], _t: int) -> None:
        """Take up an iteration's regrets at an infoset."""
        for slot, gain in zip(infoset.slots, gains, strict=True):
            self.regret[slot] += gain

    def average(self, play: list[float], plan: list[float], t: int) -> None:
        """Take up an iteration's plan."""
        for infoset in self.game.infosets:
            for slot, s in zip(infoset.slots, infoset.sequences, strict=True):
                self.sums[slot] += self.weight(t) * plan[s]

    def weight(self, _t: int) -> float:
        """Return an iteration's weight in the average."""
        return 1.0


class Alternating(Cfr):
    """CFR, one player after the other."""

    def iterate(self, t: int) -> None:
        """Update each player against the other's newest plan."""
        for player in (0, 1):
            play = self.play(t)
            plan = self.game.plan(play)
            self.update(player, play, plan, t)
        self.average(play, plan, t)


class Plus(Alternating):
    """CFR+: regrets clipped at zero, linear average."""

    def learn(self, infoset: Infoset, gains: list[float], _t: int) -> None:
        """Add regrets, and forget what is negative."""
        for slot, gain in zip(infoset.slots, gains, strict=True):
            self.regret[slot] = max(self.regret[slot] + gain, 0.0)

    def weight(self, t: int) -> float:
        """Return the number of the iteration."""
        return float(t)


class Linear(Cfr):
    """Linear CFR: regrets and average weighted with the number of the iteration."""

    def learn(self, infoset: Infoset, gains: list[float], t: int) -> None:
        """Add weighted regrets."""
        super().learn(infoset, [t * gain for gain in gains], t)

    def weight(self, t: int) -> float:
        """Return the number of the iteration."""
        return float(t)


class Discounted(Cfr):
    """Discounted CFR with exponents 3/2, 0 and 2."""

    def learn(self, infoset: Infoset, gains: list[float], t: int) -> None:
        """Add regrets after a discount of the old ones."""
        grown = (t - 1.0) ** 1.5
        for slot, gain in zip(infoset.slots, gains, strict=True):
            old = self.regret[slot]
            self.regret[slot] = old * (grown / (grown + 1.0) if old > 0.0 else 0.5) + gain

    def weight(self, t: int) -> float:
        """Return the square of the number of the iteration."""
        return float(t * t)


class Exponential(Cfr):
    """Exponential weights at each infoset, at a rate that falls with the root of the iterations."""

    rate = 1.0

    def row(self, infoset: Infoset, t: int) -> list[float]:
        """Return weights that grow exponentially with regrets."""
        own = [self.regret[slot] for slot in infoset.slots]
        top = max(own)
        return share([math.exp(self.step(t) * (x - top)) for x in own])

    def step(self, t: int) -> float:
        """Return the rate of an iteration."""
        return self.rate / math.sqrt(t)


class Mirror(Cfr):
    """Mirror descent with dilated entropy on plans: one rate for the whole tree, lazy steps."""

    rate = 1.0

    def begin(self) -> None:
        """Start without gradients."""
        self.total = [0.0] * len(self.game.parents)

    def play(self, t: int) -> list[float]:
        """Return the maximum of the gradients' sum less entropy, from the leaves up."""
        rate = self.rate / math.sqrt(t)
        values, rows = list(self.total), {}
        for k, infoset in reversed(list(enumerate(self.game.infosets))):
            own = [values[s] for s in infoset.sequences]
            top = max(own)
            weights = [math.exp(rate * (x - top)) for x in own]
            rows[k] = share(weights)
            values[infoset.parent] += top + math.log(sum(weights) / len(own)) / rate
        play = [1.0, 1.0]
        for k in range(len(rows)):
            play += rows[k]
        return play

    def update(self, player: int, play: list[float], plan: list[float], _t: int) -> None:
        """Add the gradient of the other's plan."""
        for s, x in enumerate(self.game.gradient(plan, player)):
            self.total[s] += x


class Fictitious(Cfr):
    """Fictitious play in extensive form: best responses to averages, averaged as plans."""

    def begin(self) -> None:
        """Start with uniform plans."""
        self.mean_plan = self.game.plan(self.play(1))

    def best(self, player: int, plan: list[float]) -> list[float]:
        """Return a player's best response to a plan as a pure behaviour by sequence."""
        values, play = self.game.gradient(plan, player), [0.0] * len(plan)
        for infoset in reversed(self.game.infosets):
            if infoset.player == player:
                s = max(infoset.sequences, key=values.__getitem__)
                values[infoset.parent] += values[s]
                play[s] = 1.0
        return play

    def iterate(self, t: int) -> None:
        """Move both averages towards best responses."""
        play = [
            a + b for a, b in zip(self.best(0, self.mean_plan), self.best(1, self.mean_plan), strict=True)
        ]
        plan = self.game.plan(play)
        self.mean_plan = [
            old + (new - old) / (t + 1.0) for old, new in zip(self.mean_plan, plan, strict=True)
        ]

    def answer(self) -> Table:
        """Return the average plan's behaviour."""
        self.average([], self.mean_plan, 1)
        return self.game.mean(self.sums)


class DoubleOracle(Fictitious):
    """Double oracle: best responses added to a matrix game, which regret matching+ solves each time."""

    inner = 100

    def begin(self) -> None:
        """Start with one pure plan of each player."""
        super().begin()
        start = self.mean_plan
        self.pure = ([self.pure_plan(0, start)], [self.pure_plan(1, start)])

    def pure_plan(self, player: int, plan: list[float]) -> list[float]:
        """Return the plan of a best response; 0 where the other moves."""
        own = {s for i in self.game.infosets if i.player == player for s in i.sequences} | {player}
        pure = self.best(player, plan)
        pure[0] = pure[1] = 1.0
        whole = self.game.plan(pure)
        return [x if s in own else 0.0 for s, x in enumerate(whole)]

    def iterate(self, t: int) -> None:
        """Solve the matrix of the pure plans so far, and add a best response of each player."""
        rows, columns = self.pure
        matrix = [[sum(w * x[a] * y[b] for a, b, w in self.game.leaves) for y in columns] for x in rows]
        mixes = solved(matrix, self.inner * t)
        mean = [0.0] * len(self.mean_plan)
        for plans, mix in zip(self.pure, mixes, strict=True):
            for plan, p in zip(plans, mix, strict=True):
                for s, x in enumerate(plan):
                    mean[s] += p * x
        self.mean_plan = mean
        new = self.pure_plan(0, mean), self.pure_plan(1, mean)
        for plans, plan in zip(self.pure, new, strict=True):
            if plan not in plans:
                plans.append(plan)


def solved(matrix: list[list[float]], iterations: int) -> tuple[list[float], list[float]]:
    """Return mixtures of a matrix game's rows and columns by regret matching+."""
    rows, columns = len(matrix), len(matrix[0])
    regret, sums = ([0.0] * rows, [0.0] * columns), ([0.0] * rows, [0.0] * columns)
    x, y = [1.0 / rows] * rows, [1.0 / columns] * columns
    for t in range(1, iterations + 1):
        paid = [sum(a * q for a, q in zip(row, y, strict=True)) for row in matrix]
        mean = sum(p * v for p, v in zip(x, paid, strict=True))
        for k, v in enumerate(paid):
            regret[0][k] = max(regret[0][k] + v - mean, 0.0)
        x = share(regret[0])
        paid = [-sum(matrix[k][j] * x[k] for k in range(rows)) for j in range(columns)]
        mean = sum(p * v for p, v in zip(y, paid, strict=True))
        for k, v in enumerate(paid):
            regret[1][k] = max(regret[1][k] + v - mean, 0.0)
        y = share(regret[1])
        for own, mix in zip(sums, (x, y), strict=True):
            for k, p in enumerate(mix):
                own[k] += t * p
    return share(sums[0]), share(sums[1])


class ChanceSampling(Cfr):
    """CFR on one deal an iteration, drawn with the odds of chance."""

    def begin(self) -> None:
        """Start a generator of its own."""
        self.random = random.Random(7)

    def iterate(self, t: int) -> None:
        """Walk one deal, and update all infosets on it."""
        self.found: dict[int, list[float]] = {}
        self.walk(self.game.root, 1.0, 1.0, t)
        for i, gains in self.found.items():
            self.learn(self.game.infosets[i], gains, t)

    def draw(self, odds: list[float]) -> int:
        """Return an outcome, drawn."""
        return self.random.choices(range(len(odds)), odds)[0]

    def walk(self, node: Node, first: float, second: float, t: int) -> float:
        """Return player 0's value of a history, and note regrets and averages."""
        if node.player == TERMINAL:
            return node.payoff
        if node.player == CHANCE:
            return self.walk(node.children[self.draw(node.odds)], first, second, t)
        infoset = self.game.infosets[node.infoset]
        play = self.row(infoset, t)
        values = [
            self.walk(
                child, first * (p if node.player == 0 else 1.0), second * (p if node.player == 1 else 1.0), t
            )
            for child, p in zip(node.children, play, strict=True)
        ]
        value = sum(p * v for p, v in zip(play, values, strict=True))
        own, other = (first, second) if node.player == 0 else (second, first)
        sign = 1.0 if node.player == 0 else -1.0
        gains = self.found.setdefault(node.infoset, [0.0] * len(play))
        for k, v in enumerate(values):
            gains[k] += sign * other * (v - value)
            self.sums[infoset.slots[k]] += own * play[k]
        return value


class External(ChanceSampling):
    """External sampling: chance and the other player are drawn, in turns."""

    def iterate(self, t: int) -> None:
        """Walk once for each player."""
        for player in (0, 1):
            self.sample(self.game.root, player, t)

    def sample(self, node: Node, player: int, t: int) -> float:
        """Return the updating player's sampled value of a history."""
        if node.player == TERMINAL:
            return node.payoff if player == 0 else -node.payoff
        if node.player == CHANCE:
            return self.sample(node.children[self.draw(node.odds)], player, t)
        infoset = self.game.infosets[node.infoset]
        play = self.row(infoset, t)
        if node.player != player:
            for slot, p in zip(infoset.slots, play, strict=True):
                self.sums[slot] += p
            return self.sample(node.children[self.draw(play)], player, t)
        values = [self.sample(child, player, t) for child in node.children]
        value = sum(p * v for p, v in zip(play, values, strict=True))
        self.learn(infoset, [v - value for v in values], t)
        return value


class Outcome(ChanceSampling):
    """Outcome sampling: one play an iteration, with exploration and importance weights, in turns."""

    exploration = 0.6

    def iterate(self, t: int) -> None:
        """Play once for each player."""
        for player in (0, 1):
            self.sample(self.game.root, player, (1.0, 1.0, 1.0), t)

    def sample(
        self, node: Node, player: int, reach: tuple[float, float, float], t: int
    ) -> tuple[float, float]:
        """Return the payoff times the others' probability over its odds, and that of the own moves to come.

        ``reach`` is the own and the others' probability of the play so far, and that of its being drawn.
        """
        own, other, drawn = reach
        if node.player == TERMINAL:
            return (node.payoff if player == 0 else -node.payoff) * other / drawn, 1.0
        if node.player == CHANCE:
            k = self.draw(node.odds)
            p = node.odds[k]
            return self.sample(node.children[k], player, (own, other * p, drawn * p), t)
        infoset = self.game.infosets[node.infoset]
        play = self.row(infoset, t)
        if node.player != player:
            k = self.draw(play)
            for slot, p in zip(infoset.slots, play, strict=True):
                self.sums[slot] += other / drawn * p
            return self.sample(node.children[k], player, (own, other * play[k], drawn * play[k]), t)
        mixed = [self.exploration / len(play) + (1.0 - self.exploration) * p for p in play]
        k = self.draw(mixed)
        paid, rest = self.sample(node.children[k], player, (own * play[k], other, drawn * mixed[k]), t)
        gains = [paid * ((rest if j == k else 0.0) - rest * play[k]) for j in range(len(play))]
        self.learn(infoset, gains, t)
        return paid, rest * play[k]


RIGHT = {
    kind.__name__: kind
    for kind in (
        Cfr,
        Alternating,
        Plus,
        Linear,
        Discounted,
        Exponential,
        Mirror,
        Fictitious,
        DoubleOracle,
        ChanceSampling,
        External,
        Outcome,
    )
}
"""Right solvers by name."""
