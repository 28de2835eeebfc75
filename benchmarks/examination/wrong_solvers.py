"""Wrong solvers: each is one of the right ones, or of ``examples/solvers``, with one mistake."""

from __future__ import annotations

import importlib
import math
import random
from pathlib import Path
from typing import Any

from benchmarks.examination.right_solvers import (
    Alternating,
    Cfr,
    ChanceSampling,
    Exponential,
    External,
    Fictitious,
    Linear,
    Mirror,
    Outcome,
    Plus,
)
from benchmarks.examination.unrolled import Infoset, Mistakes, Node, Table
from treeplex.games.base.protocol import Game

EXAMPLES = Path(__file__).parents[2] / "examples" / "solvers"
RIGHT_EXAMPLES = ("__init__", "textbook", "linear_average", "during_the_walk")
"""Files of the folder that hold no mistake."""


def even(odds: list[float]) -> list[float]:
    """Return equal odds."""
    return [1.0 / len(odds)] * len(odds)


def squared(odds: list[float]) -> list[float]:
    """Return odds that count twice, not normalised."""
    return [p * p for p in odds]


def rounded(odds: list[float]) -> list[float]:
    """Return odds with one digit."""
    return [round(p, 1) for p in odds]


MISREAD = {
    "chance is uniform": Mistakes(odds=even),
    "chance counts twice": Mistakes(odds=squared),
    "odds of one digit": Mistakes(odds=rounded),
    "payoffs are integers": Mistakes(paid=lambda payoff, _: float(int(payoff))),
    "payoffs are rounded": Mistakes(paid=lambda payoff, _: float(round(payoff))),
    "payoffs stop at 5": Mistakes(paid=lambda payoff, _: max(-5.0, min(5.0, payoff))),
    "payoffs are won or lost": Mistakes(paid=lambda payoff, _: float((payoff > 0) - (payoff < 0))),
    "ties are lost": Mistakes(paid=lambda payoff, _: payoff or -1.0),
    "leaves below 8 moves pay nothing": Mistakes(paid=lambda payoff, moves: payoff if moves <= 8 else 0.0),
    "seats share keys": Mistakes(key=lambda _, infoset: (0, infoset)),
    "keys of 3 letters": Mistakes(key=lambda player, infoset: (player, infoset[:3])),
    "keys by the last 2 letters": Mistakes(key=lambda player, infoset: (player, infoset[-2:])),
    "keys with letters sorted": Mistakes(key=lambda player, infoset: (player, "".join(sorted(infoset)))),
    "keys in small letters": Mistakes(key=lambda player, infoset: (player, infoset.lower())),
    "first three actions": Mistakes(most_actions=3),
    "reach of the last three moves": Mistakes(memory=3),
    "reach of the last move": Mistakes(memory=1),
}
"""Mistakes in the reading of a game, each made by CFR."""


class LastStrategy(Cfr):
    """No average."""

    def average(self, play: list[float], plan: list[float], t: int) -> None:
        """Forget what was before."""
        self.sums = [0.0] * len(self.sums)
        super().average(play, plan, t)


class BehaviourAverage(Cfr):
    """Behaviour averaged without reaches."""

    def average(self, play: list[float], plan: list[float], t: int) -> None:
        """Take up behaviour."""
        super().average(play, play, t)


class LinearBehaviour(Plus):
    """CFR+ with behaviour averaged without reaches."""

    def average(self, play: list[float], plan: list[float], t: int) -> None:
        """Take up behaviour."""
        super().average(play, play, t)


class SquareRootReach(Cfr):
    """An average by the root of reaches."""

    def average(self, play: list[float], plan: list[float], t: int) -> None:
        """Take up behaviour by the root of the plan before it."""
        root = [math.sqrt(x) for x in plan]
        super().average(play, [p * root[max(b, 0)] for p, b in zip(play, self.game.parents, strict=True)], t)


class WrongSign(Cfr):
    """Player 1 maximises what player 0 is paid."""

    def learn(self, infoset: Infoset, gains: list[float], t: int) -> None:
        """Turn player 1's regrets."""
        super().learn(infoset, [-x for x in gains] if infoset.player else gains, t)


class StaleOpponent(Cfr):
    """Plans that are met are those of the first iteration."""

    def update(self, player: int, play: list[float], plan: list[float], t: int) -> None:
        """Keep the first plan."""
        self.first: list[float] = plan if t == 1 else self.first
        super().update(player, play, self.first, t)


class StaleSecond(Cfr):
    """Player 1 meets a plan that is taken anew every time the iterations double."""

    def update(self, player: int, play: list[float], plan: list[float], t: int) -> None:
        """Keep the plan of the last power of two."""
        self.kept: list[float] = plan if t & (t - 1) == 0 else self.kept
        super().update(player, play, self.kept if player else plan, t)


class GainsOnly(Cfr):
    """Regrets clipped before they are added."""

    def learn(self, infoset: Infoset, gains: list[float], t: int) -> None:
        """Drop what is negative."""
        super().learn(infoset, [max(x, 0.0) for x in gains], t)


class Forgetful(Cfr):
    """Regrets are those of the last iteration."""

    def learn(self, infoset: Infoset, gains: list[float], t: int) -> None:
        """Forget what was before."""
        for slot in infoset.slots:
            self.regret[slot] = 0.0
        super().learn(infoset, gains, t)


class Fading(Cfr):
    """Regrets lose a tenth each iteration."""

    def learn(self, infoset: Infoset, gains: list[float], t: int) -> None:
        """Let the old ones fade."""
        for slot in infoset.slots:
            self.regret[slot] *= 0.9
        super().learn(infoset, gains, t)


class Exploring(Cfr):
    """Behaviour is mixed with a twentieth of uniform play, in the average too."""

    def row(self, infoset: Infoset, t: int) -> list[float]:
        """Mix."""
        return [0.95 * p + 0.05 / len(infoset.slots) for p in super().row(infoset, t)]


class UniformValue(Cfr):
    """The value of an infoset is the mean over actions."""

    def update(self, player: int, play: list[float], plan: list[float], t: int) -> None:
        """Evaluate uniform play."""
        mean = [1.0, 1.0] + [1.0 / len(i.slots) for i in self.game.infosets for _ in i.slots]
        super().update(player, mean if t > 0 else play, plan, t)


class BestValue(Cfr):
    """Values that flow up are those of the best action."""

    def update(self, player: int, play: list[float], plan: list[float], t: int) -> None:
        """Evaluate best responses."""
        values = self.game.gradient(plan, player)
        for infoset in reversed(self.game.infosets):
            if infoset.player == player:
                own = [values[s] for s in infoset.sequences]
                values[infoset.parent] += max(own)
                self.learn(infoset, [v - max(own) for v in own], t)


class NoContinuation(Cfr):
    """Values below later own infosets are left out."""

    def update(self, player: int, play: list[float], plan: list[float], t: int) -> None:
        """Take only leaves that no own move follows."""
        values = self.game.gradient(plan, player)
        for infoset in self.game.infosets:
            if infoset.player == player:
                own = [values[s] for s in infoset.sequences]
                value = sum(play[s] * values[s] for s in infoset.sequences)
                self.learn(infoset, [v - value for v in own], t)


class Pruned(Cfr):
    """Infosets that the player itself hardly reaches are never updated again."""

    def update(self, player: int, play: list[float], plan: list[float], t: int) -> None:
        """Note the own plan."""
        self.own = plan
        super().update(player, play, plan, t)

    def learn(self, infoset: Infoset, gains: list[float], t: int) -> None:
        """Skip what is not reached."""
        if self.own[infoset.parent] > 0.01:
            super().learn(infoset, gains, t)


class CoarseRegrets(Cfr):
    """Regrets are kept with two digits behind the point."""

    def learn(self, infoset: Infoset, gains: list[float], t: int) -> None:
        """Round."""
        super().learn(infoset, gains, t)
        for slot in infoset.slots:
            self.regret[slot] = round(self.regret[slot], 2)


class FixedRate(Exponential):
    """Exponential weights with a large fixed rate, and no average."""

    def step(self, t: int) -> float:
        """Return the same."""
        return 0.5

    def average(self, play: list[float], plan: list[float], t: int) -> None:
        """Forget what was before."""
        self.sums = [0.0] * len(self.sums)
        super().average(play, plan, t)


class Tempered(Mirror):
    """Mirror descent whose weights stay near the uniform: gradients fade."""

    def update(self, player: int, play: list[float], plan: list[float], t: int) -> None:
        """Let the old ones fade."""
        self.total = [0.98 * x for x in self.total]
        super().update(player, play, plan, t)


class FictitiousBehaviour(Fictitious):
    """Fictitious play that averages behaviour."""

    def iterate(self, t: int) -> None:
        """Average best responses where they are made, whatever leads there."""
        self.play_mean = getattr(self, "play_mean", None) or self.play(1)
        new = [a + b for a, b in zip(self.best(0, self.mean_plan), self.best(1, self.mean_plan), strict=True)]
        self.play_mean = [old + (x - old) / (t + 1.0) for old, x in zip(self.play_mean, new, strict=True)]
        self.play_mean[:2] = 1.0, 1.0
        self.mean_plan = self.game.plan(self.play_mean)


class FictitiousStep(Fictitious):
    """Fictitious play with steps of a tenth for ever."""

    def iterate(self, _t: int) -> None:
        """Move by a tenth."""
        super().iterate(9)


class WalkedTwiceWeighted(ChanceSampling):
    """Chance is drawn, and its odds count once more."""

    def walk(self, node: Node, first: float, second: float, t: int) -> float:
        """Multiply payoffs by odds."""
        if node.odds:
            k = self.draw(node.odds)
            return node.odds[k] * self.walk(node.children[k], first, second, t)
        return super().walk(node, first, second, t)


class EvenDraws(External):
    """Chance is drawn evenly."""

    def sample(self, node: Node, player: int, t: int) -> float:
        """Draw from all children alike."""
        if node.odds:
            return self.sample(self.random.choice(node.children), player, t)
        return super().sample(node, player, t)


class EvenOpponents(External):
    """The other player is drawn evenly."""

    def sample(self, node: Node, player: int, t: int) -> float:
        """Draw the other's action from all alike."""
        if node.children and not node.odds and node.player != player:
            infoset = self.game.infosets[node.infoset]
            for slot, p in zip(infoset.slots, self.row(infoset, t), strict=True):
                self.sums[slot] += p
            return self.sample(self.random.choice(node.children), player, t)
        return super().sample(node, player, t)


class FewDeals(External):
    """Twelve draws of chance are made at the start and played again and again."""

    def begin(self) -> None:
        """Draw numbers."""
        super().begin()
        source = random.Random(3)
        self.numbers, self.at = [source.random() for _ in range(12)], 0

    def sample(self, node: Node, player: int, t: int) -> float:
        """Take the next number."""
        if not node.odds:
            return super().sample(node, player, t)
        self.at = (self.at + 1) % len(self.numbers)
        left, k = self.numbers[self.at], 0
        while k < len(node.odds) - 1 and left > node.odds[k]:
            left, k = left - node.odds[k], k + 1
        return self.sample(node.children[k], player, t)


class UnweightedOutcome(Outcome):
    """Outcome sampling whose payoffs are not divided by the odds of the play."""

    def sample(
        self, node: Node, player: int, reach: tuple[float, float, float], t: int
    ) -> tuple[float, float]:
        """Forget the odds."""
        return super().sample(node, player, (reach[0], reach[1], 1.0) if not node.children else reach, t)


class UnexploredOutcome(Outcome):
    """Outcome sampling that divides by the odds of the strategy and forgets those of exploration."""

    def sample(
        self, node: Node, player: int, reach: tuple[float, float, float], t: int
    ) -> tuple[float, float]:
        """Take the plan's own odds."""
        own, other, _ = reach
        return super().sample(node, player, (own, other, max(own * other, 1e-6)), t)


class OneSided(Alternating):
    """Player 1 returns its last strategy."""

    def average(self, play: list[float], plan: list[float], t: int) -> None:
        """Forget player 1's."""
        for infoset in self.game.infosets:
            if infoset.player:
                for slot in infoset.slots:
                    self.sums[slot] = 0.0
        super().average(play, plan, t)


class LateAverage(Linear):
    """Linear CFR whose average is a moving one over about 20 iterations."""

    def average(self, play: list[float], plan: list[float], t: int) -> None:
        """Let old plans fade."""
        self.sums = [0.95 * x for x in self.sums]
        super().average(play, plan, 1)


class TwoDigits(Plus):
    """Probabilities are returned with two digits."""

    def answer(self) -> Table:
        """Round, the last action takes the rest."""
        table = super().answer()
        for row in table.values():
            *others, last = row
            for label in others:
                row[label] = round(row[label], 2)
            row[last] = max(1.0 - sum(row[label] for label in others), 0.0)
        return table


def misread(mistakes: Mistakes) -> type[Cfr]:
    """Return CFR that reads games wrongly."""
    return type("Misread", (Cfr,), {"mistakes": mistakes})


class Example:
    """A solver of the folder ``examples/solvers``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def solve(self, game: Game[Any], iterations: int) -> Any:
        """Return its strategy."""
        return importlib.import_module(f"treeplex.examples.solvers.{self.name}").solve(game, iterations)


WRONG: dict[str, Any] = {
    **{name: misread(mistakes) for name, mistakes in MISREAD.items()},
    **{
        kind.__doc__.split(".")[0] if kind.__doc__ else kind.__name__: kind
        for kind in (
            LastStrategy,
            BehaviourAverage,
            LinearBehaviour,
            SquareRootReach,
            WrongSign,
            StaleOpponent,
            StaleSecond,
            GainsOnly,
            Forgetful,
            Fading,
            Exploring,
            UniformValue,
            BestValue,
            NoContinuation,
            Pruned,
            CoarseRegrets,
            FixedRate,
            Tempered,
            FictitiousBehaviour,
            FictitiousStep,
            WalkedTwiceWeighted,
            EvenDraws,
            EvenOpponents,
            FewDeals,
            UnweightedOutcome,
            UnexploredOutcome,
            OneSided,
            LateAverage,
            TwoDigits,
        )
    },
    **{
        f"examples/solvers/{path.stem}": Example(path.stem)
        for path in sorted(EXAMPLES.glob("*.py"))
        if path.stem not in RIGHT_EXAMPLES
    },
}
"""Wrong solvers by what is wrong with them."""
