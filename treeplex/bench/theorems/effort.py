"""How many instances of each theorem are measured."""

from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Effort:
    """How many random instances are measured, and from which seed they are drawn.

    Attributes
    ----------
    quick : bool
        Few and small instances: at most about a second of computation for each theorem.
    instances : int or None
        Random instances of each theorem; None for each theorem's own number.
    seed : int
        Of the first random instance.
    """

    quick: bool = False
    instances: int | None = None
    seed: int = 1

    def seeds(self, *, quick: int, full: int) -> range:
        """Return the seeds of random instances, in a quick run and in a full one."""
        count = self.instances if self.instances is not None else quick if self.quick else full
        return range(self.seed, self.seed + count)

    def choose(self, quick: tuple[T, ...], more: tuple[T, ...]) -> tuple[T, ...]:
        """Return named cases: those of a quick run, and with ``more`` those of a full one."""
        return quick if self.quick else quick + more
