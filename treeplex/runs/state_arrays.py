"""States of engines as arrays and numbers by name, and back."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from treeplex.cfr.engine import GROWING
from treeplex.games.inputs.reading import shown
from treeplex.store.array_headers import Expected


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


def expected_of(start: object) -> dict[str, Expected]:
    """Return what each array of a state must be, given the state before the first iteration."""
    growing = set(_growing(start, ""))
    return {
        path: Expected((leaf.dtype,), leaf.shape, path in growing)
        for path, leaf in leaves_of("", start)
        if isinstance(leaf, np.ndarray)
    }


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
            raise ValueError(f"{path} must be {kind}, got {shown(stored[path])}")
        return stored[path]
    new = {name: rebuilt(_joined(path, name), part, stored) for name, part in parts.items()}
    if is_dataclass(like) and not isinstance(like, type):
        return replace(like, **new)
    return type(like)(**new) if hasattr(like, "_fields") else tuple(new.values())


def _growing(state: object, path: str) -> Iterator[str]:
    """Yield the paths of the arrays that grow."""
    for name, part in (_parts(state) or {}).items():
        yield from _growing(part, _joined(path, name))
    if is_dataclass(state):
        yield from (_joined(path, f.name) for f in fields(state) if f.metadata == GROWING)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
