"""``treeplex gadget``: the JSON that scripts read, the table, composed strategies, one line for bad input."""

import json
import re

import pytest

from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.processes import ran
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run

KEYS = (
    "game method defender subgames tops min_margin exploitability_before exploitability_after "
    "exploitability_joint safe seconds"
)
TOP_KEYS = ["subgame", "top", "reach", "cbv", "alternative", "gift", "value", "margin"]
PAGE = ROOT / "docs" / "GADGETS.md"


def gadget(spec="leduc_poker", defender=1, at="all", method="resolve", blueprint="uniform", more=()):
    arguments = ["gadget", spec, "--defender", str(defender), "--at", at, "--method", method]
    return [*arguments, "--blueprint", str(blueprint), *more]


def test_json_has_the_agreed_keys(capsys):
    assert run(gadget(method="reach-maxmargin", more=["--json"])) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert " ".join(found) == KEYS
    assert list(found["tops"][0]) == TOP_KEYS
    assert (found["game"], found["method"], found["defender"]) == ("leduc_poker", "reach-maxmargin", 1)
    assert len(found["subgames"]) == 15
    assert len(found["tops"]) == 45
    assert found["min_margin"] == min(top["margin"] for top in found["tops"])
    for top in found["tops"]:
        assert top["margin"] == pytest.approx(top["alternative"] + top["gift"] - top["value"], abs=1e-12)
        assert top["subgame"] in found["subgames"]
    assert found["exploitability_joint"] <= found["exploitability_after"] <= found["exploitability_before"]
    assert found["exploitability_before"] == pytest.approx(2.173106, abs=1e-6)


def test_unsafe_offers_nothing(capsys):
    assert run(gadget("coin_toss", 1, ":Play", "unsafe", more=["--json"])) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert [top["alternative"] for top in found["tops"]] == [None, None]
    assert [top["margin"] for top in found["tops"]] == [top["cbv"] - top["value"] for top in found["tops"]]


def test_table_says_what_happened(capsys):
    assert run(gadget("coin_toss", 1, "all", "maxmargin")) == SUCCESS
    out = capsys.readouterr().out
    assert "coin_toss: player 1 solves again by maxmargin" in out
    assert re.search(r":Play +Heads:Play +0\.5 +0\.333333 +0\.333333 +0\.000000 +0\.000000 +0\.333333", out)
    assert re.search(r"exploitability before +0\.416667\n +after +0\.25\n +jointly +0,", out)


def test_subgames_that_nobody_reaches_keep_the_blueprint(tmp_path, capsys):
    """Player 0 always sells, so that nobody knows how a player who plays would have come."""
    path = tmp_path / "sells.csv"
    rows = [
        f"0,{coin}:,{move},{int(move == 'Sell')}" for coin in ("Heads", "Tails") for move in ("Sell", "Play")
    ]
    rows += [f"1,?:Play,{guess},{int(guess == 'Heads')}" for guess in ("Heads", "Tails", "Forfeit")]
    path.write_text("\n".join(["player,infoset,action,probability", *rows]))
    assert run(gadget("coin_toss", 1, "all", "unsafe", path)) == SUCCESS
    assert "keeps the blueprint: unsafe is undefined" in capsys.readouterr().out


def test_out_writes_the_composed_strategy(tmp_path, capsys):
    """What is written has the exploitability that was printed, and can be a blueprint again."""
    path = tmp_path / "composed.csv"
    assert run(gadget("kuhn_poker", 1, "all", "joint", more=["--out", str(path), "--json"])) == SUCCESS
    first = json.loads(capsys.readouterr().out)
    assert run(gadget("kuhn_poker", 1, "all", "joint", path, more=["--json"])) == SUCCESS
    second = json.loads(capsys.readouterr().out)
    assert second["exploitability_before"] == pytest.approx(first["exploitability_after"], abs=1e-12)
    assert run(["check", "kuhn_poker", str(path)]) == SUCCESS


def test_several_states_are_several_subgames(capsys):
    more = ["--at", "Q:cc/", "--json"]
    assert run(gadget(at="K:cc/", more=more)) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert found["subgames"] == ["K:cc/", "Q:cc/"]
    assert {top["subgame"] for top in found["tops"]} == {"K:cc/", "Q:cc/"}


@over(["nash", "cfr+:50"])
def test_blueprints(blueprint, capsys):
    assert run(gadget("kuhn_poker", 0, "all", "lexicographic", blueprint, more=["--json"])) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert found["exploitability_after"] <= found["exploitability_before"] + 1e-9
    assert (found["exploitability_before"] < 1e-9) == (blueprint == "nash")


def test_options_reach_the_method(capsys):
    def after(*more):
        assert (
            run(gadget("coin_toss(forfeit=false,subgames=2)", 1, "all", more[0], more=[*more[1:], "--json"]))
            == 0
        )
        return json.loads(capsys.readouterr().out)["exploitability_after"]

    assert after("reach-maxmargin") == pytest.approx(1 / 8, abs=1e-9)
    assert after("reach-maxmargin", "--scale", "2") == pytest.approx(0, abs=1e-9)
    assert after("reach-maxmargin", "--scale", "3", "--set", "gifts=estimated") == pytest.approx(
        1 / 8, abs=1e-9
    )
    assert after("estimated-maxmargin", "--set", "estimates=joint") == pytest.approx(0, abs=1e-9)
    assert after("maxmargin", "--set", "equilibrium=quasi-perfect") == pytest.approx(1 / 4, abs=1e-9)
    assert after("distributional", "--set", "deviation=0.5", "--set", "atoms=4") <= 1 / 4 + 1e-9


@pytest.mark.seconds(3)
@over(
    [
        (gadget(at="K:xx"), r"leduc_poker has no public state 'K:xx'; there are 241, such as"),
        (gadget(method="resolv"), "there is no method 'resolv'; there is resolve"),
        (
            gadget(method="no_such_module:Gadget"),
            "cannot load the gadget 'no_such_module:Gadget': there is no module",
        ),
        (gadget(method="json:loads"), "a gadget of your own must not be of Python's own module json"),
        (gadget(method="numpy:pi"), "'numpy:pi' is no gadget: it has no method apply"),
        (
            gadget(blueprint="nosh"),
            "blueprint must be uniform, nash, METHOD:N with METHOD one of cfr, cfr+, lcfr",
        ),
        (gadget(blueprint="cfr+:0"), r"N between 1 and 10,000,000 iterations, got '0'"),
        (gadget(blueprint="missing.csv"), "cannot read missing.csv"),
        (gadget("leduc"), "unknown game 'leduc'"),
        (gadget("limit_holdem", more=["--form", "tree"]), "has more than 500,000 histories"),
        (gadget(more=["--at", "K:cc/"]), "'all'"),
        (
            gadget(at="K:cc/", more=["--at", "K:cc/c"]),
            "subgames must be disjoint, but 'K:cc/c' overlaps 'K:cc/'",
        ),
        (gadget(more=["--scale", "-1"]), "scale must be between 0"),
        (gadget(more=["--set", "gifts=all"]), "gifts must be one of lower-bound, estimated"),
        (gadget(more=["--set", "atoms=4"]), "atoms is not for the method resolve, got 4"),
        (gadget(method="joint", more=["--set", "equilibrium=quasi-perfect"]), "not for the method joint"),
        (gadget(more=["--out", "strategy.txt"]), "must end in .csv or .json"),
        (["gadget", "leduc_poker"], "Missing option"),
    ]
)
def test_bad_input_is_one_line_and_exit_2(arguments, says, complaint):
    assert says in complaint(*arguments)


def test_a_blueprint_of_another_game_is_refused(tmp_path, complaint):
    path = tmp_path / "kuhn.csv"
    assert run(["solve", "kuhn_poker", "--out", str(path)]) == SUCCESS
    assert re.search("player 0's 'c' at '.*' is missing", complaint(*gadget(blueprint=path)))


def page_program():
    return re.search(r"```python\n# half_trusting.py\n(.*?)```", PAGE.read_text(), re.DOTALL).group(1)


@pytest.mark.seconds(3)
def test_the_page_on_gadgets_is_true(tmp_path):
    """Its program has thirty lines at most, runs as the page says, and has the negative margins it names."""
    program = page_program()
    assert len(program.splitlines()) <= 30
    (tmp_path / "half_trusting.py").write_text(program)
    command = re.search(r"\$ treeplex (gadget .*)", PAGE.read_text()).group(1).split()
    done = ran("-m", "treeplex", *command, "--json", cwd=tmp_path)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["method"] == "half_trusting:HalfTrusting"
    assert found["min_margin"] < -1e-3
    assert done.stderr == ""


def test_locked_games_are_refused(complaint):
    said = complaint(*gadget("examples/locked_river.toml", 0, method="maxmargin"))
    assert "games without locks" in said
