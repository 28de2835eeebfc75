"""Battleship: both players hide their ships, then shoot in turn at cells of each other's board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_integer, check_types, spec
from treeplex.games.base.protocol import TERMINAL, histories_of_widths
from treeplex.games.zoo.texts import grid_cells

MAX_ROWS = MAX_COLUMNS = 9
"""A row is written as one digit."""
MAX_FLEETS = 10_000
"""The largest number of fleets: games with more are too large to enumerate."""
MAX_PLACEMENTS = 50_000
"""The largest number of partial placements searched: on a crowded board most cannot be completed."""


class Battle(NamedTuple):
    """A history. Sets of cells are bits, cell a1 the lowest.

    fleets : the label of each player's fleet; empty before it is placed.
    line : the shots in order with their outcomes, as ``a1o/c1x``.
    shots : the cells at which player 0 has shot, and player 1.
    turn : how many shots there have been.
    over : whether a fleet is sunk or all shots are spent.
    """

    fleets: tuple[str, str]
    line: str
    shots: tuple[int, int]
    turn: int
    over: bool


@dataclass(frozen=True)
class Battleship:
    """Battleship; the game ends when a fleet is sunk or all shots are spent. A ship sinks with its last cell.

    Player 0 places the fleet first and shoots first. Ships lie along a row or a column and do not overlap.
    Both learn whether a shot hits water, hits a ship, or sinks one; no cell is shot at twice. Player 0 is
    paid the value of player 1's ships that were sunk less the value of the own. The rules are those of
    Farina et al. (2019) and OpenSpiel (Lanctot et al. 2019) with losses that count as much as gains, which
    makes them zero-sum; here a fleet is placed at once, and exchanging equal ships gives the same fleet.

    Cells are a column's letter and a row's digit. A ship is its first and last cell, ``a1-c1``, or its one
    cell; a fleet is its ships in the game's order, ``b2+a1-c1``. A shot is its cell and ``o`` for water,
    ``x`` for a hit, ``s`` for a hit that sinks. Keys are fleet, colon, all shots: ``b2:a1o/c1x``,
    and ``:a1o/c1x`` for the public state. Before that, everything is ``start`` at first, and once player 0
    has placed a fleet, that fleet, ``?`` to player 1 and the public.

    Attributes
    ----------
    rows, columns : int
        The boards', 1 to 9.
    ships : tuple of int
        The ships' lengths.
    shots : int
        How many shots each player has.
    values : tuple of int
        The value of each ship.
    """

    rows: int
    columns: int
    ships: tuple[int, ...]
    shots: int
    values: tuple[int, ...]

    @property
    def name(self) -> str:
        """The spec of this game."""
        default = {"rows": 1, "columns": 3, "ships": (1,), "shots": 2, "values": (1,) * len(self.ships)}
        return spec("battleship", {key: getattr(self, key) for key in default}, default)

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "points"

    @cached_property
    def cells(self) -> dict[str, int]:
        """The bit of each cell, row by row."""
        return grid_cells(self.rows, self.columns)

    @cached_property
    def fleets(self) -> dict[str, tuple[int, ...]]:
        """The cells of each ship by the label of the fleet."""
        complete = (fleet for fleet in self._placements() if len(fleet) == len(self.ships))
        return {"+".join(map(self._label, fleet)): fleet for fleet in complete}

    @property
    def least_histories(self) -> int:
        """Histories in which one cell of each fleet is never shot at, so that shots alone end the game."""
        cells, fleets = len(self.cells), len(self.fleets)
        shots = min(self.shots, cells - 1)
        spared = histories_of_widths(cells - 1 - turn // 2 for turn in range(2 * shots))
        return 1 + fleets + fleets**2 * spared

    def root(self) -> Battle:
        """Return the state before any fleet is placed."""
        return Battle(("", ""), "", (0, 0), 0, False)

    def player(self, state: Battle) -> int:
        """Return who acts: players 0 and 1 place, then shoot in turn."""
        if state.over:
            return TERMINAL
        placed = sum(fleet != "" for fleet in state.fleets)
        return placed if placed < 2 else state.turn % 2

    def actions(self, state: Battle) -> Sequence[str]:
        """Return the fleets, or the cells at which the player has not shot."""
        if not state.fleets[1]:
            return list(self.fleets)
        shots = state.shots[state.turn % 2]
        return [label for label, bit in self.cells.items() if not bit & shots]

    def chance(self, state: Battle) -> Sequence[tuple[str, Fraction]]:
        """Return no outcomes: the game has no chance moves."""
        return []

    def child(self, state: Battle, action: str) -> Battle:
        """Return the state after a placement or a shot."""
        fleets, line, shots, turn, _ = state
        if not fleets[1]:
            return Battle((fleets[0], action) if fleets[0] else (action, ""), "", shots, 0, False)
        who, bit = turn % 2, self.cells[action]
        fired, target = shots[who] | bit, self.fleets[fleets[1 - who]]
        line += ("/" if line else "") + action + _outcome(target, fired, bit)
        shots = (shots[0], fired) if who else (fired, shots[1])
        over = turn + 1 == 2 * self.shots or sum(target) & ~fired == 0
        return Battle(fleets, line, shots, turn + 1, over)

    def infoset(self, state: Battle, player: int) -> str:
        """Return what ``player`` knows: the own fleet and all shots."""
        fleets, line = state.fleets, state.line
        if fleets[1]:
            return f"{fleets[player]}:{line}"
        return (fleets[player] or "?") if fleets[0] else "start"

    def public(self, state: Battle) -> str:
        """Return all shots and their outcomes."""
        if state.fleets[1]:
            return f":{state.line}"
        return "?" if state.fleets[0] else "start"

    def payoff(self, state: Battle) -> Fraction:
        """Return the value of player 1's ships that were sunk less that of player 0's."""
        lost = [
            sum(
                value
                for ship, value in zip(self.fleets[fleet], self.values, strict=True)
                if not ship & ~shots
            )
            for fleet, shots in zip(state.fleets, reversed(state.shots), strict=True)
        ]
        return Fraction(lost[1] - lost[0])

    def _placements(self, placed: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """Yield all partial placements that extend ``placed``, itself first; equal ships by first cell."""
        yield placed
        if len(placed) == len(self.ships):
            return
        kinds = list(zip(self.ships, self.values, strict=True))
        kind = kinds[len(placed)]
        equal = [ship for ship, other in zip(placed, kinds, strict=False) if other == kind]
        taken, after = sum(placed), max(map(_first, equal), default=0)
        for ship in self._places[kind[0]]:
            if not ship & taken and _first(ship) > after:
                yield from self._placements((*placed, ship))

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        """The placements of a ship of each length; a ship of one cell has no direction."""
        bits = list(self.cells.values())
        rows = [bits[k : k + self.columns] for k in range(0, len(bits), self.columns)]
        tracks = [*rows, *zip(*rows, strict=True)]
        places = {
            length: {sum(track[k : k + length]) for track in tracks for k in range(len(track) - length + 1)}
            for length in self.ships
        }
        return {length: sorted(at, key=lambda ship: (_first(ship), ship)) for length, at in places.items()}

    def _label(self, ship: int) -> str:
        cells = [label for label, bit in self.cells.items() if bit & ship]
        return cells[0] if len(cells) == 1 else f"{cells[0]}-{cells[-1]}"


def _first(ship: int) -> int:
    """Return the bit of a ship's first cell."""
    return ship & -ship


def _outcome(target: tuple[int, ...], fired: int, bit: int) -> str:
    """Return the outcome of the shot ``bit``, the last of those fired: water, a hit or a ship sunk."""
    for ship in target:
        if ship & bit:
            return "x" if ship & ~fired else "s"
    return "o"


def battleship(
    rows: int = 1,
    columns: int = 3,
    ships: Sequence[int] = (1,),
    shots: int = 2,
    values: Sequence[int] | None = None,
) -> Battleship:
    """Return Battleship.

    Parameters
    ----------
    rows, columns : int
        The boards', 1 to 9.
    ships : sequence of int
        The ships' lengths, each 1 to the longer side.
    shots : int
        How many shots each player has, 1 to the number of cells.
    values : sequence of int, optional
        The value of each ship, 1 or more; 1 by default.

    Raises
    ------
    ValueError
        If a number is not an integer of its range, or the ships do not fit on the board.
    """
    check_types(battleship, {"ships": ships, "values": values})
    check_integer("battleship: rows", rows, 1, MAX_ROWS)
    check_integer("battleship: columns", columns, 1, MAX_COLUMNS)
    check_integer("battleship: shots", shots, 1, rows * columns, ", rows times columns")
    values = [1] * len(ships) if values is None else values
    if not ships:
        raise BadInputError("battleship: ships must have at least one length, got none")
    if len(values) != len(ships):
        raise BadInputError(f"battleship: values must be {len(ships)}, one for each ship, got {len(values)}")
    for length in ships:
        check_integer("battleship: each of ships", length, 1, max(rows, columns))
    for value in values:
        check_integer("battleship: each of values", value, 1)
    game = Battleship(rows, columns, tuple(ships), shots, tuple(values))
    placements = [len(part) for part in islice(game._placements(), MAX_PLACEMENTS + 1)]
    fleets = placements.count(len(ships))
    if not 1 <= fleets <= MAX_FLEETS or len(placements) > MAX_PLACEMENTS:
        crowded = len(placements) > MAX_PLACEMENTS
        count = "more" if fleets > MAX_FLEETS else "too many to try" if crowded else "none"
        raise BadInputError(
            f"battleship: ships must fit on {rows} x {columns} cells in 1 to {MAX_FLEETS} ways, got {count}"
        )
    return game
