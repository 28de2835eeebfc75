"""Menus of bet sizes in TOML tables, by street and by player."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeplex.games.inputs.reading import shown
from treeplex.games.poker.sizes import Size, Sizes
from treeplex.games.poker.spelled_sizes import EXAMPLE, check_opening_bets, size_menu

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


def _raise_cap(key: str, value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise ValueError(f"{key} must be an integer >= 0, got {shown(value)}")


def _menus(prefix: str, rules: Mapping[str, object]) -> dict[str, tuple[Size, ...]]:
    return {key: size_menu(prefix + key, rules[key]) for key in MENUS if key in rules}


def _complete(street: str, menus: Mapping[str, tuple[Size, ...]]) -> Sizes:
    missing = [key for key in ("bets", "raises") if key not in menus]
    if missing:
        raise ValueError(f"{missing[0]} is missing for the {street}; give sizes such as {EXAMPLE}")
    sizes = Sizes(menus["bets"], menus["raises"], menus.get("donks"))
    if street != BLINDS_STREET:
        check_opening_bets(f"on the {street}", sizes)
    return sizes
