"""The catalogue of named games, with sizes and exact values of those that are solved in a moment."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from inspect import Parameter
from types import MappingProxyType

from treeplex.core.catalogue_entry import Catalogue, CatalogueEntry, EnumeratedSizes
from treeplex.core.progress import Progress, silent
from treeplex.core.small_form import LPSize
from treeplex.games.base.reading import amount_text
from treeplex.games.formats.specs import REGISTRY, SpecEntry, load_game


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


def catalogue(progress: Progress = silent) -> Catalogue:
    """Return every game that specs know by name, with sizes and exact value where it is small.

    Examples
    --------
    >>> [entry.name for entry in catalogue()][:2]
    ['coin_toss', 'matrix_game']
    """
    return Catalogue(_entries(progress))


def _entries(progress: Progress) -> Iterator[CatalogueEntry]:
    for name, entry in REGISTRY.items():
        progress(name, float("inf"))
        game = load_game(entry.example)
        sizes = SMALL_SIZES.get(name)
        yield CatalogueEntry(name, entry.example, _keys(entry), entry.summary, game.unit, sizes)


def spelled_default(value: object) -> str:
    """Return a default as a spec would spell it.

    >>> spelled_default((True, None, Fraction(1, 2), "all"))
    '[true,none,0.5,"all"]'
    """
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, Fraction):
        return amount_text(value)
    if isinstance(value, tuple | list):
        return f"[{','.join(map(spelled_default, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _keys(entry: SpecEntry) -> dict[str, str | None]:
    return {
        key: None if parameter.default is Parameter.empty else spelled_default(parameter.default)
        for key, parameter in entry.keys.items()
    }
