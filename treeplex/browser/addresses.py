"""Addresses of pages: what they name, read from a query within limits and written again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote, urlencode

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.pictures.hand_colours import MAPS, RANGES
from treeplex.play.matches import MOST_HANDS, MOST_SEED

LONGEST_QUERY = 4_000
"""Characters of a query as it comes."""
PARTS = ("line", "board", "map")
"""What a query may have, each once."""
BESIDE = ("other", "other-line", "other-board")
"""What the query of two nodes beside each other may have too."""
SEAT = ("seed", "hand", "seat", "moves")
"""What the query of a seat may have."""
SPOT = ("line", "board", "seed", "hand", "action")
"""What the query of training on a node may have."""
MOST_MOVES = 200
"""Actions that the address of a seat may list."""


@dataclass(frozen=True)
class Place:
    """What an address names within a solution.

    Attributes
    ----------
    line : str
        A betting line; in games without hands a public state.
    board : str
    map : str
        What is shown, as ``show`` takes it.
    """

    line: str = ""
    board: str = ""
    map: str = "strategy"

    @staticmethod
    def of(query: Sequence[tuple[str, str]], *, ranges: bool = False) -> "Place":
        """Read the parts of a query; with ``ranges`` the map may be both players' ranges.

        Raises
        ------
        ValueError
            If a part is unknown, is there twice, or the map is none.
        """
        place = Place(**_given(query, PARTS))
        maps = (*MAPS, RANGES) if ranges else MAPS
        if place.map not in maps:
            raise BadInputError(f"map must be {', '.join(maps)}, got {shown(place.map)}")
        return place

    @property
    def query(self) -> str:
        """The query with its question mark; what is as unless given is left out."""
        return f"?{urlencode(self.unlike, safe='/:')}" if self.unlike else ""

    @property
    def unlike(self) -> dict[str, str]:
        """The parts that are not as unless given, by name."""
        return {name: getattr(self, name) for name in PARTS if getattr(self, name) != getattr(Place, name)}

    def page(self, solution: str) -> str:
        """Return the address of the page."""
        return f"/s/{solution}{self.query}"

    def json(self, solution: str) -> str:
        """Return the address of the object that ``show --json`` prints."""
        return f"/s/{solution}.json{self.query}"

    def cards(self, solution: str) -> str:
        """Return the address of the page of what is played after each card that may come next."""
        return f"/s/{solution}/cards{self.query}"

    def buckets(self, solution: str) -> str:
        """Return the address of the page of which bucket of a blueprint each hand is in."""
        return f"/s/{solution}/buckets{self._whereabouts}"

    def buckets_json(self, solution: str) -> str:
        """Return the address of the object that ``show --map buckets --json`` prints."""
        return f"/s/{solution}/buckets.json{self._whereabouts}"

    @property
    def _whereabouts(self) -> str:
        return Place(self.line, self.board).query

    def at(self, line: str, board: str) -> "Place":
        """Return the same map elsewhere."""
        return replace(self, line=line, board=board)


@dataclass(frozen=True)
class Pair:
    """Two places beside each other, in one solution or in two of one game; both show the same map.

    Attributes
    ----------
    solutions : tuple of str
        The names of both.
    places : tuple of Place
    """

    solutions: tuple[str, str]
    places: tuple[Place, Place]

    @staticmethod
    def of(solution: str, query: Sequence[tuple[str, str]], *, ranges: bool = False) -> "Pair":
        """Read a query; what is not said of the other place is as in the first.

        Raises
        ------
        ValueError
            As :meth:`Place.of`.
        """
        given = _given(query, (*PARTS, *BESIDE))
        first = Place.of([(name, value) for name, value in given.items() if name in PARTS], ranges=ranges)
        line, board = given.get("other-line", first.line), given.get("other-board", first.board)
        return Pair((solution, given.get("other", solution)), (first, first.at(line, board)))

    @property
    def query(self) -> str:
        """The query with its question mark; what is as unless given is left out."""
        (name, other_name), (first, other) = self.solutions, self.places
        unlike = {
            part: getattr(first, part) for part in PARTS if getattr(first, part) != getattr(Place, part)
        }
        said = zip(
            BESIDE, (other_name, other.line, other.board), (name, first.line, first.board), strict=True
        )
        unlike |= {part: value for part, value, same in said if value != same}
        return f"?{urlencode(unlike, safe='/:')}" if unlike else ""

    @property
    def page(self) -> str:
        """The address of the page."""
        return f"/s/{self.solutions[0]}/beside{self.query}"

    @property
    def json(self) -> str:
        """The address of the list of the two objects that ``show --json`` prints."""
        return f"/s/{self.solutions[0]}/beside.json{self.query}"

    def put(self, side: int, place: Place) -> "Pair":
        """Return the pair with another place on one side; its map is that of both."""
        both = [replace(one, map=place.map) for one in self.places]
        both[side] = place
        return replace(self, places=(both[0], both[1]))


@dataclass(frozen=True)
class Seat:
    """A hand against a solution, as far as a visitor has played it: seed, number and own actions are all.

    Attributes
    ----------
    seed, hand : int
        As ``treeplex play`` takes the seed and counts the hands, from 1.
    seat : int
        Which player the visitor is, 0 or 1.
    moves : tuple of str
        The visitor's own actions. In addresses commas stand between them, and those within labels are
        written ``%2C``, per cent signs ``%25``.
    """

    seed: int = 1
    hand: int = 1
    seat: int = 0
    moves: tuple[str, ...] = ()

    @staticmethod
    def of(query: Sequence[tuple[str, str]]) -> "Seat":
        """Read the parts of a query; raises ``ValueError`` if one is unknown, there twice or out of range."""
        given = _given(query, SEAT)
        text = given.get("moves", "")
        moves = tuple(map(unquote, text.split(","))) if text else ()
        if len(moves) > MOST_MOVES:
            raise BadInputError(f"moves must be at most {MOST_MOVES} actions, got {len(moves):,}")
        seat = _integer("seat", given.get("seat", "0"), 0, 1)
        return Seat(*_numbers(given), seat, moves)

    def page(self, solution: str) -> str:
        """Return the address of the page."""
        return f"/s/{solution}/seat{self._query}"

    def json(self, solution: str) -> str:
        """Return the address of what the page shows, as an object."""
        return f"/s/{solution}/seat.json{self._query}"

    def after(self, action: str) -> "Seat":
        """Return the seat after one more action of the visitor."""
        return replace(self, moves=(*self.moves, action))

    @property
    def back(self) -> "Seat":
        """The seat before the last action of the visitor."""
        return replace(self, moves=self.moves[:-1])

    @property
    def next(self) -> "Seat | None":
        """The start of the next hand; None after the last."""
        return Seat(self.seed, self.hand + 1, self.seat) if self.hand < MOST_HANDS else None

    @property
    def other(self) -> "Seat":
        """The start of the same hand as the other player."""
        return Seat(self.seed, self.hand, 1 - self.seat)

    @property
    def _query(self) -> str:
        told = {"seed": self.seed, "hand": self.hand, "seat": self.seat}
        moves = {"moves": ",".join(quote(one, safe="") for one in self.moves)} if self.moves else {}
        return f"?{urlencode({**told, **moves}, safe='/:,')}"


@dataclass(frozen=True)
class Spot:
    """A hand to be played at a node, and what was played with it.

    Attributes
    ----------
    place : Place
        A node that is shown hand by hand.
    seed, hand : int
        From which the hand is drawn; counted from 1.
    action : str
        What the visitor plays; empty before.
    """

    place: Place
    seed: int = 1
    hand: int = 1
    action: str = ""

    @staticmethod
    def of(query: Sequence[tuple[str, str]]) -> "Spot":
        """Read the parts of a query; raises ``ValueError`` if one is unknown, there twice or out of range."""
        given = _given(query, SPOT)
        place = Place(given.get("line", ""), given.get("board", ""))
        return Spot(place, *_numbers(given), given.get("action", ""))

    def page(self, solution: str) -> str:
        """Return the address of the page."""
        return f"/s/{solution}/train{self._query}"

    def json(self, solution: str) -> str:
        """Return the address of what the page shows, as an object."""
        return f"/s/{solution}/train.json{self._query}"

    def after(self, action: str) -> "Spot":
        """Return the spot with an action of the visitor."""
        return replace(self, action=action)

    @property
    def next(self) -> "Spot | None":
        """The spot with the next hand; None after the last."""
        return Spot(self.place, self.seed, self.hand + 1) if self.hand < MOST_HANDS else None

    @property
    def _query(self) -> str:
        action = {"action": self.action} if self.action else {}
        told = {**self.place.unlike, "seed": self.seed, "hand": self.hand, **action}
        return f"?{urlencode(told, safe='/:')}"


def _numbers(given: Mapping[str, str]) -> tuple[int, int]:
    """Return the seed and the number of a hand; 1 unless given."""
    seed = _integer("seed", given.get("seed", "1"), 0, MOST_SEED)
    return seed, _integer("hand", given.get("hand", "1"), 1, MOST_HANDS)


def _integer(name: str, text: str, least: int, most: int) -> int:
    """Return the integer that a text writes in figures; raises ``ValueError`` if it is none of a range."""
    is_written = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    if not (is_written and least <= int(text) <= most):
        raise BadInputError(f"{name} must be an integer from {least} to {most}, got {shown(text)}")
    return int(text)


def _given(query: Sequence[tuple[str, str]], parts: Sequence[str]) -> dict[str, str]:
    """Return the parts of a query by name; raises ``ValueError`` if one is unknown or there twice."""
    given: dict[str, str] = {}
    for name, value in query:
        if name not in parts:
            raise BadInputError(f"an address has {', '.join(parts)}, got {shown(name)}")
        if name in given:
            raise BadInputError(f"an address has {name} once, got it twice")
        given[name] = value
    return given
