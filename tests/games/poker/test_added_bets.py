"""Specs with bets beside the menus: the games that they are, counted as they are walked."""

from importlib.resources import files
from time import process_time

import pytest

import treeplex as tp
from treeplex.games.base.errors import BadInputError
from treeplex.games.formats.specs import file_of, load_game, named_game

LEDUC = "no_limit_leduc(max_raises=[2,2])"


@pytest.mark.seconds(2)
@pytest.mark.parametrize("lines", ["r2.1", "cc/r0.9", "r1c/r1.5 + r1c/r1.5r6", "cr1.5 + cr1.5r5 + cc/cr3"])
def test_a_game_with_added_bets_is_counted_as_it_is_walked(lines):
    problem = tp.load(f"{LEDUC} + {lines}")
    sizes = tp.size(problem).as_json()
    walked = problem.whole.treeplexes
    assert sizes["infosets"] == tuple(t.n_infosets for t in walked)
    assert sizes["sequences"] == tuple(t.n_sequences for t in walked)
    assert walked[0].n_sequences > tp.load(LEDUC).whole.treeplexes[0].n_sequences


def test_the_name_is_the_spec_and_menus_hold_around_the_bet():
    game = load_game("  example:river  +  cr37 +  r20 ")
    assert game.name == "example:river + cr37 + r20"
    assert load_game(game.name) == named_game(game.name) == game
    assert [*game.point("").moves] == ["c", "r20", "r50", "r100", "r200"]
    assert [*game.point("cr37").moves] == ["f", "c", "r200"]


def test_a_bet_is_worth_what_the_menus_with_it_are():
    both = "no_limit_leduc(bets=[{}],max_raises=[1,0])"
    added = tp.solve(both.format("0.5") + " + r2 + cr2", "lp")
    assert float(added.value) == pytest.approx(float(tp.solve(both.format("0.5,1"), "lp").value), abs=1e-9)


def test_the_file_of_a_spec_is_known_behind_its_bets(tmp_path):
    assert file_of("a folder/spot.toml + cr37") == "a folder/spot.toml"


def test_paths_may_have_a_plus_in_them(tmp_path):
    text = files("treeplex").joinpath("examples", "river.toml").read_text()
    for name in ("a + b.toml", "c + d/spot.TOML", "e + f/g + h.toml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        assert load_game(f"{path}").name == file_of(f"{path}") == str(path)
        assert load_game(f"{path} + cr37").name == f"{path} + cr37"
        assert file_of(f"{path} + cr37") == str(path)


def test_a_bet_has_one_name():
    for line in ("cr037", "cr37.0", "cr37"):
        assert load_game(f"example:river + {line}").name == "example:river + cr37"


def test_long_texts_are_refused_at_once():
    began = process_time()
    for text in ("a + " * 20_000, "a" + " " * 20_000 + "b"):
        with pytest.raises(BadInputError):
            load_game(text)
    assert process_time() - began < 1


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("kuhn_poker + r3", "adds bets to poker games with menus of bet sizes, got kuhn_poker"),
        ("coin_toss + r3", "adds bets to poker games with menus of bet sizes, got coin_toss"),
        ("limit_holdem + r5", "adds bets to poker games with menus"),
        ("example:river + cr50", "must end in a bet that the menus of example:river lack, got 'cr50'"),
        ("example:river + cr37 + cr37", "menus of example:river \\+ cr37 lack"),
        ("example:river + c", "must end in a bet that the menus"),
        ("example:river + x", "no betting line"),
        ("example:river + cr500", "must be from|must be above"),
        ("example:river + r20r70", "has no 'r20', which must be added before 'r20r70'"),
        ("+ r3", "a spec is name"),
    ],
)
def test_what_is_no_such_bet_is_refused(spec, says):
    with pytest.raises(BadInputError, match=says):
        load_game(spec)
