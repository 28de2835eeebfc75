"""Inputs are regular files, or standard input: what never ends or never begins is refused at once."""

import io
import os
import sys
from pathlib import Path

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed
from treeplex.games.base import reading

READERS = {
    "toml": ("solve", "{}"),
    "game": ("solve", "{}"),
    "efg": ("solve", "{}"),
    "txt": ("games", "{}(bets=[1],raises=[1])"),
    "csv": ("check", "kuhn_poker", "{}"),
    "json": ("check", "kuhn_poker", "{}"),
    "npz": ("check", "leduc_poker", "{}"),
    "trace.csv": ("plot", "{}"),
    "case.json": ("challenge", "resolve", "--replay", "{}"),
}


@over(READERS, ["fifo", "device"])
def test_what_is_no_regular_file_is_refused_at_once(suffix, kind, complaint, tmp_path):
    """A FIFO that nobody writes would be waited for, a device be read until memory is full."""
    path = tmp_path / f"input.{suffix}"
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    said = complaint(*(part.format(path) for part in READERS[suffix]))
    assert f"cannot read {path}: it is no regular file" in said


@over([("s.csv", "cannot read s.csv: No such file"), ("no-suffix", "must end in .csv")])
def test_a_strategy_is_read_before_the_form_of_its_game_is_built(name, says, complaint):
    """That of limit hold'em would not fit into any memory."""
    assert says in complaint("check", "limit_holdem", name)
    assert says in complaint("show", "limit_holdem", "--strategy", name)


def test_a_larger_text_than_any_game_is_refused(complaint, monkeypatch, tmp_path):
    monkeypatch.setattr(reading, "MOST_TEXT", 100)
    path = tmp_path / "spot.toml"
    path.write_text("#" * 101)
    assert f"cannot read {path}: it has more than 100 bytes" in complaint("solve", path)


@over(["csv", "json"])
def test_a_table_comes_from_standard_input(suffix, capsys, monkeypatch, tmp_path):
    path = tmp_path / f"kuhn.{suffix}"
    tp.write(tp.solve("kuhn_poker"), path)
    for content, codes in ((path.read_bytes(), 0), (b"", 2)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        if codes == 0:
            assert "-0.0555555" in printed(capsys, "check", "kuhn_poker", "-")
        else:
            with pytest.raises(ValueError, match="- is not a table"):
                tp.read("kuhn_poker", Path("-"))


@over(
    [
        (("answer", "example:turn", "--strategy", "uniform", "--at", "cr41c/cr150"), "must have 5 cards"),
        (("abstract", "turn_holdem", "--street", "", "--out", "a.npz"), "street must name a street"),
        (("verify", "--instances", "9" * 20), "instances must be an integer from 0 to 1000000"),
    ]
)
def test_what_was_taken_as_something_else_is_refused(arguments, says, complaint, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert says in complaint(*arguments)
