"""Verdicts: what is concluded from the widths of a solver's certificates, and from the method it is named as.

Everything that decides is in this file, as functions of an :class:`Evidence`; ``RULES`` is their order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, log, sqrt
from typing import Literal, NamedTuple, TypeAlias

from treeplex.bench.examination.observed import BEHAVIOUR
from treeplex.bench.examination.trend import ARRIVED, EXACT, FALLING, FLAT, SHALLOW, Trend, last_half, trend

Verdict: TypeAlias = Literal["correct", "converging", "cannot tell", "wrong"]

LEAST_TIMES = 5
"""Certificates after ever more iterations that a slope needs before anything is said to converge."""
SLOWING = 0.75
"""Widths that end on a plateau, such as ``level + a T**-s``, fall less from one doubling to the next: at the
end of the last half of a series by less than this part of what they fell at its beginning."""
LONGER = 4
"""How many times as many iterations are recommended where these tell nothing."""


@dataclass(frozen=True)
class Evidence:
    """What is known of a solver on one game; widths are NashConv in parts of the game's scale.

    Attributes
    ----------
    series : tuple of (int, float)
        Widths by iterations, as ``Record.series``.
    within : float
        Width that a method which is not known must reach.
    theory : float
        Counterfactual regret minimisation is at most this over the square root of the iterations wide.
    start : int
        Iterations before which a right method may be flat.
    method : str
        The known method whose strategies these are; empty where they are those of none.
    is_promised : bool
        Whether theory promises that this method's average converges.
    nearest : str
        The nearest known method where they are those of none, and where they differ from it.
    is_sampled : bool
        Whether the solver draws at random, or may.
    is_exact, is_constant : bool
        Whether every strategy is optimal; whether they do not depend on the iterations.
    scale : float
    unit : str
        Of the game.
    """

    series: tuple[tuple[int, float], ...]
    within: float
    theory: float
    start: int
    method: str = ""
    is_promised: bool = False
    nearest: str = ""
    is_sampled: bool = False
    is_exact: bool = False
    is_constant: bool = False
    scale: float = 1.0
    unit: str = "points"

    @property
    def last(self) -> int:
        """The largest number of iterations."""
        return self.series[-1][0]

    @property
    def width(self) -> float:
        """The width after the most iterations."""
        return self.series[-1][1]

    @cached_property
    def trend(self) -> Trend:
        """Where widths tend; up to ``ARRIVED`` they count as converged."""
        return trend(self.series, ARRIVED)

    @property
    def bound(self) -> float:
        """The width that theory allows after the most iterations."""
        return self.theory / sqrt(self.last)

    @property
    def measured(self) -> str:
        """The last width, in words."""
        slope = self.trend.slope
        falls = "" if slope is None else f", slope {slope:.2f}"
        return f"NashConv {self.width * self.scale:.3g} {self.unit} after {self.last:,} iterations{falls}"


class Decision(NamedTuple):
    """A verdict and why, in a sentence."""

    verdict: Verdict
    reason: str


def is_stuck(e: Evidence) -> bool:
    """Return whether certificates stay at a level: flat or levelling off, and no right method would yet.

    Near what is asked, and below the bound of theory, chance alone may keep the widths of a right sampler at
    a level for a while.
    """
    is_level = e.last >= e.start and e.trend.state == "stuck"
    is_noise = e.is_sampled and e.width <= min(e.bound, LONGER * e.within)
    return is_level and not is_noise and not still_falls(e) and not starts_slowly(e)


def starts_slowly(e: Evidence) -> bool:
    """Return whether widths fall at every doubling, and at the end hardly less: no plateau is in sight.

    Steps that are small for the game's payoffs, as those of exponential weights may be, make such a curve:
    it is nearly flat for thousands of iterations and then falls ever faster.
    """
    widths = [width for _, width in last_half(e.series)]
    if min(widths) <= 0.0:
        return False
    drops = [log(before / after) for before, after in pairwise(widths)]
    third = (len(drops) + 1) // 3 or 1
    return min(drops) > 0.0 and sum(drops[-third:]) >= SLOWING * sum(drops[:third])


def still_falls(e: Evidence) -> bool:
    """Return whether the last certificate is much narrower than that after a quarter of the iterations.

    Noise may make it so: it keeps a solver from being called stuck, and is no proof that it is right.
    """
    quarter = [width for t, width in e.series if 4 * t <= e.last]
    return bool(quarter) and e.width < FALLING * quarter[-1]


def falls(e: Evidence) -> bool:
    """Return whether widths fall with the iterations, by their median slope, which noise hardly moves."""
    slope = e.trend.slope
    return slope is not None and slope <= FLAT


def is_misaveraged(e: Evidence) -> bool:
    """Return whether the strategies are behaviour averaged without reaches: a known method's, spoilt."""
    return BEHAVIOUR in e.method


def is_converging(e: Evidence) -> bool:
    """Return whether slope and level are those that theory allows of a method that is not there yet.

    Regret minimisers fall at least with the square root of the iterations, fictitious play may be slower;
    and while the bound is above what must be reached, no theory promises that it has been reached.
    """
    slope = e.trend.slope
    enough = len(e.series) >= LEAST_TIMES and slope is not None and slope <= SHALLOW
    return enough and e.trend.state == "converging" and max(e.width, e.within) <= e.bound


def _exact(e: Evidence) -> str:
    return f"NashConv {e.width * e.scale:.3g} {e.unit}, at most {EXACT:g} of the scale {e.scale:.3g}"


def _constant(e: Evidence) -> str:
    return f"the same strategy whatever the iterations, and NashConv {e.width * e.scale:.3g} {e.unit}"


def _stuck(e: Evidence) -> str:
    return f"stuck at about {e.trend.level * e.scale:.3g} {e.unit}: {e.measured}{_named(e)}"


def _misaveraged(e: Evidence) -> str:
    return f"{e.method}, which need not converge: {e.measured}"


def _promised(e: Evidence) -> str:
    return f"the strategies of a known method; {e.measured}"


def _at_most(e: Evidence, most: float) -> str:
    return f"{e.measured}, at most {most:g} of the scale {e.scale:.3g}{_named(e, 'converges, ')}"


def _to_go(e: Evidence) -> str:
    """Return how many iterations are missing."""
    slope = e.trend.slope
    assert slope is not None
    needed = ceil(e.last * (e.width / e.within) ** (-1.0 / slope))
    above = f"above {e.within:g} of the scale {e.scale:.3g}, which takes {_about(needed)} iterations"
    allowed = f"theory allows {e.bound * e.scale:.2g}"
    return f"{e.measured}, {above} at this slope; {allowed}{_named(e, 'converges, ')}"


def _undecided(e: Evidence) -> str:
    """Return why nothing can be told, and what would decide it."""
    slope, above = (
        e.trend.slope,
        f"above {e.within:g} of the scale {e.scale:.3g}" if e.width > e.within else "",
    )
    if slope is None or len(e.series) < LEAST_TIMES:
        why = "too few numbers of iterations to see it fall"
    elif slope > FLAT:
        why = "not seen to fall with the iterations"
    else:
        why = "falls more slowly than theory has it" if slope > SHALLOW else "wider than theory allows"
    needed = max(LONGER * e.last, e.start)
    said = ", ".join(filter(None, (e.measured, above, why)))
    return f"{said}: {_about(needed)} iterations would tell more{_named(e)}"


def _about(number: int) -> str:
    """Return a number with two digits that count."""
    rounded = float(f"{float(number):.1e}")
    return f"about {rounded:,.0f}" if rounded < 1e9 else f"about {rounded:.0e}"


def _named(e: Evidence, found: str = "") -> str:
    """Return the method, or of one that is not known what was found and the nearest, if it was compared."""
    if e.method:
        return f"; {e.method}"
    return f"; {found}no method known here, nearest {e.nearest}" if e.nearest else ""


@dataclass(frozen=True)
class Rule:
    """A verdict, when it is given, and the reason in words."""

    applies: Callable[[Evidence], bool]
    verdict: Verdict
    reason: Callable[[Evidence], str]


RULES = (
    Rule(lambda e: e.is_exact, "correct", _exact),
    Rule(lambda e: e.is_constant, "wrong", _constant),
    Rule(is_stuck, "wrong", _stuck),
    Rule(lambda e: e.trend.state == "converged", "correct", lambda e: _at_most(e, ARRIVED)),
    Rule(is_misaveraged, "wrong", _misaveraged),
    Rule(lambda e: falls(e) and e.is_promised, "correct", _promised),
    Rule(lambda e: falls(e) and e.width <= e.within, "correct", lambda e: _at_most(e, e.within)),
    Rule(is_converging, "converging", _to_go),
    Rule(lambda _: True, "cannot tell", _undecided),
)
"""The first that applies decides."""


def decided(e: Evidence) -> Decision:
    """Return the verdict on one game, by the first rule that applies.

    A solver whose every strategy is optimal, or which does not iterate, is judged by its certificate alone.
    One that iterates is

    - wrong if its certificates are stuck, or it averages in a way that has a name and does not converge;
    - correct if they are narrow, or fall and either theory promises that the method converges or they have
      come within what may be expected of any method on this game;
    - converging if they fall as fast as some theory allows, and are only not there yet;
    - else nothing can be told.
    """
    rule = next(rule for rule in RULES if rule.applies(e))
    return Decision(rule.verdict, rule.reason(e))
