"""The game files of the Annual Computer Poker Competition (ACPC), for two players."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import integer, read_text
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import CARDS_RANKED, SUITLESS_RANKINGS

KEYS = (
    "stack",
    "blind",
    "raisesize",
    "numplayers",
    "numrounds",
    "firstplayer",
    "maxraises",
    "numsuits",
    "numranks",
    "numholecards",
    "numboardcards",
)
KINDS = ("limit", "nolimit")
ALONE = ("gamedef", "end gamedef", *KINDS)
"""Lines without a value."""
REQUIRED = ("numplayers", "numrounds", "blind", "numsuits", "numranks", "numholecards")
MAX_ROUNDS = 4


class _Entry(NamedTuple):
    """The numbers of a key and their line."""

    line: int
    values: tuple[int, ...]


def read_acpc(path: str | Path) -> PokerGame:
    """Read an ACPC ``.game`` file; its path becomes the game's name.

    Raises
    ------
    ValueError
        If the file cannot be read, or as :func:`parse_acpc`.
    """
    return parse_acpc(read_text(path), str(path))


def parse_acpc(text: str, name: str) -> PokerGame:
    """Parse an ACPC game definition.

    Keys may be in any case and order; blank lines and lines that start with # are ignored. The ranking
    follows from the cards: one hole card and a board of 0, 1 or 2 cards play as Kuhn (rank), Leduc (pair
    with the board, else rank) and Rhode Island (three cards), 5 to 7 cards a player as hold'em. Suits that
    decide nothing are not seen. A file without ``stack`` has unlimited stacks if it is a limit game.

    Parameters
    ----------
    text : str
        The file's content.
    name : str
        The name of the game, and the start of each error.

    Raises
    ------
    ValueError
        If the definition is malformed: one line with key and line number, what is legal and what was found.
    """
    try:
        return _game(*_entries(text), name)
    except ValueError as error:
        raise BadInputError(f"{name}: {error}") from None


def _entries(text: str) -> tuple[str, dict[str, _Entry]]:
    """Return limit or nolimit, and the entry of each key."""
    found: dict[str, int] = {}
    entries: dict[str, _Entry] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        line = " ".join(raw.lower().split())
        if not line or line.startswith("#"):
            continue
        if "end gamedef" in found:
            raise BadInputError(f"line {number}: nothing may follow END GAMEDEF, got {raw.strip()!r}")
        if line in ALONE:
            key = line
        else:
            key, values = _split(number, raw)
            entries.setdefault(key, _Entry(number, values))
        if key in found:
            raise BadInputError(
                f"line {number}: {key} must be given once, but it is on line {found[key]} too"
            )
        found[key] = number
        if "gamedef" not in found:
            raise BadInputError(f"line {number}: a definition must start with GAMEDEF, got {raw.strip()!r}")
    for key in ("gamedef", "end gamedef", *REQUIRED):
        if key not in found:
            raise BadInputError(f"{key} is missing")
    kinds = [kind for kind in KINDS if kind in found]
    if len(kinds) != 1:
        raise BadInputError(f"one of limit and nolimit must be given, got {' and '.join(kinds) or 'neither'}")
    return kinds[0], entries


def _split(number: int, raw: str) -> tuple[str, tuple[int, ...]]:
    key, equals, rest = (part.strip() for part in raw.partition("="))
    if not equals or key.lower() not in KEYS:
        legal = ", ".join((*ALONE, *KEYS))
        raise BadInputError(f"line {number}: unknown key {key!r}; legal keys are {legal}")
    words = rest.split()
    if not words or not all(word.isascii() and word.isdigit() for word in words):
        raise BadInputError(f"line {number}: {key} must be integers of at least 0, got {rest!r}")
    return key.lower(), tuple(map(integer, words))


def _game(kind: str, entries: Mapping[str, _Entry], name: str) -> PokerGame:
    _single(entries, "numplayers", 2, 2)
    rounds = _single(entries, "numrounds", 1, MAX_ROUNDS)
    hole_cards = _single(entries, "numholecards", 1, 7)
    ranks, suits = _single(entries, "numranks", 1, 13), _single(entries, "numsuits", 1, 4)
    board_cards = _several(entries, "numboardcards", rounds, (0,) * rounds)
    ranking = _ranking(entries, hole_cards, sum(board_cards))
    return PokerGame(
        name=name,
        ranks=ranks,
        suits=suits,
        hole_cards=hole_cards,
        board_cards=board_cards,
        betting=_betting(kind, entries, rounds),
        ranking=ranking,
        suits_visible=ranking not in SUITLESS_RANKINGS,
    )


def _ranking(entries: Mapping[str, _Entry], hole_cards: int, board_cards: int) -> str:
    cards = hole_cards + board_cards
    for ranking, (few, many) in CARDS_RANKED.items():
        if few <= cards <= many and (hole_cards == 1 or ranking == "holdem"):
            return ranking
    raise _error(
        entries, "numholecards", f"with {board_cards} board cards belong to no known ranking", (hole_cards,)
    )


def _betting(kind: str, entries: Mapping[str, _Entry], rounds: int) -> Betting:
    blinds = _several(entries, "blind", 2)
    first = _several(entries, "firstplayer", rounds, (1,) * rounds)
    if any(seat not in (1, 2) for seat in first):
        raise _error(entries, "firstplayer", "must be 1 or 2 for each round", first)
    limit = kind == "limit"
    if limit and "raisesize" not in entries:
        raise BadInputError("raisesize is missing; a limit game needs it")
    if not limit and "stack" not in entries:
        raise BadInputError("stack is missing; a no-limit game needs it")
    if limit and "stack" not in entries and "maxraises" not in entries:
        raise BadInputError("maxraises is missing; a limit game needs it or stack")
    caps = _several(entries, "maxraises", rounds, ()) or (None,) * rounds
    sizes = _several(entries, "raisesize", rounds) if limit else None
    if sizes is not None and 0 in sizes:
        raise _error(entries, "raisesize", "must be at least 1 for each round", sizes)
    return Betting(
        first=tuple(seat - 1 for seat in first),
        invested=(Fraction(blinds[0]), Fraction(blinds[1])),
        stacks=_behind(entries, blinds),
        raise_sizes=None if sizes is None else tuple(map(Fraction, sizes)),
        max_raises=caps,
        # ACPC's servers ask for a bet of one chip where there is no blind.
        min_bet=Fraction(max(*blinds, 1)) if not limit else Fraction(0),
    )


def _behind(entries: Mapping[str, _Entry], blinds: tuple[int, ...]) -> tuple[Fraction, Fraction] | None:
    if "stack" not in entries:
        return None
    stacks = _several(entries, "stack", 2)
    if stacks[0] < blinds[0] or stacks[1] < blinds[1]:
        raise _error(entries, "stack", f"must cover the blinds {blinds[0]} {blinds[1]}", stacks)
    return Fraction(stacks[0] - blinds[0]), Fraction(stacks[1] - blinds[1])


def _single(entries: Mapping[str, _Entry], key: str, low: int, high: int) -> int:
    values = entries[key].values
    if len(values) != 1 or not low <= values[0] <= high:
        legal = f"{low}" if low == high else f"one integer from {low} to {high}"
        raise _error(entries, key, f"must be {legal}", values)
    return values[0]


def _several(
    entries: Mapping[str, _Entry], key: str, count: int, absent: tuple[int, ...] = ()
) -> tuple[int, ...]:
    if key not in entries:
        return absent
    values = entries[key].values
    if len(values) != count:
        raise _error(entries, key, f"must be {count} integers", values)
    return values


def _error(entries: Mapping[str, _Entry], key: str, legal: str, values: tuple[int, ...]) -> ValueError:
    return BadInputError(f"line {entries[key].line}: {key} {legal}, got {' '.join(map(str, values))}")
