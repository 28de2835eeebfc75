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
)
"""Every theorem, in the order of the catalogue."""
