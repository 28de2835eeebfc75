"""Card abstractions as .npz files: a head of JSON, and tables and parents of buckets as arrays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treeplex.files.archives import ExpectedArray, opened, write_arrays
from treeplex.files.outputs import check_output, check_suffix
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_kind
from treeplex.games.base.reading import complaint, shown
from treeplex.games.buckets.card_abstraction import LOSSLESS, CardAbstraction, StreetBuckets
from treeplex.games.cards.cards import Deck
from treeplex.games.poker.game import PokerGame

SUFFIXES: Mapping[str, str] = {".npz": "npz"}
FORMAT = "treeplex abstraction 1"
WHAT = "card abstraction that treeplex wrote"
WRITTEN = "a card abstraction"
KEYS: Mapping[str, tuple[type, str]] = {
    "ranks": (int, "an integer"),
    "suits": (int, "an integer"),
    "top_is_king": (bool, "true or false"),
    "rounds": (list, "a list"),
    "recall": (str, "a text"),
    "kinds": (list, "a list"),
    "counts": (list, "a list"),
    "seed": (int, "an integer"),
    "text": (str, "a text"),
}
"""Keys of the head beside the format and the identity, with their types and the words for them."""
DTYPES = np.dtype(np.uint16), np.dtype(np.uint32)
"""Of tables of buckets."""
CardAbstractionLike: TypeAlias = str | Path | CardAbstraction
"""What is taken where a card abstraction is: the path of its file, or the abstraction."""


def check_abstraction_output(path: str | Path, format: str | None = None) -> str:
    """Return the format of an output, or refuse it; raises what ``check_output`` does."""
    return check_output(path, SUFFIXES, WRITTEN, format)


def write_abstraction(path: str | Path, abstraction: CardAbstraction) -> None:
    """Write an abstraction; the file appears whole or not at all.

    Raises
    ------
    TypeError
        If it is none.
    ValueError
        As :func:`check_abstraction_output`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import treeplex as tp
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "leduc.npz")
    ...     write_abstraction(path, tp.abstract("leduc_poker", "flop:lossless"))
    ...     path.stat().st_size > 0
    True
    """
    check_kind("an abstraction", abstraction, CardAbstraction, "a card abstraction")
    check_abstraction_output(path)
    head = {"format": FORMAT, "identity": abstraction.identity, **abstraction.head}
    write_arrays(path, head, abstraction.arrays)


def card_abstraction_of(given: CardAbstractionLike, game: PokerGame) -> CardAbstraction:
    """Return a card abstraction of a game's streets, read if it is a path.

    Raises
    ------
    TypeError
        If it is neither an abstraction nor a path.
    ValueError
        If the file cannot be read or is damaged, or the abstraction does not fit the game.
    """
    check_kind("abstraction", given, CardAbstractionLike, "a card abstraction or a path")
    return (given if isinstance(given, CardAbstraction) else read_abstraction(given)).of_game(game)


def read_abstraction(path: str | Path) -> CardAbstraction:
    """Read an abstraction.

    Raises
    ------
    ValueError
        If the file cannot be read, is no such file, or is damaged: all arrays have one checksum.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import treeplex as tp
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "leduc.npz")
    ...     made = tp.abstract("leduc_poker", "flop:lossless", out=path)
    ...     read_abstraction(path).identity == made.identity
    True
    """
    check_suffix(path, SUFFIXES, WRITTEN)
    with opened(Path(path), WHAT) as archive:
        head = archive.head
        if head.get("format") != FORMAT:
            raise BadInputError(f"{path} is no {WHAT}")
        try:
            _check_types(head)
        except ValueError as error:
            raise archive.damaged(str(error)) from error
        arrays = archive.arrays(_expected(head))
    try:
        abstraction = _abstraction(head, arrays)
    except ValueError as error:
        raise archive.damaged(complaint(str(error))) from error
    if abstraction.identity != head.get("identity"):
        raise archive.damaged("its identity is not the digest of its contents")
    return abstraction


def _check_types(head: Mapping[str, Any]) -> None:
    keys = {"format", "identity", *KEYS}
    if head.keys() != keys:
        raise BadInputError(f"its head must have the keys {', '.join(sorted(keys))}, got {shown([*head])}")
    for key, (kind, words) in KEYS.items():
        if type(head[key]) is not kind:
            raise BadInputError(f"its {key} must be {words}, got {shown(head[key])}")
    if len({len(head[key]) for key in ("rounds", "kinds", "counts")}) > 1:
        raise BadInputError("its rounds, kinds and counts must be equally many")


def _expected(head: Mapping[str, Any]) -> dict[str, ExpectedArray]:
    """Return the arrays that a head says there are, of any length."""
    tables = [street for street, kind in enumerate(head["kinds"]) if kind != LOSSLESS]
    parents = [street for street in tables if street and head["recall"] == "perfect"]
    names = [*(f"table{street}" for street in tables), *(f"parent{street}" for street in parents)]
    return {name: ExpectedArray(DTYPES, (0,), grows=True) for name in names}


def _abstraction(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> CardAbstraction:
    deck = Deck(head["ranks"], head["suits"], head["top_is_king"])
    streets = tuple(
        StreetBuckets(kind, count, arrays.get(f"table{street}"), arrays.get(f"parent{street}"))
        for street, (kind, count) in enumerate(zip(head["kinds"], head["counts"], strict=True))
    )
    return CardAbstraction(deck, tuple(head["rounds"]), head["recall"], streets, head["seed"], head["text"])
