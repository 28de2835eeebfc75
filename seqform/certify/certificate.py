"""Certificates of profiles: intervals proved to contain the game's value, computed by best responses."""

import time
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from treeplex.games.display.blocks import Block, Rows
from treeplex.games.display.numbers import LONGEST, fraction_text, interval_texts
from treeplex.games.display.shown import Shown
from treeplex.games.inputs.parameters import check_kind
from treeplex.games.inputs.reading import shown
from treeplex.seqform.forms.payoff import UNIT_ROUNDOFF
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex


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
        """How much each player gains by deviating: (upper - value, value - lower)."""
        return float(self.upper - self.value), float(self.value - self.lower)

    @property
    def nash_conv(self) -> float:
        """The width ``upper - lower``: the sum of both gains."""
        return float(self.upper - self.lower)

    def contains(self, value: float | Fraction) -> bool:
        """Whether a value lies in the proved interval."""
        return bool(self.lower <= value <= self.upper)

    def disjoint(self, other: "Certificate") -> bool:
        """Whether two proved intervals of one game are disjoint, so that one proof must be wrong."""
        return bool(self.upper < other.lower or other.upper < self.lower)


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
        raise ValueError(f"player {player}'s strategy is for other infosets or actions than the game's")
    if behaviour.shape != (own.n_sequences,):
        raise ValueError(
            f"player {player}'s behaviour must have shape ({own.n_sequences},), got {behaviour.shape}"
        )
    if own.n_infosets == 0:
        return
    totals = np.add.reduceat(behaviour, own.begin)
    bad = ~(np.minimum.reduceat(behaviour, own.begin) >= 0.0) | ~(np.abs(totals - 1.0) <= 1e-6)
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        row = behaviour[own.begin[i] : own.end[i]].tolist()
        raise ValueError(
            f"player {player}'s probabilities at {own.infosets[i]!r} must be at least 0 and sum to 1 "
            f"within 1e-6, got {row}"
        )


def repaired(treeplex: Treeplex, behaviour: Floats) -> Floats:
    """Return a behaviour with every infoset's probabilities divided by their sum."""
    if treeplex.n_infosets == 0:
        return np.ones(1)
    totals = np.add.reduceat(behaviour, treeplex.begin)
    return np.concatenate(([1.0], behaviour[1:] / totals[treeplex.infoset_of[1:]]))
