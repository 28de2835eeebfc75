"""``check --where``: the table of repairs and losses, their key in JSON, and what is refused."""

import json

import pytest

from tests.helpers.cells import over
from tests.helpers.commands import RESULT_KEYS, printed
from treeplex.solving.check import repairs


@pytest.fixture
def played(tmp_path, capsys):
    """The path of what ten iterations play."""
    path = tmp_path / "kuhn.csv"
    printed(capsys, "solve", "kuhn_poker", "--method", "cfr+", "--iterations", 10, "--out", path)
    return path


def test_the_largest_repairs_are_listed(capsys, played):
    lines = printed(capsys, "check", "kuhn_poker", played, "--where", "--most", 2).splitlines()
    start = next(
        k for k, line in enumerate(lines) if line == "2 infosets in chips, the largest repairs first"
    )
    worst = repairs("kuhn_poker", played, most=2)[0]
    assert len(lines) == start + 4
    assert lines[start + 2].split()[:3] == [str(worst.loss.player), worst.loss.infoset, f"{worst.repair:.3g}"]
    assert f"{worst.loss.loss:.3g}" in lines[start + 2]


def test_they_are_a_key_of_the_object_where_they_are_asked_for(capsys, played):
    plain = json.loads(printed(capsys, "check", "kuhn_poker", played, "--json"))
    assert list(plain) == RESULT_KEYS
    asked = json.loads(printed(capsys, "check", "kuhn_poker", played, "--where", "--most", 99, "--json"))
    assert list(asked) == [*RESULT_KEYS, "where"]
    assert [*asked["where"][0]] == ["player", "infoset", "loss", "played", "best", "repair", "instead"]
    assert sum(one["loss"] for one in asked["where"]) == pytest.approx(asked["nash_conv"], abs=1e-9)
    assert all(0 <= one["repair"] <= asked["nash_conv"] for one in asked["where"])


@over(
    [
        (("--most", 3), "most is for --where, got 3 without it"),
        (("--where", "--most", 0), "most must be at least 1, got 0"),
    ]
)
def test_a_number_alone_and_one_below_one_are_refused(options, says, complaint, played):
    assert says in complaint("check", "kuhn_poker", played, *options)
