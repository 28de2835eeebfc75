"""All theorems, one file a source."""

from treeplex.theorems.games import (
    best_responses,
    certificates,
    farina_sandholm,
    hand_classes,
    koller_megiddo_stengel,
    kuhn,
)
from treeplex.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = (
    *kuhn.THEOREMS,
    *koller_megiddo_stengel.THEOREMS,
    *best_responses.THEOREMS,
    *certificates.THEOREMS,
    *farina_sandholm.THEOREMS,
    *hand_classes.THEOREMS,
)
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
