"""All theorems, one file a source."""

from difflib import get_close_matches

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
    names = [theorem.name for theorem in THEOREMS]
    if name not in names:
        near = get_close_matches(str(name), names, n=3, cutoff=0.5)
        hint = f"; near are {', '.join(near)}" if near else ""
        raise ValueError(
            f"a theorem must be one of the {len(names)} that verify --list names, got {name!r}{hint}"
        )
    return THEOREMS[names.index(name)]
