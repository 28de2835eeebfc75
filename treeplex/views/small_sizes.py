"""Sizes and exact values of the named games that are solved in a moment, so that listing them solves none.

Each was computed and proved by ``treeplex.solve(spec, exact=True)``; the tests compute all of them again.
"""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from treeplex.core.catalogue_entry import EnumeratedSizes
from treeplex.core.result import LPSize


def _sizes(n_infosets: int, n_sequences: int, lp: tuple[int, int, int], value: str) -> EnumeratedSizes:
    return EnumeratedSizes(n_infosets, n_sequences, LPSize(*lp), Fraction(value))


SMALL_SIZES: Mapping[str, EnumeratedSizes] = MappingProxyType(
    {
        "coin_toss": _sizes(3, 9, (7, 7, 20), "0"),
        "matrix_game": _sizes(2, 6, (5, 5, 12), "0"),
        "dummy_pennies": _sizes(4, 10, (9, 7, 20), "0"),
        "goofspiel": _sizes(16, 36, (27, 27, 78), "0"),
        "oshi_zumo": _sizes(1918, 4310, (2595, 2595, 7310), "0"),
        "phantom_mnk": _sizes(296, 966, (583, 681, 4060), "13/17"),
        "battleship": _sizes(47, 107, (81, 75, 253), "2/9"),
        "sheriff": _sizes(50, 132, (73, 111, 320), "15/19"),
        "patrol": _sizes(222, 460, (345, 227, 1490), "11/9"),
        "auction": _sizes(77, 310, (211, 178, 2985), "-29/48"),
        "random_game": _sizes(10, 26, (15, 19, 60), "4/35"),
        "kuhn_poker": _sizes(12, 26, (20, 20, 68), "-1/18"),
        "leduc_poker": _sizes(
            288, 674, (482, 482, 1928), "-1454920850547486749701863871533/16995463438839962469905132501930"
        ),
        "no_limit_leduc": _sizes(648, 1754, (1202, 1202, 5048), "-65736494723/1209218451120"),
        "small_holdem": _sizes(84, 170, (128, 128, 1232), "-1/35"),
    }
)
"""By name, of the game with its defaults."""
