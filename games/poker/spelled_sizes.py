"""Bet sizes as people type them: 0.5, 50%, 2.5x, 15c, 2e, 3e200%, a; one by one, in lists and in one text."""

import re
from fractions import Fraction

from treeplex.games.inputs.reading import amount_text, exact, is_number, shown
from treeplex.games.poker.sizes import Chips, Geometric, Multiple, Size, Sizes

NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)(?:/\d+)?"
SPELLINGS = re.compile(
    rf"""(?P<all_in>a)
    | (?P<percent>{NUMBER})% | (?P<times>{NUMBER})x | (?P<chips>{NUMBER})c
    | (?P<streets>[1-9]\d?)?(?P<geometric>e)(?:(?P<cap>{NUMBER})%?)?
    | (?P<pots>{NUMBER})""",
    re.VERBOSE,
)
AMOUNTS = ("percent", "times", "chips", "cap", "pots")
"""Groups that hold a number."""
LEGAL = (
    'numbers > 0 or percentages of the pot, "33%", "a" for all-in, geometric sizes such as "2e" or "3e200%", '
    'multiples above 1 of a bet faced, "2.5x", or chips, "15c"'
)
EXAMPLE = '[0.5, 1.0, "a"] or "50%, 2e, a"'


def size_of(key: str, value: object) -> Size:
    """Return the size that a number or a text stands for; letters may be large or small.

    >>> size_of("raises", "2.5x")
    Multiple(times=Fraction(5, 2))

    Raises
    ------
    ValueError
        If it stands for none; the message starts with ``key``.
    """
    if isinstance(value, Geometric | Multiple | Chips):
        return value
    if is_number(value) and value > 0:
        return Fraction(value)
    try:
        if isinstance(value, float):
            return size_of(key, exact(value, key))
        found = SPELLINGS.fullmatch(value.strip().lower()) if isinstance(value, str) else None
        if found is not None:
            return _meant(found)
    except ValueError:  # a multiple of 1, no chips, a number of too many digits
        pass
    raise ValueError(f"{key} must hold {LEGAL}; got {shown(value)}")


def size_menu(key: str, menu: object) -> tuple[Size, ...]:
    """Return the sizes of a list, or of one text in which commas part them; a comma may end the text.

    Raises
    ------
    ValueError
        If ``menu`` is neither, or holds what stands for no size; the message starts with ``key``.
    """
    if isinstance(menu, str):
        words = menu.strip().removesuffix(",").split(",") if menu.strip() else []
        menu = [word.strip() for word in words]
    if not isinstance(menu, list | tuple):
        raise ValueError(f"{key} must be a list of sizes or one text such as {EXAMPLE}, got {shown(menu)}")
    return tuple(size_of(key, size) for size in menu)


def size_text(size: Size) -> str:
    """Return the text of a size in a menu, which :func:`size_of` reads back."""
    if isinstance(size, Geometric):
        cap = "" if size.cap is None else f"{amount_text(100 * size.cap)}%"
        return f"{size.streets or ''}e{cap}"
    if isinstance(size, Multiple):
        return f"{amount_text(size.times)}x"
    if isinstance(size, Chips):
        return f"{amount_text(size.amount)}c"
    return amount_text(size) if isinstance(size, Fraction) else size


def check_opening_bets(where: str, menu: Sizes) -> None:
    """Refuse sizes of opening bets that are all multiples, since there is no bet to multiply.

    Raises
    ------
    ValueError
        If bets or donk bets are; the message says ``where``.
    """
    for name, sizes in (("bets", menu.bets), ("donks", menu.donks or ())):
        if sizes and all(isinstance(size, Multiple) for size in sizes):
            raise ValueError(
                f"{name} {where} must not be multiples alone, which are for raises: nothing is bet yet, "
                f"got {', '.join(map(size_text, sizes))}"
            )


def _meant(found: re.Match[str]) -> Size:
    word = {name: exact(text, name) for name, text in found.groupdict().items() if text and name in AMOUNTS}
    if found["all_in"]:
        return "a"
    if found["geometric"]:
        cap = word["cap"] / 100 if "cap" in word else None
        return Geometric(int(found["streets"]) if found["streets"] else None, cap)
    if "times" in word:
        return Multiple(word["times"])
    if "chips" in word:
        return Chips(word["chips"])
    pots = word["percent"] / 100 if "percent" in word else word["pots"]
    if pots <= 0:
        raise ValueError("a size must be greater than 0")
    return pots
