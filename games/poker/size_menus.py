"""Bet sizes as people type them, one by one and in lists, and menus of them in TOML tables.

Sizes are 0.5, 50%, 2.5x, 15c, 2e, 3e200%, a. Tables give menus by street and by player.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import amount_text, exact, is_number, shown
from treeplex.games.poker.bet_sizes import Chips, Geometric, Multiple, Size, Sizes

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
    raise BadInputError(f"{key} must hold {LEGAL}; got {shown(value)}")


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
        raise BadInputError(f"{key} must be a list of sizes or one text such as {EXAMPLE}, got {shown(menu)}")
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
            raise BadInputError(
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
        raise BadInputError("a size must be greater than 0")
    return pots


SEATS = ("oop", "ip")
"""Players 0 and 1: out of position acts first after the flop."""
MENUS = ("bets", "raises", "donks")
OF_SEAT = {"oop": MENUS, "ip": ("bets", "raises")}
"""The menus of each player; only who is out of position can make a donk bet."""
BLINDS_STREET = "preflop"
"""The street on which a blind may be answered by a bet."""
CAP = "max_raises"
BY_STREET = (*MENUS, CAP)
"""Keys that are legal for all streets and in the table of one street."""


def street_sizes(
    data: Mapping[str, object], streets: Sequence[str], played: Sequence[str]
) -> tuple[tuple[Sizes, Sizes], ...]:
    """Return both players' menus of each street played: from the player's table, the street's or the file.

    Tables of streets that are not played are checked, then ignored.

    Parameters
    ----------
    data : mapping
        The file: menus for all streets, and tables by street, which may contain tables by player.
    streets : sequence of str
        The legal names of tables.
    played : sequence of str
        The streets of the game, in order.

    Raises
    ------
    ValueError
        If a table or menu is malformed, or one that is needed is missing.
    """
    everywhere, found = _menus("", data), {}
    for street in streets:
        rules = table(street, data, (*BY_STREET, *SEATS))
        of_street = everywhere | _menus(f"{street}.", rules)
        of_oop, of_ip = (
            of_street | _menus(f"{street}.{seat}.", table(seat, rules, OF_SEAT[seat])) for seat in SEATS
        )
        if street in played:
            found[street] = _complete(street, of_oop), replace(_complete(street, of_ip), donks=None)
    return tuple(found[street] for street in played)


def street_caps(
    data: Mapping[str, object], streets: Sequence[str], played: Sequence[str]
) -> tuple[int | None, ...]:
    """Return the cap on bets and raises of each street played: the street's own, else the file's.

    Raises
    ------
    ValueError
        If a cap is not an integer of at least 0.
    """
    everywhere = _raise_cap(CAP, data.get(CAP))
    caps = {}
    for street in streets:
        rules = table(street, data, (*BY_STREET, *SEATS))
        caps[street] = _raise_cap(f"{street}.{CAP}", rules[CAP]) if CAP in rules else everywhere
    return tuple(caps[street] for street in played)


def table(name: str, parent: Mapping[str, object], legal: Sequence[str]) -> dict[str, Any]:
    """Return a TOML table inside another, empty if absent.

    Raises
    ------
    ValueError
        If it is not a table, or has a key that is not legal.
    """
    value = parent.get(name, {})
    if not isinstance(value, dict):
        raise BadInputError(f"{name} must be a table with keys {', '.join(legal)}, got {shown(value)}")
    check_keys(f"table {name}", value, legal)
    return value


def check_keys(where: str, keys: Mapping[str, object], legal: Sequence[str]) -> None:
    """Raise ValueError if a key is not legal; for a rake, in any spelling, the error gives the reason.

    Raises
    ------
    ValueError
        On the first such key.
    """
    for key in keys:
        if key.lower().startswith("rake"):
            raise BadInputError(
                f"{key} in {where}: a game with a rake is not zero-sum and cannot be solved here; "
                f"leave the key out, got {shown(keys[key])}"
            )
        if key not in legal:
            raise BadInputError(f"unknown key {key!r} in {where}; legal keys are {', '.join(legal)}")


def _raise_cap(key: str, value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise BadInputError(f"{key} must be an integer >= 0, got {shown(value)}")


def _menus(prefix: str, rules: Mapping[str, object]) -> dict[str, tuple[Size, ...]]:
    return {key: size_menu(prefix + key, rules[key]) for key in MENUS if key in rules}


def _complete(street: str, menus: Mapping[str, tuple[Size, ...]]) -> Sizes:
    missing = [key for key in ("bets", "raises") if key not in menus]
    if missing:
        raise BadInputError(f"{missing[0]} is missing for the {street}; give sizes such as {EXAMPLE}")
    sizes = Sizes(menus["bets"], menus["raises"], menus.get("donks"))
    if street != BLINDS_STREET:
        check_opening_bets(f"on the {street}", sizes)
    return sizes
