"""All theorems, one file a source."""

from treeplex.theorems.games import koller_megiddo_stengel
from treeplex.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = (*koller_megiddo_stengel.THEOREMS,)
"""Every theorem, in the order of the catalogue."""
