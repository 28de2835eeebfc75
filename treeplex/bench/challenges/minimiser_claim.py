"""The claim that a rule's regret never exceeds the bound that it states."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import ClassVar, Protocol

import numpy as np

from treeplex.bench.challenges.case import Case
from treeplex.bench.challenges.case_drawing import Rng, rng_of
from treeplex.bench.challenges.case_edits import EDITS, Edit
from treeplex.bench.challenges.case_tree import frozen
from treeplex.bench.challenges.claim import Breach
from treeplex.bench.challenges.claim_targets import called, loaded, name_of
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.zoo.textbook import matrix_game

NEARLY_ONE = 1e-9
"""Recommended probabilities sum to one up to this."""


class MinimiserRule(Protocol):
    """A local regret minimiser."""

    def recommend(self) -> Sequence[float]:
        """Return the probability of each action."""

    def observe(self, utilities: Sequence[float]) -> None:
        """Take in what each action would have earned."""

    def bound(self, utilities: Sequence[Sequence[float]]) -> float:
        """Return the most that the regret can be after these utilities of each action, one row a step."""


Rules = Callable[[int], MinimiserRule]
"""Makes a fresh rule for a number of actions."""


@dataclass(frozen=True)
class Minimiser:
    """Bounds: after every sequence of utilities the regret is at most what the rule says.

    A sequence is held as a matrix game: actions are rows, and each step is the next column.
    """

    name: ClassVar[str] = "minimiser"
    statement: ClassVar[str] = "{} never has more regret than its bound"

    def target(self, given: object) -> Rules:
        """Return what makes rules: a callable of the number of actions, or ``module:Name`` of one."""
        rules: Rules = loaded(given, "rule", made=False)
        return rules

    def cases(self, target: Rules, seed: int) -> Iterator[Case]:
        """Yield sequences of growing length: random ones, and such that pay least where the rule goes."""
        for draw in count():
            rng = rng_of(seed, draw)
            actions, steps = int(rng.integers(2, 5)), min(4 + draw, 64)
            if draw % 2:
                columns, kind = [_random(actions, rng) for _ in range(steps)], "random"
            else:
                columns, kind = _adverse(target, actions, steps, rng), "adverse"
            game = matrix_game([[column[a] for column in columns] for a in range(actions)])
            yield Case(f"{steps} {kind} steps", frozen(game), seat=0)

    def edits(self, target: Rules) -> Sequence[Edit]:
        """Return all edits."""
        return EDITS

    def breach(self, target: Rules, case: Case) -> Breach:
        """Return the regret beyond the bound at the end of the sequence."""
        columns = _columns(case)
        where = case.origin
        rule = called(target, where, lambda: target(len(columns[0])))
        earned, totals = Fraction(0), [Fraction(0)] * len(columns[0])
        for column in columns:
            odds = _recommended(target, rule, len(column), where)
            earned += sum((p * u for p, u in zip(odds, column, strict=True)), Fraction(0))
            totals = [total + u for total, u in zip(totals, column, strict=True)]
            _observe(target, rule, column, where)
        floats = [[float(u) for u in column] for column in columns]
        stated = called(target, where, lambda: float(rule.bound(floats)))
        if not np.isfinite(stated):
            raise BadInputError(f"{name_of(target)} on {where}: a bound must be finite, got {stated}")
        regret, bound = max(totals) - earned, Fraction(stated)
        figures = (("regret", regret), ("bound", bound), ("steps", Fraction(len(columns))))
        return Breach(regret - bound, case.spread, figures)


def _random(actions: int, rng: Rng) -> list[Fraction]:
    return [Fraction(int(u)) for u in rng.integers(-1, 2, actions)]


def _adverse(target: Rules, actions: int, steps: int, rng: Rng) -> list[list[Fraction]]:
    """Return utilities that are least where the rule is most likely to go, and random ones now and then."""
    where = f"{steps} adverse steps"
    rule = called(target, where, lambda: target(actions))
    columns = []
    for _ in range(steps):
        odds = _recommended(target, rule, actions, where)
        column = [Fraction(1)] * actions
        column[max(range(actions), key=odds.__getitem__)] = Fraction(-1)
        if rng.integers(8) == 0:
            column = _random(actions, rng)
        columns.append(column)
        _observe(target, rule, column, where)
    return columns


def _recommended(target: Rules, rule: MinimiserRule, actions: int, where: str) -> list[Fraction]:
    """Return what a rule recommends, checked, divided by its sum."""
    odds = called(target, where, lambda: [float(p) for p in rule.recommend()])
    if len(odds) != actions or not all(map(np.isfinite, odds)) or min(odds) < -NEARLY_ONE:
        raise BadInputError(
            f"{name_of(target)} on {where}: must recommend {actions} probabilities, got {odds}"
        )
    if abs(sum(odds) - 1.0) > NEARLY_ONE:
        raise BadInputError(f"{name_of(target)} on {where}: probabilities must sum to 1, got {sum(odds)}")
    exact = [Fraction(max(p, 0.0)) for p in odds]
    return [p / sum(exact) for p in exact]


def _observe(target: Rules, rule: MinimiserRule, column: Sequence[Fraction], where: str) -> None:
    called(target, where, lambda: rule.observe([float(u) for u in column]))


def _columns(case: Case) -> list[list[Fraction]]:
    """Return the utilities of each action, one row a step, of a case that is a matrix game.

    Raises
    ------
    ValueError
        If it is none.
    """
    rows = case.root.below
    steps = {len(row.below) for row in rows}
    leaves = all(node.player == TERMINAL for row in rows for node in row.below)
    if case.root.player != 0 or len(steps) != 1 or not min(steps) or not leaves:
        raise BadInputError(f"{case.origin}: no matrix game")
    return [[row.below[t].payoff for row in rows] for t in range(*steps)]
