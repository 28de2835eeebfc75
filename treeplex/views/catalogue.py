"""The catalogue of named games, with sizes and exact values of the small ones."""

from collections.abc import Iterator
from fractions import Fraction
from inspect import Parameter

from treeplex.core.catalogue_entry import Catalogue, CatalogueEntry
from treeplex.core.progress import Progress, silent
from treeplex.games.inputs.reading import amount_text
from treeplex.games.specs.specs import REGISTRY, Entry, load_game
from treeplex.views.small_sizes import SMALL_SIZES


def catalogue(progress: Progress = silent) -> Catalogue:
    """Return every game that specs know by name, with sizes and exact value where it is small."""
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


def _keys(entry: Entry) -> dict[str, str | None]:
    return {
        key: None if parameter.default is Parameter.empty else spelled_default(parameter.default)
        for key, parameter in entry.keys.items()
    }
