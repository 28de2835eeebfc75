"""The catalogue of named games, the small ones compiled and solved for their sizes and exact values."""

from collections.abc import Iterator
from fractions import Fraction
from inspect import Parameter
from typing import Any

from treeplex.core.catalogue_entry import Catalogue, CatalogueEntry, EnumeratedSizes
from treeplex.core.loading import load
from treeplex.core.progress import Progress, silent
from treeplex.games.inputs.reading import amount_text
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.games.specs.specs import REGISTRY, Entry, load_game
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_compiler import compile_public
from treeplex.solving.solve import solve

SMALL_TREE_BYTES = 2**24
"""Up to this estimate a poker game's public tree is compiled to be counted."""
SMALL_HISTORIES = 20_000
"""Up to so many histories any other game is walked to be counted."""
SMALL_INFOSETS = 2_000
"""Up to so many infosets of both players together a game is solved for its exact value."""


def catalogue(progress: Progress = silent) -> Catalogue:
    """Return every game that specs know by name, counted and solved where it is small."""
    return Catalogue(_entries(progress))


def _entries(progress: Progress) -> Iterator[CatalogueEntry]:
    for name, entry in REGISTRY.items():
        progress(name, float("inf"))
        game = load_game(entry.example)
        sizes = _sizes(game) if _is_enumerable(game) else None
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


def _is_enumerable(game: Game[Any]) -> bool:
    """Return whether a game can be compiled in a moment; big ones are given up early."""
    try:
        if isinstance(game, PokerGame):
            compile_public(game, memory_limit=SMALL_TREE_BYTES)
        else:
            build_tree(game, max_nodes=SMALL_HISTORIES)
    except ValueError:
        return False
    return True


def _sizes(game: Game[Any]) -> EnumeratedSizes | None:
    problem = load(game)
    if sum(problem.form.n_infosets) > SMALL_INFOSETS:
        return None
    result = solve(problem, exact=True)
    assert result.lp is not None
    assert result.exact_value is not None
    sequences = sum(problem.form.n_sequences)
    return EnumeratedSizes(result.n_infosets, sequences, result.lp, result.exact_value)
