"""Fixed point through ``solve`` and its command: options, reports, checkpoints, what is refused."""

import json

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed, rows_of
from treeplex.core.limits import check_tables
from treeplex.files.strategies import write
from treeplex.solving.choice import too_large

GAME = "leduc_poker(ranks=2,raises=1)"
BOARDS = {"form": "boards", "storage": "int32"}
SCALES = {"scales": "100,200", "average_scales": (50, 60.0), "warm_up": 3}
COARSE = {"scales": "2e9,2e9"}


def test_what_was_asked_for_is_reported():
    result = tp.solve(GAME, **BOARDS, **SCALES, iterations=20)
    assert (result.method, result.fact(tp.TableBytes).storage, result.form) == ("cfr+", "int32", "boards")
    assert result.as_json()["fixed_point"] == {
        "scales": [100.0, 200.0],
        "average_scales": [50.0, 60.0],
        "warm_up": 3,
        "saturations": {"regrets": 0, "averages": 0},
    }
    assert result.lower <= result.value <= result.upper
    shown = str(result)
    assert "100, 200 a chip of regret, 50, 60 a plan" in shown
    assert "warm-up           3 iterations" in shown
    assert tp.solve(GAME, form="boards", iterations=3).as_json()["fixed_point"] is None


def test_saturations_are_reported_and_survive_a_checkpoint(tmp_path):
    path = tmp_path / "run.npz"
    tp.solve(GAME, **BOARDS, **COARSE, iterations=4, checkpoint=path)
    resumed = tp.solve(GAME, **BOARDS, **COARSE, iterations=9, checkpoint=path)
    whole = tp.solve(GAME, **BOARDS, **COARSE, iterations=9)
    assert "resumed after 4" in resumed.status
    assert resumed.as_json()["fixed_point"] == whole.as_json()["fixed_point"]
    assert whole.fact(tp.FixedPointFacts).regrets > 0
    for one, other in zip(whole.strategy.weight, resumed.strategy.weight, strict=True):
        np.testing.assert_array_equal(one, other)


@over(
    [
        {"scales": "100,201"},
        {"average_scales": "50,61"},
        {"warm_up": 4},
        {"average": "last"},
        {"storage": "float64", "scales": None, "average_scales": None, "warm_up": None},
    ]
)
def test_a_checkpoint_is_of_its_scales(other, tmp_path):
    path = tmp_path / "run.npz"
    tp.solve(GAME, "cfr+", **BOARDS, **SCALES, iterations=5, checkpoint=path)
    with pytest.raises(ValueError, match="is of another run"):
        tp.solve(GAME, "cfr+", **{**BOARDS, **SCALES, **other}, iterations=6, checkpoint=path)


def test_scales_of_the_paper_are_the_same_run_given_or_not(tmp_path):
    path = tmp_path / "run.npz"
    tp.solve(GAME, **BOARDS, iterations=2, checkpoint=path)
    again = tp.solve(GAME, **BOARDS, iterations=3, checkpoint=path, scales=[16, 16], average_scales="16,16")
    assert "resumed after 2" in again.status


def test_checkpoints_of_integers_are_compressed(tmp_path):
    spec, sizes = "leduc_poker(ranks=13,suits_visible=true)", []
    for storage in ("int32", "float32"):
        path = tmp_path / f"{storage}.npz"
        tp.solve(spec, "cfr+", form="boards", storage=storage, iterations=2, checkpoint=path)
        sizes.append(path.stat().st_size)
    assert sizes[0] < 0.8 * sizes[1]


def test_without_averages_tables_take_half():
    one, two = (tp.solve(GAME, **BOARDS, iterations=30, average=a) for a in ("linear", "last"))
    whole, half = (run.fact(tp.TableBytes).n_bytes for run in (one, two))
    assert whole == 2 * half
    assert two.fact(tp.FixedPointFacts).averages == 0


@over(
    [
        ("float32", None, 8),
        ("int16", None, 4),
        ("int32", None, 8),
        ("int32", "last", 4),
        ("float64", None, 16),
    ]
)
def test_memory_is_estimated_by_storage(storage, average, n_bytes, monkeypatch):
    spec = "leduc_poker(ranks=4,suits=3,suits_visible=true)"
    problem = tp.load(spec)
    told = []

    def counted(name, n, memory, roughly=""):
        told.append(n)
        check_tables(name, n, memory, roughly)

    monkeypatch.setattr("treeplex.core.limits.check_tables", counted)
    assert too_large(problem, {"storage": storage, "average": average}) is None
    too_large(problem, {"storage": "int16"})
    assert told[0] * 4 == told[1] * n_bytes


def test_strategies_are_written_and_judged_the_same(tmp_path):
    for average in ("linear", "last"):
        result = tp.solve(GAME, **BOARDS, iterations=30, average=average)
        write(result, tmp_path / "s.npz", None)
        assert tp.check(GAME, tmp_path / "s.npz").nash_conv == result.nash_conv


def test_the_command(capsys):
    options = ["--form", "boards", "--set", "storage=int32", "--iterations", 20]
    more = ["--set", "scales=100,200", "--set", "average_scales=50,60", "--set", "warm_up=3"]
    found = json.loads(printed(capsys, "solve", GAME, *options, *more, "--json"))
    expected = tp.solve(GAME, **BOARDS, **SCALES, iterations=20).as_json()
    assert found["fixed_point"] == expected["fixed_point"]
    assert (found["lower"], found["upper"]) == (expected["lower"], expected["upper"])
    rows = rows_of(printed(capsys, "solve", GAME, *options))
    assert rows["saturations"] == "0 of regrets, 0 of averages"
    assert rows["scales"] == "16, 16 a chip of regret, 16, 16 a plan"


@over(
    [
        ({**BOARDS, "scales": "1"}, "scales must be one number a street, 2 in leduc_poker.*, got 1"),
        (
            {**BOARDS, "average_scales": "1,x"},
            "average_scales must be numbers such as 16,16,0.5,0.5, got '1,x'",
        ),
        ({**BOARDS, "warm_up": -1}, "warm_up must be at least 0, got -1"),
        ({**BOARDS, "warm_up": 5}, "iterations must be more than warm_up, 5, which are not averaged, got 5"),
        ({**BOARDS, "method": "dcfr"}, "on boards fixed point is for cfr.+, got"),
        ({"form": "boards", "scales": "1,1"}, "scales and a warm-up are for the storage int32, got float32"),
        ({"form": "boards", "method": "cfr+", "warm_up": 5}, "are for the storage int32, got float32"),
        ({"form": "tree", "scales": "1,1"}, "cfr.+ on tree takes average, counted, order, got scales '1,1'"),
        ({"form": "table", "warm_up": 2}, "takes average, seed, max_infosets, got warm_up 2"),
        ({"method": "lp", "scales": "1,1"}, "scales are for regret minimisers, got method lp"),
        ({"method": "lp", "warm_up": 1}, "warm_up is for regret minimisers, got method lp"),
    ]
)
def test_where_it_does_not_apply_it_is_refused(options, says):
    with pytest.raises(ValueError, match=says):
        tp.solve(GAME, iterations=None if options.get("method") == "lp" else 5, **options)
