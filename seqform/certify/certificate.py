"""Certificates of profiles: intervals proved to contain the game's value, computed by best responses.

In floats, and in rational arithmetic without rounding. How wide a certificate may be: a width in the game's
unit, or a part of the game's scale.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, inf, lcm, nextafter

import numpy as np

from treeplex.games.base.display import Block, Rows, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import LONGEST, fraction_text, interval_texts
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reading import shown
from treeplex.seqform.forms.payoff import UNIT_ROUNDOFF
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.trees.tree_arrays import Ints


@dataclass(frozen=True, repr=False)
class Certificate(Shown):
    """An interval [lower, upper] proved to contain the game's value, from best responses to a profile.

    Attributes
    ----------
    value : float or Fraction
        Player 0's expected payoff under the profile, x' A y; a float is within the interval's rounding.
    lower, upper : float or Fraction
        The least payoff of player 0 with its plan, and the largest against player 1's plan. Floats are
        widened outward by ``rounding``; Fractions are exact.
    rounding : float
        The bound on rounding errors by which each side was widened; zero in exact arithmetic.
    seconds : float
    """

    value: float | Fraction
    lower: float | Fraction
    upper: float | Fraction
    rounding: float
    seconds: float

    def blocks(self) -> tuple[Block, ...]:
        """Return value, proved interval and gains, as names and texts."""
        value, lower, upper = interval_texts(self.value, self.lower, self.upper)
        rows = [("value", value), ("proved", "exact" if self.lower == self.upper else f"[{lower}, {upper}]")]
        if isinstance(self.value, Fraction):
            rows.append(("exact value", fraction_text(self.value, LONGEST)))
        return (
            Rows(
                "certificate",
                (
                    *rows,
                    ("NashConv", f"{self.nash_conv:.2g}"),
                    ("gains", "{:.2g}, {:.2g}".format(*self.gains)),
                    ("rounding", f"{self.rounding:.2g}"),
                    ("seconds", f"{self.seconds:.2g}"),
                ),
            ),
        )

    def brief(self) -> str:
        """Return value, proved interval and NashConv."""
        if isinstance(self.value, Fraction) and self.lower == self.upper:
            return f"{fraction_text(self.value, LONGEST)}, exact"
        value, lower, upper = interval_texts(self.value, self.lower, self.upper)
        return f"{value} in [{lower}, {upper}], NashConv {self.nash_conv:.2g}"

    @property
    def gains(self) -> tuple[float, float]:
        """How much each player gains by deviating: (upper - value, value - lower); fractions rounded up."""
        return _width(self.value, self.upper), _width(self.lower, self.value)

    @property
    def nash_conv(self) -> float:
        """The width ``upper - lower``: the sum of both gains; a fraction is rounded up."""
        return _width(self.lower, self.upper)

    def contains(self, value: float | Fraction) -> bool:
        """Whether a value lies in the proved interval."""
        return bool(self.lower <= value <= self.upper)

    def disjoint(self, other: "Certificate") -> bool:
        """Whether two proved intervals of one game are disjoint, so that one proof must be wrong."""
        return bool(self.upper < other.lower or other.upper < self.lower)


def _width(low: float | Fraction, high: float | Fraction) -> float:
    """Return a difference as a float; the difference of fractions is not larger, and 0 if it is 0."""
    width = high - low
    near = float(width)
    return near if near >= width else nextafter(near, inf)


def certify(form: SequenceForm, profile: Profile) -> Certificate:
    """Return a proved interval for the value of a game in floats, widened by a bound on the rounding.

    Each side is a best response, computed by loops over the treeplex. Rounding: with ``n`` roundings behind a
    sum of terms of total magnitude m, the error is at most ``n u / (1 - n u) m`` (u = 2**-53; Higham 2002,
    section 3.1); if the error of a gradient is at most d, elementwise, the error of the best response is at
    most the best response to d.

    Raises
    ------
    ValueError
        If the profile does not fit the game or is not a strategy at some infoset (which it names).
    OverflowError
        If the payoffs are too large for floats.

    Examples
    --------
    >>> import treeplex as tp
    >>> certify(tp.load("kuhn_poker").form, tp.solve("kuhn_poker").strategy).nash_conv < 1e-12
    True
    """
    clock = time.perf_counter()
    check_profile(form, profile)
    x, y = (t.plan(repaired(t, b)) for t, b in zip(form.treeplexes, profile.behaviour, strict=True))
    if form.payoff.is_zero:
        return Certificate(0.0, 0.0, 0.0, 0.0, time.perf_counter() - clock)
    upper, lower = form.best_response(0, y).total, -form.best_response(1, x).total
    upper_off, lower_off = _rounding(form, 0, y), _rounding(form, 1, x)
    if not np.isfinite([upper, lower, upper_off, lower_off]).all():
        raise OverflowError(f"{form.name}: payoffs are too large for floats; certify exactly instead")
    return Certificate(
        float(x @ form.payoff.against(0, y)),
        float(np.nextafter(lower - lower_off, -np.inf)),
        float(np.nextafter(upper + upper_off, np.inf)),
        max(lower_off, upper_off),
        time.perf_counter() - clock,
    )


def _rounding(form: SequenceForm, player: int, plan: Floats) -> float:
    """Bound the rounding error of ``player``'s best response to the other's plan."""
    own, other = form.treeplexes[player], form.treeplexes[1 - player]
    # The best-response loop adds each infoset once; the plan multiplies along the deepest line, each factor
    # normalised by a sum over its infoset; doubled for the rounding of this bound itself.
    n = form.payoff.longest_sum + own.n_sequences + 2 * int(other.depth.max()) * (_widest(other) + 2)
    magnitude = own.best_response(form.payoff.magnitude.against(player, plan)).total
    # Products below the smallest normal float lose relative accuracy: one such loss a sequence, at most, and
    # the payoffs multiply it, or the factor that comes after the loss.
    underflow = float(np.finfo(np.float64).tiny) * (own.n_sequences + other.n_sequences)
    underflow *= 1.0 + form.largest[player]
    return 2.0 * n * UNIT_ROUNDOFF * (magnitude + underflow)


def _widest(treeplex: Treeplex) -> int:
    return int(np.max(treeplex.end - treeplex.begin, initial=1))


def check_profile(form: SequenceForm, profile: Profile) -> None:
    """Raise ValueError if a profile has another shape or keys, or negative, NaN or unnormalised behaviour.

    Raises
    ------
    ValueError
    TypeError
        If one of them is something else.
    """
    if not isinstance(form, SequenceForm):
        raise TypeError(
            "a certificate is of a sequence form, such as treeplex.load(game).form, and treeplex.check takes "
            f"any game, got {shown(form)}"
        )
    check_kind("a profile to certify", profile, Profile, "a Profile, such as a result's profile")
    for p, (own, t, b) in enumerate(zip(form.treeplexes, profile.treeplexes, profile.behaviour, strict=True)):
        _check_behaviour(own, t, b, p)


def _check_behaviour(own: Treeplex, other: Treeplex, behaviour: Floats, player: int) -> None:
    same = other.infosets == own.infosets and other.actions == own.actions
    if not (same and np.array_equal(other.end, own.end)):
        raise BadInputError(f"player {player}'s strategy is for other infosets or actions than the game's")
    if behaviour.shape != (own.n_sequences,):
        raise BadInputError(
            f"player {player}'s behaviour must have shape ({own.n_sequences},), got {behaviour.shape}"
        )
    if own.n_infosets == 0:
        return
    totals = np.add.reduceat(behaviour, own.begin)
    bad = ~(np.minimum.reduceat(behaviour, own.begin) >= 0.0) | ~(np.abs(totals - 1.0) <= 1e-6)
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        row = behaviour[own.begin[i] : own.end[i]].tolist()
        raise BadInputError(
            f"player {player}'s probabilities at {own.infosets[i]!r} must be at least 0 and sum to 1 "
            f"within 1e-6, got {row}"
        )


def repaired(treeplex: Treeplex, behaviour: Floats) -> Floats:
    """Return a behaviour with every infoset's probabilities divided by their sum."""
    if treeplex.n_infosets == 0:
        return np.ones(1)
    totals = np.add.reduceat(behaviour, treeplex.begin)
    return np.concatenate(([1.0], behaviour[1:] / totals[treeplex.infoset_of[1:]]))


SIGNIFICAND = 53
"""Bits of a float's significand."""


@dataclass(frozen=True)
class ExactPlan:
    """A realization plan in exact arithmetic.

    Attributes
    ----------
    num : (S,) exact integers
    den : int
        The common denominator: the plan is ``num / den``.
    """

    num: Ints
    den: int


def certify_exactly(form: SequenceForm, profile: Profile) -> Certificate:
    """Return a proved interval for the value of a game, in exact arithmetic.

    Plans are built, and best responses computed, in integers (theorems C3.3, C3.4). They are those of the
    profile's floats, as :func:`exact_plan` makes them sum to one.

    Examples
    --------
    >>> import treeplex as tp
    >>> certify_exactly(tp.load("coin_toss").form, tp.solve("coin_toss", exact=True).strategy)
    Certificate(0, exact)
    """
    clock = time.perf_counter()
    check_profile(form, profile)
    x, y = (exact_plan(t, b) for t, b in zip(form.treeplexes, profile.behaviour, strict=True))
    value, lower, upper = exact_bounds(form, x, y)
    return Certificate(value, lower, upper, 0.0, time.perf_counter() - clock)


def exact_plan(treeplex: Treeplex, behaviour: Floats) -> ExactPlan:
    """Return the plan of a behaviour in floats, exactly.

    Every float is a fraction over a power of two, so that none is rounded, however small. Where an infoset's
    probabilities do not sum to exactly one, they are divided by their sum in floats, and the largest takes
    what is then left.
    """
    floats = repaired(treeplex, behaviour).tolist()
    bits = SIGNIFICAND - min(frexp(b)[1] for b in floats if b > 0.0)
    one = 1 << bits
    ratios = [b.as_integer_ratio() for b in floats]
    odds = np.array([n * (one // d) for n, d in ratios], dtype=object)
    num = np.zeros(treeplex.n_sequences, dtype=object)
    num[0] = 1
    for lo, hi, parent in zip(treeplex.begin, treeplex.end, treeplex.parent, strict=True):
        row = odds[lo:hi]
        row[int(np.argmax(row))] += one - int(row.sum())
        num[lo:hi] = num[parent] * row
    deepest = int(treeplex.depth.max())
    shift = np.array([1 << (bits * int(deepest - d)) for d in treeplex.depth], dtype=object)
    return ExactPlan(num * shift, one**deepest)


def rational_plan(treeplex: Treeplex, behaviour: Sequence[Fraction]) -> ExactPlan:
    """Return the plan of a rational behaviour, S: each sequence's own reach, over one denominator."""
    plan = [Fraction(1)]
    for parent, odds in zip(treeplex.parent_of.tolist()[1:], behaviour[1:], strict=True):
        plan.append(plan[parent] * odds)
    den = lcm(*(reach.denominator for reach in plan))
    num = [reach.numerator * (den // reach.denominator) for reach in plan]
    return ExactPlan(np.array(num, dtype=object), den)


def behaviour_of(treeplex: Treeplex, plan: ExactPlan, off_path: Floats) -> Floats:
    """Return the behaviour of an exact plan, each probability rounded once, (S,).

    Parameters
    ----------
    treeplex : Treeplex
    plan : ExactPlan
    off_path : (S,) f64
        The behaviour at infosets that the plan does not reach.
    """
    behaviour = off_path.copy()
    for s, parent in enumerate(treeplex.parent_of.tolist()[1:], 1):
        if plan.num[parent]:
            behaviour[s] = int(plan.num[s]) / int(plan.num[parent])
    return behaviour


def exact_bounds(form: SequenceForm, x: ExactPlan, y: ExactPlan) -> tuple[Fraction, Fraction, Fraction]:
    """Return (x' A y, min over y of x' A y, max over x of x' A y), exactly."""
    against_y, den = form.payoff.against_exact(0, y.num)
    value = Fraction(int(x.num.dot(against_y)), den * y.den * x.den)
    return value, -exact_best_response(form, 1, x), exact_best_response(form, 0, y)


def exact_best_response(form: SequenceForm, player: int, plan: ExactPlan) -> Fraction:
    """Return what a player's best response to the other player's plan pays that player, exactly."""
    gradient, den = form.payoff.against_exact(player, plan.num)
    return Fraction(
        exact_maximum(form.treeplexes[player], gradient if player == 0 else -gradient), den * plan.den
    )


def exact_maximum(treeplex: Treeplex, gradient: Ints) -> int:
    """Return the best response's total to an integer gradient (the exact twin of the compiled loop)."""
    q = gradient.copy()
    bounds = list(zip(treeplex.begin.tolist(), treeplex.end.tolist(), treeplex.parent.tolist(), strict=True))
    for lo, hi, parent in reversed(bounds):
        q[parent] += max(q[lo:hi])
    return int(q[0])


NARROW = 1e-6
"""A certificate is narrow if it is at most this part of the game's scale wide."""


@dataclass(frozen=True)
class GameScale:
    """What widths of certificates are measured by.

    The pot, where there is one. Elsewhere the largest of both proved bounds on the value and of the smallest
    payoff that is not zero, all in absolute value; a bound beyond the largest payoff counts as that payoff.

    Attributes
    ----------
    pot : float
        A spot's pot; 0 elsewhere.
    stakes : pair of float
        As of :class:`SequenceForm`.
    """

    pot: float
    stakes: tuple[float, float]

    def of(self, certificate: Certificate) -> float:
        """Return the scale of a game with this certificate, in its unit; 0 only where every payoff is 0."""
        smallest, largest = self.stakes
        return self.pot or max(smallest, min(_bound(certificate), largest))

    def text(self, certificate: Certificate) -> str:
        """Return which of these the scale is, with its size."""
        size = f"{self.of(certificate):.6g}"
        if self.pot:
            return f"the pot {size}"
        smallest, largest = self.stakes
        if _bound(certificate) <= smallest:
            return f"the smallest payoff {size}"
        return f"the value's bound {size}" if _bound(certificate) <= largest else f"the largest payoff {size}"


@dataclass(frozen=True)
class Target:
    """The width that is asked of a certificate.

    Attributes
    ----------
    width : float
        In the game's unit, or in parts of its scale; at least 0.
    scale : GameScale or None
        None if the width is in the game's unit.
    """

    width: float
    scale: GameScale | None = None

    @staticmethod
    def part(width: float, form: SequenceForm) -> "Target":
        """Return a target in parts of the scale of a game with this form and no pot."""
        return Target(width, GameScale(0.0, form.stakes))

    def allowed(self, certificate: Certificate) -> float:
        """Return the largest width that meets the target, in the game's unit."""
        return self.width if self.scale is None else self.width * self.scale.of(certificate)

    def is_met(self, certificate: Certificate) -> bool:
        """Return whether a certificate is as narrow as asked."""
        return certificate.nash_conv <= self.allowed(certificate)

    def missed(self, certificate: Certificate, unit: str) -> str:
        """Return by how much a certificate misses the target, in words."""
        wide = f"the certificate's width {certificate.nash_conv:.3g} {unit} is above "
        if self.scale is None:
            return f"{wide}{self.width:.3g}"
        part = f"{self.width:.3g} of {self.scale.text(certificate)}"
        return f"{wide}{self.allowed(certificate):.3g} ({part})"


def _bound(certificate: Certificate) -> float:
    return max(abs(float(certificate.lower)), abs(float(certificate.upper)))
