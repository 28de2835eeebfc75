"""The plans of a run of regret minimisers, iteration by iteration; textbook recursion over histories.

In the recursion each history's update counts at once, during the same iteration.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from treeplex.bench.examination.learner import Learner, Update, discount
from treeplex.cfr.variant import Matching
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm
from treeplex.seqform.forms.treeplex import Floats

Pair = tuple[Floats, Floats]
Chooser = Callable[[int, int, Update], Learner]
"""Returns a player after an update, given the player, the iteration and the update, ties decided."""


class Step(NamedTuple):
    """The plans of one iteration, a pair of (S,) each.

    before, after : both players' plans before and after their updates.
    during : the plans met on a walk over histories, summed over the histories of each infoset; None where an
        iteration updates all histories at once.
    behaviour : both players' behaviour before and after their updates; None for walks.
    """

    before: Pair
    after: Pair
    during: Pair | None = None
    behaviour: tuple[Pair, Pair] | None = None


def full_width(
    form: SequenceForm, fresh: tuple[Learner, Learner], first: int | None, choose: Chooser
) -> Iterator[Step]:
    """Yield the plans of full-width iterations, without end.

    Parameters
    ----------
    form : SequenceForm
    fresh : pair of Learner
        Both players before the first iteration.
    first : int or None
        Who updates first, so that the other updates against the new plan; None if both update against the
        plans from before.
    choose : callable
        Decides ties.
    """
    learners = list(fresh)
    t = 0
    while True:
        t += 1
        before, played = (learners[0].plan, learners[1].plan), _behaviour(learners)
        for p in (0, 1) if first != 1 else (1, 0):
            other = before[1 - p] if first is None else learners[1 - p].plan
            learners[p] = choose(p, t, learners[p].updated(form.gradient(p, other), t))
        yield Step(before, (learners[0].plan, learners[1].plan), None, (played, _behaviour(learners)))


def _behaviour(learners: Sequence[Learner]) -> Pair:
    return learners[0].behaviour, learners[1].behaviour


@dataclass(frozen=True)
class Histories:
    """A game's histories as Python lists: who acts, in which infoset, what follows, and what is paid."""

    game: NumberedTree

    @cached_property
    def player(self) -> list[int]:
        """Who acts at each history."""
        return [int(p) for p in self.game.tree.player]

    @cached_property
    def children(self) -> list[list[int]]:
        """The histories right after each, in the order of actions or outcomes."""
        below: list[list[int]] = [[] for _ in self.player]
        for node, parent in enumerate(self.game.tree.parent.tolist()[1:], 1):
            below[parent].append(node)
        return below

    @cached_property
    def sequences(self) -> list[range]:
        """The sequences of the infoset in which the player who acts is; empty for chance and at leaves."""
        spans = [
            [range(lo, hi) for lo, hi in zip(t.begin.tolist(), t.end.tolist(), strict=True)]
            for t in self.game.form.treeplexes
        ]
        acting = [a.tolist() for a in self.game.acting]
        return [spans[p][acting[p][n]] if p >= 0 else range(0) for n, p in enumerate(self.player)]

    @cached_property
    def payoff(self) -> list[float]:
        """Player 0's payoff at leaves."""
        return [int(payoff) / self.game.tree.payoff_den for payoff in self.game.tree.payoff]

    @cached_property
    def chance(self) -> list[float]:
        """The probability of chance's moves on the way to each history."""
        return list(self.game.tree.chance_floats.tolist())


@dataclass
class Walk:
    """A depth-first recursion over histories that changes regrets as it goes.

    Attributes
    ----------
    histories : Histories
    rule : Matching
        Without prediction. Discounts apply after each iteration.
    clips : bool
        Whether negative regrets are set to zero at each history (only for regret matching+).
    regret, met : pair of lists of S floats
        Regrets, and the sums of the plans met in this iteration.
    """

    histories: Histories
    rule: Matching
    clips: bool
    regret: tuple[list[float], list[float]] = field(init=False)
    met: tuple[list[float], list[float]] = field(init=False)

    def __post_init__(self) -> None:
        first, second = self.histories.game.form.n_sequences
        self.regret = [0.0] * first, [0.0] * second
        self._forget()

    def steps(self, first: int | None) -> Iterator[Step]:
        """Yield the plans of each iteration; one walk for both players, or one for each, ``first`` begins."""
        walks: Sequence[Sequence[int]] = ((0, 1),) if first is None else ((first,), (1 - first,))
        t, after = 0, self._plans()
        while True:
            t, before = t + 1, after
            self._forget()
            for updating in walks:
                self._visit(0, (1.0, 1.0), updating)
            for regrets in self.regret:
                regrets[:] = [
                    r * discount(t, self.rule.alpha if r > 0.0 else self.rule.beta) for r in regrets
                ]
            after = self._plans()
            yield Step(before, after, (np.array(self.met[0]), np.array(self.met[1])))

    def _visit(self, node: int, reach: tuple[float, float], updating: Sequence[int]) -> float:
        """Return player 0's expected payoff from a history, updating on the way."""
        histories = self.histories
        player, below = histories.player[node], histories.children[node]
        if player == TERMINAL:
            return histories.payoff[node]
        if player == CHANCE:
            odds = (histories.chance[child] / histories.chance[node] for child in below)
            return sum(p * self._visit(child, reach, updating) for p, child in zip(odds, below, strict=True))
        own = histories.sequences[node]
        play = self._play(player, own)
        if player in updating:
            for s, p in zip(own, play, strict=True):
                self.met[player][s] += reach[player] * p
        values = [
            self._visit(child, _extended(reach, player, p), updating)
            for child, p in zip(below, play, strict=True)
        ]
        value = sum(p * v for p, v in zip(play, values, strict=True))
        if player in updating:
            scale = histories.chance[node] * reach[1 - player] * (1.0 if player == 0 else -1.0)
            self._add(player, own, [scale * (v - value) for v in values])
        return value

    def _play(self, player: int, own: range) -> list[float]:
        positive = [max(r, 0.0) for r in self.regret[player][own.start : own.stop]]
        mass = sum(positive)
        return [r / mass for r in positive] if mass > 0.0 else [1.0 / len(own)] * len(own)

    def _add(self, player: int, own: range, gains: Sequence[float]) -> None:
        regrets = self.regret[player]
        for s, gain in zip(own, gains, strict=True):
            regrets[s] = max(regrets[s] + gain, 0.0) if self.clips else regrets[s] + gain

    def _plans(self) -> Pair:
        x, y = (
            t.plan(t.behaviour(np.array(r)))
            for t, r in zip(self.histories.game.form.treeplexes, self.regret, strict=True)
        )
        return x, y

    def _forget(self) -> None:
        self.met = [1.0, *[0.0] * (len(self.regret[0]) - 1)], [1.0, *[0.0] * (len(self.regret[1]) - 1)]


def _extended(reach: tuple[float, float], player: int, p: float) -> tuple[float, float]:
    return (reach[0] * p, reach[1]) if player == 0 else (reach[0], reach[1] * p)
