"""The command abstract: what it prints, what it refuses, and what is left when it is killed."""

import errno
import json
import os
import subprocess
import sys
import time

import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cli.main import run

GAME, STREETS = "turn_holdem(ranks=4)", "flop:30:hist,turn:50:ochs"


def test_the_estimate_is_said_first_and_the_streets_are_printed(capsys, tmp_path):
    out = tmp_path / "a.npz"
    assert run(["abstract", GAME, "--street", STREETS, "--out", str(out)]) == 0
    printed, said = capsys.readouterr()
    assert said.startswith(f"treeplex: {GAME}: about ")
    assert " of memory" in said
    assert "hist" in printed
    assert tp.read_abstraction(out).counts == (16, 30, 50)


def test_streets_have_their_names_and_too_many_buckets_are_told_of(capsys, tmp_path):
    out = tmp_path / "a.npz"
    assert run(["abstract", GAME, "--street", "turn:200:equity", "--out", str(out)]) == 0
    printed, said = capsys.readouterr()
    assert [line.split()[0] for line in printed.splitlines()[2:5]] == ["preflop", "flop", "turn"]
    found = tp.read_abstraction(out).counts[2]
    assert found < 200
    assert said.splitlines()[-1] == f"treeplex: turn: {found} buckets, not 200: no more differ"


def test_json_is_the_head_of_the_file(capsys, tmp_path):
    out = tmp_path / "a.npz"
    options = ["--recall", "perfect", "--seed", "3", "--threads", "2", "--json"]
    assert run(["abstract", GAME, "--street", STREETS, "--out", str(out), *options]) == 0
    head = json.loads(capsys.readouterr().out)
    assert head == tp.read_abstraction(out).head
    assert (head["recall"], head["seed"], head["text"]) == ("perfect", 3, STREETS)


@over(
    [
        (GAME, "flop:0:hist", "flop: the number of buckets must be from 1 to "),
        (GAME, "river:9:hist", "a street must be one of preflop, flop, turn, got 'river'"),
        ("kuhn_poker", "preflop:2:hist", "features are of hold'em hands of two cards"),
        ("leduc", "flop:2:hist", "leduc"),
    ]
)
def test_what_cannot_be_is_one_line(game, street, said, capsys, tmp_path):
    assert run(["abstract", game, "--street", street, "--out", str(tmp_path / "a.npz")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_one_line_and_what_was_there_stays(capsys, tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    out = tmp_path / "a.npz"
    arguments = ["abstract", GAME, "--street", STREETS, "--out", str(out)]
    assert run(arguments) == 0
    before = out.read_bytes()
    capsys.readouterr()
    monkeypatch.setattr(os, "fsync", full)
    assert run([*arguments, "--seed", "2"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("No space left on device")
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.seconds(20)
def test_a_run_that_is_killed_goes_on_to_the_same_bytes(tmp_path):
    game, streets = "turn_holdem(ranks=5)", "flop:200:hist,turn:900:ochs"
    one, other = tmp_path / "one.npz", tmp_path / "other.npz"
    arguments = [sys.executable, "-m", "treeplex", "abstract", game, "--street", streets, "--out"]
    child = subprocess.Popen([*arguments, str(one)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while child.poll() is None and not list(tmp_path.glob("one.flop-*.npz")):
            time.sleep(0.01)
    finally:
        child.kill()
        child.wait()
    assert not one.exists()
    assert len(list(tmp_path.glob("one.flop-*.npz"))) == 1
    for path in (one, other):
        subprocess.run([*arguments, str(path)], check=True, capture_output=True)
    assert one.read_bytes() == other.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.npz", "other.npz"]
