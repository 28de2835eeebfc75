"""States of engines as arrays and numbers by name, and back; sizes of checkpoints before a run."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.engine import GROWING, PACKED, Engine, Mapped
from treeplex.cfr.sampling.poker_sampling import PokerTable
from treeplex.files.archives import ExpectedArray
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.packed_arrays import n_blocks, pack, unpack
from treeplex.games.base.reading import shown

BLOCKS, INDEX = ".blocks", ".index"
"""Suffixes of what is written of a compressed array."""


def _parts(state: object) -> dict[str, Any] | None:
    """Return what a tuple or dataclass is made of, by name or place; None for anything else."""
    if is_dataclass(state):
        return {f.name: getattr(state, f.name) for f in fields(state)}
    if isinstance(state, tuple):
        names = getattr(state, "_fields", range(len(state)))
        return {str(name): part for name, part in zip(names, state, strict=True)}
    return None


def leaves_of(path: str, state: object) -> Iterator[tuple[str, Any]]:
    """Yield the arrays and numbers of a state, each by its path, such as ``memories.0.regret``."""
    parts = _parts(state)
    if parts is not None:
        for name, part in parts.items():
            yield from leaves_of(_joined(path, name), part)
    elif isinstance(state, np.ndarray | int | float):
        yield path, state
    else:
        raise TypeError(f"a state must be of arrays and numbers, got {type(state).__name__} at {path}")


def is_compressed(state: object) -> bool:
    """Return whether some arrays of a state are written in compressed blocks."""
    return any(True for _ in _marked(state, "", PACKED))


def stored_arrays(state: object) -> dict[str, NDArray[Any]]:
    """Return the arrays of a state as they are written: some as compressed blocks and their index."""
    compressed = set(_marked(state, "", PACKED))
    arrays: dict[str, NDArray[Any]] = {}
    for path, leaf in leaves_of("", state):
        if path in compressed:
            arrays[path + BLOCKS], arrays[path + INDEX] = pack(leaf)
        elif isinstance(leaf, np.ndarray):
            arrays[path] = leaf
    return arrays


def expected_of(start: object) -> dict[str, ExpectedArray]:
    """Return what each array as it is written must be, given the state before the first iteration."""
    growing, compressed = set(_marked(start, "", GROWING)), set(_marked(start, "", PACKED))
    expected = {}
    for path, leaf in leaves_of("", start):
        if path in compressed:
            expected[path + BLOCKS] = ExpectedArray((np.dtype(np.uint8),), (0,), grows=True)
            expected[path + INDEX] = ExpectedArray((np.dtype(np.int64),), (n_blocks(leaf.nbytes), 2))
        elif isinstance(leaf, np.ndarray):
            expected[path] = ExpectedArray((leaf.dtype,), leaf.shape, path in growing)
    return expected


def unpacked(start: object, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a state from what was written; ``start`` says what they must be.

    Raises
    ------
    ValueError
        If compressed blocks are damaged.
    """
    compressed, found = set(_marked(start, "", PACKED)), {}
    for path, leaf in leaves_of("", start):
        if path in compressed:
            found[path] = np.empty_like(leaf)
            try:
                unpack(arrays[path + BLOCKS], arrays[path + INDEX], found[path])
            except ValueError as error:
                raise BadInputError(f"{path}: {error}") from error
        elif isinstance(leaf, np.ndarray):
            found[path] = arrays[path]
    return found


def rebuilt(path: str, like: Any, stored: Mapping[str, Any]) -> Any:
    """Return a state of the same structure with the arrays and numbers stored under its paths.

    Raises
    ------
    ValueError
        If a number is of another type.
    """
    parts = _parts(like)
    if parts is None:
        if type(stored[path]) is not type(like):
            kind = "an integer" if isinstance(like, int) else "a number with a point"
            raise BadInputError(f"{path} must be {kind}, got {shown(stored[path])}")
        return stored[path]
    new = {name: rebuilt(_joined(path, name), part, stored) for name, part in parts.items()}
    if is_dataclass(like) and not isinstance(like, type):
        return replace(like, **new)
    return type(like)(**new) if hasattr(like, "_fields") else tuple(new.values())


def _marked(state: object, path: str, mark: Mapping[str, bool]) -> Iterator[str]:
    """Yield the paths of arrays whose fields have a metadata; of fields that hold more, those of int32."""
    for name, part in (_parts(state) or {}).items():
        yield from _marked(part, _joined(path, name), mark)
    for f in fields(state) if is_dataclass(state) else ():
        part, at = getattr(state, f.name), _joined(path, f.name)
        if f.metadata == mark and _parts(part) is None:
            yield at
        elif f.metadata == mark:
            yield from (
                below for below, leaf in leaves_of(at, part) if getattr(leaf, "dtype", None) == np.int32
            )


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


LARGE = 100 * 2**20
"""Bytes above which a checkpoint's size is said before it is written."""


def largest_checkpoint(engine: Engine[Any, Any], iterations: int, n_infosets: int) -> int:
    """Return the most bytes that a checkpoint takes, up to a few kilobytes.

    Hash tables grow with the infosets that are met, and some tables are written compressed; all other states
    keep their size.

    Parameters
    ----------
    engine : Engine
    iterations : int
        At which the run ends.
    n_infosets : int
        Of the game, both players' together; for hash tables.
    """
    inner = engine.engine if isinstance(engine, Mapped) else engine
    if isinstance(inner, PokerTable):
        return inner.most_bytes(iterations, n_infosets)
    return sum(leaf.nbytes for _, leaf in leaves_of("", engine.start()) if isinstance(leaf, np.ndarray))


def size_text(path: str | Path, n_bytes: int, *, at_most: bool) -> str:
    """Return what is said of a large checkpoint.

    >>> size_text("run.npz", 2**30, at_most=True)
    'the checkpoint run.npz will take up to 1,024 MiB, and as much beside it while it is written'
    """
    size = f"{'up to ' if at_most else ''}{n_bytes / 2**20:,.0f} MiB"
    return f"the checkpoint {path} will take {size}, and as much beside it while it is written"
