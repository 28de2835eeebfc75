"""Flops that were solved again are kept, and read by the run that kept them alone."""

import json
import time

import numpy as np
import pytest

from tests.helpers.archive_members import members_of, zipped
from tests.helpers.cells import each, over
from tests.helpers.read_formats import FLOPS, kept_answers
from treeplex.files.kept import Kept
from treeplex.games.base.errors import BadInputError
from treeplex.subgames.composed_value import KeptFlops, SolvedFlop
from treeplex.subgames.flop_by_flop import Store, flop_by_flop

PLANS = [f"plan{number}.npy" for number in range(4)]


def of_other(identity, **changes):
    """Return the ``run.json`` of a run that differs."""
    return json.dumps(json.loads(identity.read_text()) | changes).encode()


def solved(number):
    plan = np.full(2, number, np.float32)
    error, played = np.full(3, 0.25), np.array([True, False, True])
    return SolvedFlop(np.full((1, 2), number + 0.5), error, played, plan, np.array(2.5))


@over([(1000, 400), (30, 20)])
def test_what_is_left_is_said_by_flops_that_were_not_kept(count, kept, monkeypatch):
    clock, told = [0.0], {}
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    def run(number):
        clock[0] += 60.0 if number >= kept else 0.01

    def progress(line, width):
        stage, _, left = line.partition(", about ")
        told[stage] = left

    assert len([*flop_by_flop(run, count, 1, "player 0", progress)]) == count
    assert told[f"player 0: 0 of {count:,} flops"] == ""
    for done in (kept + 5, count - 2):
        assert told[f"player 0: {done:,} of {count:,} flops"] == f"{count - done} min left"
    assert told[f"player 0: {count - 1:,} of {count:,} flops"] == ""


def test_what_another_run_or_flop_left_is_refused(tmp_path):
    runs, tried = [], []

    def run(number):
        tried.append(number)
        return solved(number)

    for name in ("first", "second"):
        runs.append(KeptFlops(Kept(tmp_path, name), (1, 2), (3, 3), (2, 2)).or_run(run))
    for number in (0, 1, 0, 1):
        for one, other in zip(runs[0](number), solved(number), strict=True):
            np.testing.assert_array_equal(one, other)
    assert tried == [0, 1]
    with pytest.raises(ValueError, match=r"plan0000.npz must be plan0000 of this run, got .*first"):
        runs[1](0)
    files = sorted(tmp_path.iterdir())
    files[1].write_bytes(files[0].read_bytes())
    with pytest.raises(ValueError, match=r"plan0001.npz must be plan0001 of this run, got"):
        runs[0](1)


def test_flops_with_negative_errors_or_seconds_are_refused(tmp_path):
    for number, wrong in enumerate(({"error": np.array([0.0, -1e-9, 0.0])}, {"seconds": np.array(-1.0)})):
        run = KeptFlops(Kept(tmp_path, "run"), (1, 2), (3, 3), (2, 2)).or_run
        run(lambda number, wrong=wrong: solved(number)._replace(**wrong))(number)
        with pytest.raises(BadInputError, match=rf"must be at least 0, got others on flop {number}$"):
            run(solved)(number)


def test_answers_that_are_not_there_are_refused_where_they_are_asked_for(tmp_path):
    plans = [np.full((2, 3), number, np.uint16) for number in range(2)]
    for kept in (True, False):
        store = Store.open(tmp_path / f"{kept}", {"row": "resolve"}, plans=kept)
        with pytest.raises(BadInputError, match=r"must hold the answers on flop 0, got no flop0000\.npz"):
            store.answers(0)
        store.values_or(0, lambda: (np.zeros((1, 2)), plans))
        found = store.answers(0)
        for number in range(2 if kept else 0):
            np.testing.assert_array_equal(next(found), plans[number])
        with pytest.raises(
            BadInputError, match=r"flop0000\.npz must hold the answer plan[02], got .*values$"
        ):
            next(found)


@pytest.mark.seconds(8)
def test_damaged_answers_are_refused_in_one_line(tmp_path, complaint):
    """Cut short, empty, gone, or with an array taken out: nothing is judged by what is left of a folder."""
    row = kept_answers(tmp_path).parent.parent
    spec, blueprint = FLOPS.format("0.5,1"), tmp_path / "blueprint-strategy.npz"
    (tmp_path / "empty").mkdir()
    identity, flop, early = (row / "player0" / name for name in ("run.json", "flop0000.npz", "before0.npz"))
    assert "must hold kept answers" in complaint("check", spec, str(tmp_path / "empty"))
    assert "takes none of --where" in complaint("check", spec, tmp_path / "empty", "--missing", "uniform")
    for option in (["--where"], ["--exact"], ["--target", "1"], ["--abstraction", "cards.npz"]):
        assert "takes none of --where" in complaint("check", spec, str(tmp_path / "empty"), *option)

    def refused(file, said, content):
        whole = file.read_bytes()
        file.unlink() if content is None else file.write_bytes(content)
        assert said in complaint("check", spec, str(row))
        file.write_bytes(whole)

    def without(file, *gone):
        return zipped([member for member in members_of(file.read_bytes()) if member[0] not in gone])

    each(
        [
            (flop, "no part of a kept run", b""),
            (flop, "got no flop0000.npz", None),
            (flop, "it has no array values", without(flop, "values.npy")),
            (flop, "must hold the answer plan0, got values", without(flop, *PLANS)),
            (flop, "must hold the answer plan3, got plan0", without(flop, "plan3.npy")),
            (early, "must hold the answer to bet 0", None),
            (early, "it has no array theirs", without(early, "theirs.npy")),
            (blueprint, "blueprint-strategy.npz", blueprint.read_bytes()[:1000]),
            (blueprint, "blueprint-strategy.npz", None),
            (identity, "must hold kept answers", b'{"game": '),
            (identity, "must hold kept answers", b"[" * 200_000),
            (identity, "must be of a run that treeplex kept", b"{}"),
            (identity, "another iterations of player 1 than of player 0", of_other(identity, iterations=2)),
            (identity, "another row of player 1 than of player 0", of_other(identity, row="maxmargin")),
        ],
        refused,
    )
