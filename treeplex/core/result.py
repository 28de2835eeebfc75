"""The result of a method: strategy, certificate, and the numbers that follow from them.

What is shown of it: names and values in two columns; ``--json`` is for programs.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from treeplex.core.strategy import Strategy
from treeplex.core.trace import TracePoint
from treeplex.games.base.display import Block, Rows, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import (
    LONGEST,
    Units,
    decimals_of,
    exact_text,
    exploitability_text,
    fixed,
    fraction_text,
    interval_texts,
)
from treeplex.games.base.reading import amount_text, shortened
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.profile import Profile

LONGEST_NAME = 1_000
"""Most characters of a game's name above a table: ranges of all hands are dozens of lines."""
COUNTS = ("completed", "absent")
"""Keys of the numbers of completed infosets and absent actions, in parameters and JSON."""
FACT_KEYS = (
    "lp",
    "storage",
    "fixed_point",
    "split",
    "hash",
    "n_boards",
    "n_real_boards",
    "bytes",
    "abstraction",
    "blueprint",
    "lower_bounds",
    "abstract_nash_conv",
)
"""Keys of all facts in the object that ``--json`` prints, in its order; null where no fact has them."""


class Facts(Protocol):
    """What a form or method tells of its own runs, in one class for each thing told.

    The class lies where the form or its engine does.
    """

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as tables show them, payoffs in units of the game."""

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it, by some of :data:`FACT_KEYS`."""


F = TypeVar("F", bound=Facts)


def _outward(bound: float | Fraction, towards: float) -> float:
    """Return the float nearest to a bound on its outer side."""
    near = float(bound)
    return near if (near >= bound if towards > 0 else near <= bound) else math.nextafter(near, towards)


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(Shown):
    """The result of a method on one form of a game. Payoffs are player 0's, in the game's unit.

    What the certificate proves (``value``, ``lower``, ``upper``, ``gains``, ``nash_conv``,
    ``exploitability`` and what follows from them) is None where there is none.

    Attributes
    ----------
    game : str
        The spec.
    form : str
        Where the method ran: ``tree``, the sequence form or the histories behind it; ``public``, the public
        tree; ``boards``, betting times boards; ``split``, the same in a trunk and subgames; ``buckets``, with
        hands tied by a card abstraction; ``table``, infosets that sampling met, in a hash table.
    why : str or None
        Why this form and this method were chosen, in a sentence.
    method : str
        ``lp``, ``file`` or a regret minimiser; in cross-checks also ``lp-explicit``, ``clarabel`` and more.
    solver : str or None
        Which linear-programming method, if any.
    status : str
        What a linear program's certificate proves, or how a minimiser's run ended.
    strategy : Strategy
        Of the whole game, or of what a sampled run met of it.
    certificate : Certificate or None
        Of that strategy, computed without any solver. With an exact value it is that of the rational plans,
        whose probabilities the strategy holds as floats.
    target : float or None
        The width that was asked of the certificate, in the unit: given, or the method's own; None where
        iterations alone end a run, or nothing was asked.
    exact_value : Fraction or None
        The exact rational value of the game, where it was asked for and proved.
    reference : Certificate or None
        A proved interval for the game's value from elsewhere, from which distances are measured.
    unit : str
    pot : Fraction or None
        A spot's pot.
    big_blind : Fraction or None
        Of a whole hand.
    note : str
        What the game says of its payoffs; empty where it says nothing.
    iterations : int
    seconds : float
        Wall time of the method, certificate included; loading the game and compiling kernels, which happens
        once after installation, left out.
    n_infosets : int
        Of both players together, in the whole game; for ``table`` those that were met.
    seed : int or None
        Of Monte Carlo methods.
    parameters : mapping
        What was asked for.
    facts : tuple of Facts
        What the form or method tells of this run beside what every run has, as tables show it.
    trace : tuple of TracePoint
        What a regret minimiser had proved on the way, as often as it was certified.
    """

    game: str
    form: str = "tree"
    why: str | None = None
    method: str
    solver: str | None = None
    status: str
    strategy: Strategy
    certificate: Certificate | None
    target: float | None = None
    exact_value: Fraction | None = None
    reference: Certificate | None = None
    unit: str
    pot: Fraction | None = None
    big_blind: Fraction | None = None
    note: str = ""
    iterations: int = 0
    seconds: float
    n_infosets: int
    seed: int | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    facts: tuple[Facts, ...] = ()
    trace: tuple[TracePoint, ...] = ()

    def fact(self, kind: type[F]) -> F | None:
        """Return what is told in one class of facts; None where nothing is.

        >>> import treeplex as tp
        >>> tp.solve("kuhn_poker", "lp").fact(tp.LPSize)
        LPSize(20 rows, 20 columns, 68 nonzeros)
        """
        return next((one for one in self.facts if isinstance(one, kind)), None)

    @property
    def profile(self) -> Profile:
        """The strategy where it is a table of all infosets.

        Raises
        ------
        TypeError
            If it is none.
        """
        if not isinstance(self.strategy, Profile):
            raise TypeError(f"the strategy is no Profile but a {type(self.strategy).__name__}")
        return self.strategy

    @property
    def proof(self) -> Certificate:
        """The certificate.

        Raises
        ------
        ValueError
            If nothing was certified.
        """
        if self.certificate is None:
            raise BadInputError(f"nothing is proved of {self.method} on {self.game}")
        return self.certificate

    @property
    def value(self) -> float | None:
        """Player 0's expected payoff under the strategy."""
        return None if self.certificate is None else float(self.certificate.value)

    @property
    def lower(self) -> float | None:
        """Proved lower bound on the value: the guarantee of player 0's plan, rounded down."""
        return None if self.certificate is None else _outward(self.certificate.lower, -math.inf)

    @property
    def upper(self) -> float | None:
        """Proved upper bound on the value: the concession of player 1's plan, rounded up."""
        return None if self.certificate is None else _outward(self.certificate.upper, math.inf)

    @property
    def gains(self) -> tuple[float, float] | None:
        """Each player's gain by a best response."""
        return None if self.certificate is None else self.certificate.gains

    @property
    def nash_conv(self) -> float | None:
        """The sum of both gains: the width of the proved interval."""
        return None if self.certificate is None else self.certificate.nash_conv

    @property
    def is_met(self) -> bool:
        """Whether the certificate is as narrow as asked; True where nothing was asked."""
        return self.target is None or self.proof.nash_conv <= self.target

    @property
    def exploitability(self) -> float | None:
        """Half of NashConv: what players gain by deviating, on average over both seats."""
        return None if self.nash_conv is None else self.nash_conv / 2

    @property
    def pots(self) -> float | None:
        """Exploitability in pots; None but for spots."""
        return None if self.exploitability is None or not self.pot else self.exploitability / float(self.pot)

    @property
    def mbb_per_hand(self) -> float | None:
        """Exploitability in thousandths of a big blind; None but for whole hands with blinds."""
        if self.exploitability is None or not self.big_blind:
            return None
        return 1000 * self.exploitability / float(self.big_blind)

    @property
    def distance_to_value(self) -> tuple[float, float] | None:
        """Each strategy's distance from the game's value v: ``(v - lower, upper - v)``.

        None unless v is known exactly or proved within a hundredth of this strategy's NashConv.
        """
        proof, v = self.certificate, self.exact_value
        if proof is None:
            return None
        if v is None:
            if self.reference is None or self.reference.nash_conv > proof.nash_conv / 100:
                return None
            return _distances(proof, self.reference.value)
        return _distances(proof, v)

    @property
    def ev(self) -> tuple[float, float] | None:
        """Each player's expected share of a spot's pot; None for whole games."""
        if self.pot is None or self.value is None:
            return None
        return self.value + float(self.pot) / 2, float(self.pot) / 2 - self.value

    @property
    def asked(self) -> float | None:
        """The target that is worth showing: the one that was given, or one that was missed."""
        if self.certificate is None or not self.is_met:
            return self.target
        given = self.parameters.get("target")
        return given if isinstance(given, int | float) else None

    def blocks(self, target: float | None = None) -> tuple[Block, ...]:
        """Return a table of names and values.

        Parameters
        ----------
        target : float, optional
            The width of which it is shown whether it is met, in the unit; :attr:`asked` unless given.
        """
        return (result_table(self, self.asked if target is None else target),)

    def brief(self) -> str:
        """Return game, method, value and NashConv."""
        proof = self.certificate
        if proof is None:
            return f"{self.game}: {self.method}, not certified"
        if isinstance(proof.value, Fraction) and proof.lower == proof.upper:
            return f"{self.game}: {self.method}, {fraction_text(proof.value, LONGEST)} {self.unit}, exact"
        value, _, _ = interval_texts(proof.value, proof.lower, proof.upper)
        return f"{self.game}: {self.method}, {value}, NashConv {proof.nash_conv:.2g} {self.unit}"

    def as_json(self) -> dict[str, Any]:
        """Return the result as the object that ``--json`` prints; null is what does not apply.

        Raises
        ------
        KeyError
            If a fact has a key that is none of :data:`FACT_KEYS`.
        """
        told: dict[str, Any] = dict.fromkeys(FACT_KEYS)
        for fact in self.facts:
            told |= fact.as_json()
        if unknown := told.keys() - {*FACT_KEYS}:
            raise KeyError(f"facts have keys that no result prints: {', '.join(sorted(unknown))}")
        return {
            "game": self.game,
            "form": self.form,
            "method": self.method,
            "solver": self.solver,
            "why": self.why,
            "status": self.status,
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "exact_value": None if self.exact_value is None else exact_text(self.exact_value),
            "gains": _listed(self.gains),
            "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "pots": self.pots,
            "mbb_per_hand": self.mbb_per_hand,
            "distance_to_value": _listed(self.distance_to_value),
            "certified": self.certificate is not None,
            "target": self.target,
            "unit": self.unit,
            "ev": _listed(self.ev),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "n_infosets": self.n_infosets,
            **{key: self.parameters.get(key) for key in COUNTS},
            **told,
            "seed": self.seed,
            "note": self.note or None,
        }


def _distances(proof: Certificate, v: float | Fraction) -> tuple[float, float]:
    return max(float(v - proof.lower), 0.0), max(float(proof.upper - v), 0.0)


def _listed(pair: tuple[float, float] | None) -> list[float] | None:
    return None if pair is None else list(pair)


def result_table(result: Result, target: float | None = None) -> Rows:
    """Return one result as a table of two columns, with a target whether it is met."""
    return Rows(shortened(result.game, LONGEST_NAME), tuple(_result_rows(result, target)))


def _result_rows(result: Result, target: float | None) -> Iterator[tuple[str, str]]:
    yield "method", result.method
    yield "form", result.form
    if result.why is not None:
        yield "why", result.why
    if result.solver is not None:
        yield "solver", result.solver
    yield "status", result.status
    if completed := completed_text(result.parameters):
        yield "completed", completed
    yield from _proved_rows(result, target)
    if result.iterations:
        yield "iterations", f"{result.iterations:,}"
    yield "seconds", f"{result.seconds:.2f}"
    yield "infosets", f"{result.n_infosets:,}{' met' if result.form == 'table' else ''}"
    for fact in result.facts:
        yield from fact.rows(result)
    if result.note:
        yield "note", result.note


def _proved_rows(result: Result, target: float | None) -> Iterator[tuple[str, str]]:
    """Yield the rows of the certificate."""
    proof = result.certificate
    if proof is None:
        too_large = "best responses would not fit into memory"
        reason = "the game is not enumerated" if result.form == "table" else too_large
        yield "certified", f"nothing: {reason}"
        if target is not None:
            yield "target", f"{target:g}: not proved"
        return
    value, lower, upper = interval_texts(proof.value, proof.lower, proof.upper)
    yield "value", f"{value} {result.unit}"
    yield "proved", f"[{lower}, {upper}]"
    if result.exact_value is not None:
        yield "exact value", fraction_text(result.exact_value, LONGEST)
    yield "NashConv", f"{proof.nash_conv:.2g} {result.unit}"
    yield "gains", f"{proof.gains[0]:.2g}, {proof.gains[1]:.2g}"
    yield (
        "exploitability",
        exploitability_text(proof.nash_conv, result.pot, result.big_blind, result.unit),
    )
    if result.distance_to_value is not None:
        yield "distance to value", "{:.2g}, {:.2g}".format(*result.distance_to_value)
    if target is not None:
        yield "target", f"{target:g}: {'met' if proof.nash_conv <= target else 'missed'}"
    if result.pot is not None:
        yield "EV", ev_text(proof, result.pot, result.unit)


def ev_text(proof: Certificate, pot: Fraction, unit: str) -> str:
    """Return both shares of the pot, whose sum is exact in print too."""
    decimals = decimals_of(proof.nash_conv)
    share = Fraction(fixed(Fraction(proof.value) + pot / 2, decimals, "near"))
    shares = (fixed(part, decimals, "near") for part in (share, pot - share))
    return f"{', '.join(shares)} of a pot of {amount_text(pot)} {unit}"


def completed_counts(parameters: Mapping[str, object]) -> dict[str, object]:
    """Return how much was added to a strategy, by keys of JSON; empty where nothing was."""
    return {key: parameters[key] for key in COUNTS if parameters.get(key)}


def completed_text(counts: Mapping[str, object]) -> str:
    """Return in words how much was added to a strategy; empty where nothing was.

    >>> completed_text({"completed": 12, "absent": 0})
    '12 infosets played uniformly, 0 absent actions never'
    """
    infosets, actions = (counts.get(count, 0) for count in COUNTS)
    if not infosets and not actions:
        return ""
    return f"{infosets:,} infosets played uniformly, {actions:,} absent actions never"
