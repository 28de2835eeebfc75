"""The names of games: the shortest specs that make them again."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from inspect import signature
from typing import Any

from treeplex.games.inputs.reading import amount_text


def shortest_spec(make: Callable[..., Any], values: Mapping[str, object]) -> str:
    """Return the shortest spec of a game: the keys that differ from their defaults."""
    changed = []
    for key, parameter in signature(make).parameters.items():
        value = values[key]
        value = tuple(value) if isinstance(value, list) else value
        if value != parameter.default:
            changed.append(f"{key}={_value_text(value)}")
    return make.__name__ + (f"({','.join(changed)})" if changed else "")


def _value_text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, Fraction):
        return amount_text(value)
    if isinstance(value, tuple):
        return f"[{','.join(map(_value_text, value))}]"
    return f'"{value}"' if isinstance(value, str) and value != "a" else str(value)
