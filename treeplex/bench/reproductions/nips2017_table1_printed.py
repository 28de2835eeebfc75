"""What Brown and Sandholm (2017) print in Table 1 and Appendix E."""

from collections.abc import Mapping
from types import MappingProxyType

from treeplex.bench.reproductions.printed_table import Number

SOURCE = "Brown and Sandholm 2017, Table 1 and Appendix E"
BLUEPRINT, NO_ABSTRACTION = "blueprint", "no abstraction"
FLOP_COLUMNS = tuple(f"{game}/{buckets}" for game in ("small", "large") for buckets in (200, 2_000, 30_000))
TURN_BUCKETS = ("200", "2000", "20000")
TURN_COLUMNS = (
    "turn4/20000",
    *("turn5/2000", "turn5/20000"),
    *(f"turn{ranks}/{buckets}" for ranks in (6, 8) for buckets in TURN_BUCKETS),
)
"""Ranks of short decks, and the paper's buckets where the deck's part of them is one or more."""
COLUMNS = FLOP_COLUMNS + TURN_COLUMNS
"""Games, and the paper's buckets of hands on the last street."""
PRINTED: Mapping[str, tuple[Number, ...]] = MappingProxyType(
    {
        BLUEPRINT: (88.69, 37.374, 9.128, 283.7, 165.2, 41.41, 684.6, 465.1, 345.5),
        "unsafe": (14.68, 3.958, 0.5514, 65.59, 38.22, 396.8, 130.4, 85.95, 79.34),
        "resolve": (60.16, 17.79, 5.407, 179.6, 101.7, 23.11, 454.9, 321.5, 251.8),
        "maxmargin": (30.05, 13.99, 4.343, 134.7, 77.89, 19.50, 427.6, 299.6, 234.4),
        "reach-maxmargin": (29.88, 13.90, 4.147, 134.0, 72.22, 18.80, 424.4, 298.3, 233.5),
        "reach-maxmargin (no split)": (None, None, 2.588, None, None, 16.41, None, None, 175.5),
        "estimated-maxmargin": (11.66, 6.261, 2.423, 52.62, 41.93, 30.09, 120.6, 89.43, 76.44),
        "reach-estimated-maxmargin": (None,) * 9,
        "estimated-distributional": (None, None, 3.430, None, None, 10.54, None, None, 74.35),
        "reach-estimated-distributional": (None, None, 2.258, None, None, 9.840, None, None, 72.59),
        "reach-estimated-distributional (no split)": (
            *(9.560, 4.924, 1.733),
            *(49.13, 37.22, 8.777),
            *(113.3, 83.24, 70.68),
        ),
    }
)
"""The paper's rows in its order, and one that it lacks; in mbb/hand, one number for each of the columns of
``FLOP_COLUMNS``, then one for each of ``TURN_BUCKETS`` in the game that ends on the turn.

Table 1 prints ten times as much for the small game with 30,000 buckets as Appendix E: 91.28 and 9.128 for the
blueprint. Only the smaller numbers go on from those of 200 and 2,000 buckets.
"""
ERRATUM = (
    "small/30000: the paper's Table 1 prints ten times as much as its Appendix E, most probably by a slip; "
    "what stands here is Appendix E's, and a tenth of Table 1 where that has no number."
)


def printed(row: str, columns: tuple[str, ...]) -> tuple[Number, ...]:
    """Return what is printed of a row in some columns; None where nothing is."""
    numbers = PRINTED.get(row, (None,) * len(PRINTED[BLUEPRINT]))
    return tuple(numbers[_place(column)] for column in columns)


def _place(column: str) -> int:
    """Return the place of a column in ``PRINTED``; short decks stand beside the whole deck."""
    if column in FLOP_COLUMNS:
        return FLOP_COLUMNS.index(column)
    return len(FLOP_COLUMNS) + TURN_BUCKETS.index(column.partition("/")[2])


def printed_parts(row: str, columns: tuple[str, ...]) -> tuple[Number, ...]:
    """Return the printed numbers of a row in parts of the blueprint's."""
    pairs = zip(printed(row, columns), printed(BLUEPRINT, columns), strict=True)
    return tuple(None if one is None or whole is None else one / whole for one, whole in pairs)
