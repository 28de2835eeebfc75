"""The endgames that the authors of Libratus published, as spots."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import read_text, spelled
from treeplex.games.cards.cards import N_CARDS, cards_text, parse_cards
from treeplex.games.poker.bet_sizes import Size, Sizes
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.size_menus import size_menu, size_text
from treeplex.games.poker.spots import Hand, Range, Spot

KEYS = ("round", "board", "pot", "reach")
BOARD_CARDS = {2: 3, 3: 4, 4: 5}
"""Board cards at the start of each round after the first, which has none."""
STACK = 20_000
"""Chips that each player had when the hand began."""
HANDS: tuple[Hand, ...] = tuple(combinations(range(N_CARDS), 2))
"""The file's order of hands, 2s2h, 2s2d, ..., AdAc, is that of the card ids."""
SEATS = ("out of position", "on the button")


def read_libratus(path: str | Path, bets: Sequence[Size] | str, raises: Sequence[Size] | str) -> PokerGame:
    """Read an endgame file; the caller gives the bet sizes, which the file does not contain.

    Parameters
    ----------
    path : str or Path
        A text file with the lines ``-round``, ``-board``, ``-pot`` and ``-reach``.
    bets, raises : sequence of Size, or str
        What both players may bet and raise on every street.

    Returns
    -------
    PokerGame
        Named after the path and the menus, as in ``endgame.txt(bets=[1/2,1,a],raises=[1,a])``.

    Raises
    ------
    ValueError
        If the file cannot be read or is malformed, or a size is not positive: one line with the file, the
        line or the key, what is legal and what was found.
    """
    bets, raises = size_menu("bets", bets), size_menu("raises", raises)
    name = f"{path}(bets=[{_menu_text(bets)}],raises=[{_menu_text(raises)}])"
    return parse_libratus(read_text(path), str(path), bets, raises).game(name)


def parse_libratus(text: str, name: str, bets: Sequence[Size], raises: Sequence[Size]) -> Spot:
    """Parse an endgame. Reaches are exactly the decimals that the file spells, 2.8E-10 included.

    A hand of zero reach is left out. A positive reach of a hand that holds a card of the board is an error:
    the board or the order of the hands does not follow the format.

    Raises
    ------
    ValueError
        If the text is malformed; the message starts with ``name``.
    """
    try:
        lines = _lines(text)
        board = _board(lines)
        pot = _pot(lines)
        stack = STACK - pot / 2
        menus = Sizes(tuple(bets), tuple(raises))
        streets = len(BOARD_CARDS) - list(BOARD_CARDS.values()).index(len(board))
        return Spot(board, pot, (stack, stack), _ranges(lines, board), ((menus, menus),) * streets)
    except ValueError as error:
        raise BadInputError(f"{name}: {error}") from None


def _lines(text: str) -> Mapping[str, tuple[int, list[str]]]:
    """Return each key's line number and words."""
    found: dict[str, tuple[int, list[str]]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        key, *words = line.split()
        if key.removeprefix("-") not in KEYS or not key.startswith("-"):
            legal = ", ".join(f"-{known}" for known in KEYS)
            raise BadInputError(f"line {number} must start with one of {legal}, got {key[:40]!r}")
        if key[1:] in found:
            raise BadInputError(
                f"line {number}: {key} must come once, but it is on line {found[key[1:]][0]} too"
            )
        found[key[1:]] = number, words
    for key in KEYS:
        if key not in found:
            raise BadInputError(f"-{key} is missing; a file needs {', '.join(f'-{known}' for known in KEYS)}")
    return found


def _word(lines: Mapping[str, tuple[int, list[str]]], key: str) -> tuple[str, str]:
    """Return the place, for errors, and the single word of a key."""
    number, words = lines[key]
    if len(words) != 1:
        raise BadInputError(f"line {number}: -{key} must have one value, got {len(words)}")
    return f"line {number}: -{key}", words[0]


def _board(lines: Mapping[str, tuple[int, list[str]]]) -> tuple[int, ...]:
    place, word = _word(lines, "board")
    try:
        board = parse_cards(word)
    except ValueError as error:
        raise BadInputError(f"{place}: {error}") from None
    if len(board) not in BOARD_CARDS.values():
        raise BadInputError(f"{place} must have 3, 4 or 5 cards, got {len(board)}")
    place, word = _word(lines, "round")
    if word not in map(str, BOARD_CARDS) or BOARD_CARDS[int(word)] != len(board):
        rounds = ", ".join(f"{number} ({cards} cards)" for number, cards in BOARD_CARDS.items())
        raise BadInputError(f"{place} must fit the board of {len(board)} cards: {rounds}; got {word!r}")
    return board


def _pot(lines: Mapping[str, tuple[int, list[str]]]) -> Fraction:
    place, word = _word(lines, "pot")
    try:
        pot = spelled(word)
    except ValueError as error:
        raise BadInputError(f"{place}: {error}") from None
    if not 0 < pot <= 2 * STACK:
        raise BadInputError(f"{place} must be above 0 and at most {2 * STACK}, got {word}")
    return pot


def _ranges(lines: Mapping[str, tuple[int, list[str]]], board: tuple[int, ...]) -> tuple[Range, Range]:
    number, words = lines["reach"]
    if len(words) != 2 * len(HANDS):
        raise BadInputError(f"line {number}: -reach must have {2 * len(HANDS)} numbers, got {len(words)}")
    first, second = words[: len(HANDS)], words[len(HANDS) :]
    return _range(number, SEATS[0], first, board), _range(number, SEATS[1], second, board)


def _range(number: int, seat: str, words: list[str], board: tuple[int, ...]) -> Range:
    reaches: dict[Hand, Fraction] = {}
    for hand, word in zip(HANDS, words, strict=True):
        place = f"line {number}: -reach of {cards_text(hand)} {seat}"
        try:
            reach = spelled(word)
        except ValueError as error:
            raise BadInputError(f"{place}: {error}") from None
        if not 0 <= reach <= 1:
            raise BadInputError(f"{place} must be between 0 and 1, got {word}")
        if reach and not set(hand).isdisjoint(board):
            raise BadInputError(
                f"{place} must be 0, since it meets the board {cards_text(board)}; got {word}"
            )
        if reach:
            reaches[hand] = reach
    if not reaches:
        raise BadInputError(f"line {number}: -reach must be positive for a hand {seat}, got only zeros")
    return reaches


def _menu_text(menu: Sequence[Size]) -> str:
    return ",".join(map(size_text, menu))
