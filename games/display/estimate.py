"""What a run takes, said before it begins."""

from dataclasses import dataclass
from math import ceil

MEBIBYTE, GIBIBYTE = 2**20, 2**30


@dataclass(frozen=True)
class Estimate:
    """What a run takes on the machine for which it was estimated.

    Attributes
    ----------
    seconds : float
        Wall time.
    memory, disk : float
        Bytes.
    """

    seconds: float
    memory: float
    disk: float = 0.0

    def as_json(self) -> dict[str, float]:
        """Return the estimate as an object."""
        return {"seconds": self.seconds, "memory": self.memory, "disk": self.disk}

    def __str__(self) -> str:
        disk = f", {size_text(self.disk)} on disk" if self.disk else ""
        return f"about {_duration(self.seconds)}, {size_text(self.memory)} of memory{disk}"


def _duration(seconds: float) -> str:
    """Return a duration rounded up: 90 is 2 min, 5000 is 1.4 h."""
    if seconds < 60:
        return f"{ceil(seconds)} s"
    return f"{ceil(seconds / 60)} min" if seconds < 3600 else f"{ceil(seconds / 360) / 10:.1f} h"


def size_text(n_bytes: float) -> str:
    """Return a number of bytes rounded up to MiB or tenths of GiB."""
    if n_bytes < GIBIBYTE:
        return f"{ceil(n_bytes / MEBIBYTE):,} MiB"
    return f"{ceil(10 * n_bytes / GIBIBYTE) / 10:,.1f} GiB"
