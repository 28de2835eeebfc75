"""Errors about the parameters of games: they name the one that was written, its range and what was got."""

import re
from fractions import Fraction

import pytest

from tests.helpers.answers import soon
from tests.helpers.cells import over
from tests.helpers.complaints import INTERNALS
from treeplex.games.formats.specs import REGISTRY, load_game

SPELLED = (
    *("0", "1", "2", "-1", "-1/2", "0.5", "3.0", "1" + 30 * "0", "1e300", "1e-300", "true", "none"),
    *("x", '""', '"a"', '"As"', "[]", "[0]", "[-1]", "[0,0]", "[1,2,3,4,5,6,7]", "[0.5,0.5]", "[[1]]"),
    *("[[],[]]", "[x,y]", "[true,true]", "[none,none]", "[1e30,1e30]", "9" * 3999),
)
GIVEN = (
    *(0, 1, -1, 0.5, float("nan"), float("inf"), 10**30, 10**5000, -(10**5000), "x", "", None, True, b"x"),
    *([], [0], (-1,), [0, 0], {}, {1: 2}, [None, None], ["x", "y"], [float("nan")] * 2, Fraction(-1, 2)),
    *(range(3), [[1, 2], 3], [10**5000] * 2, set()),
)
KEYS = [(name, key) for name, entry in REGISTRY.items() for key in entry.keys]


def complaint_of(make):
    """Return what a constructor says against its parameters, None if nothing."""
    try:
        make()
    except (ValueError, TypeError) as error:
        return str(error)
    return None


def check(said, key):
    assert re.search(rf"\b{key}\b", said), said
    assert re.search("got|is no hand|the deck has", said), said
    assert not INTERNALS.search(said), said
    assert len(said.splitlines()) == 1
    assert len(said) <= 500


@pytest.mark.seconds(3)
@over(KEYS)
def test_specs_are_answered_by_the_key(name, key):
    refused = 0
    for text in SPELLED:
        said = complaint_of(lambda text=text: load_game(f"{name}({key}={text})"))
        if said is not None:
            check(said, key)
            assert said.startswith(f"{name}: ")
            refused += 1
    assert refused >= 5


@pytest.mark.seconds(3)
@over(KEYS)
def test_python_is_answered_by_the_parameter(name, key):
    refused = 0
    for value in GIVEN:
        said = complaint_of(lambda value=value: REGISTRY[name].make(**{key: value}))
        if said is not None:
            check(said, key)
            refused += 1
    assert refused >= 5


@over(
    [
        ("leduc_poker(bets=[0,0])", "leduc_poker: bets must be 2 numbers above 0, got [0, 0]"),
        ("leduc_poker(raises=-1)", "leduc_poker: raises must be an integer from 0 up, got -1"),
        ("no_limit_holdem(stack=20)", "no_limit_holdem: stack must be at least the blinds [100, 50], got 20"),
        ("small_holdem(stack=-1)", "small_holdem: stack must be at least 0, got -1"),
        ("small_holdem(board=Kx)", "small_holdem: board: a card is one rank of"),
        ("small_holdem(ranges=[AA,AAs])", "small_holdem: ranges[1]: a pair is neither"),
        ("small_holdem(bets=[-1/2])", "got -0.5"),
        ("flop_holdem(raises=[1,-1])", "flop_holdem: raises must be 2 integers of at least 0, got [1, -1]"),
        ("battleship(shots=5,columns=2)", "shots must be an integer from 1 to 2, rows times columns, got 5"),
    ]
)
def test_what_is_said(spec, says):
    said = complaint_of(lambda: load_game(spec))
    assert said is not None
    assert says in said


def test_a_limit_game_without_caps_needs_a_stack(tmp_path):
    path = tmp_path / "endless.game"
    path.write_text(
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 1\nblind = 1 1\nraiseSize = 1\nnumSuits = 1\n"
        "numRanks = 3\nnumHoleCards = 1\nEND GAMEDEF\n"
    )
    with pytest.raises(
        ValueError, match=r"endless\.game: maxraises is missing; a limit game needs it or stack"
    ):
        load_game(str(path))


@over(["1e30000000", "1e-30000000", "0e99999999", "9" * 4500])
def test_numbers_too_large_to_be_written_out_are_refused_at_once(stack):
    with soon(), pytest.raises(ValueError, match=r"stack.* at most 4,000 digits"):
        load_game(f'no_limit_holdem(stack="{stack}")')
