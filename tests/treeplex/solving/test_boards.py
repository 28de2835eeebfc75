"""Runs on betting times boards: stopped and taken up again to the bit, beside other methods, told of."""

import json
import random
import re
import signal
import subprocess
import time

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.processes import INTERRUPTIBLE, python
from tests.helpers.stopped_runs import StoppedError, stopped_after
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cli.main import run
from treeplex.seqform.certify.board_certificate import FactoredCertificate
from treeplex.solving.crosscheck import ON_BOARDS, crosscheck
from treeplex.solving.on_boards import MOST_ITERATIONS

GAME = "leduc_poker(ranks=2,raises=1)"
SPOT = """
board = "Ks Th 7s 4d"
pot = 10
stack = 20
ranges = ["AA,KhKd", "KcQc,KhJh"]
bets = [1.0]
raises = ["a"]
"""
WAYS = [("float32", 1), ("float32", 2), ("int16", 1), ("int16", 2)]


def on_boards(game, method=None, **options):
    return tp.solve(game, method, form="boards", **options)


def same_bits(a, b):
    for one, other in zip(a.strategy.weight, b.strategy.weight, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    assert a.iterations == b.iterations
    assert (a.lower, a.upper, a.value) == (b.lower, b.upper, b.value)
    assert a.certificate.rounding == b.certificate.rounding
    assert isinstance(a.certificate, FactoredCertificate)
    assert a.fact(tp.BoardCounts) == b.fact(tp.BoardCounts)
    assert [p.iterations for p in a.trace] == [p.iterations for p in b.trace]
    assert [p.certificate.value for p in a.trace] == [p.certificate.value for p in b.trace]


@pytest.fixture
def spot(tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(SPOT)
    return path


@pytest.mark.seconds(3)
@over([("float32", 1, "dcfr"), ("float32", 2, "pcfr+"), ("int16", 1, "pcfr+"), ("int16", 2, "dcfr")])
def test_a_stopped_run_goes_on_to_the_same_bits(storage, threads, method, tmp_path):
    path, options = tmp_path / "run.npz", {"iterations": 30, "storage": storage, "traced": True}
    whole = on_boards(GAME, method, **options)
    for stop in (1, 8, 20):
        kept = {**options, "checkpoint": path, "threads": threads}
        with pytest.raises(StoppedError):
            on_boards(GAME, method, **kept, progress=stopped_after(stop))
    resumed = on_boards(GAME, method, **options, checkpoint=path, threads=3 - threads)
    assert "resumed after" in resumed.status
    same_bits(whole, resumed)
    again = on_boards(GAME, method, **options, checkpoint=path)
    assert again.status == "iterations done, resumed after 30"
    same_bits(whole, again)


def test_a_target_is_met_at_the_same_iteration(tmp_path):
    path, options = tmp_path / "run.npz", {"target": 2e-4, "iterations": MOST_ITERATIONS}
    whole = on_boards(GAME, "cfr+", **options)
    assert whole.status == "target reached"
    with pytest.raises(StoppedError):
        on_boards(GAME, "cfr+", **options, checkpoint=path, progress=stopped_after(64))
    same_bits(whole, on_boards(GAME, "cfr+", **options, checkpoint=path))


@over(
    [
        ("leduc_poker(ranks=2)", [], "its game "),
        (GAME, ["--set", "storage=int16"], "its parameters "),
        (GAME, ["--method", "cfr+"], "its method dcfr, got cfr+"),
        (GAME, ["--average", "uniform"], "its parameters "),
        (GAME, ["--set", "isomorphism=no"], "its form 3 boards, got 5 boards"),
        (GAME, ["--iterations", "4"], "10 iterations done, got 4 to do in all"),
    ]
)
def test_a_checkpoint_of_another_run_is_refused(game, options, says, tmp_path, complaint):
    path = tmp_path / "run.npz"
    on_boards(GAME, iterations=10, checkpoint=path)
    before = path.read_bytes()
    assert says in complaint(
        "solve", game, "--form", "boards", "--iterations", 20, "--checkpoint", path, *options
    )
    assert path.read_bytes() == before


def test_checkpoints_of_other_commands_and_strategies_are_refused(tmp_path):
    path = tmp_path / "run.npz"
    tp.solve(GAME, "cfr+", iterations=5, checkpoint=path)
    with pytest.raises(ValueError, match=r"of another run|no checkpoint"):
        on_boards(GAME, "cfr+", iterations=9, checkpoint=path)
    assert run(["solve", GAME, "--form", "boards", "--iterations", "3", "--out", str(path)]) == 0
    with pytest.raises(ValueError, match="no checkpoint"):
        on_boards(GAME, iterations=9, checkpoint=path)


@pytest.mark.seconds(60)
@over([signal.SIGINT, signal.SIGKILL], WAYS)
def test_a_stopped_process_loses_nothing_that_was_kept(stop, storage, threads, tmp_path):
    """At a random moment: killed with writes every few milliseconds, interrupted with none before."""
    path, count = tmp_path / "run.npz", 40_000
    between = 0.001 if stop == signal.SIGKILL else 60.0
    command = (
        f"{INTERRUPTIBLE}import treeplex as tp\n"
        "from treeplex.files import checkpoint\n"
        f"checkpoint.BETWEEN_WRITES = {between};"
        f"tp.solve({GAME!r}, form='boards', iterations={count}, traced=True, storage={storage!r},"
        f"threads={threads}, checkpoint={str(path)!r}, progress=lambda *told: print(told, flush=True))"
    )
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with python("-c", command, cwd=ROOT, **pipes) as process:
        for told in process.stdout:
            if path.exists() or (stop == signal.SIGINT and "iterations" in told):
                break
        time.sleep(random.Random(f"{storage} {threads} {stop}").uniform(0.0, 0.3))
        process.send_signal(stop)
        process.communicate()
    assert process.returncode != 0
    with np.load(path) as file:
        assert 0 < json.loads(file["head"].tobytes())["numbers"]["iterations"] < count
    options = {"iterations": count, "traced": True, "storage": storage}
    resumed = on_boards(GAME, **options, checkpoint=path)
    assert "resumed after" in resumed.status
    same_bits(resumed, on_boards(GAME, **options))


@pytest.mark.seconds(6)
@over(["kuhn_poker", GAME])
def test_every_way_agrees_with_every_other_method(spec):
    comparison = crosscheck(tp.load(spec))
    rows = {result.method: result for result in comparison.rows}
    assert {*ON_BOARDS} <= {*rows}
    assert comparison.passed
    exact = tp.solve(spec, exact=True).exact_value
    for name in ON_BOARDS:
        assert rows[name].lower <= exact <= rows[name].upper
    one, two = rows["dcfr"], rows["dcfr, 2 threads"]
    assert (one.lower, one.upper, one.iterations) == (two.lower, two.upper, two.iterations)


def test_all_methods_come_to_the_value():
    exact = tp.solve(GAME, exact=True).exact_value
    for method in ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr"):
        result = on_boards(GAME, method, iterations=200)
        assert result.lower <= exact <= result.upper
        assert result.nash_conv < 0.05


def test_memory_is_counted_to_the_byte():
    game = 'small_holdem(board="As Kh Qs Jh",ranks=6,suits=4)'
    n_entries = tp.load(game).boards().n_entries
    assert tp.load(game).boards(entry_bytes=8, memory=8 * n_entries).n_entries == n_entries
    for problem in (tp.load(game), known := tp.load(game), known):
        with pytest.raises(ValueError, match="regrets and averages would take"):
            problem.boards(entry_bytes=8, memory=8 * n_entries - 1)
        assert problem.boards(entry_bytes=4, memory=4 * n_entries).n_entries == n_entries


# progress


def told(game, **options):
    stages = []
    on_boards(game, progress=lambda stage, width: stages.append((stage, width)), **options)
    assert {width for _, width in stages} == {float("inf")}
    return [stage for stage, _ in stages]


@pytest.mark.seconds(3)
def test_progress_says_exploitability_as_players_count_it(spot):
    result = on_boards(str(spot), iterations=20, traced=True)
    last = told(str(spot), iterations=20, traced=True)[-1]
    assert last == f"dcfr, 20 iterations, exploitability {100 * result.pots:.3g}% of the pot"
    last = told("flop_holdem(ranks=4,suits=2,raises=[0,0])", iterations=2)[-1]
    assert re.fullmatch(r"dcfr, 2 iterations, exploitability [\d.e+]+ mbb/hand", last)
    stages = told(GAME, iterations=20)
    assert stages[0] == "listing boards"
    assert stages[1] == "dcfr, 1 iterations"  # nothing is proved yet
    assert re.fullmatch(r"dcfr, 20 iterations, exploitability [\d.e-]+ chips", stages[-1])


@over(
    [
        ("float32", 4_000_000, "boards", "at most 3,532,917 where averages by t^5 are kept in float32"),
        ("int16", 23_000_000, "boards", "at most 3,532,917 where averages by t^5 are kept in int16"),
        (None, 4_000_000, "buckets", "at most 3,532,917 where averages by t^5 are kept in float32"),
    ]
)
def test_iterations_after_which_averages_are_infinite_are_refused(storage, iterations, form, says, complaint):
    chosen = ["--abstraction", "none.npz"] if storage is None else ["--set", f"storage={storage}"]
    words = ["solve", GAME, "--method", "pdcfr+", "--form", form, "--iterations", iterations, *chosen]
    assert f"{says}, got {iterations:,}" in complaint(*words)
    if form == "boards":
        words = ["race", GAME, "--methods", "cfr,pdcfr+", "--iterations", iterations, *chosen]
        assert says in complaint(*words, "--form", form)


def test_a_run_by_the_clock_ends_with_the_last_iteration_that_averages_hold(monkeypatch):
    monkeypatch.setattr(FactoredConfig, "most_iterations", 3)
    (runner,) = tp.race([GAME], ["pdcfr+"], seconds=1000, form="boards").runners
    assert (runner.result.iterations, runner.result.status) == (3, "iterations done")
