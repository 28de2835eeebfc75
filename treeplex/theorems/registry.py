"""All theorems, one file a source."""

from treeplex.theorems.games import koller_megiddo_stengel
from treeplex.theorems.learning import (
    brown_sandholm_2016,
    brown_sandholm_2019,
    burch_johanson_bowling_2014,
    burch_moravcik_schmid_2019,
    cesa_bianchi_lugosi_2006,
    farina_kroer_sandholm_2021,
    hart_mas_colell_2000,
    johanson_2012,
    tammelin_2015,
    zinkevich_2008,
)
from treeplex.theorems.learning.sampling import (
    brown_sandholm_2018,
    farina_kroer_sandholm_2020,
    lanctot_2009,
)
from treeplex.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = (
    *koller_megiddo_stengel.THEOREMS,
    *zinkevich_2008.THEOREMS,
    *burch_moravcik_schmid_2019.THEOREMS,
    *hart_mas_colell_2000.THEOREMS,
    *tammelin_2015.THEOREMS,
    *brown_sandholm_2019.THEOREMS,
    *farina_kroer_sandholm_2021.THEOREMS,
    *cesa_bianchi_lugosi_2006.THEOREMS,
    *brown_sandholm_2016.THEOREMS,
    *johanson_2012.THEOREMS,
    *burch_johanson_bowling_2014.THEOREMS,
    *lanctot_2009.THEOREMS,
    *brown_sandholm_2018.THEOREMS,
    *farina_kroer_sandholm_2020.THEOREMS,
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
