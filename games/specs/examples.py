"""The example files that come with treeplex, as specs: ``example:river`` is ``examples/river.toml``."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import PurePath
from typing import Any

from treeplex.games.protocol import Game

EXAMPLE = "example:"
"""The prefix of the specs of examples."""
SUFFIXES = (".toml", ".game", ".efg")
"""Of files that are games; there is code beside them."""


def example_names() -> tuple[str, ...]:
    """Return the names of all examples, in alphabetical order."""
    return tuple(sorted(_entries()))


def _entries() -> dict[str, Traversable]:
    entries = files("treeplex").joinpath("examples").iterdir()
    return {PurePath(entry.name).stem: entry for entry in entries if entry.name.endswith(SUFFIXES)}


def read_example(name: str, readers: Mapping[str, Callable[[str], Any]]) -> Game[Any]:
    """Return the game of an example file, named by its spec.

    Parameters
    ----------
    name : str
        A file's name without its suffix.
    readers : mapping
        The reader of each suffix.

    Raises
    ------
    ValueError
        If there is no such example.
    """
    entry = _entries().get(name)
    if entry is None:
        raise ValueError(f"an example must be one of {', '.join(example_names())}, got {name!r}")
    with as_file(entry) as file:
        game: Game[Any] = replace(readers[file.suffix](str(file)), name=EXAMPLE + name)
    return game
