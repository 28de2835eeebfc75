"""Checks of the parameters of games against the types of their constructors."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from treeplex.games.inputs.reading import shown

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
            raise ValueError(f"{key} must be {_type_words(hints[key])}, got {shown(value)}")


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
