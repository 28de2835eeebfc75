"""Reading of menus of bet sizes: lists, and TOML tables by street and by player."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from treeplex.games.inputs.reading import amount_text, is_number, shown
from treeplex.games.poker.sizes import Geometric, Size, Sizes, geometric

SEATS = ("oop", "ip")
"""Players 0 and 1: out of position acts first after the flop."""
MENUS = ("bets", "raises")
CAP = "max_raises"
BY_STREET = (*MENUS, CAP)
"""Keys that are legal for all streets and in the table of one street."""
EXAMPLE = '[0.5, 1.0, "a"]'


def size_menu(key: str, menu: object) -> tuple[Size, ...]:
    """Return a list of sizes as exact numbers, "a" and geometric sizes.

    Raises
    ------
    ValueError
        If ``menu`` is not a list of positive numbers, "a" and texts such as "2e"; the message starts with
        ``key``.
    """
    if not isinstance(menu, list | tuple):
        raise ValueError(f"{key} must be a list of sizes such as {EXAMPLE}, got {shown(menu)}")
    return tuple(_size(key, size) for size in menu)


def size_text(size: Size) -> str:
    """Return the text of a size in a menu."""
    if isinstance(size, Geometric):
        cap = "" if size.cap is None else f"{amount_text(100 * size.cap)}%"
        return f"{size.streets or ''}e{cap}"
    return amount_text(size) if isinstance(size, Fraction) else size


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
        of_seats = [of_street | _menus(f"{street}.{seat}.", table(seat, rules, MENUS)) for seat in SEATS]
        if street in played:
            found[street] = _complete(street, of_seats[0]), _complete(street, of_seats[1])
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
        raise ValueError(f"{name} must be a table with keys {', '.join(legal)}, got {shown(value)}")
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
            raise ValueError(
                f"{key} in {where}: a game with a rake is not zero-sum and cannot be solved here; "
                f"leave the key out, got {shown(keys[key])}"
            )
        if key not in legal:
            raise ValueError(f"unknown key {key!r} in {where}; legal keys are {', '.join(legal)}")


def _size(key: str, size: object) -> Size:
    if size == "a":
        return "a"
    spelled = size if isinstance(size, Geometric) else geometric(size)
    if spelled is not None:
        return spelled
    if is_number(size) and size > 0:
        return Fraction(size)
    raise ValueError(
        f'{key} must hold numbers > 0 and "a" for all-in, or geometric sizes such as "2e" or "3e200", '
        f"got {shown(size)}"
    )


def _raise_cap(key: str, value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise ValueError(f"{key} must be an integer >= 0, got {shown(value)}")


def _menus(prefix: str, rules: Mapping[str, object]) -> dict[str, tuple[Size, ...]]:
    return {key: size_menu(prefix + key, rules[key]) for key in MENUS if key in rules}


def _complete(street: str, menus: Mapping[str, tuple[Size, ...]]) -> Sizes:
    missing = [key for key in MENUS if key not in menus]
    if missing:
        raise ValueError(f"{missing[0]} is missing for the {street}; give a list such as {EXAMPLE}")
    return Sizes(menus["bets"], menus["raises"])
