"""Checks of the parameters of games; each error names the legal range."""

from collections.abc import Sequence
from types import UnionType

from treeplex.games.inputs.reading import shown


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
        raise ValueError(f"{name} must be an integer from {least} {top}, got {shown(value)}")


def check_word(name: str, value: object, words: Sequence[str]) -> None:
    """Raise ValueError unless a value is one of the words; ``name`` as for :func:`check_integer`.

    Raises
    ------
    ValueError
        If it is not.
    """
    if value not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}, got {shown(value)}")


def check_kind(name: str, value: object, kind: type | UnionType, words: str) -> None:
    """Raise TypeError unless a value is of a type, which errors call ``words``, such as ``a number``."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {words}, got {shown(value)}")
