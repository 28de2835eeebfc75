"""``treeplex challenge``: exit codes, JSON, the table, what a signal leaves; ``gadget --claim``."""

import json
import signal

import pytest

from tests.helpers.cells import over
from tests.helpers.processes import listening
from treeplex.cli.app import FAILED, SUCCESS
from treeplex.cli.main import BAD_INPUT, run
from treeplex.process.interruption import INTERRUPTED

KEYS = ["claim", "target", "broken", "tried", "seed", "seconds", "interrupted", "counterexample"]


@pytest.mark.seconds(3)
def test_json_of_a_claim_that_is_broken(capsys):
    assert run(["challenge", "unsafe", "--claim", "safe", "--json"]) == FAILED
    found = json.loads(capsys.readouterr().out)
    assert list(found) == KEYS
    assert {"game", "infosets", "blueprint", "cut", "harm", "replay"} <= set(found["counterexample"])
    assert found["broken"] is True


def test_json_of_a_claim_that_holds(capsys):
    assert run(["challenge", "maxmargin", "--games", "5", "--json"]) == SUCCESS
    found = json.loads(capsys.readouterr().out)
    assert list(found) == KEYS
    assert (found["broken"], found["tried"], found["counterexample"]) == (False, 5, None)


LOUD = """
from treeplex.gadgets.published_gadgets import Resolve


class Loud(Resolve):
    def apply(self, subgame):
        print("solving")
        return super().apply(subgame)
"""


@over(
    [
        "challenge loud:Loud --games 1",
        "gadget coin_toss --defender 1 --at all --method loud:Loud --blueprint uniform",
    ]
)
def test_what_a_gadget_prints_stays_out_of_standard_output(words, tmp_path, monkeypatch, capsys):
    (tmp_path / "loud.py").write_text(LOUD)
    monkeypatch.chdir(tmp_path)
    assert run([*words.split(), "--json"]) == SUCCESS
    out, err = capsys.readouterr()
    assert json.loads(out)
    assert "solving" in err


@pytest.mark.seconds(3)
def test_the_table_ends_with_the_verdict(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["challenge", "unsafe"]) == FAILED
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "BROKEN: unsafe never makes a strategy more exploitable than its blueprint"
    again = next(line for line in lines if line.startswith("again: ")).removeprefix("again: treeplex ")
    assert run(again.split()) == FAILED
    assert capsys.readouterr().out.splitlines()[-1] == lines[-1]
    assert run(["challenge", "resolve", "--games", "3"]) == SUCCESS
    assert capsys.readouterr().out.startswith("no counterexample in 3 games, ")


@over([["reslove"], ["unsafe", "--claim", "sage"], ["unsafe", "--games", "0"], ["unsafe", "--replay", "x"]])
def test_bad_input_is_one_line(arguments, capsys):
    assert run(["challenge", *arguments]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


@pytest.mark.seconds(3)
def test_a_signal_leaves_what_was_found():
    with listening("challenge", "resolve", "--seconds", "3000", "--json") as process:
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == INTERRUPTED
    if out:
        assert json.loads(out)["interrupted"] is True


def test_gadget_is_held_to_safety(capsys):
    leduc = ["gadget", "coin_toss", "--defender", "1", "--at", "all", "--blueprint", "nash", "--method"]
    assert run([*leduc, "unsafe"]) == SUCCESS
    assert "NOT SAFE here: more exploitable than the blueprint by 0.75" in capsys.readouterr().out
    assert run([*leduc, "unsafe", "--claim", "safe"]) == FAILED
    capsys.readouterr()
    assert run([*leduc, "maxmargin", "--claim", "safe"]) == SUCCESS
    assert "\nsafe here: not more exploitable" in capsys.readouterr().out
    assert run([*leduc, "maxmargin", "--claim", "good"]) == BAD_INPUT
    assert "claim must be safe, got 'good'" in capsys.readouterr().err
