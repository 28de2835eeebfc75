"""Specs: every registered game can be named, loaded and named again; bad specs say what is legal."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.acpc_files import KUHN
from tests.helpers.cells import over
from tests.helpers.libratus_files import text as endgame
from tests.helpers.paths import ROOT
from treeplex.games.formats.specs import REGISTRY, load_game
from treeplex.games.formats.toml_files import read_toml
from treeplex.games.poker.bet_sizes import Geometric
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import coin_toss, dummy_pennies, matrix_game

EXAMPLE = ROOT / "examples" / "river.toml"


@over(REGISTRY)
def test_the_name_of_a_game_is_its_spec(name: str) -> None:
    entry = REGISTRY[name]
    game = load_game(entry.example)
    assert game.name.split("(")[0] == name
    assert load_game(game.name) == game
    assert entry.summary
    assert "\n" not in entry.summary
    needs = [key for key, parameter in entry.keys.items() if parameter.default is parameter.empty]
    assert (entry.example == name) == (not needs)  # the bare name where it can be


@over(
    [
        "coin_toss(heads=1/3,tails=-1/4,forfeit=false,subgames=2)",
        "matrix_game(payoff=[[1/3,-2],[0,5]])",
        "dummy_pennies(mover=0)",
        "random_game(seed=-7,depth=2,actions=5)",
        "kuhn_poker(ranks=5)",
        "leduc_poker(ranks=4,suits=2,raises=1,bets=[1,3])",
        "leduc_poker(suits_visible=true)",
        'small_holdem(board="AsKhQs",bets=[0.3,1/3,a],ranges=["all","KK,JT:0.5"])',
        'small_holdem(board="AsKhQs",bets=["2e","e",3e150%],raises=[2e,"e90"])',
        "no_limit_holdem(stack=200,blinds=[2,1],bets=[e],raises=[4e100%,a])",
        "one_card_flop(ranks=5)",
    ]
)
def test_specs_with_keys_come_back(spec: str) -> None:
    game = load_game(spec)
    assert load_game(game.name) == game


@over(
    [
        ("coin_toss", coin_toss()),
        ("coin_toss()", coin_toss()),
        ("  coin_toss ( forfeit = False ) ", coin_toss(forfeit=False)),
        ("coin_toss(heads=0.1, tails=-2.5e-1)", coin_toss(heads=Fraction(1, 10), tails=Fraction(-1, 4))),
        ("coin_toss(heads=+1, tails=.5,)", coin_toss(heads=1, tails=Fraction(1, 2))),
        ("matrix_game(payoff=[[1,-1],[-1,1]])", matrix_game([[1, -1], [-1, 1]])),
        ("matrix_game( payoff = [ [ 1/2 , 0.2 ] ] )", matrix_game([[Fraction(1, 2), Fraction(1, 5)]])),
        ("dummy_pennies(mover=0)", dummy_pennies(0)),
        ("random_game(depth=3,seed=5)", random_game(5, 3)),
    ]
)
def test_specs_mean_what_the_constructors_mean(spec: str, twin: object) -> None:
    assert load_game(spec) == twin


def test_poker_specs_reach_the_constructor() -> None:
    assert load_game("kuhn_poker(ranks=4)").name == "kuhn_poker(ranks=4)"
    assert load_game("kuhn_poker(ranks=3)") == load_game("kuhn_poker")
    assert load_game("leduc_poker(ranks=5)") != load_game("leduc_poker")


@given(heads=st.fractions(), tails=st.fractions(), forfeit=st.booleans(), subgames=st.integers(1, 2))
def test_names_carry_every_fraction(heads: Fraction, tails: Fraction, forfeit: bool, subgames: int) -> None:
    game = coin_toss(heads, tails, forfeit, subgames)
    assert load_game(game.name) == game


@given(st.lists(st.lists(st.fractions(), min_size=2, max_size=2), min_size=1, max_size=3))
def test_names_carry_every_matrix(payoff: list[list[Fraction]]) -> None:
    assert load_game(matrix_game(payoff).name).rows == tuple(map(tuple, payoff))


@given(st.text(alphabet="coin_tosmarxge(){}[]=,.1/-'\" e", max_size=30))
def test_any_text_is_a_game_or_one_line_of_complaint(text: str) -> None:
    check_one_line(lambda: load_game(text))


@given(st.text(alphabet="[](),=1./ae'", max_size=25))
def test_any_key_text_is_a_game_or_one_line_of_complaint(text: str) -> None:
    check_one_line(lambda: load_game(f"matrix_game({text})"))


def check_one_line(load: Callable[[], Any]) -> None:
    try:
        game = load()
    except ValueError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert load_game(game.name) == game


def test_a_spot_by_its_path() -> None:
    game = load_game(str(EXAMPLE))
    assert game == read_toml(EXAMPLE)
    assert load_game(game.name) == game


def test_a_whole_hand_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "hand.toml"
    path.write_text('blinds = [1, 2]\nstack = 20\nbets = ["e"]\nraises = ["e", "a"]\n')
    game = load_game(str(path))
    assert game == read_toml(path)
    assert load_game(game.name) == game


def test_whole_numbers_may_be_spelled_as_fractions_and_decimals() -> None:
    assert load_game("coin_toss(subgames=2.0)") == load_game("coin_toss(subgames=2)")
    assert load_game("random_game(depth=6/2)") == load_game("random_game(depth=3)")
    top, bottom = 10**1500 + 1, 10**1500
    game = matrix_game([[Fraction(top, bottom), 0], [0, 1]])
    assert load_game(f"matrix_game(payoff=[[{top}/{bottom},0],[0,1]])") == load_game(game.name) == game


def test_files_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    for name, text in (("kuhn.game", KUHN), ("river.toml", EXAMPLE.read_text())):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        assert load_game(str(tmp_path / name)).betting


def test_a_game_file_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.game"
    path.write_text(KUHN)
    game = load_game(str(path))
    assert load_game(game.name) == game
    assert game.betting == load_game("kuhn_poker").betting


def test_a_libratus_endgame_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "endgame.txt"
    path.write_text(endgame())
    game = load_game(str(path), bets="0.5,1,a", raises="1, a")
    assert game.betting.sizes[0][0].bets == (Fraction(1, 2), Fraction(1), "a")
    assert game.betting.sizes[0][1].raises == (Fraction(1), "a")
    assert load_game(game.name) == game
    assert load_game(f"{path}(bets=[0.5,1,a],raises=[1,a])") == game
    assert load_game(f"{path}(bets=[0.5,1,a])", raises="1,a") == game
    assert load_game(str(path), bets="2e,3e150%,e,e75", raises="").betting.sizes[0][0].bets == (
        Geometric(2),
        Geometric(3, Fraction(3, 2)),
        Geometric(),
        Geometric(None, Fraction(3, 4)),
    )
    named = load_game(f"{path}(bets=[e,'2e150',2e],raises=['e66.6%',a])")
    assert named.name == f"{path}(bets=[e,2e150%,2e],raises=[e66.6%,a])"
    assert load_game(named.name) == named
    with pytest.raises(ValueError, match="bets must be positive fractions of the pot up to 1000000"):
        load_game(str(path), bets="3e150", raises="1")  # a number, and hardly what is meant
    assert load_game(str(path), bets="1/3", raises="").betting.sizes[0][0].bets == (Fraction(1, 3),)


@over(
    [
        ("leduc", r"game 'leduc'; did you mean leduc_poker or no_limit_leduc\? 'treeplex games' lists"),
        ("kuhn_pokr(ranks=3)", r"unknown game 'kuhn_pokr'; did you mean kuhn_poker"),
        ("xyzzy", "unknown game 'xyzzy'; 'treeplex games' lists them all"),
        ("", "a spec is name, name.* got ''"),
        ("river.csv", r"a spec is name, .*, got 'river\.csv'"),
        ("kuhn_poker(ranks=3", "a spec is name"),
        ("coin_toss(colour=3)", "unknown key 'colour'; legal keys are heads, tails, forfeit, subgames"),
        ("kuhn_poker(rank=4)", "kuhn_poker: unknown key 'rank'; legal keys are ranks"),
        ("matrix_game", r"matrix_game: payoff is missing; write it as in matrix_game\(payoff=\[\[1,-1\]"),
        ("matrix_game(payoff=3)", "matrix_game: payoff must be a list of lists of numbers, got 3"),
        ("matrix_game(payoff=[[1,2],[3]])", "matrix_game: payoff needs rows of one length"),
        ("matrix_game(payoff=[[nan]])", r"payoff must be a list of lists of numbers, got \[\['nan'\]\]"),
        ("matrix_game(payoff=[[[1]]])", "expected a value at"),
        ("matrix_game(payoff=[[1e9999]])", "a number must be finite and below 1e1000, got '1e9999'"),
        ("matrix_game(payoff=[[1/0]])", "a fraction must not divide by zero, got 1/0"),
        ("matrix_game(payoff=[[1,2)", "expected ',' at"),
        ("coin_toss(heads=[1])", r"heads must be a number, got \[1\]"),
        ("coin_toss(forfeit=1)", "coin_toss: forfeit must be true or false, got 1"),
        ("coin_toss(subgames=1.5)", "coin_toss: subgames must be an integer, got 1.5"),
        ("kuhn_poker(ranks=٣)", "expected a value at"),
        ("coin_toss(subgames=3)", "coin_toss: subgames must be 1 or 2, got 3"),
        ("coin_toss(heads=1,heads=2)", "heads must be given once"),
        ("coin_toss(1)", "expected a key at"),
        ("coin_toss(heads)", "expected '=' at"),
        ("coin_toss(heads=)", "expected a value at"),
        ("coin_toss(heads=1 2)", "expected ',' at '2"),
        ("coin_toss(heads=12abc)", "expected a value at"),
        ("coin_toss(heads=1))", "expected the end at"),
        ("coin_toss(heads=__import__('os'))", "expected ',' at"),
        ("random_game(depth=2.5)", "depth must be an integer, got 2.5"),
        ("kuhn_poker(ranks=two)", "ranks must be an integer, got 'two'"),
        ("kuhn_poker(ranks=1)", "kuhn_poker: .* the deck has 1"),
        ("leduc_poker(bets=[2,nan])", "bets"),
        ("leduc_poker(suits_visible=3)", "suits_visible must be true or false, got 3"),
        ("limit_holdem(raises=[1,a,1,1])", "raises must be a list of integers, got"),
        ("no_limit_holdem(bets=3)", "bets must be a list of numbers or texts or text or none, got 3"),
        ("small_holdem(board=7)", "board must be text, got 7"),
        ("absent.toml", r"cannot read .*absent\.toml"),
        ("absent.game", r"absent\.game"),
        ("river.toml(bets=[1])", r"river\.toml: unknown key 'bets'; legal keys of a \.toml file are none"),
        ("x.txt(chip=1)", r"x\.txt: unknown key 'chip'; legal keys of a \.txt file are bets and raises"),
        (
            "x.txt",
            r"x\.txt: an endgame has no sizes; give bets and raises "
            r"as in 'x\.txt\(bets=\[0\.5,1,a\],raises=\[1,a\]\)'$",
        ),
        ("x.txt(bets=[1])", r"x\.txt: an endgame has no sizes; give raises as in 'x\.txt\(bets=\["),
        ("x.txt(bets=0.5,1,a)", r"expected a key at '1,a\)' .*; if bets is a list, it needs brackets"),
        ("x.txt(bets=0.5,a,raises=1)", r"expected '=' at ',raises.*; if bets is a list, it needs brackets"),
        ("x.txt(bets=1,raises=[1])", "bets must be a list of sizes"),
        ("x.txt(bets=[1],raises=[1])", r"cannot read .*x\.txt"),
    ]
)
def test_bad_specs(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        load_game(spec)
    assert "\n" not in str(caught.value)


@over(
    [
        ("kuhn_poker", "1,a", r"bets are for Libratus endgames \(\.txt\), got them with 'kuhn_poker'"),
        ("x.toml", "1,a", "unknown key 'bets'; legal keys of a .toml file are none"),
        ("x.txt(bets=[1],raises=[1])", "1", "bets must be given once, got it in the spec and as an option"),
        ("x.txt(raises=[1])", "0.5,,a", "expected a value at"),
        ("x.txt(raises=[1])", "0.5;1", "expected ',' at ';1"),
        ("x.txt(raises=[1])", "2e0%", "bets must hold .* geometric sizes such as \"2e\" .* got '2e0%'"),
        ("x.txt(raises=[1])", "-1", "bets must hold numbers > 0"),
        ("x.txt(raises=[1])", "1]", "expected the end at"),
    ]
)
def test_bad_options(spec: str, bets: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load_game(spec, bets=bets)


def test_the_registry_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        REGISTRY["kuhn_poker"] = REGISTRY["coin_toss"]  # type: ignore[index]
