"""Addresses of pages: what they name, read from a query within limits and written again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown
from treeplex.pictures.hand_colours import MAPS, RANGES

LONGEST_QUERY = 4_000
"""Characters of a query as it comes."""
PARTS = ("line", "board", "map")
"""What a query may have, each once."""
BESIDE = ("other", "other-line", "other-board")
"""What the query of two nodes beside each other may have too."""


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
