"""What a solver answered on one game: strategies by iterations, each certified."""

from dataclasses import dataclass, field

import numpy as np

from treeplex.bench.examination.trend import EXACT, LATER
from treeplex.core.problem import Problem
from treeplex.core.strategy import certificate_of
from treeplex.files.completion import MissingRowsError
from treeplex.files.strategies import StrategyLike, strategy_of
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile


@dataclass(frozen=True)
class Record:
    """A solver's strategies of one game.

    Attributes
    ----------
    problem : Problem
    strategies : dict of int to Profile
        Of ``problem.whole``, by number of iterations.
    certificates : dict of int to Certificate
        Of these.
    """

    problem: Problem
    strategies: dict[int, Profile] = field(default_factory=dict)
    certificates: dict[int, Certificate] = field(default_factory=dict)

    def add(self, iterations: int, strategy: StrategyLike) -> None:
        """Read and certify a strategy.

        Raises
        ------
        ValueError
            If it is no strategy of the game, or lacks a part of it.
        """
        try:
            whole = strategy_of(self.problem, strategy).strategy
        except MissingRowsError as error:
            raise BadInputError(error.plain) from None
        if not isinstance(whole, Profile):
            raise BadInputError("a strategy to be examined must be a table, got one on boards")
        self.certificates[iterations] = certificate_of(self.problem, whole)
        self.strategies[iterations] = whole

    @property
    def last(self) -> int:
        """The largest number of iterations."""
        return max(self.strategies)

    @property
    def width(self) -> float:
        """NashConv after the most iterations, in the game's unit."""
        return self.certificates[self.last].nash_conv

    @property
    def scale(self) -> float:
        """What widths are measured by, in the game's unit; 1 where every payoff is 0."""
        return self.problem.scale.of(self.certificates[self.last]) or 1.0

    @property
    def series(self) -> tuple[tuple[int, float], ...]:
        """NashConv in parts of the scale by iterations: the most, half of these at most, and so on down.

        After 1, 2, 3, ..., 12, 16, 32, ... these are 1, 2, 4, 8, 16, 32, ...; where fewer than three are left
        all are taken.
        """
        times = sorted(self.certificates, reverse=True)
        halved: list[int] = []
        for t in times:
            if not halved or 2 * t <= halved[-1]:
                halved.append(t)
        chosen = halved if len(halved) >= 3 else times
        return tuple((t, self.certificates[t].nash_conv / self.scale) for t in reversed(chosen))

    @property
    def is_exact(self) -> bool:
        """Whether every strategy is optimal."""
        rounding = max(c.rounding for c in self.certificates.values())
        widest = max(c.nash_conv for c in self.certificates.values())
        return widest <= max(EXACT * self.scale, 4 * rounding)

    @property
    def is_constant(self) -> bool:
        """Whether there are several strategies, all the same; one that iterates differs after ``LATER``."""
        first, *others = self.strategies.values()
        return bool(others) and self.last >= LATER and all(_same(first, other) for other in others)

    def agree(self, iterations: int, others: int) -> bool:
        """Whether the strategies after two numbers of iterations are the same."""
        return _same(self.strategies[iterations], self.strategies[others])


def _same(one: Profile, other: Profile) -> bool:
    return all(map(np.array_equal, one.behaviour, other.behaviour))
