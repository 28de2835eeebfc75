"""What Brown and Sandholm (2017) print in their Tables 1 to 3 with appendices, the third version on arXiv."""

from collections.abc import Mapping
from types import MappingProxyType

from treeplex.bench.reproductions.printed_table import Number

SOURCE = "Brown and Sandholm 2017, Table 1; Tables 1 to 3 of the version with appendices"
BLUEPRINT, NO_ABSTRACTION = "blueprint", "no abstraction"
NO_SPLIT, AVERAGE, LAST, ATOMS, THEOREM_3 = " (no split)", " (average)", " (last)", " (atoms)", " (theorem 3)"
"""Ends of rows' names: gifts that are not split; estimates by the average's own play, or by that of the last
iteration; ways of entering."""
SCALES = (10, 100, 1_000, 10_000, 100_000)
"""Gifts times so much, as in Figure 8, which shows no numbers."""
GIFTS: Mapping[int, str] = MappingProxyType(
    {0: "maxmargin", 1: "reach-maxmargin", **{scale: f"reach-maxmargin (x{scale})" for scale in SCALES}}
)
"""The rows of Figure 8 by what gifts are multiplied by."""
FORMER = "former-"
"""Before the names of games with other menus that we had before the paper's sizes were known."""
BUCKETS = (200, 2_000, 30_000)
FLOP_COLUMNS = tuple(f"{game}/{buckets}" for game in ("small", "large") for buckets in BUCKETS)
TURN_BUCKETS = ("200", "2000", "20000")
TURN_COLUMNS = (
    "turn4/20000",
    *("turn5/2000", "turn5/20000"),
    *(f"turn{ranks}/{buckets}" for ranks in (6, 8) for buckets in TURN_BUCKETS),
)
"""Ranks of short decks, and the paper's buckets where the deck's part of them is one or more."""
COLUMNS = tuple(before + column for before in ("", FORMER) for column in FLOP_COLUMNS + TURN_COLUMNS)
"""Games, and the paper's buckets of hands on the last street."""
PRINTED: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {
        BLUEPRINT: (88.69, 37.374, 9.128, 283.7, 165.2, 41.41, 684.6, 465.1, 345.5),
        "unsafe": (14.68, 3.958, 0.5514, 65.59, 38.22, 396.8, 130.4, 85.95, 79.34),
        "resolve": (60.16, 17.79, 5.407, 179.6, 101.7, 23.11, 454.9, 321.5, 251.8),
        "maxmargin": (30.05, 13.99, 4.343, 134.7, 77.89, 19.5, 427.6, 299.6, 234.4),
        "reach-maxmargin": (29.88, 13.9, 4.147, 134.0, 72.22, 18.8, 424.4, 298.3, 233.5),
        f"reach-maxmargin{NO_SPLIT}": (24.87, 9.807, 2.588, 130.3, 66.79, 16.41, 333.4, 229.4, 175.5),
        "estimated-resolve": (11.66, 6.261, 2.423, 52.62, 41.93, 30.09, 120.6, 89.43, 76.44),
        "estimated-distributional": (10.44, 6.245, 3.43, 49.56, 38.98, 10.54, 119.4, 87.83, 74.35),
        "reach-estimated-distributional": (10.21, 5.798, 2.258, 49.33, 38.52, 9.84, 116.8, 85.8, 72.59),
        f"reach-estimated-distributional{NO_SPLIT}": (
            9.56,
            4.924,
            1.733,
            49.13,
            37.22,
            8.777,
            113.3,
            83.24,
            70.68,
        ),
    }
)
"""The paper's rows in its order, in mbb/hand: a number for each of the columns of ``FLOP_COLUMNS``, then one
for each of ``TURN_BUCKETS`` in the game that ends on the turn.

The version of the conference prints ten times as much for the small game with 30,000 buckets: 91.28 where the
version with appendices has 9.128. Only the smaller numbers go on from those of 200 and 2,000 buckets.
"""
MORE = (
    *(GIFTS[scale] for scale in SCALES),
    f"estimated-resolve{AVERAGE}",
    f"estimated-resolve{LAST}",
    "estimated-maxmargin",
    "reach-estimated-maxmargin",
    f"estimated-distributional{AVERAGE}",
    f"estimated-distributional{LAST}",
    f"estimated-distributional{ATOMS}",
    f"estimated-distributional{THEOREM_3}",
    NO_ABSTRACTION,
)
"""Rows that the paper lacks."""
ERRATUM = (
    "small/30000: Table 1 of the conference prints ten times as much as the version with appendices, whose "
    "numbers stand here."
)


def printed(row: str, columns: tuple[str, ...]) -> tuple[Number, ...]:
    """Return what is printed of a row in some columns; None where nothing is."""
    numbers = PRINTED.get(row)
    return tuple(None if numbers is None else numbers[_place(column)] for column in columns)


def _place(column: str) -> int:
    """Return the place of a column in ``PRINTED``; short decks stand beside the whole deck."""
    named = column.removeprefix(FORMER)
    if named in FLOP_COLUMNS:
        return FLOP_COLUMNS.index(named)
    return len(FLOP_COLUMNS) + TURN_BUCKETS.index(named.partition("/")[2])


def printed_parts(row: str, columns: tuple[str, ...]) -> tuple[Number, ...]:
    """Return the printed numbers of a row in parts of the blueprint's."""
    pairs = zip(printed(row, columns), printed(BLUEPRINT, columns), strict=True)
    return tuple(None if one is None or whole is None else one / whole for one, whole in pairs)


def ordered_pairs(column: str, found: Mapping[str, float]) -> tuple[int, int, int]:
    """Return how many pairs of the paper's rows are in its order in a column, how many alike, of how many.

    Parameters
    ----------
    column : str
    found : mapping
        Exploitabilities of rows that were computed.
    """
    rows = [row for row in PRINTED if row in found]
    pairs = [(a, b) for k, a in enumerate(rows) for b in rows[k + 1 :]]
    place = _place(column)
    alike = sum(found[a] == found[b] for a, b in pairs)
    ordered = sum((PRINTED[a][place] - PRINTED[b][place]) * (found[a] - found[b]) > 0 for a, b in pairs)
    return ordered, alike, len(pairs)
