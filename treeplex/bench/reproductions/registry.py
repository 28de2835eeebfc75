"""All reproductions, by name."""

from difflib import get_close_matches

from treeplex.bench.reproductions.coin_toss import COIN_TOSS
from treeplex.bench.reproductions.leduc_nested import LEDUC_NESTED
from treeplex.bench.reproductions.leduc_subgames import LEDUC_SUBGAMES
from treeplex.bench.reproductions.lisy2017_table2 import LISY2017_TABLE2
from treeplex.bench.reproductions.nips2017_table1 import NIPS2017_TABLE1
from treeplex.bench.reproductions.nips2017_table2 import NIPS2017_TABLE2
from treeplex.bench.reproductions.reproduction import Reproduction, Settings
from treeplex.bench.reproductions.rhode_island_scales import RHODE_ISLAND_SCALES
from treeplex.games.base.display import Columns
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import complaint

REPRODUCTIONS = {
    one.name: one
    for one in (
        COIN_TOSS,
        LEDUC_SUBGAMES,
        LEDUC_NESTED,
        NIPS2017_TABLE1,
        NIPS2017_TABLE2,
        RHODE_ISLAND_SCALES,
        LISY2017_TABLE2,
    )
}


def reproduction(name: str) -> Reproduction:
    """Return the reproduction of a name.

    Raises
    ------
    TypeError
        If the name is no text.
    ValueError
        If there is none.
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be one of {', '.join(REPRODUCTIONS)}, got {name!r}")
    if name in REPRODUCTIONS:
        return REPRODUCTIONS[name]
    near = get_close_matches(name, REPRODUCTIONS, n=1, cutoff=0.0)
    raise BadInputError(
        complaint(f"name must be one of {', '.join(REPRODUCTIONS)}, got {name!r}; {near[0]}?")
    )


def reproductions_table() -> Columns:
    """Return a row for each reproduction: its name, what it computes, from where, and what it takes."""
    rows = tuple(
        (one.name, one.what, one.source, str(one.estimate(Settings()))) for one in REPRODUCTIONS.values()
    )
    return Columns(None, ("name", "what", "source", "takes"), rows, left=None)
