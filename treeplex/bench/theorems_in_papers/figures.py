"""Printed figures beside what they are computed from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from treeplex.bench.theorems.theorem import Comparison, Instance, Instances, Measure
from treeplex.games.base.errors import BadInputError


@dataclass(frozen=True)
class Figure:
    """A figure of a paper.

    Attributes
    ----------
    what : str
        Unique among the figures of a theorem.
    computed : callable
        Returns the figure without rounding.
    printed : str
        As a decimal with all digits that are printed, such as ``3.19E14``.
    """

    what: str
    computed: Callable[[], float | int]
    printed: str

    def comparison(self) -> Comparison:
        """Return both sides, in units of the last printed digit: rounding is a difference of at most 1/2."""
        number = Decimal(self.printed)
        exponent = number.as_tuple().exponent
        if not isinstance(exponent, int):
            raise BadInputError(f"{self.what}: a printed figure must be finite, got {self.printed}")
        whole = number == number.to_integral_value()
        return Comparison(
            self.computed(), int(number) if whole else float(number), 10.0**exponent, self.printed
        )


def listed(figures: Sequence[Figure]) -> Instances:
    """Return the instances of a theorem on figures: one for each."""
    return lambda effort: (Instance(choice=figure.what) for figure in figures)


def measured(figures: Sequence[Figure]) -> Measure:
    """Return the measure of a theorem on figures."""
    by_name = {figure.what: figure for figure in figures}

    def measure(instance: Instance) -> Iterator[Comparison]:
        yield by_name[instance.choice].comparison()

    return measure
