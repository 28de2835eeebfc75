"""What a run gives back: numbers, each with its proof, and the strategies behind them."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile
from treeplex.store.strategy_table import COUNTS
from treeplex.store.trace import TracePoint


def _outward(bound: float | Fraction, towards: float) -> float:
    """Return the float nearest to a bound on its outer side."""
    near = float(bound)
    return near if (near >= bound if towards > 0 else near <= bound) else math.nextafter(near, towards)


@dataclass(frozen=True)
class LPSize:
    """The size of a linear program as it was handed to the solver."""

    rows: int
    cols: int
    nnz: int

    def as_json(self) -> dict[str, int]:
        """Return the size as the object that ``--json`` prints."""
        return {"rows": self.rows, "cols": self.cols, "nnz": self.nnz}


def exact_text(value: Fraction) -> str:
    """Return a fraction as ``-1/18``, however many digits it has: Python's own ``str`` stops at 4,300."""
    from flint import fmpq, fmpz

    return str(fmpq(fmpz(value.numerator), fmpz(value.denominator)))


@dataclass(frozen=True, kw_only=True)
class Outcome(ABC):
    """What every method on every form of a game comes to. Payoffs are player 0's, in the game's unit.

    Attributes
    ----------
    game : str
        The spec.
    method : str
    status : str
        How the run ended, in its own words; the certificate is the proof.
    certificate : Certificate
        Computed without any solver.
    unit : str
    pot : Fraction or None
        A spot's pot.
    iterations : int
    seconds : float
        Wall time of the method, certificate included; loading the game excluded, and compiling the kernels
        included where nothing had run them before.
    n_infosets : int
        Of both players together, in the whole game.
    parameters : mapping
        What was asked for.
    trace : tuple of TracePoint
        What a regret minimiser had proved on the way, as often as it was certified.
    """

    game: str
    method: str
    status: str
    certificate: Certificate
    unit: str
    pot: Fraction | None
    iterations: int = 0
    seconds: float
    n_infosets: int
    parameters: Mapping[str, object] = field(default_factory=dict)
    trace: tuple[TracePoint, ...] = ()

    @property
    def value(self) -> float:
        """Player 0's expected payoff under the profile."""
        return float(self.certificate.value)

    @property
    def lower(self) -> float:
        """What player 0's plan is proved to guarantee, rounded down."""
        return _outward(self.certificate.lower, -math.inf)

    @property
    def upper(self) -> float:
        """What player 1's plan is proved to concede at most, rounded up."""
        return _outward(self.certificate.upper, math.inf)

    @property
    def gains(self) -> tuple[float, float]:
        """How much each player gains by deviating."""
        return self.certificate.gains

    @property
    def nash_conv(self) -> float:
        """The sum of both gains: the width of the proved interval."""
        return self.certificate.nash_conv

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the object that ``--json`` prints."""

    @property
    def ev(self) -> tuple[float, float] | None:
        """Each player's expected share of a spot's pot; None for whole games."""
        if self.pot is None:
            return None
        return self.value + float(self.pot) / 2, float(self.pot) / 2 - self.value


@dataclass(frozen=True, kw_only=True)
class Result(Outcome):
    """The outcome of one method on one game that has a sequence form.

    Attributes
    ----------
    method : str
        ``lp``, ``cfr+`` or ``file``; in cross-checks also ``lp-explicit``, ``vector-cfr+``, ``clarabel``.
    solver : str or None
        Which linear-programming method, if any.
    profile : Profile
        On the whole game.
    certificate : Certificate
        Of that profile. With an exact value it is that of the rational plans, whose probabilities the
        profile holds as floats.
    exact_value : Fraction or None
        The exact rational value of the game, where it was asked for and proved.
    reference : Certificate or None
        A proved interval for the game's value from elsewhere, against which exploitability is measured.
    lp : LPSize or None
        The program of player 0, the last one where several were solved; merged and restricted as solved.
    """

    solver: str | None = None
    profile: Profile
    exact_value: Fraction | None = None
    reference: Certificate | None = None
    lp: LPSize | None = None

    @property
    def exploitability(self) -> tuple[float, float] | None:
        """How far each strategy is from the game's value, or None where that is not known well enough.

        Known well enough means: exactly, or proved within a hundredth of this profile's own NashConv.
        """
        v: float | Fraction
        if self.exact_value is not None:
            v = self.exact_value
        elif self.reference is not None and self.reference.nash_conv <= self.nash_conv / 100:
            v = self.reference.value
        else:
            return None
        lower, upper = self.certificate.lower, self.certificate.upper
        return max(float(v - lower), 0.0), max(float(upper - v), 0.0)

    def as_json(self) -> dict[str, Any]:
        """Return the result as the object that ``--json`` prints."""
        return {
            "game": self.game,
            "method": self.method,
            "solver": self.solver,
            "status": self.status,
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "exact_value": None if self.exact_value is None else exact_text(self.exact_value),
            "gains": list(self.gains),
            "nash_conv": self.nash_conv,
            "exploitability": None if self.exploitability is None else list(self.exploitability),
            "unit": self.unit,
            "ev": None if self.ev is None else list(self.ev),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "n_infosets": self.n_infosets,
            **{key: self.parameters[key] for key in COUNTS if key in self.parameters},
            "lp": None if self.lp is None else self.lp.as_json(),
        }
