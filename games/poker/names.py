"""The names of games: their shortest specs."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from inspect import signature
from typing import Any

from treeplex.games.inputs.reading import amount_text, digits
from treeplex.games.inputs.types import check_types


def shortest_spec(make: Callable[..., Any], values: Mapping[str, object]) -> str:
    """Return the shortest spec of a game: the keys that differ from their defaults.

    Raises
    ------
    ValueError
        If a value has not the type of its parameter.
    """
    check_types(make, values)
    changed = []
    for key, parameter in signature(make).parameters.items():
        value = values[key]
        value = tuple(value) if isinstance(value, list) else value
        if value != parameter.default:
            changed.append(f"{key}={_value_text(value)}")
    return make.__name__ + (f"({','.join(changed)})" if changed else "")


def spec_of(name: str, game: Any) -> str:
    """Return the shortest spec of a game whose keys are the fields of a dataclass."""
    parameters = fields(game)
    return spec(
        name, {f.name: getattr(game, f.name) for f in parameters}, {f.name: f.default for f in parameters}
    )


def spec(name: str, values: Mapping[str, object], defaults: Mapping[str, object]) -> str:
    """Return ``name(key=value,...)`` with the values that differ from their defaults, words unquoted."""
    changed = [f"{key}={_plain_text(value)}" for key, value in values.items() if value != defaults[key]]
    return f"{name}({','.join(changed)})" if changed else name


def _plain_text(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{','.join(map(_plain_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value_text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, Fraction):
        return amount_text(value)
    if isinstance(value, tuple):
        return f"[{','.join(map(_value_text, value))}]"
    if isinstance(value, int):
        return digits(value)
    return f'"{value}"' if isinstance(value, str) and value != "a" else str(value)
