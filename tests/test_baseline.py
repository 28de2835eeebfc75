"""The baseline tool: records say everything but times and places, and a comparison finds what changed."""

import json
from pathlib import Path
from tempfile import gettempdir

import pytest

from benchmarks.baseline.__main__ import main
from benchmarks.baseline.commands import commands
from benchmarks.baseline.engines import engines
from benchmarks.baseline.records import differences
from benchmarks.baseline.running import names, run_commands
from treeplex.cli.app import COMMANDS

SOLVED = (
    "solve kuhn_poker --method cfr+ --iterations 5 --trace TMP/t.csv --out TMP/s.csv",
    "solve kuhn_poker --form boards --iterations 5 --checkpoint TMP/run.npz --out TMP/s.npz",
    "check kuhn_poker TMP/gone.csv",
)


def test_every_command_has_a_case():
    kept = {line.split()[0] for lines in commands().values() for line in lines}
    assert {name for names in COMMANDS.values() for name in names} <= kept


def test_no_two_cases_have_one_name():
    assert len(set(names())) == len(names()) == len(commands()) + len(engines())


def test_a_record_is_the_same_every_time_and_has_neither_times_nor_places():
    record = run_commands(SOLVED)
    assert record == run_commands(SOLVED)
    text = json.dumps(record)
    assert "seconds" not in text
    assert gettempdir() not in text
    assert record["1"]["out"]["iterations"] == 5
    assert record["3"]["exit"] == 2
    assert "TMP/gone.csv" in record["3"]["stderr"][0]
    assert set(record["files"]) == {"t.csv", "s.csv", "run.npz", "s.npz"}
    assert record["files"]["s.npz"]["head"]["game"] == "kuhn_poker"


def test_differences_name_the_case_the_key_and_both_values():
    before = {"a": {"out": {"gains": [0.5, 1.0], "unit": "chips"}}, "b": {}}
    after = {"a": {"out": {"gains": [0.5, 1], "pots": None}}, "c": {}}
    found = [(d.case, d.where, d.key, d.before, d.after) for d in differences(before, after)]
    assert found == [
        ("a", "out.gains[1]", "gains", "1.0", "1"),
        ("a", "out.unit", "unit", '"chips"', None),
        ("a", "out.pots", "pots", None, "null"),
        ("b", "(whole case)", "(whole case)", "kept", None),
        ("c", "(whole case)", "(whole case)", None, "kept"),
    ]
    assert list(differences(before, before)) == []


def test_a_comparison_fails_where_something_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "baseline.json"
    only = ["--only", "bad/out", "--only", "engine/lp/battleship*"]
    assert main(["compare", str(path), *only]) == 2
    assert main(["write", str(path), *only]) == 0
    assert main(["compare", str(path), *only]) == 0
    kept = json.loads(path.read_text())
    assert set(kept) == {"bad/out", "engine/lp/battleship", "engine/lp/battleship/exact"}
    kept["bad/out"]["1"]["exit"] = 0
    path.write_text(json.dumps(kept))
    capsys.readouterr()
    assert main(["compare", str(path), *only]) == 1
    assert "1.exit: 0 -> 2" in capsys.readouterr().out
    assert main(["compare", str(path), *only, "--ignore", "exit"]) == 0
    assert main(["compare", str(path), "--against", str(path)]) == 0
