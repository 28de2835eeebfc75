"""The example files that come with treeplex, as specs: ``example:river`` is ``examples/river.toml``."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import PurePath
from typing import Any

from treeplex.games.protocol import Game

EXAMPLE = "example:"
"""The prefix of the specs of examples."""


def example_names() -> tuple[str, ...]:
    """Return the names of all examples, in alphabetical order."""
    return tuple(
        sorted(PurePath(entry.name).stem for entry in files("treeplex").joinpath("examples").iterdir())
    )


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
    for entry in files("treeplex").joinpath("examples").iterdir():
        path = PurePath(entry.name)
        if path.stem == name:
            with as_file(entry) as file:
                game: Game[Any] = replace(readers[path.suffix](str(file)), name=EXAMPLE + name)
                return game
    raise ValueError(f"an example must be one of {', '.join(example_names())}, got {name!r}")
