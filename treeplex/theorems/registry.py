"""All theorems, one file a source."""

from treeplex.theorems.games import koller_megiddo_stengel
from treeplex.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = (*koller_megiddo_stengel.THEOREMS,)
"""Every theorem, in the order of the catalogue."""


def named(name: str) -> Theorem:
    """Return the theorem of a name.

    Raises
    ------
    ValueError
        If there is none.
    """
    for theorem in THEOREMS:
        if theorem.name == name:
            return theorem
    raise ValueError(f"theorem must be one of {', '.join(t.name for t in THEOREMS)}, got {name!r}")
