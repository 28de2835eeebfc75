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
        given: dict[str, str] = {}
        for name, value in query:
            if name not in PARTS:
                raise BadInputError(f"an address has {', '.join(PARTS)}, got {shown(name)}")
            if name in given:
                raise BadInputError(f"an address has {name} once, got it twice")
            given[name] = value
        place = Place(**given)
        maps = (*MAPS, RANGES) if ranges else MAPS
        if place.map not in maps:
            raise BadInputError(f"map must be {', '.join(maps)}, got {shown(place.map)}")
        return place

    @property
    def query(self) -> str:
        """The query with its question mark; what is as unless given is left out."""
        unlike = {name: getattr(self, name) for name in PARTS if getattr(self, name) != getattr(Place, name)}
        return f"?{urlencode(unlike, safe='/:')}" if unlike else ""

    def page(self, solution: str) -> str:
        """Return the address of the page."""
        return f"/s/{solution}{self.query}"

    def json(self, solution: str) -> str:
        """Return the address of the object that ``show --json`` prints."""
        return f"/s/{solution}.json{self.query}"

    def at(self, line: str, board: str) -> "Place":
        """Return the same map elsewhere."""
        return replace(self, line=line, board=board)
