"""Hold'em spots as TOML files: a board, a pot, stacks, two ranges and the sizes that may be bet."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeGuard

from games.betting import Betting, Size, Sizes, amount_text
from games.cards import cards_text, parse_cards
from games.poker import PokerGame
from games.ranges import parse_range
from games.reading import read_text, spelled

Hand = tuple[int, ...]
Range = Mapping[Hand, Fraction]

STREETS = {3: "flop", 4: "turn", 5: "river"}
"""The street on which a board of so many cards lies."""
SEATS = ("oop", "ip")
"""Players 0 and 1: out of position acts first."""
MENUS = ("bets", "raises")
KEYS = ("board", "pot", "stack", "ranges", *MENUS, "max_raises", "allin_threshold", "chip", *STREETS.values())
REQUIRED = KEYS[:4]
MAY_BE_ZERO = ("stack", "allin_threshold")


@dataclass(frozen=True)
class Spot:
    """One hold'em situation, from a board to the end of the hand.

    Attributes
    ----------
    board : tuple of 3, 4 or 5 card ids
        The cards that lie.
    pot : Fraction
        Chips in the pot, half of them from each player; greater than 0.
    stack : pair of Fraction
        Chips behind, out of position first; at least 0.
    ranges : pair of mappings from hands (two card ids, the lower first) to Fraction
        The weight of each hand, in (0, 1]; no hand holds a card of the board.
    sizes : tuple of pairs of Sizes
        For each street from the board's to the river, and for each player.
    max_raises : int or None
        Bets and raises a street together, the opening bet counted; None is no cap.
    allin_threshold, chip : Fraction
        As in ``Betting``; a chip of None leaves sizes exact.

    Raises
    ------
    ValueError
        If a field is out of its range, or if no two hands of the ranges can be held together.
    """

    board: tuple[int, ...]
    pot: Fraction
    stack: tuple[Fraction, Fraction]
    ranges: tuple[Range, Range]
    sizes: tuple[tuple[Sizes, Sizes], ...]
    max_raises: int | None = None
    allin_threshold: Fraction = Fraction(0)
    chip: Fraction | None = None

    def __post_init__(self) -> None:
        if len(self.board) not in STREETS or len(set(self.board)) < len(self.board):
            raise ValueError(f"board must have 3, 4 or 5 different cards, got {cards_text(self.board)!r}")
        numbers = [("pot", self.pot), ("allin_threshold", self.allin_threshold)]
        numbers += [("stack", chips) for chips in self.stack]
        numbers += [("chip", self.chip)] if self.chip is not None else []
        for key, value in numbers:
            _legal_number(key, value)
        if len(self.sizes) != len(self.streets):
            raise ValueError(f"sizes must have a pair for each of {self.streets}, got {len(self.sizes)}")
        if not any(set(hand).isdisjoint(other) for hand in self.ranges[0] for other in self.ranges[1]):
            raise ValueError("ranges must have hands that can be held together, but each pair shares a card")

    @property
    def streets(self) -> tuple[str, ...]:
        """The streets still to be played, the board's own first."""
        return tuple(street for cards, street in STREETS.items() if cards >= len(self.board))

    def game(self, name: str) -> PokerGame:
        """Return the spot as a game called ``name``."""
        rounds = len(self.streets)
        betting = Betting(
            first=(0,) * rounds,
            invested=(self.pot / 2, self.pot / 2),
            stacks=self.stack,
            raise_sizes=None,
            max_raises=(self.max_raises,) * rounds,
            sizes=self.sizes,
            allin_threshold=self.allin_threshold,
            chip=self.chip,
        )
        return PokerGame(
            name=name,
            ranks=13,
            suits=4,
            hole_cards=2,
            board_cards=(0,) + (1,) * (rounds - 1),
            betting=betting,
            ranking="holdem",
            board=self.board,
            ranges=self.ranges,
        )


def read_spot(path: str | Path) -> PokerGame:
    """Read a spot file; its path becomes the game's name; errors are those of ``parse_spot``."""
    return parse_spot(read_text(path), str(path)).game(str(path))


def parse_spot(text: str, name: str) -> Spot:
    """Parse a spot's TOML; decimals are the fractions they spell, so that 0.1 is 1/10.

    Raises
    ------
    ValueError
        If the text is not a valid spot; one line with ``name``, the key, what is legal and what came.
    """
    try:
        return _spot(tomllib.loads(text, parse_float=_toml_number))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name}: {error}") from None


def size_menu(key: str, menu: object) -> tuple[Size, ...]:
    """Return a list of sizes as exact numbers and "a".

    Raises
    ------
    ValueError
        If ``menu`` is not a list of positive numbers and "a"; the message starts with ``key``.
    """
    if not isinstance(menu, list | tuple):
        raise ValueError(f'{key} must be a list of sizes such as [0.5, 1.0, "a"], got {_shown(menu)}')
    return tuple(_size(key, size) for size in menu)


def _size(key: str, size: object) -> Size:
    if size == "a":
        return "a"
    if _is_number(size) and size > 0:
        return Fraction(size)
    raise ValueError(f'{key} must hold numbers > 0 and "a" for all-in, got {_shown(size)}')


def _legal_number(key: str, value: object) -> Fraction:
    """Return the value of ``pot``, ``stack``, ``chip`` or ``allin_threshold`` if it is in its range."""
    zero = key in MAY_BE_ZERO
    if _is_number(value) and (value > 0 or (zero and value == 0)):
        return Fraction(value)
    raise ValueError(f"{key} must be a number {'>=' if zero else '>'} 0, got {_shown(value)}")


def _is_number(value: object) -> TypeGuard[int | Fraction]:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _shown(value: object) -> str:
    return amount_text(value) if isinstance(value, Fraction) else repr(value)


def _toml_number(text: str) -> Fraction | str:
    """Return a decimal exactly; what is none (nan, inf) as text, for the key's own check to refuse."""
    try:
        return spelled(text)
    except ValueError:
        return text


def _spot(data: dict[str, Any]) -> Spot:
    _check_keys("the spot", data, KEYS)
    missing = [key for key in REQUIRED if key not in data]
    if missing:
        raise ValueError(f"{missing[0]} is missing; a spot needs {', '.join(REQUIRED)}")
    board = _board(data["board"])
    return Spot(
        board=board,
        pot=_legal_number("pot", data["pot"]),
        stack=_stacks(data["stack"]),
        ranges=_ranges(data["ranges"], board),
        sizes=_sizes(data, len(board)),
        max_raises=_raise_cap(data.get("max_raises")),
        allin_threshold=_legal_number("allin_threshold", data.get("allin_threshold", 0)),
        chip=_legal_number("chip", data["chip"]) if "chip" in data else None,
    )


def _board(text: object) -> tuple[int, ...]:
    if not isinstance(text, str):
        raise ValueError(f'board must be text such as "Ks Th 7s 4d 2c", got {_shown(text)}')
    try:
        return parse_cards(text)
    except ValueError as error:
        raise ValueError(f"board: {error}") from None


def _stacks(value: object) -> tuple[Fraction, Fraction]:
    pair = value if isinstance(value, list) else [value, value]
    if len(pair) != 2:
        raise ValueError(f"stack must be one number >= 0 or a pair, got {len(pair)} numbers")
    return _legal_number("stack", pair[0]), _legal_number("stack", pair[1])


def _ranges(value: object, board: tuple[int, ...]) -> tuple[Range, Range]:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(text, str) for text in value):
        raise ValueError(f"ranges must be two texts, out of position first, got {_shown(value)}")
    return _range(0, value[0], board), _range(1, value[1], board)


def _range(seat: int, text: str, board: tuple[int, ...]) -> Range:
    try:
        hands: list[tuple[Hand, Fraction]] = [*parse_range(text).items()]
    except ValueError as error:
        raise ValueError(f"ranges[{seat}]: {error}") from None
    live = {hand: weight for hand, weight in hands if set(hand).isdisjoint(board)}
    if not live:
        raise ValueError(f"ranges[{seat}] must have a hand off the board {cards_text(board)}, got {text!r}")
    return live


def _raise_cap(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise ValueError(f"max_raises must be an integer >= 0, got {_shown(value)}")


def _sizes(data: dict[str, Any], cards: int) -> tuple[tuple[Sizes, Sizes], ...]:
    """Return each street's and player's menus: the player's own table, else the street's, else the file's.

    Tables of streets that are over are checked and then play no part.
    """
    everywhere, found = _menus("", data), []
    for count, street in STREETS.items():
        table = _table(street, data, (*MENUS, *SEATS))
        of_street = everywhere | _menus(f"{street}.", table)
        of_seats = [of_street | _menus(f"{street}.{seat}.", _table(seat, table, MENUS)) for seat in SEATS]
        if count >= cards:
            found.append((_complete(street, of_seats[0]), _complete(street, of_seats[1])))
    return tuple(found)


def _menus(prefix: str, table: Mapping[str, object]) -> dict[str, tuple[Size, ...]]:
    return {key: size_menu(prefix + key, table[key]) for key in MENUS if key in table}


def _complete(street: str, menus: Mapping[str, tuple[Size, ...]]) -> Sizes:
    missing = [key for key in MENUS if key not in menus]
    if missing:
        raise ValueError(f'{missing[0]} is missing for the {street}; give a list such as [0.5, 1.0, "a"]')
    return Sizes(menus["bets"], menus["raises"])


def _table(name: str, parent: Mapping[str, object], legal: tuple[str, ...]) -> dict[str, Any]:
    value = parent.get(name, {})
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a table with keys {', '.join(legal)}, got {_shown(value)}")
    _check_keys(f"table {name}", value, legal)
    return value


def _check_keys(where: str, table: Mapping[str, object], legal: tuple[str, ...]) -> None:
    unknown = [key for key in table if key not in legal]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r} in {where}; legal keys are {', '.join(legal)}")
