"""Battleship: rules by hand, a twin with boards drawn as grids, values by counting, and OpenSpiel's game."""

from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from tests.helpers.cells import each, over
from tests.helpers.game_checks import (
    check_promises,
    check_refusals,
    check_sizes,
    exact_value,
    played,
)
from tests.helpers.twins.openspiel import Twins
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.battleship import Battleship, battleship
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

VARIANTS = [
    battleship(),
    battleship(1, 1, shots=1),
    battleship(2, 2, [2], 2),
    battleship(1, 4, [2], 3),
    battleship(1, 4, [1, 2], 2, [1, 3]),
    battleship(2, 2, [1, 1], 2),
    battleship(3, 1, [2, 1], 3, [5, 2]),
]
Cells = frozenset[str]


def grid(game: Battleship) -> list[str]:
    return [f"{'abcdefghi'[x]}{y + 1}" for y in range(game.rows) for x in range(game.columns)]


def ship_cells(label: str) -> Cells:
    """Return the cells of a ship by its label."""
    first, last = label.split("-") if "-" in label else (label, label)
    columns = [chr(x) for x in range(ord(first[0]), ord(last[0]) + 1)]
    return frozenset(f"{x}{y}" for x in columns for y in range(int(first[1]), int(last[1]) + 1))


def all_fleets(game: Battleship) -> set[frozenset[tuple[int, int, Cells]]]:
    """Return every set of ships, each with its length and value, by trying all sets of cells."""

    def in_line(cells: tuple[str, ...]) -> bool:
        xs, ys = sorted({ord(c[0]) for c in cells}), sorted({int(c[1]) for c in cells})
        spans = [xs[-1] - xs[0] + 1, ys[-1] - ys[0] + 1]
        return sorted(spans) == [1, len(cells)]

    kinds = list(zip(game.ships, game.values, strict=True))
    places = [
        [(length, worth, frozenset(cells)) for cells in combinations(grid(game), length) if in_line(cells)]
        for length, worth in kinds
    ]
    return {
        frozenset(fleet)
        for fleet in product(*places)
        if len(frozenset().union(*(ship[2] for ship in fleet))) == sum(game.ships)
    }


class Referee:
    """Rules on sets of cells, from the players' moves alone."""

    def __init__(self, game: Battleship, fleets: tuple[str, str]) -> None:
        self.game = game
        self.fleets = [[ship_cells(ship) for ship in fleet.split("+")] for fleet in fleets]
        self.shots: tuple[list[str], list[str]] = ([], [])
        self.line: list[str] = []

    def sunk(self, player: int) -> list[int]:
        """Return the numbers of a player's ships that were sunk."""
        return [k for k, ship in enumerate(self.fleets[player]) if ship <= set(self.shots[1 - player])]

    @property
    def over(self) -> bool:
        sunk = any(len(self.sunk(player)) == len(self.game.ships) for player in (0, 1))
        return sunk or len(self.line) == 2 * self.game.shots

    @property
    def legal(self) -> list[str]:
        return [cell for cell in grid(self.game) if cell not in self.shots[len(self.line) % 2]]

    @property
    def payoff(self) -> int:
        worth = [sum(self.game.values[k] for k in self.sunk(player)) for player in (0, 1)]
        return worth[1] - worth[0]

    def shoot(self, cell: str) -> None:
        player = len(self.line) % 2
        before = self.sunk(1 - player)
        self.shots[player].append(cell)
        hit = any(cell in ship for ship in self.fleets[1 - player])
        self.line.append(cell + ("s" if self.sunk(1 - player) != before else "x" if hit else "o"))


def check_against_the_referee(game: Battleship, random: Random) -> None:
    fleets = random.choice(list(game.fleets)), random.choice(list(game.fleets))
    referee, state = Referee(game, fleets), played(game, *fleets)
    while not referee.over:
        assert game.player(state) == len(referee.line) % 2
        assert game.actions(state) == referee.legal
        cell = random.choice(referee.legal)
        referee.shoot(cell)
        state = game.child(state, cell)
        line = "/".join(referee.line)
        assert [game.infoset(state, p) for p in (0, 1)] == [f"{fleet}:{line}" for fleet in fleets]
        assert game.public(state) == f":{line}"
    assert game.player(state) == TERMINAL
    assert game.payoff(state) == referee.payoff


@over(VARIANTS)
def test_battleship_keeps_the_promises_of_games(game: Battleship) -> None:
    check_promises(game)
    number_tree(build_tree(game))


def test_plays_go_as_the_referee_says() -> None:
    each(product(VARIANTS, map(Random, range(40))), check_against_the_referee)
    each(range(20), check_a_larger_board)


def check_a_larger_board(seed: int) -> None:
    random = Random(seed)
    rows, columns = random.randint(2, 5), random.randint(3, 5)
    ships = random.choices((1, 2, 3), k=2)
    values = random.choices((1, 2, 7), k=2)
    game = battleship(rows, columns, ships, random.randint(1, rows * columns), values)
    check_against_the_referee(game, random)


@over(
    [
        *VARIANTS,
        battleship(3, 3, [2]),
        battleship(2, 3, [2, 2]),
        battleship(2, 3, [1, 2, 1]),
        battleship(2, 3, [1, 2, 1], values=[1, 1, 2]),
        battleship(3, 3, [3, 1]),
        battleship(2, 2, [1, 1, 1]),
    ]
)
def test_fleets_are_all_ways_to_place_the_ships(game: Battleship) -> None:
    found = [
        frozenset(
            (length, worth, ship_cells(ship))
            for length, worth, ship in zip(game.ships, game.values, label.split("+"), strict=True)
        )
        for label in game.fleets
    ]
    assert len(found) == len(set(found))
    assert set(found) == all_fleets(game)


@over(
    [
        # Three placements each, and three shots each unless the first hits.
        (battleship(shots=1), 94, 63, (4, 7), (13, 22), 27),
        (battleship(), 238, 135, (22, 25), (49, 58), 99),
        (battleship(2, 2, [2]), 3_029, 2_048, (133, 337), (405, 1_029), 448),
        (battleship(1, 4, [2], 3), 5_665, 3_132, (880, 1_189), (1_864, 2_644), 1_836),
        (battleship(1, 1, shots=1), 4, 1, (2, 1), (3, 2), 1),
    ]
)
def test_sizes(game: Battleship, histories: int, leaves: int, *counts: Any) -> None:
    check_sizes(game, (histories, leaves), *counts)


def test_equal_ships_come_in_the_order_of_their_first_cells() -> None:
    fleets = battleship(2, 3, [2, 2]).fleets
    ships = [fleet.split("+") for fleet in fleets]
    assert len(ships) == 11
    assert all((a[1], a[0]) < (b[1], b[0]) for a, b in ships)
    assert {"b2+a1", "a2+b1"}.isdisjoint(battleship(2, 2, [1, 1]).fleets)
    assert "b2+a1" in battleship(2, 2, [1, 1], values=[1, 2]).fleets


def test_keys_are_readable() -> None:
    game = battleship(2, 4, [1, 3], 5)
    moves = ("b2+a1-c1", "d1+a2-c2", "d1", "a1", "b2", "d2")
    state = played(game, *moves)
    assert [game.infoset(state, p) for p in (0, 1)] == [
        "b2+a1-c1:d1s/a1x/b2x/d2o",
        "d1+a2-c2:d1s/a1x/b2x/d2o",
    ]
    assert game.public(state) == ":d1s/a1x/b2x/d2o"
    state = played(game, *moves[:1])
    assert [game.infoset(state, p) for p in (0, 1)] == ["b2+a1-c1", "?"]
    assert game.public(state) == "?"
    assert game.infoset(game.root(), 1) == game.public(game.root()) == "start"
    assert game.unit == "points"


@over([(1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 3, 3), (2, 2, 2), (3, 1, 2), (2, 3, 1)])
def test_one_cell_is_hit_first_by_the_first_to_shoot_as_often_as_counted(
    rows: int, columns: int, shots: int
) -> None:
    """Both hide and shoot uniformly: the k-th shot hits alike often for both, player 0's unless it is over.

    So player 0's k-th shot wins with 1/n (n - k + 1)/n and player 1's with 1/n (n - k)/n, of n cells.
    """
    assert exact_value(battleship(rows, columns, [1], shots)) == Fraction(shots, (rows * columns) ** 2)


def test_fleets_that_fill_the_board_are_sunk_by_the_first_to_shoot() -> None:
    assert exact_value(battleship(1, 3, [3], 3, [4])) == 4
    assert exact_value(battleship(1, 3, [3], 2)) == 0
    assert exact_value(battleship(1, 2, [1, 1], 2, [1, 1])) == 1


@over([(1, 3, [1], 2), (2, 2, [2], 2), (1, 4, [2], 3)])
def test_ships_worth_more_are_worth_more(*keys: Any) -> None:
    assert exact_value(battleship(*keys, [7])) == 7 * exact_value(battleship(*keys))


def native(game: Battleship) -> Any:
    """Return OpenSpiel's game."""
    pyspiel = pytest.importorskip("pyspiel")
    keys = {
        "board_height": game.rows,
        "board_width": game.columns,
        "ship_sizes": f"[{';'.join(map(str, game.ships))}]",
        "ship_values": f"[{';'.join(map(str, game.values))}]",
        "num_shots": game.shots,
        "allow_repeated_shots": False,
        "loss_multiplier": 1.0,
    }
    return pyspiel.load_game("battleship", keys)


def action_of(state: Any, label: str) -> int:
    """Return the number of a shot, or of the placement of one ship."""
    first, last = label.split("-") if "-" in label else (label, label)
    corner = f"({int(first[1]) - 1}, {ord(first[0]) - ord('a')})"
    way = "vertically" if first[1] != last[1] else "horizontally"
    player = state.current_player()
    names = {
        f"Pl{player}: place ship {way} with top-left corner in {corner}",
        f"Pl{player}: shoot at {corner}",
    }
    (action,) = (a for a in state.legal_actions() if state.action_to_string(player, a) in names)
    return action


@pytest.mark.seconds(3)
@over(
    [
        (battleship(), Fraction(2, 9)),
        (battleship(2, 2, [2], 2), Fraction(1, 16)),
        (battleship(1, 4, [2], 2, [2]), Fraction(2, 9)),
    ]
)
def test_open_spiel_plays_the_same_game_with_one_ship(game: Battleship, worth: Fraction) -> None:
    twins = Twins(game, native(game), action_of)
    twins.walk()
    assert twins.check_strategies() == worth


def test_names() -> None:
    assert battleship().name == "battleship"
    game = battleship(2, 3, [1, 2], 3, [1, 4])
    assert game.name == "battleship(rows=2,ships=[1,2],shots=3,values=[1,4])"
    assert battleship(ships=[1, 1], values=[1, 1]).name == "battleship(ships=[1,1])"
    for game in VARIANTS:
        assert load_game(game.name) == game


def test_bad_parameters() -> None:
    check_refusals(
        battleship,
        [
            ({"rows": 0}, "battleship: rows must be an integer from 1 to 9, got 0"),
            ({"columns": 10}, "columns must be an integer from 1 to 9, got 10"),
            ({"shots": 4}, "shots must be an integer from 1 to 3, rows times columns, got 4"),
            ({"ships": []}, "ships must have at least one length, got none"),
            ({"ships": [4]}, "each of ships must be an integer from 1 to 3, got 4"),
            ({"ships": [1.5]}, r"ships must be a list of integers, got \[1.5\]"),
            ({"ships": [2, 2]}, "ships must fit on 1 x 3 cells in 1 to 10000 ways, got none"),
            ({"rows": 9, "columns": 9, "ships": [3, 3, 3]}, "cells in 1 to 10000 ways, got more"),
            ({"rows": 9, "columns": 9, "ships": [7] * 11}, "cells in 1 to 10000 ways, got too many to try"),
            ({"values": [0]}, "each of values must be an integer from 1 up, got 0"),
            ({"values": [1, 2]}, "values must be 1, one for each ship, got 2"),
        ],
    )
