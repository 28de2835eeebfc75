"""Strategies on betting times boards in files: what is damaged or of something else is one line."""

import io
import json
import os
import re

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.abstractions import drawn_abstraction
from tests.helpers.cells import over
from tests.helpers.commands import printed
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import BAD_INPUT, run
from treeplex.games.formats.specs import load_game

GAME = "leduc_poker(ranks=2,raises=1)"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("boards") / "leduc.npz"
    assert run(["solve", GAME, "--iterations", "20", "--out", str(path)]) == SUCCESS
    return path


def saved(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def head_of(path, **changes):
    with np.load(path) as file:
        head = json.loads(file["head"].tobytes()) | changes
    return np.frombuffer(json.dumps(head).encode(), np.uint8)


@pytest.mark.seconds(3)
def test_a_strategy_of_another_game_is_refused(written, complaint):
    for command in (["check", "kuhn_poker", written], ["show", "kuhn_poker", "--strategy", written]):
        assert f"{written} is of another game, '{GAME}'" in complaint(*command)
    assert "of a poker game, got liars_dice" in complaint("check", "liars_dice", written)


def test_a_missing_file_is_refused(tmp_path, complaint):
    assert "cannot read" in complaint("check", GAME, tmp_path / "gone.npz")
    (tmp_path / "directory.npz").mkdir()
    assert "must hold kept answers" in complaint("check", GAME, tmp_path / "directory.npz")


@over([b"", b"player,infoset\n", b"PK\x03\x04 no zip", b"\x93NUMPY\x01\x00", saved(other=np.zeros(3))])
def test_what_is_no_strategy_is_refused(content, tmp_path, complaint):
    path = tmp_path / "s.npz"
    path.write_bytes(content)
    assert "no strategy on boards that treeplex wrote" in complaint("check", GAME, path)
    assert "no strategy on boards that treeplex wrote" in complaint("show", GAME, "--strategy", path)


def test_a_cut_off_file_is_refused(written, tmp_path, complaint):
    path, whole = tmp_path / "s.npz", written.read_bytes()
    for length in range(0, len(whole), 431):
        path.write_bytes(whole[:length])
        assert "no strategy on boards" in complaint("check", GAME, path)


@pytest.mark.seconds(3)
def test_a_damaged_byte_is_noticed_or_harmless(written, tmp_path, capsys):
    path, whole = tmp_path / "s.npz", written.read_bytes()
    kept = json.loads(printed(capsys, "check", GAME, written, "--json"))
    for at in range(0, len(whole), 97):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        path.write_bytes(damaged)
        capsys.readouterr()
        code = run(["check", GAME, str(path), "--json"])
        out, err = capsys.readouterr()
        assert code in (SUCCESS, BAD_INPUT)
        assert err.count("\n") == (code == BAD_INPUT)
        assert code == BAD_INPUT or json.loads(out)["gains"] == kept["gains"]


@over(
    [
        lambda table: table.reshape(2, -1),
        lambda table: np.float64(3.0),
        lambda table: table.astype("U8"),
        lambda table: table.astype(complex),
    ]
)
def test_tables_of_something_else_are_refused(change, written, tmp_path, complaint):
    path = tmp_path / "s.npz"
    with np.load(written) as file:
        path.write_bytes(saved(**{**file, "player0": change(file["player0"])}))
    for command in (["check", GAME, path], ["show", GAME, "--strategy", path]):
        assert re.search("is damaged: ('player0' must have|weights must be)", complaint(*command))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_an_unwritable_directory_is_refused(tmp_path, complaint):
    tmp_path.chmod(0o500)
    try:
        assert "not writable" in complaint("solve", GAME, "--out", tmp_path / "s.npz")
    finally:
        tmp_path.chmod(0o700)


def test_a_game_is_known_by_its_rules_wherever_its_file_lies(tmp_path, capsys):
    spot = 'board = "As Kh Qs Jh"\npot = 2\nstack = 2\nranges = ["AK,TT", "KQ,JT"]\nbets = [1]\nraises = []\n'
    here, there, out = tmp_path / "here.toml", tmp_path / "there.toml", tmp_path / "s.npz"
    here.write_text(spot)
    there.write_text(spot)
    printed(capsys, "solve", here, "--iterations", 3, "--out", out)
    assert "certified" in printed(capsys, "check", there, out)


def test_boards_beyond_memory_are_refused_before_they_are_listed(tmp_path, complaint):
    hand = tmp_path / "hand.toml"
    hand.write_text('blinds = [1, 2]\nstack = 20\nranges = ["AsAh", "KsKh"]\nbets = []\nraises = []\n')
    assert "13,271,050 boards would take at least" in complaint(
        "solve", hand, "--form", "boards", "--iterations", 1
    )


# by bucket


FLOP = "flop_holdem(ranks=4,suits=2,raises=[0,1])"


@pytest.fixture(scope="module")
def by_bucket(tmp_path_factory):
    path = tmp_path_factory.mktemp("buckets") / "flop.npz"
    abstraction = drawn_abstraction(load_game(FLOP), (None, 7))
    tp.write(tp.solve(FLOP, abstraction=abstraction, iterations=3), path)
    return path


def changed(path, to, **changes):
    """Write a file with some arrays changed by functions of them; None leaves one out."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    for name, change in changes.items():
        arrays[name] = None if change is None else change(arrays[name])
    to.write_bytes(saved(**{name: array for name, array in arrays.items() if array is not None}))
    return to


@pytest.mark.seconds(3)
@over(
    [
        ({"player0": lambda t: t[1:]}, "'player0' must have shape"),
        ({"player1": lambda t: -t - 1}, "weights must be at least 0 and finite"),
        ({"player0": lambda t: t * np.float32(np.nan)}, "weights must be at least 0 and finite"),
        ({"player0": lambda t: t.astype(np.float64)}, "'player0' must have dtype"),
        ({"label0": lambda t: t[1:]}, "'label0' must have shape"),
        ({"label0": lambda t: t + np.uint16(5)}, "numbers of buckets by street must be at least"),
        ({"label1": lambda t: np.arange(len(t), dtype=t.dtype) % 7}, "must be mapped to buckets by the"),
        ({"label1": None}, "it has no array label1"),
    ]
)
def test_damaged_strategies_by_bucket_are_refused(changes, says, by_bucket, tmp_path, complaint):
    path = changed(by_bucket, tmp_path / "s.npz", **changes)
    told = complaint("check", FLOP, path)
    assert f"{path} is damaged" in told
    assert says in told


@pytest.mark.seconds(3)
@over([None, [], [[16, 7]], [[16, 7], [16]], [[16, 7], [16, -7]], [[16, 7], [1.5, 7]]])
def test_damaged_counts_of_buckets_are_refused(counts, by_bucket, tmp_path, complaint):
    path = changed(by_bucket, tmp_path / "s.npz", head=lambda _: head_of(by_bucket, counts=counts))
    assert "its counts must be two lists of 2 numbers of buckets" in complaint("check", FLOP, path)


def test_a_strategy_by_bucket_is_of_its_game(by_bucket, complaint):
    other = "flop_holdem(ranks=4,suits=2,raises=[0,2])"
    assert f"{by_bucket} is of another game, '{FLOP}'" in complaint("check", other, by_bucket)


def test_tables_leave_out_hands_that_meet_no_listed_flop(tmp_path):
    spec = "no_limit_flop_holdem(ranks=4,suits=2,bets=[1],max_raises=[1,1],stack=1000,flops=1)"
    solved = tp.solve(spec, "cfr+", form="boards", iterations=5)
    tp.write(solved.strategy, tmp_path / "few.csv")
    assert tp.check(spec, tmp_path / "few.csv").nash_conv == pytest.approx(solved.nash_conv, rel=1e-6)
    rows = (tmp_path / "few.csv").read_text()
    held = {row.split(",")[1].partition("|")[0] for row in rows.splitlines()[1:]}
    assert 0 < len(held) < len(solved.strategy.tree.boards.hands[0].cards)
