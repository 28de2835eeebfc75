"""Hold'em as TOML files: spots, from a board to the end, and whole hands, from the blinds on."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import (
    MAX_DIGITS,
    at_least_zero,
    positive,
    read_text,
    shown,
    spelled,
    too_long,
)
from treeplex.games.cards.cards import cards_text, parse_cards
from treeplex.games.cards.ranges import parse_range
from treeplex.games.formats.toml_locks import read_locks
from treeplex.games.poker.bet_sizes import Thresholds
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.size_menus import BY_STREET, check_keys, street_caps, street_sizes
from treeplex.games.poker.spots import FEWEST, Hand, Range, Spot, WholeHand
from treeplex.games.poker.spots import STREET_OF_CARDS as STREETS
from treeplex.games.poker.spots import STREETS as ALL_STREETS

SPOT_STREETS = tuple(STREETS.values())
SPOT_NEEDS = ("board", "pot", "stack", "ranges")
HAND_NEEDS = ("blinds", "stack")
THRESHOLDS = ("add_allin", "force_allin", "merging")
ROUNDING = (*(f"{name}_threshold" for name in THRESHOLDS), "chip")
LONG_NUMBER = re.compile(rf"[\d_]{{{MAX_DIGITS + 1},}}|0x[\da-fA-F_]{{{MAX_DIGITS * 3 // 4},}}")
"""Integers with too many digits; 3,000 of base 16 are about 3,600 of base 10."""
SPOT_KEYS = (*SPOT_NEEDS, *BY_STREET, *ROUNDING, *SPOT_STREETS, "locks")
HAND_KEYS = (*HAND_NEEDS, "streets", "ranges", *BY_STREET, *ROUNDING, *ALL_STREETS, "locks")


def read_toml(path: str | Path) -> PokerGame:
    """Read a spot or a whole hand; the path becomes the game's name; errors are those of ``parse_toml``."""
    return parse_toml(read_text(path), str(path)).game(str(path))


def parse_toml(text: str, name: str) -> Spot | WholeHand:
    """Parse TOML; decimals are the fractions they spell, so that 0.1 is 1/10.

    A file with ``blinds`` is a whole hand, any other a spot.

    Raises
    ------
    ValueError
        If the text is not valid: one line with ``name``, the key, what is legal and what was given.
    """
    try:
        if (long := LONG_NUMBER.search(text)) is not None:  # tomllib would answer with Python's own words
            raise too_long(long[0])
        data = tomllib.loads(text, parse_float=_toml_number)
        found = _whole_hand(data) if "blinds" in data else _spot(data)
        return replace(found, locks=read_locks(data["locks"], found.game(name))) if "locks" in data else found
    except RecursionError:
        raise BadInputError(f"{name}: lists and tables are nested too deeply") from None
    except ValueError as error:
        raise BadInputError(f"{name}: {error}") from None


def _spot(data: dict[str, Any]) -> Spot:
    _check("the spot", data, SPOT_KEYS, SPOT_NEEDS)
    board = _board(data["board"])
    played = [street for cards, street in STREETS.items() if cards >= len(board)]
    return Spot(
        board=board,
        pot=positive("pot", data["pot"]),
        stack=_stacks(data["stack"]),
        ranges=_ranges(data["ranges"], board),
        sizes=street_sizes(data, SPOT_STREETS, played),
        max_raises=street_caps(data, SPOT_STREETS, played),
        thresholds=_thresholds(data),
        chip=positive("chip", data["chip"]) if "chip" in data else None,
    )


def _whole_hand(data: dict[str, Any]) -> WholeHand:
    if "board" in data:
        raise BadInputError("a file has a board (a spot) or blinds (a whole hand), got both")
    _check("the whole hand", data, HAND_KEYS, HAND_NEEDS)
    played = ALL_STREETS[: _street_count(data.get("streets", len(ALL_STREETS)))]
    return WholeHand(
        blinds=_blinds(data["blinds"]),
        stack=_stacks(data["stack"]),
        sizes=street_sizes(data, ALL_STREETS, played),
        max_raises=street_caps(data, ALL_STREETS, played),
        ranges=_ranges(data["ranges"], ()) if "ranges" in data else None,
        thresholds=_thresholds(data),
        chip=positive("chip", data["chip"]) if "chip" in data else None,
    )


def _check(what: str, data: dict[str, Any], legal: Sequence[str], needed: Sequence[str]) -> None:
    check_keys(what, data, legal)
    missing = [key for key in needed if key not in data]
    if missing:
        hint = "" if "blinds" in needed else ", a whole hand blinds instead of board and pot"
        required = f"{what.replace('the', 'a', 1)} needs {', '.join(needed)}{hint}"
        raise BadInputError(f"{missing[0]} is missing; {required}")


def _board(text: object) -> tuple[int, ...]:
    if not isinstance(text, str):
        raise BadInputError(f'board must be text such as "Ks Th 7s 4d 2c", got {shown(text)}')
    try:
        return parse_cards(text)
    except ValueError as error:
        raise BadInputError(f"board: {error}") from None


def _street_count(value: object) -> int:
    if type(value) is int and FEWEST <= value <= len(ALL_STREETS):
        return value
    raise BadInputError(f"streets must be an integer from {FEWEST} to {len(ALL_STREETS)}, got {shown(value)}")


def _blinds(value: object) -> tuple[Fraction, Fraction]:
    if not isinstance(value, list) or len(value) != 2:
        raise BadInputError(f"blinds must be the small and the big blind, as in [1, 2], got {shown(value)}")
    return at_least_zero("blinds", value[0]), at_least_zero("blinds", value[1])


def _stacks(value: object) -> tuple[Fraction, Fraction]:
    pair = value if isinstance(value, list) else [value, value]
    if len(pair) != 2:
        raise BadInputError(f"stack must be one number >= 0 or a pair, got {len(pair)} numbers")
    return at_least_zero("stack", pair[0]), at_least_zero("stack", pair[1])


def _thresholds(data: dict[str, Any]) -> Thresholds:
    keys = {name: f"{name}_threshold" for name in THRESHOLDS}
    return Thresholds(**{name: at_least_zero(key, data.get(key, 0)) for name, key in keys.items()})


def _ranges(value: object, board: tuple[int, ...]) -> tuple[Range, Range]:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(text, str) for text in value):
        raise BadInputError(f"ranges must be two texts, out of position first, got {shown(value)}")
    return _range(0, value[0], board), _range(1, value[1], board)


def _range(seat: int, text: str, board: tuple[int, ...]) -> Range:
    try:
        hands: list[tuple[Hand, Fraction]] = [*parse_range(text).items()]
    except ValueError as error:
        raise BadInputError(f"ranges[{seat}]: {error}") from None
    live = {hand: weight for hand, weight in hands if set(hand).isdisjoint(board)}
    if not live:
        raise BadInputError(
            f"ranges[{seat}] must have a hand off the board {cards_text(board)}, got {text!r}"
        )
    return live


def _toml_number(text: str) -> Fraction | str:
    """Return a decimal as a Fraction; nan and inf as text, which the check of the key rejects."""
    try:
        return spelled(text)
    except ValueError:
        return text
