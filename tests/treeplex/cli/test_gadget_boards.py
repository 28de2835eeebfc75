"""``treeplex gadget`` on boards: what is printed and written, and bad input in one line."""

import json

import pytest

from tests.helpers.cells import over
from tests.helpers.commands import printed
from treeplex.cli.app import FAILED, SUCCESS
from treeplex.cli.main import run

RIVER = ("gadget", "example:river", "--defender", "1", "--at", "c", "--blueprint", "cfr+:20")
KEYS = (
    "game form method defender subgames tops min_margin exploitability_before exploitability_after "
    "best_response_before best_response_after gadget_value value error solved kept promised tolerance "
    "safe seconds"
)


def test_json_has_the_keys_of_the_page(capsys):
    found = json.loads(printed(capsys, *RIVER, "--method", "maxmargin", "--json"))
    assert " ".join(found) == KEYS
    assert len(found["tops"]) == 1081
    lower, upper = found["gadget_value"]
    assert lower <= -found["min_margin"] <= upper  # wider than best responses by what rounding may do
    assert upper == pytest.approx(-found["min_margin"], abs=1e-7)
    assert found["exploitability_before"] is None
    assert found["best_response_after"] <= found["best_response_before"] + found["error"] + 1e-9
    assert (found["promised"], found["safe"], found["kept"]) == (True, True, {})


def test_tables_have_a_row_a_class_or_a_hand(capsys):
    classes = printed(capsys, *RIVER, "--method", "maxmargin")
    hands = printed(capsys, *RIVER, "--method", "maxmargin", "--hands")
    assert "\nQ9s " in classes
    assert "\nQ9s " not in hands
    assert " Qs9s " in hands


@pytest.mark.seconds(3)
def test_what_is_written_is_judged_alike(tmp_path, capsys):
    path = tmp_path / "composed.npz"
    found = json.loads(printed(capsys, *RIVER, "--method", "resolve", "--json", "--out", path))
    judged = json.loads(printed(capsys, "check", "example:river", path, "--json"))
    assert judged["upper"] == pytest.approx(found["best_response_after"], abs=1e-6)
    arguments = [*RIVER[:-1], path, "--method", "resolve", "--json"]
    again = json.loads(printed(capsys, *arguments))
    assert again["best_response_before"] == pytest.approx(found["best_response_after"], abs=1e-9)


def test_small_games_are_solved_on_boards_if_asked(capsys):
    arguments = ("gadget", "small_holdem", "--defender", "0", "--at", "all", "--method", "maxmargin")
    enumerated = json.loads(printed(capsys, *arguments, "--blueprint", "uniform", "--json"))
    boards = json.loads(printed(capsys, *arguments, "--blueprint", "uniform", "--json", "--form", "boards"))
    assert boards["exploitability_before"] == pytest.approx(enumerated["exploitability_before"], abs=1e-9)
    assert boards["min_margin"] == pytest.approx(enumerated["min_margin"], abs=2e-2)
    assert [*map(len, (boards["subgames"], boards["tops"]))] == [
        *map(len, (enumerated["subgames"], enumerated["tops"]))
    ]
    reaches = [
        {(top["subgame"], top["top"].split("|")[0]): (top["reach"], top["cbv"]) for top in found["tops"]}
        for found in (boards, enumerated)
    ]
    assert reaches[0].keys() == reaches[1].keys()
    for key, pair in reaches[0].items():
        assert pair == pytest.approx(reaches[1][key], abs=1e-12)


def test_a_claim_of_safety_fails_where_unsafe_solving_harms(capsys):
    """Against an equilibrium the unsafe gadget gives away what the opponent does not come with."""
    game = 'small_holdem(board="As Kh Qs Jh",ranks=5)'
    spot = ("gadget", game, "--defender", "0", "--blueprint", "nash", "--form", "boards")
    assert run([*spot, "--at", "all", "--method", "unsafe", "--claim", "safe", "--json"]) == FAILED
    assert not json.loads(capsys.readouterr().out)["safe"]
    assert run([*spot, "--at", "all", "--method", "maxmargin", "--claim", "safe"]) == SUCCESS


@over(
    [
        (("--at", "r999", "--method", "resolve"), "has no betting line 'r999'"),
        (("--at", "KsTh7s4dQc:c", "--method", "resolve"), "must begin with KsTh7s4d2c"),
        (("--at", "KsTh7s4d2c3c:c", "--method", "resolve"), "must begin with KsTh7s4d2c"),
        (("--at", "c", "--method", "joint"), "joint is for games that are enumerated"),
        (("--at", "c", "--method", "estimated-resolve"), "estimates must be blueprint"),
        (("--at", "c", "--method", "treeplex.examples.faults:Careful"), "cannot load the gadget"),
        (("--at", "c", "--method", "resolve", "--tolerance", "-1"), "tolerance must be at least 0"),
        (("--at", "c", "--method", "resolve", "--iterations", "0"), "iterations must be an integer from 1"),
        (
            ("--at", "c", "--method", "resolve", "--set", "equilibrium=quasi-perfect"),
            "equilibrium must be any",
        ),
        (("--at", "c", "--method", "resolve", "--blueprint", "cfr+:0"), "cfr+:N needs N between 1"),
    ]
)
def test_bad_input_is_one_line(more, says, complaint):
    assert says in complaint("gadget", "example:river", "--defender", 1, "--blueprint", "uniform", *more)


def test_a_blueprint_of_another_spot_is_refused(tmp_path, capsys, complaint):
    path = tmp_path / "turn.npz"
    few = ("--form", "boards", "--iterations", "2")
    printed(capsys, "solve", "small_holdem", *few, "--out", path)
    assert "is of another game, 'small_holdem'" in complaint(*RIVER[:-1], path, "--method", "resolve")


def test_options_of_one_form_are_not_for_the_other(complaint):
    arguments = "gadget kuhn_poker --defender 1 --at all --method resolve --blueprint uniform"
    for more in (["--tolerance", "1"], ["--hands"]):
        assert "for boards, got" in complaint(*arguments.split(), *more)
