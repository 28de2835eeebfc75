"""Subgames on boards behind one door: methods, places, best responses before and after."""

import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.core.problem import Problem
from treeplex.games.formats.specs import load_game
from treeplex.subgames.inputs import places_of
from treeplex.subgames.resolve_on_boards import BoardEffort, resolve_on_boards

SMALL = "small_holdem(ranks=4,suits=2,rounds=turn-river)"


@pytest.fixture(scope="module")
def river():
    return Problem(load_game("example:river"))


@over(["unsafe", "resolve", "maxmargin"])
def test_a_subgame_of_the_example_river(method, river):
    found = resolve_on_boards(river, 1, "c", method, blueprint="cfr+:20")
    assert found.subgames == ("KsTh7s4d2c:c",)
    assert found.promised == (method != "unsafe")
    assert found.best_response_after <= found.best_response_before + found.error + 1e-9
    certificate = tp.check(river, found.strategy).certificate
    assert certificate.upper == pytest.approx(found.best_response_after, abs=1e-6)
    lower, upper = found.gadget_value
    assert lower <= upper <= lower + 0.1 + 1e-9
    if method == "maxmargin":
        # The proved value is widened by what rounding may have done.
        assert -upper <= found.min_margin <= -upper + 1e-8
        assert found.error <= 0.01


def test_the_blueprint_is_kept_where_the_error_stays_large(river):
    found = resolve_on_boards(
        river, 1, "c", "resolve", blueprint="cfr+:20", effort=BoardEffort(iterations=1, tolerance=1e-9)
    )
    assert [*found.kept] == ["KsTh7s4d2c:c"]
    assert found.best_response_after == found.best_response_before
    assert (found.error, found.min_margin) == (0.0, 0.0)


def test_large_games_go_to_boards():
    found = tp.resolve("example:river", 0, "r50", "maxmargin", blueprint="uniform")
    assert found.as_json()["form"] == "boards"
    with pytest.raises(ValueError, match="are for boards, got kuhn_poker"):
        tp.resolve("kuhn_poker", 0, effort=BoardEffort())


@over(
    [
        ("zz", "has no betting line 'zz'"),
        ("KsTh7s4d3c:c", "must begin with KsTh7s4d2c"),
        ("cc", "nobody does after 'cc'"),
        (("c", "cr50"), "must lie apart"),
        ((), "got none"),
    ]
)
def test_places_that_are_none(at, said, river):
    with pytest.raises(ValueError, match=said):
        places_of(river.boards(), 1, at)


@over(
    [
        ("joint", "joint is for games that are enumerated"),
        ("reach-lexicographic", "for games that are enumerated"),
        ("estimated-resolve", "estimates must be blueprint"),
    ]
)
def test_methods_that_do_not_exist_on_boards(method, said, river):
    with pytest.raises(ValueError, match=said):
        resolve_on_boards(river, 1, "c", method, blueprint="uniform")


@over(
    [
        ({"iterations": 1.5}, "iterations must be an integer from 1"),
        ({"threads": True}, "threads must be an integer from 1"),
        ({"tolerance": "1e-4"}, "tolerance must be a number"),
        ({"width": -1.0}, "width must be at least 0"),
    ]
)
def test_efforts_of_wrong_types_are_refused(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        BoardEffort(**wrong)


@over([{"effort": {}}, {"options": {}}])
def test_what_is_no_effort_or_options_is_refused_by_name(wrong):
    with pytest.raises(TypeError, match=f"{next(iter(wrong))} must be"):
        tp.resolve("kuhn_poker", 0, **wrong)
