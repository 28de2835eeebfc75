"""Outputs of commands: formats by suffix or name, standard output for one thing at a time."""

import csv
import io
import json
import os
import shutil

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.places import round_link
from treeplex import read
from treeplex.cli.main import run
from treeplex.solving import solve as solving

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and descriptors")
CFR = ("solve", "kuhn_poker", "--method", "cfr+", "--iterations", "3")
AT_ALL = ("coin_toss", "--defender", "1", "--at", "all")
GADGET = ("gadget", *AT_ALL, "--method", "resolve", "--blueprint", "nash")
TRANSLATE = (
    "answer",
    "--by",
    "translation",
    "no_limit_leduc(bets=[1/2,1])",
    "--abstraction",
    "1",
    "--defender",
    "1",
)


def printed(capfdbinary, *arguments):
    capfdbinary.readouterr()
    assert run([*map(str, arguments)]) == 0
    out, err = capfdbinary.readouterr()
    assert err == b""
    return out


@pytest.mark.seconds(3)
@over(
    ["-", "/dev/fd/1"],
    [
        (CFR, "csv", b"player,infoset,action,probability\n0,J:,"),
        (CFR, "json", b'[\n{"player": 0'),
        (CFR, "parquet", b"PAR1"),
        (GADGET, "csv", b"player,infoset,action,probability\n"),
        (("theory", "kuhn_poker", "--method", "cfr", "--iterations", "3"), "csv", b"iteration"),
        (("show", "kuhn_poker", "--node", ""), "svg", b"<?xml"),
        (("draw", "coin_toss"), "png", b"\x89PNG"),
        (("export", "coin_toss"), "npz", b"PK"),
        (("export", "coin_toss"), "efg", b"EFG 2 R"),
    ],
)
def test_standard_output_holds_the_output_alone(name, arguments, format, begins, capfdbinary):
    out = printed(capfdbinary, *arguments, "--out", name, "--format", format)
    assert out.startswith(begins)
    assert b"kuhn_poker " not in out


def test_a_trace_on_standard_output_needs_no_format(capfdbinary, tmp_path):
    out = printed(capfdbinary, *CFR, "--trace", "-", "--out", tmp_path / "s.csv")
    rows = list(csv.DictReader(io.StringIO(out.decode())))
    assert [row["iterations"] for row in rows] == ["1", "2", "3"]
    assert (tmp_path / "s.csv").exists()
    picture = printed(capfdbinary, "plot", _written(tmp_path / "t.csv", out), "--out", "-", "--format", "pdf")
    assert picture.startswith(b"%PDF")


def _written(path, content):
    path.write_bytes(content)
    return path


def test_a_strategy_on_boards_on_standard_output(capfdbinary):
    game = "leduc_poker(ranks=2,raises=1)"
    solve = ("solve", game, "--method", "dcfr", "--iterations", "3", "--out", "-", "--format", "npz")
    assert {*np.load(io.BytesIO(printed(capfdbinary, *solve)))} == {"head", "player0", "player1"}


def test_other_streams_leave_the_table_on_standard_output(capfdbinary, tmp_path):
    with (tmp_path / "log").open("wb") as log:
        out = printed(capfdbinary, *CFR, "--out", f"/dev/fd/{log.fileno()}", "--format", "csv", "--json")
    assert json.loads(out)["game"] == "kuhn_poker"
    assert (tmp_path / "log").read_text().startswith("player,")


@over(
    [
        ((*CFR, "--json", "--out", "-", "--format", "csv"), "--out and --json must be different files"),
        ((*CFR, "--json", "--out", "/dev/fd/1", "--format", "csv"), "--out and --json must be different"),
        ((*CFR, "--json", "--trace", "-"), "--trace and --json must be different files"),
        ((*CFR, "--out", "-", "--format", "csv", "--trace", "/dev/fd/1"), "--out and --trace must be"),
        ((*CFR, "--checkpoint", "-"), "a checkpoint must end in .npz, got -"),
        ((*CFR, "--out", "-"), "must end in .csv or .json or .parquet or .npz, got -; or name its format"),
        ((*CFR, "--out", "-", "--format", "xls"), "format must be one of csv, json, parquet, npz, got 'xls'"),
        ((*CFR, "--out", "a.json", "--format", "csv"), "the file a.json says json, and the format is csv"),
        ((*CFR, "--format", "csv"), "format is of what --out writes, got 'csv' without it"),
        ((*GADGET, "--out", "-", "--format", "npz"), "on the boards of a poker game, got coin_toss; write"),
        ((*GADGET, "--json", "--out", "-", "--format", "csv"), "--out and --json must be different files"),
        ((*TRANSLATE, "--out", "s.csv", "--format", "json"), "says csv, and the format is json"),
        ((*TRANSLATE, "--json", "--out", "-", "--format", "csv"), "--out and --json must be different files"),
        (("show", "kuhn_poker", "--out", "-"), "a picture must end in .png or .svg or .pdf, got -"),
        (("show", "kuhn_poker", "--json", "--out", "-", "--format", "svg"), "--out and --json must be"),
        (("draw", "coin_toss", "--format", "svg"), "format is of what --out writes"),
        (("plot", "none.csv", "--out", "-", "--format", "csv"), "format must be one of png, svg, pdf"),
        (("export", "coin_toss", "--out", "-"), "an export must end in"),
        ((*CFR, "--out", "a" * 300 + ".csv"), "File name too long"),
        ((*CFR, "--trace", "gone/t.csv"), "there is no directory gone"),
        ((*CFR, "--out", "/dev/fd/977", "--format", "csv"), "cannot write /dev/fd/977: Bad file descriptor"),
    ]
)
def test_bad_outputs_are_refused_before_anything_runs(arguments, says, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "--checkpoint" not in arguments:
        monkeypatch.setattr(solving, "solve", lambda *a, **k: pytest.fail("solved"))
    said = complaint(*arguments)
    assert says in said
    assert "Errno" not in said


@over(["--out", "--trace", "--checkpoint", "--warm-start"])
def test_links_that_go_round_are_one_line(option, complaint, tmp_path):
    path = round_link(tmp_path / ("a.npz" if option == "--checkpoint" else "a.csv"))
    assert "Too many levels of symbolic links" in complaint(*CFR, option, path)
    assert path.is_symlink()


@over([("solve", "toml"), ("solve", "efg"), ("check", "csv"), ("plot", "csv")])
def test_links_that_go_round_are_not_read(command, suffix, complaint, tmp_path):
    path = round_link(tmp_path / f"a.{suffix}")
    arguments = {"solve": (path,), "check": ("kuhn_poker", path), "plot": (path, "--out", tmp_path / "a.png")}
    assert "Too many levels of symbolic links" in complaint(command, *arguments[command])


@pytest.mark.skipif(not os.path.exists("/dev/ptmx"), reason="pseudo-terminals")
def test_what_is_no_text_does_not_go_to_a_terminal(complaint):
    parent, child = os.openpty()
    try:
        said = complaint("export", "coin_toss", "--out", f"/dev/fd/{child}", "--format", "npz")
    finally:
        os.close(parent)
        os.close(child)
    assert f"npz is no text, and /dev/fd/{child} is a terminal" in said


def test_a_result_is_shown_although_its_file_cannot_be_written(capsys, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    solve = solving.solve

    def vanishing(*arguments, **options):
        result = solve(*arguments, **options)
        shutil.rmtree(tmp_path / "there")
        return result

    monkeypatch.setattr(solving, "solve", vanishing)
    outputs = ("--out", str(tmp_path / "there" / "s.csv"), "--trace", str(tmp_path / "t.csv"))
    assert run([*CFR, *outputs, "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["iterations"] == 3
    assert err.startswith("treeplex: cannot write ")
    assert (err.count("\n"), "there is no directory" in err) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_names_that_begin_with_a_dash(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run([*CFR, "--out", "-s.csv", "--trace", "--trace.csv", "--checkpoint", "-.npz"]) == 0
    assert sorted(os.listdir()) == ["--trace.csv", "-.npz", "-s.csv"]
    assert run(["check", "kuhn_poker", "--", "-s.csv"]) == 0
    assert run(["check", "kuhn_poker", "-s.csv"]) == 2
    assert read("kuhn_poker", "-s.csv") is not None
