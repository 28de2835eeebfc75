"""Parameters of games: checks of values and types, and the shortest specs that name games by them.

Each error names the legal range.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from inspect import signature
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import amount_text, digits, shown


def check_integer(name: str, value: object, least: int, most: int | None = None, why: str = "") -> None:
    """Raise ValueError unless a value is an integer in a range.

    Parameters
    ----------
    name : str
        Game and key, such as ``goofspiel: cards``.
    value : object
        What was given; a bool is no integer.
    least : int
    most : int, optional
        None is no upper limit.
    why : str
        What the upper limit is, such as ``, rows times columns``.

    Raises
    ------
    ValueError
        If it is not.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or value < least
        or (most is not None and value > most)
    ):
        top = "up" if most is None else f"to {most}{why}"
        raise BadInputError(f"{name} must be an integer from {least} {top}, got {shown(value)}")


def check_word(name: str, value: object, words: Sequence[str]) -> None:
    """Raise ValueError unless a value is one of the words; ``name`` as for :func:`check_integer`.

    Raises
    ------
    ValueError
        If it is not.
    """
    if value not in words:
        raise BadInputError(f"{name} must be one of {', '.join(words)}, got {shown(value)}")


def check_kind(name: str, value: object, kind: type | UnionType, words: str) -> None:
    """Raise TypeError unless a value is of a type, which errors call ``words``, such as ``a number``."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {words}, got {shown(value)}")


TYPE_WORDS: Mapping[object, tuple[str, str]] = {
    bool: ("true or false", "true or false"),
    int: ("an integer", "integers"),
    Fraction: ("a number", "numbers"),
    str: ("text", "texts"),
    NoneType: ("none", "none"),
}
"""The name of each type in errors, singular and plural."""


def check_types(make: Callable[..., object], values: Mapping[str, object]) -> None:
    """Raise ValueError unless values may go to the parameters of a constructor that have their names.

    Raises
    ------
    ValueError
        If one is of another type; the message starts with its name.
    """
    hints = get_type_hints(make)
    for key, value in values.items():
        if not _fits(value, hints[key]):
            raise BadInputError(f"{key} must be {_type_words(hints[key])}, got {shown(value)}")


def _fits(value: object, hint: Any) -> bool:
    """Return whether a value may go to a parameter of this type."""
    if get_origin(hint) is Sequence:
        if not isinstance(value, Sequence) or isinstance(value, str | bytes):
            return False
        return all(_fits(entry, get_args(hint)[0]) for entry in value)
    if get_args(hint):
        return any(_fits(value, option) for option in get_args(hint))
    if isinstance(value, bool):
        return hint is bool
    return isinstance(value, int | float | Fraction if hint in (float, Fraction) else hint)


def _type_words(hint: Any, many: bool = False) -> str:
    if get_origin(hint) is Sequence:
        return ("lists of " if many else "a list of ") + _type_words(get_args(hint)[0], many=True)
    options = [Fraction if option is float else option for option in get_args(hint) or (hint,)]
    if Fraction in options:
        options = [option for option in options if option is not int]
    words = [TYPE_WORDS[o][many] if o in TYPE_WORDS else _type_words(o, many) for o in options]
    return " or ".join(dict.fromkeys(words))


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
