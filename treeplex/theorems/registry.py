"""All theorems, one file a source."""

from treeplex.theorems.games import (
    best_responses,
    certificates,
    farina_sandholm,
    flows,
    hand_classes,
    johanson,
    koller_megiddo_stengel,
    kuhn,
    miltersen_sorensen,
)
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
from treeplex.theorems.papers import (
    bowling,
    brown_sandholm,
    ganzfried_sandholm,
    gilpin_sandholm,
    hands,
    no_limit_sizes,
    waugh,
)
from treeplex.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = (
    *kuhn.THEOREMS,
    *koller_megiddo_stengel.THEOREMS,
    *flows.THEOREMS,
    *best_responses.THEOREMS,
    *certificates.THEOREMS,
    *farina_sandholm.THEOREMS,
    *hand_classes.THEOREMS,
    *miltersen_sorensen.THEOREMS,
    *johanson.THEOREMS,
    *waugh.THEOREMS,
    *hands.THEOREMS,
    *no_limit_sizes.THEOREMS,
    *gilpin_sandholm.THEOREMS,
    *bowling.THEOREMS,
    *ganzfried_sandholm.THEOREMS,
    *brown_sandholm.THEOREMS,
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
