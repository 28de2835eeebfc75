"""What ``tp.resolve`` takes: games and problems, gadgets as objects, profiles in either numbering."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.games.formats.specs import load_game
from treeplex.subgames import blueprints

SMALL_RIVER = 'small_holdem(board="As Kh Qs Js Ts",ranks=5,suits=4,bets=[1],stack=4)'


def outcome(found):
    return found.exploitability_before, found.exploitability_after, found.exploitability_joint


@pytest.mark.seconds(3)
@over(["kuhn_poker", "leduc_poker", "coin_toss"])
def test_a_spec_a_game_and_a_problem_are_one(spec):
    first, *others = (
        tp.resolve(game, 1, "all", "maxmargin", blueprint="uniform")
        for game in (spec, load_game(spec), tp.load(spec))
    )
    for other in others:
        assert outcome(other) == outcome(first)
        assert np.array_equal(other.profile.behaviour[1], first.profile.behaviour[1])


@pytest.mark.seconds(4)
@over([("leduc_poker", ":", "cr"), (SMALL_RIVER, "AsKhQsJsTs:", "c")])
def test_a_betting_line_is_a_place_in_either_form(spec, board, line):
    names = [
        tp.resolve(spec, 0, at, blueprint="uniform").as_json()["tops"][0]["subgame"]
        for at in (line, board + line)
    ]
    assert names == [board + line] * 2
    on_boards = tp.resolve(SMALL_RIVER, 0, "c", blueprint="uniform", form="boards").as_json()
    assert on_boards["tops"][0]["subgame"] == "AsKhQsJsTs:c"


@pytest.mark.seconds(3)
@over([("9s9h", "all"), ("9s9h,TsTh", "9s8s,Th8h")], [0, 1])
def test_places_to_which_no_two_hands_come_are_left_out_of_all(first, second, defender):
    game = f'small_holdem(board="As Kh Qs Jh",ranks=7,ranges=["{first}","{second}"])'
    options = {"method": "resolve", "blueprint": "uniform"}
    found = [tp.resolve(game, defender, "all", **options, **on).as_json() for on in ({}, {"form": "boards"})]
    places = [sorted({top["subgame"] for top in one["tops"]}) for one in found]
    assert places[0] == places[1]
    for one in found:
        assert one["safe"]
        assert one["exploitability_after"] <= one["exploitability_before"] + 1e-3


@pytest.mark.seconds(3)
@over([0, 1])
def test_profiles_of_the_public_tree_are_blueprints(defender):
    """A solved game's profile is numbered as its public tree, a file's as the walk."""
    problem = tp.load("leduc_poker")
    profile = tp.solve(problem, method="cfr+", iterations=20).profile
    assert problem.tree is not None
    found = tp.resolve(problem, defender, blueprint=profile)
    table = tp.resolve("leduc_poker", defender, blueprint=profile.table())
    assert outcome(found) == outcome(table)
    assert found.exploitability_before > 1e-3
    tp.certify(problem.form, found.profile.transfer(problem.form.treeplexes))


def test_profiles_of_other_games_are_refused(monkeypatch):
    """Before the game is solved."""
    monkeypatch.setattr(blueprints, "solve_lp", lambda form: pytest.fail("solved"))
    profile = tp.solve("kuhn_poker").profile
    with pytest.raises(ValueError, match="the profile is of another game"):
        tp.resolve("leduc_poker", 1, blueprint=profile)
    with pytest.raises(ValueError, match=r"cannot read missing\.csv"):
        tp.resolve("leduc_poker", 1, blueprint="missing.csv")


def test_a_composed_profile_is_a_blueprint_again():
    once = tp.resolve("kuhn_poker", 1, method="maxmargin", blueprint="uniform")
    twice = tp.resolve("kuhn_poker", 1, method="maxmargin", blueprint=once.profile)
    assert twice.exploitability_before == pytest.approx(once.exploitability_after, abs=1e-12)


@pytest.mark.seconds(3)
@over([(Resolve(), "resolve"), (Maxmargin, "maxmargin")])
def test_gadgets_are_taken_as_objects_and_classes(gadget, name):
    by_name = tp.resolve("leduc_poker", 0, method=name, blueprint="uniform")
    as_object = tp.resolve("leduc_poker", 0, method=gadget, blueprint="uniform")
    assert as_object.method == name
    assert outcome(as_object) == outcome(by_name)


def test_options_for_names_are_not_for_objects():
    with pytest.raises(ValueError, match="scale is not for the method maxmargin, got 2"):
        tp.resolve("kuhn_poker", 1, method=Maxmargin(), options=GadgetOptions(scale=2))
    refined = tp.resolve(
        "kuhn_poker", 1, method=Resolve(), options=GadgetOptions(equilibrium="quasi-perfect")
    )
    assert refined.exploitability_after < 1e-9


def test_what_is_no_gadget_is_refused():
    with pytest.raises(ValueError, match="3 is no gadget: it has no method apply"):
        tp.resolve("kuhn_poker", 1, method=3)


def test_locked_problems_are_refused():
    problem = tp.load("examples/locked_river.toml")
    with pytest.raises(ValueError, match="games without locks"):
        tp.resolve(problem, 0)
