"""Phantom tic-tac-toe: rules by hand, a twin that looks at the whole board, counts, and OpenSpiel's game."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from tests.helpers.cells import each, over
from tests.helpers.game_checks import check_promises, check_refusals, check_sizes, exact_value, played
from tests.helpers.twins.openspiel import Twins
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.phantom_mnk import PhantomMnk, phantom_mnk
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

FAILURES = ("again", "lose_turn")
VARIANTS = [
    phantom_mnk(*sizes, failure)
    for sizes, failure in product(
        [(1, 1, 1), (1, 3, 1), (2, 2, 2), (1, 4, 2), (4, 1, 3), (2, 3, 2)], FAILURES
    )
]
Attempt = tuple[str, bool]
"""A cell and whether it was empty."""


class Umpire:
    """Rules on a grid: the whole board is searched for lines after every mark."""

    def __init__(self, game: PhantomMnk) -> None:
        self.game = game
        self.grid = {f"{'abcdefghi'[x]}{y + 1}": "." for y in range(game.rows) for x in range(game.columns)}
        self.attempts: tuple[list[Attempt], list[Attempt]] = ([], [])
        self.turn = 0

    @property
    def winner(self) -> int | None:
        for start, (right, up) in product(self.grid, ((1, 0), (0, 1), (1, 1), (1, -1))):
            x, y = ord(start[0]), int(start[1])
            cells = [f"{chr(x + k * right)}{y + k * up}" for k in range(self.game.line)]
            found = "".join(self.grid.get(cell, ".") for cell in cells)
            if found in ("X" * self.game.line, "O" * self.game.line):
                return "XO".index(found[0])
        return None

    @property
    def over(self) -> bool:
        return self.winner is not None or "." not in self.grid.values()

    @property
    def legal(self) -> list[str]:
        tried = {cell for cell, _ in self.attempts[self.turn % 2]}
        return [cell for cell in self.grid if cell not in tried]

    def attempt(self, cell: str) -> None:
        empty = self.grid[cell] == "."
        self.attempts[self.turn % 2].append((cell, empty))
        if empty:
            self.grid[cell] = "XO"[self.turn % 2]
        self.turn += empty or self.game.failure == "lose_turn"


def check_against_the_umpire(game: PhantomMnk, random: Random) -> None:
    umpire, state = Umpire(game), game.root()
    while not umpire.over:
        assert game.player(state) == umpire.turn % 2
        assert game.actions(state) == umpire.legal
        for player in (0, 1):
            tries = "/".join(cell + "!" * (not empty) for cell, empty in umpire.attempts[player])
            assert game.infoset(state, player) == f"{umpire.turn}:{tries}"
        assert game.public(state) == f"{umpire.turn}:"
        cell = random.choice(umpire.legal)
        umpire.attempt(cell)
        state = game.child(state, cell)
    assert game.player(state) == TERMINAL
    assert game.public(state) == "over:"
    assert game.payoff(state) == {0: 1, 1: -1, None: 0}[umpire.winner]


@over(VARIANTS)
def test_phantom_mnk_keeps_the_promises_of_games(game: PhantomMnk) -> None:
    check_promises(game)
    number_tree(build_tree(game))


def test_plays_go_as_the_umpire_says() -> None:
    each(product(VARIANTS, map(Random, range(50))), check_against_the_umpire)
    each(range(40), check_any_board)


def check_any_board(seed: int) -> None:
    random = Random(seed)
    rows, columns = random.randint(1, 9), random.randint(1, 9)
    line = random.randint(1, min(4, max(rows, columns)))
    check_against_the_umpire(phantom_mnk(rows, columns, line, FAILURES[seed % 2]), random)


@over(
    [
        (phantom_mnk(), 3_973, 2_798, (189, 107), (573, 393), 2_798),
        (phantom_mnk(failure="again"), 4_405, 3_040, (109, 117), (349, 419), 3_040),
        (phantom_mnk(1, 5, 3), 16_077, 7_674, (988, 505), (1_310, 1_114), 2_826),
        # Player 0 marks a cell and has won.
        (phantom_mnk(2, 3, 1), 7, 6, (1, 0), (7, 1), 6),
        # Player 0 marks one of two cells; player 1 the other, or fails first.
        (phantom_mnk(1, 2, 2, "again"), 9, 4, (1, 3), (3, 5), 0),
    ]
)
def test_sizes(game: PhantomMnk, histories: int, leaves: int, *counts: Any) -> None:
    check_sizes(game, (histories, leaves), *counts)


@over(
    [
        (phantom_mnk(3, 3, 3), ("a1", "a2", "b1", "b2", "c1"), 1),
        (phantom_mnk(3, 3, 3), ("a1", "c1", "a2", "b2", "b1", "a3"), -1),
        (phantom_mnk(3, 3, 3), ("a1", "b1", "b2", "a2", "c3"), 1),
        (phantom_mnk(3, 3, 3, "again"), ("b2", "b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1"), None),
        (phantom_mnk(3, 3, 3, "again"), ("b2", "b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"), 0),
        # A failed attempt ends the turn, so that player 0 is the first with two.
        (phantom_mnk(1, 4, 2), ("b1", "b1", "c1"), 1),
        (phantom_mnk(1, 4, 2), ("b1", "c1", "c1", "d1"), -1),
        (phantom_mnk(1, 4, 2, "again"), ("b1", "c1", "c1", "a1"), 1),
        (phantom_mnk(1, 3, 2), ("a1", "b1", "c1"), 0),
        # Lines do not run on around the edge.
        (phantom_mnk(2, 2, 2), ("b1", "b2", "a2"), 1),
        (phantom_mnk(2, 3, 2), ("c1", "c2", "a2", "a1", "b1"), 1),
    ]
)
def test_boards_played_by_hand(game: PhantomMnk, cells: tuple[str, ...], payoff: int | None) -> None:
    state = played(game, *cells)
    assert (game.player(state) == TERMINAL) == (payoff is not None)
    if payoff is not None:
        assert game.payoff(state) == payoff


def test_keys_are_readable() -> None:
    game = phantom_mnk(3, 3, 3, "again")
    state = played(game, "b1", "a2", "a2", "b2", "c3")
    assert [game.infoset(state, p) for p in (0, 1)] == ["4:b1/a2!/b2", "4:a2/c3"]
    assert game.public(state) == "4:"
    assert game.infoset(game.root(), 0) == game.public(game.root()) == "0:"
    state = played(game, "a1", "b1", "a2", "b2", "a3")
    assert [game.infoset(state, p) for p in (0, 1)] == ["over:a1/a2/a3", "over:b1/b2"]
    assert game.public(state) == "over:"
    assert game.unit == "wins"


@over(
    [
        # One mark is a line.
        (phantom_mnk(1, 1, 1), Fraction(1)),
        (phantom_mnk(2, 3, 1, "again"), Fraction(1)),
        # Two marks anywhere are a line, and the first player marks a second cell first.
        (phantom_mnk(2, 2, 2, "again"), Fraction(1)),
        # Nobody knows a cell of the other's. A quarter of the time player 1 fails and has lost; else player
        # 0 marks one of three cells with two empty; else player 1 does, or fails and has lost.
        (phantom_mnk(2, 2, 2), 2 * (Fraction(1, 4) + Fraction(3, 4) * (Fraction(2, 3) + Fraction(1, 9))) - 1),
        # Half of the time player 1 tries the taken cell and loses the turn, and player 0 takes the other.
        (phantom_mnk(1, 2, 2), Fraction(1, 2)),
        # No player comes to mark four of five cells.
        (phantom_mnk(1, 2, 2, "again"), Fraction(0)),
        (phantom_mnk(1, 5, 4, "again"), Fraction(0)),
        # As a sequence-form program written from what the umpire says found them.
        (phantom_mnk(), Fraction(13, 17)),
        (phantom_mnk(failure="again"), Fraction(1)),
        (phantom_mnk(1, 4, 2), Fraction(29, 43)),
        (phantom_mnk(1, 5, 2), Fraction(76, 99)),
    ]
)
def test_known_values(game: PhantomMnk, won: Fraction) -> None:
    assert exact_value(game) == won


@over([("again", "classical"), ("lose_turn", "abrupt")])
def test_open_spiel_plays_the_same_game_on_three_by_three(failure: str, version: str) -> None:
    """Keys are ours one to one with OpenSpiel's wherever a hundred random plays come."""
    pyspiel = pytest.importorskip("pyspiel")
    game = phantom_mnk(3, 3, 3, failure)
    twins = Twins(
        game,
        pyspiel.load_game("phantom_ttt", {"gameversion": version, "obstype": "reveal-nothing"}),
        lambda _, label: list(game.cells).index(label),
    )
    random = Random(1)
    for _ in range(200):
        twins.play(random)
    assert twins.visited > 1_500


def test_names() -> None:
    assert phantom_mnk().name == "phantom_mnk"
    assert phantom_mnk(3, 4, 2, "again").name == "phantom_mnk(rows=3,columns=4,failure=again)"
    assert phantom_mnk(1, 5, 3).name == "phantom_mnk(rows=1,columns=5,line=3)"
    for game in VARIANTS:
        assert load_game(game.name) == game


def test_bad_parameters() -> None:
    check_refusals(
        phantom_mnk,
        [
            ({"rows": 0}, "phantom_mnk: rows must be an integer from 1 to 9, got 0"),
            ({"columns": 10}, "columns must be an integer from 1 to 9, got 10"),
            ({"line": 4}, "line must be an integer from 1 to 3, got 4"),
            ({"rows": 5, "line": 6}, "line must be an integer from 1 to 5, got 6"),
            ({"failure": "pass"}, "failure must be one of again, lose_turn, got 'pass'"),
        ],
    )
