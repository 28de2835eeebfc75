"""Checks of the parameters of games; each error names the legal range."""

from collections.abc import Sequence


def check_integer(name: str, value: object, least: int, most: int | None = None) -> None:
    """Refuse what is no integer of a range.

    Parameters
    ----------
    name : str
        Game and key, such as ``goofspiel: cards``.
    value : object
        What was given; a bool is no integer.
    least : int
    most : int, optional
        Without it there is no upper end.

    Raises
    ------
    ValueError
        If the value is none.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or value < least
        or (most is not None and value > most)
    ):
        top = "up" if most is None else f"to {most}"
        raise ValueError(f"{name} must be an integer from {least} {top}, got {value!r}")


def check_word(name: str, value: object, words: Sequence[str]) -> None:
    """Refuse what is none of the words; ``name`` as for :func:`check_integer`.

    Raises
    ------
    ValueError
        If the value is none.
    """
    if value not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}, got {value!r}")
