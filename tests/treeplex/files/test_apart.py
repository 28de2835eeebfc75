"""Two outputs in one file, or an output in the place of an input, are refused before anything runs."""

import os

import pytest

from tests.helpers.cells import over
from tests.helpers.places import device
from treeplex import export, plot, solve, write
from treeplex.cli.main import run
from treeplex.solving import solve as solving

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links")
SOLVE = ("solve", "kuhn_poker", "--method", "cfr+", "--iterations", "3")
EFG = "examples/night_crossing.efg"


@pytest.fixture
def refused(complaint, tmp_path, monkeypatch):
    """A function that holds a command to a complaint of two options before anything runs."""
    monkeypatch.setattr(solving, "solve", lambda *a, **k: pytest.fail("solved"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments, says):
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        assert f"{says} must be different files" in complaint(*arguments)
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before

    return call


@pytest.mark.seconds(3)
@over(["a.csv", "./a.csv", "sub/../a.csv", "sub/up/a.csv", "link.csv", "A.CSV", "dangling.csv"])
def test_one_new_file_by_two_spellings(other, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "up").symlink_to("..")
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    (tmp_path / "dangling.csv").symlink_to("sub/up/link.csv")
    refused(*SOLVE, "--out", "a.csv", "--trace", other, says="--out and --trace")
    refused(*SOLVE, "--out", tmp_path / "a.csv", "--trace", other, says="--out and --trace")
    refused(*SOLVE, "--out", other, "--trace", "a.csv", says="--out and --trace")


@over(["a.npz", "sub/../a.npz", "link.npz", "hard.npz"])
def test_one_file_that_is_there(other, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.npz").write_text("old")
    (tmp_path / "link.npz").symlink_to("a.npz")
    os.link(tmp_path / "a.npz", tmp_path / "hard.npz")
    on_boards = (*SOLVE, "--form", "boards", "--out", "a.npz")
    refused(*on_boards, "--checkpoint", other, says="--out and --checkpoint")


def test_a_fifo_takes_one_output(refused, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    refused(*SOLVE, "--out", "pipe", "--format", "csv", "--trace", "./pipe", says="--out and --trace")


def test_devices_and_different_files_take_two(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    null = device(tmp_path, "null")
    assert run([*SOLVE, "--out", null, "--format", "csv", "--trace", null]) == 0
    assert run([*SOLVE, "--out", "a.csv", "--trace", "b.csv", "--checkpoint", "a.npz"]) == 0
    assert run([*SOLVE, "--out", "a.csv", "--trace", "b.csv", "--checkpoint", "a.npz"]) == 0
    (tmp_path / "A.csv").write_text("another")
    assert run([*SOLVE, "--out", "a.csv", "--trace", "A.csv"]) == 0


def test_an_input_is_not_an_output(refused, tmp_path):
    write(solve("kuhn_poker"), tmp_path / "s.csv")
    (tmp_path / "game.efg").write_bytes((tmp_path / "s.csv").read_bytes())
    (tmp_path / "link.efg").symlink_to("game.efg")
    os.link(tmp_path / "s.csv", tmp_path / "hard.csv")
    solved, at = " ".join(SOLVE), "--at all --defender 1"
    for arguments, says in (
        (f"{solved} --warm-start s.csv --trace hard.csv", "--trace and --warm-start"),
        (f"{solved} --warm-start s.npz --checkpoint ./s.npz", "--checkpoint and --warm-start"),
        ("export game.efg --out link.efg", "--out and the game"),
        ("export ./game.efg --out game.efg", "--out and the game"),
        ("solve game.efg --out game.efg --format csv", "--out and the game"),
        ("theory game.efg --method cfr --iterations 3 --out game.efg --format csv", "--out and the game"),
        ("show kuhn_poker --strategy s.csv --out hard.csv --format png", "--out and --strategy"),
        ("draw game.efg --out game.efg --format png", "--out and the game"),
        (
            f"draw coin_toss {at} --gadget resolve --blueprint s.csv --out s.csv --format png",
            "--out and --blueprint",
        ),
        ("plot s.csv --out hard.csv --format png", "--out and s.csv"),
        (
            f"gadget game.efg {at} --method resolve --blueprint nash --out game.efg --format csv",
            "--out and the game",
        ),
        (
            "answer kuhn_poker --abstraction game.efg --defender 1 --out game.efg --format csv",
            "--out and --abstraction",
        ),
    ):
        if "s.npz" in arguments:
            (tmp_path / "s.npz").write_text("old")
        refused(*arguments.split(), says=says)


def test_a_strategy_may_take_the_place_of_the_one_that_it_comes_from(tmp_path, capsys):
    path = tmp_path / "s.csv"
    write(solve("kuhn_poker", "cfr+", iterations=3), path)
    before = path.read_bytes()
    assert run([*SOLVE, "--warm-start", str(path), "--out", str(path)]) == 0
    assert path.read_bytes() != before


def test_functions_hold_their_files_apart_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    export("coin_toss", "game.efg")
    solve("kuhn_poker", "cfr+", iterations=3, checkpoint="run.npz")
    os.link("run.npz", "hard.npz")
    os.symlink("game.efg", "link.efg")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for call, says in (
        (lambda: export("./game.efg", "link.efg"), "the export and the game"),
        (lambda: solve("kuhn_poker", "cfr+", checkpoint="run.npz", warm_start="hard.npz"), "warm_start"),
        (lambda: plot(["run.npz"], "hard.npz", "png"), "the picture and run.npz"),
    ):
        with pytest.raises(ValueError, match=f"{says} must be different files"):
            call()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@over(["--json", "standard output"])
def test_what_is_printed_is_an_output_too(printed, capfd, tmp_path):
    """A shell that sends standard output to the file would keep neither the table nor the strategy whole."""
    path, kept = tmp_path / "a.csv", os.dup(1)
    with path.open("wb") as file:
        os.dup2(file.fileno(), 1)
    try:
        assert run([*SOLVE, *(["--json"] if printed == "--json" else []), "--out", str(path)]) == 2
    finally:
        os.dup2(kept, 1)
        os.close(kept)
    assert f"--out and {printed} must be different files" in capfd.readouterr().err
