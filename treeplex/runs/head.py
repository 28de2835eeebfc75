"""The heads of checkpoints: what a run is, its seconds, its trace and the numbers of its state, as JSON."""

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any

from treeplex.core.trace import TracePoint
from treeplex.games.inputs.reading import shown
from treeplex.runs.identity import Identity
from treeplex.seqform.certify.certificate import Certificate

NUMBERS = tuple(field.name for field in fields(Certificate))


@dataclass(frozen=True)
class Head:
    """What a checkpoint holds beside arrays.

    Attributes
    ----------
    identity : Identity
    seconds : float
        Wall time of the run so far.
    trace : tuple of TracePoint
        Certificates so far.
    numbers : mapping from paths to int or float
        The numbers of the engine's state.
    """

    identity: Identity
    seconds: float
    trace: tuple[TracePoint, ...]
    numbers: Mapping[str, int | float]

    @property
    def json(self) -> dict[str, Any]:
        """The head as objects of JSON."""
        return {
            "identity": asdict(self.identity),
            "seconds": self.seconds,
            "trace": [(p.iterations, p.seconds, _numbers(p.certificate)) for p in self.trace],
            "numbers": dict(self.numbers),
        }

    @staticmethod
    def of(head: Mapping[str, Any]) -> "Head":
        """Return the head that objects of JSON describe.

        Raises
        ------
        ValueError
            If they describe none: a key is missing, or a value has another type or is out of its range.
        """
        names = tuple(field.name for field in fields(Head))
        if head.keys() != set(names):
            raise ValueError(f"its head must have {', '.join(names)}, got {shown([*head])}")
        identity, numbers, words = head["identity"], head["numbers"], [f.name for f in fields(Identity)]
        texts = isinstance(identity, dict) and all(isinstance(text, str) for text in identity.values())
        if not texts or identity.keys() != set(words):
            raise ValueError(f"its identity must be texts of {', '.join(words)}, got {shown(identity)}")
        if not isinstance(numbers, dict):
            raise ValueError(f"its numbers must have names, got {shown(numbers)}")
        for name, number in numbers.items():
            _number(shown(name), number)
        if _number("its seconds", head["seconds"]) < 0:
            raise ValueError(f"its seconds must be at least 0, got {head['seconds']}")
        return Head(Identity(**identity), head["seconds"], _trace(head["trace"]), numbers)


def _trace(rows: object) -> tuple[TracePoint, ...]:
    if not isinstance(rows, list):
        raise ValueError(f"its trace must be a list, got {shown(rows)}")
    trace = tuple(map(_point, rows))
    for before, after in pairwise(trace):
        if before.iterations > after.iterations or before.seconds > after.seconds:
            done = f"{after.iterations:,} iterations after {before.iterations:,}"
            raise ValueError(f"its trace must be in the order of time, got {done}")
    return trace


def _point(row: object) -> TracePoint:
    match row:
        case [int(iterations), seconds, [_, _, _, _, _] as numbers]:
            value, lower, upper, rounding, spent = (
                _number(f"{name} of a certificate in its trace", number)
                for name, number in zip(NUMBERS, numbers, strict=True)
            )
        case _:
            raise ValueError(f"its trace must be of iterations, seconds, certificates, got {shown(row)}")
    done, clock = _number("iterations", iterations), _number("seconds", seconds)
    if min(done, clock, rounding, spent) < 0 or not 0 <= upper - lower <= sys.float_info.max:
        raise ValueError(f"a certificate in its trace must have lower <= upper, got {shown(row)}")
    return TracePoint(done, clock, Certificate(value, lower, upper, rounding, spent))


def _number(what: str, number: object) -> Any:
    """Return a number; raises ``ValueError`` unless it is one, and in the range of floats."""
    largest = sys.float_info.max
    if not isinstance(number, int | float) or isinstance(number, bool) or not -largest <= number <= largest:
        raise ValueError(f"{what} must be a finite number, got {shown(number)}")
    return number


def _numbers(certificate: Certificate) -> tuple[float, ...]:
    return tuple(float(getattr(certificate, name)) for name in NUMBERS)
