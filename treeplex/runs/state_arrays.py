"""States of engines as arrays and numbers by name, and back."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np


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
            yield from leaves_of(f"{path}.{name}" if path else name, part)
    elif isinstance(state, np.ndarray | int | float):
        yield path, state
    else:
        raise TypeError(f"a state must be of arrays and numbers, got {type(state).__name__} at {path}")


def rebuilt(path: str, like: Any, stored: Mapping[str, Any]) -> Any:
    """Return a state of the same structure with the arrays and numbers stored under its paths."""
    parts = _parts(like)
    if parts is None:
        return _like(like, stored[path])
    new = {name: rebuilt(f"{path}.{name}" if path else name, part, stored) for name, part in parts.items()}
    if is_dataclass(like) and not isinstance(like, type):
        return replace(like, **new)
    return type(like)(**new) if hasattr(like, "_fields") else tuple(new.values())


def _like(like: Any, leaf: Any) -> Any:
    """Return a stored array or number; raises ``TypeError`` where its type differs."""
    if not isinstance(like, np.ndarray):
        if type(leaf) is not type(like):
            raise TypeError(f"expected a {type(like).__name__}, got {type(leaf).__name__}")
    elif not isinstance(leaf, np.ndarray) or (leaf.dtype, leaf.ndim) != (like.dtype, like.ndim):
        raise TypeError(f"expected an array of {like.dtype}, got {leaf!r}")
    return leaf
