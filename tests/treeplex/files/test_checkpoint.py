"""Runs kept on disk: killed at any moment and gone on from, they end with the same bits."""

import json
import os
import random
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from tests.helpers.processes import python
from tests.helpers.stopped_runs import StoppedError, stopped_after
from tests.helpers.two_tiers import two_tiers
from treeplex.cfr.boards.factored_cfr import FactoredCFR
from treeplex.cfr.engine import iterate
from treeplex.cfr.sequences import cfr_d as decomposition
from treeplex.cfr.sequences.two_sided_trunk import TwoSidedTrunk
from treeplex.cli.main import run
from treeplex.files.checkpoint import Identity, Position, read_checkpoint, write_checkpoint
from treeplex.games.base import threads as aside
from treeplex.solving.methods import FORMS, METHODS, options_of
from treeplex.solving.on_trees import DECOMPOSED


def same_bits(a, b):
    assert a.iterations == b.iterations
    assert (a.lower, a.upper, a.value) == (b.lower, b.upper, b.value)
    for one, other in zip(a.profile.behaviour, b.profile.behaviour, strict=True):
        np.testing.assert_array_equal(one, other)
    assert [p.iterations for p in a.trace] == [p.iterations for p in b.trace]


def goes_on_to_the_same_bits(method, traced, path):
    game = "leduc_poker(ranks=2,raises=1)"
    count = 8 if method == DECOMPOSED else 120
    options = {"iterations": count, "traced": traced}
    whole = tp.solve(game, method, **options)
    for stop in (1, count // 2):
        with pytest.raises(StoppedError):
            tp.solve(game, method, **options, checkpoint=path, progress=stopped_after(stop))
        assert path.exists() or stop == 1
    resumed = tp.solve(game, method, **options, checkpoint=path)
    assert "resumed after" in resumed.status
    same_bits(whole, resumed)
    again = tp.solve(game, method, **options, checkpoint=path)
    same_bits(whole, again)
    assert again.status == f"iterations done, resumed after {count}"


ONE_OF_EACH_ENGINE = (
    *("cfr+", "dcfr", "pcfr+", "hs-dcfr", "hedge", "ptb+", "cfr-br"),
    *(method for method in METHODS if method.startswith("mccfr")),
)


@two_tiers(
    ONE_OF_EACH_ENGINE,
    [method for method in METHODS if method not in (DECOMPOSED, *ONE_OF_EACH_ENGINE)],
    seconds=(2, 12),
)
def test_a_stopped_run_goes_on_to_the_same_bits(method, tmp_path):
    goes_on_to_the_same_bits(method, True, tmp_path / "run.npz")


@pytest.mark.seconds(2)
@over([(DECOMPOSED, True), ("cfr+", False), ("mccfr-external", False)])
def test_a_stopped_run_without_a_trace_or_in_parts_goes_on_to_the_same_bits(method, traced, tmp_path):
    goes_on_to_the_same_bits(method, traced, tmp_path / "run.npz")


def test_a_finished_run_can_be_made_longer(tmp_path):
    path = tmp_path / "run.npz"
    tp.solve("kuhn_poker", "dcfr", iterations=130, checkpoint=path)
    longer = tp.solve("kuhn_poker", "dcfr", iterations=1000, checkpoint=path)
    whole = tp.solve("kuhn_poker", "dcfr", iterations=1000)
    assert longer.nash_conv == whole.nash_conv
    with pytest.raises(ValueError, match="1,000 iterations done, got 130 to do in all"):
        tp.solve("kuhn_poker", "dcfr", iterations=130, checkpoint=path)


def test_a_target_is_met_at_the_same_iteration(tmp_path):
    path, target = tmp_path / "run.npz", 1e-3
    whole = tp.solve("leduc_poker", "cfr+", target=target)
    with pytest.raises(StoppedError):
        tp.solve("leduc_poker", "cfr+", target=target, checkpoint=path, progress=stopped_after(300))
    resumed = tp.solve("leduc_poker", "cfr+", target=target, checkpoint=path)
    same_bits(whole, resumed)
    assert resumed.status.startswith("target reached, resumed after ")


@pytest.mark.seconds(15)
@over(range(3), ["cfr+", "mccfr-external"])
def test_a_killed_process_loses_nothing_that_was_kept(seed, method, tmp_path):
    """SIGKILL at a random moment, writes every few milliseconds; then the run is finished."""
    path, count = tmp_path / "run.npz", 60_000
    command = (
        "from treeplex.files import checkpoint; from treeplex.solving.solve import solve;"
        "checkpoint.BETWEEN_WRITES = 0.001;"
        f"solve('leduc_poker', {method!r}, iterations={count}, traced=True, checkpoint={str(path)!r})"
    )
    with python("-c", command, cwd=ROOT) as process:
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(random.Random(seed).uniform(0.0, 0.15))
        process.kill()
    with np.load(path) as file:
        numbers = json.loads(file["head"].tobytes())["numbers"]
        assert 0 < next(n for name, n in numbers.items() if name.endswith("iterations")) <= count
    resumed = tp.solve("leduc_poker", method, iterations=count, traced=True, checkpoint=path)
    same_bits(resumed, tp.solve("leduc_poker", method, iterations=count, traced=True))


def test_a_warm_run_goes_on_too(tmp_path):
    game, path, profile = "leduc_poker(raises=1)", tmp_path / "run.npz", tmp_path / "start.csv"
    tp.write(tp.solve(game, "cfr+", iterations=50).profile, profile)
    options = {"warm_start": profile, "warm_iterations": 30}
    whole = tp.solve(game, "cfr", iterations=300, **options)
    assert whole.iterations == 330
    with pytest.raises(StoppedError):
        tp.solve(game, "cfr", iterations=300, **options, checkpoint=path, progress=stopped_after(100))
    same_bits(whole, tp.solve(game, "cfr", iterations=300, **options, checkpoint=path))
    with pytest.raises(ValueError, match="of another run: its parameters"):
        tp.solve(game, "cfr", iterations=300, checkpoint=path)


def test_what_another_run_wrote_stays(tmp_path):
    """A slower run on the same file does not take its iterations back."""
    path, game = tmp_path / "run.npz", "kuhn_poker"

    def other_run(text, width):
        if "63 iterations" in text:  # after steps of 1, 2, 4, ... iterations
            tp.solve(game, "cfr+", iterations=1000, checkpoint=path)

    with pytest.raises(ValueError, match="was written by another run, whose iterations stay there"):
        tp.solve(game, "cfr+", iterations=100, checkpoint=path, progress=other_run)
    resumed = tp.solve(game, "cfr+", iterations=1000, checkpoint=path)
    assert resumed.status == "iterations done, resumed after 1,000"


def test_control_c_keeps_the_run(tmp_path):
    path = tmp_path / "run.npz"

    def interrupt(stage, width):
        if stage.startswith("cfr, 1"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tp.solve("kuhn_poker", "cfr", iterations=4000, checkpoint=path, progress=interrupt)
    same_bits(
        tp.solve("kuhn_poker", "cfr", iterations=4000, checkpoint=path),
        tp.solve("kuhn_poker", "cfr", iterations=4000),
    )


@over(
    [
        ("leduc_poker", "cfr+", {}, "of another run: its game kuhn_poker, got leduc_poker"),
        ("kuhn_poker", "cfr", {}, r"of another run: its method cfr\+, got cfr"),
        ("kuhn_poker", "cfr+", {"average": "uniform"}, r"its parameters exponent=1.0, got exponent=0.0$"),
    ]
)
def test_a_checkpoint_of_another_run_is_refused(game, method, options, says, tmp_path):
    path = tmp_path / "run.npz"
    tp.solve("kuhn_poker", "cfr+", iterations=10, checkpoint=path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=says):
        tp.solve(game, method, iterations=20, checkpoint=path, **options)
    assert path.read_bytes() == before


def test_a_file_of_one_name_and_other_payoffs_is_another_game(tmp_path):
    spot, path = tmp_path / "spot.toml", tmp_path / "run.npz"
    text = (
        'board = "Ks Th 7s 4d 2c"\npot = 10\nstack = 20\nranges = ["AA", "JJ"]\nbets = [0.5]\nraises = []\n'
    )
    spot.write_text(text)
    tp.solve(str(spot), "cfr+", iterations=10, checkpoint=path)
    spot.write_text(text.replace("pot = 10", "pot = 12"))
    with pytest.raises(ValueError, match="rules or payoffs were others"):
        tp.solve(str(spot), "cfr+", iterations=20, checkpoint=path)


def test_trees_of_one_name_and_other_payoffs_are_other_games(tmp_path):
    """The same infosets, actions and leaves, with other numbers at one leaf."""
    tree, path = tmp_path / "pennies.efg", tmp_path / "run.npz"
    text = (
        'EFG 2 R "pennies" { "first" "second" } ""\np "" 1 1 "" { "h" "t" } 0\n'
        'p "" 2 1 "" { "h" "t" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { -1 1 }\n'
        'p "" 2 1 "" { "h" "t" } 0\nt "" 3 "" { -1 1 }\nt "" 4 "" { 2 -2 }\n'
    )
    tree.write_text(text)
    tp.solve(str(tree), "cfr+", iterations=10, checkpoint=path)
    tree.write_text(text.replace("{ 2 -2 }", "{ 3 -3 }"))
    with pytest.raises(ValueError, match="rules or payoffs were others"):
        tp.solve(str(tree), "cfr+", iterations=20, checkpoint=path)


@over([b"", b"PK\x03\x04 not a zip", b"hello", None])
def test_what_is_no_checkpoint_is_refused(content, tmp_path):
    path = tmp_path / "run.npz"
    if content is None:
        np.savez(path, other=np.zeros(3))
    else:
        path.write_bytes(content)
    with pytest.raises(ValueError, match="no checkpoint"):
        tp.solve("kuhn_poker", "cfr", iterations=3, checkpoint=path)


def test_a_cut_off_checkpoint_is_refused(tmp_path):
    path = tmp_path / "run.npz"
    tp.solve("kuhn_poker", "cfr", iterations=3, checkpoint=path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 211):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="no checkpoint"):
            tp.solve("kuhn_poker", "cfr", iterations=9, checkpoint=path)


@over(
    [
        ("{}", "no checkpoint"),
        ("[1]", "no checkpoint"),
        ('{"format":true}', "no checkpoint"),
        ('{"format":2}', "a checkpoint of format 2, got a program for 3"),
        ('{"format":4}', "a checkpoint of format 4, got a program for 3"),
        ('{"format":3}', "is damaged: its head must have identity, seconds, trace, numbers"),
    ]
)
def test_a_head_of_something_else_is_refused(head, says, tmp_path):
    path = tmp_path / "run.npz"
    np.savez(path, head=np.frombuffer(head.encode(), dtype=np.uint8))
    with pytest.raises(ValueError, match=says):
        tp.solve("kuhn_poker", "cfr", iterations=3, checkpoint=path)


def test_every_damaged_byte_is_noticed_or_harmless(tmp_path):
    path = tmp_path / "run.npz"
    kept = tp.solve("kuhn_poker", "cfr", iterations=3, checkpoint=path)
    whole = path.read_bytes()
    for at in range(0, len(whole), 83):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        path.write_bytes(damaged)
        with suppress(ValueError):
            same_bits(kept, tp.solve("kuhn_poker", "cfr", iterations=3, checkpoint=path))


@over([{"traced": True}, {"target": 1e-4}, {"iterations": None}])
def test_a_run_goes_on_under_another_schedule_of_certificates(options, tmp_path, monkeypatch):
    """Stopped without any certificate, between two of the new schedule's, or exactly at its end."""
    path, seen = tmp_path / "run.npz", []

    def stop(stage, width):
        seen.append(stage)
        if len(seen) == 4:
            raise StoppedError

    with pytest.raises(StoppedError):
        tp.solve("leduc_poker(raises=1)", "dcfr", iterations=10_000, checkpoint=path, progress=stop)
    done = int(seen[-1].split()[-2].replace(",", ""))
    options = {"iterations": 10_000, **options}
    if options["iterations"] is None:
        options["iterations"] = done
    resumed = tp.solve("leduc_poker(raises=1)", "dcfr", checkpoint=path, **options)
    count = {"iterations": resumed.iterations}
    assert resumed.nash_conv == tp.solve("leduc_poker(raises=1)", "dcfr", **count).nash_conv
    assert resumed.status.endswith(f"resumed after {done:,}")


def test_checkpoints_are_for_minimisers_and_have_one_suffix(tmp_path):
    with pytest.raises(ValueError, match="checkpoint is for regret minimisers"):
        tp.solve("kuhn_poker", "lp", checkpoint=tmp_path / "run.npz")
    with pytest.raises(ValueError, match=r"a checkpoint must end in \.npz, got"):
        tp.solve("kuhn_poker", "cfr", checkpoint=tmp_path / "run.csv")
    with pytest.raises(ValueError, match="there is no directory"):
        tp.solve("kuhn_poker", "cfr", checkpoint=tmp_path / "gone" / "run.npz")


def test_the_command_line_goes_on(tmp_path, capsys):
    path = tmp_path / "run.npz"
    arguments = ["solve", "kuhn_poker", "--method", "cfr+", "--checkpoint", os.fspath(path), "--json"]
    assert run([*arguments, "--iterations", "400"]) == 0
    assert run([*arguments, "--iterations", "1000"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["status"] == "iterations done, resumed after 400"
    assert last["nash_conv"] == pytest.approx(1.48170e-4, rel=4e-6)


def test_a_flipped_bit_is_noticed(tmp_path):
    path = tmp_path / "run.npz"
    tp.solve("leduc_poker(raises=1)", "cfr", iterations=3, checkpoint=path)
    whole = bytearray(path.read_bytes())
    with np.load(path) as file:
        kept = file["memories.1.total"].tobytes()
    whole[whole.index(kept) + 100] ^= 1
    path.write_bytes(whole)
    with pytest.raises(ValueError, match=r"'memories\.1\.total' cannot be read, or has another checksum"):
        tp.solve("leduc_poker(raises=1)", "cfr", iterations=9, checkpoint=path)


IDENTITY = Identity("game", "method", "tree", "parameters", "payoffs")


@dataclass(frozen=True)
class Before:
    """A state as a version of the program had it."""

    iterations: int
    drawn: int
    regret: np.ndarray
    total: np.ndarray
    weight: float = 0.0


@dataclass(frozen=True)
class After:
    """The same, its fields in another order."""

    drawn: int
    iterations: int
    weight: float
    total: np.ndarray
    regret: np.ndarray


def accept(state):
    """Refuse no state."""


def test_fields_in_another_order_are_never_swapped(tmp_path):
    path, regret, total = tmp_path / "run.npz", np.arange(3.0), np.arange(3.0, 6.0)
    write_checkpoint(path, IDENTITY, Position(Before(7, 9, regret, total, 0.1), (), 1.5))
    state = read_checkpoint(path, IDENTITY, After(0, 0, 0.0, np.zeros(3), np.zeros(3)), accept).state
    assert (state.iterations, state.drawn, state.weight) == (7, 9, 0.1)
    np.testing.assert_array_equal(state.regret, regret)
    np.testing.assert_array_equal(state.total, total)


@over(
    [
        (After(0, 0, 0.0, np.zeros(3), np.zeros(3, np.float32)), "'regret' must have dtype '<f4', got"),
        (After(0, 0, 0.0, np.zeros(3), np.zeros((3, 1))), r"'regret' must have shape \(3, 1\), got \(3,\)"),
        (After(0, 0, 0.0, np.zeros(3), np.zeros(4)), r"'regret' must have shape \(4,\), got \(3,\)"),
        (After(0, 0, 0, np.zeros(3), np.zeros(3)), "weight must be an integer, got 0.0"),
        (After(0, 0, 0.0, np.zeros(3), (np.zeros(3),)), "it has no array regret.0"),
        (After(0, 0, 0.0, np.zeros(3), 0.0), "it must hold 1 arrays, got also 'regret'"),
        (After(0, 0, np.zeros(3), np.zeros(3), np.zeros(3)), "it has no array weight"),
    ]
)
def test_fields_of_another_kind_are_refused(start, says, tmp_path):
    path = tmp_path / "run.npz"
    write_checkpoint(path, IDENTITY, Position(Before(7, 9, np.zeros(3), np.zeros(3)), (), 0.0))
    with pytest.raises(ValueError, match=f"is damaged: {says}"):
        read_checkpoint(path, IDENTITY, start, accept)


def test_states_are_of_arrays_and_numbers(tmp_path):
    with pytest.raises(TypeError, match="arrays and numbers, got dict at total"):
        write_checkpoint(tmp_path / "run.npz", IDENTITY, Position(Before(7, 9, np.zeros(3), {}), (), 0.0))


def test_what_cfr_d_earned_is_kept(tmp_path):
    trunk = TwoSidedTrunk.of(tp.load("kuhn_poker").enumerated)
    engine = decomposition.prepare(trunk, FORMS["tree"].config(DECOMPOSED, options_of(DECOMPOSED, "tree")))
    state, path = iterate(engine, 3), tmp_path / "run.npz"
    write_checkpoint(path, IDENTITY, Position(state, (), 0.0))
    kept = read_checkpoint(path, IDENTITY, engine.start(), engine.check).state
    assert kept.earned == state.earned
    assert engine.strategy(kept).regrets == engine.strategy(state).regrets


class Interrupted(threading.Thread):
    """A thread in whose start Ctrl-C falls."""

    def start(self):
        super().start()
        raise KeyboardInterrupt


@pytest.mark.seconds(2)
@over(range(2))
def test_control_c_while_a_slice_starts_keeps_a_whole_state(repeat, tmp_path, monkeypatch):
    """The engine on boards overwrites its tables: what is kept must be of the iterations that it says."""
    path, game = tmp_path / "run.npz", "rhode_island(ranks=3,suits=3)"
    tp.solve(game, form="boards", iterations=1, checkpoint=path)
    monkeypatch.setattr(aside, "Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        tp.solve(game, form="boards", iterations=20, checkpoint=path)
    monkeypatch.undo()
    resumed = tp.solve(game, form="boards", iterations=20, checkpoint=path)
    whole = tp.solve(game, form="boards", iterations=20)
    for one, other in zip(resumed.strategy.weight, whole.strategy.weight, strict=True):
        np.testing.assert_array_equal(one, other)


def test_arrays_of_an_iteration_that_failed_are_not_kept(tmp_path, monkeypatch):
    """The engine on boards overwrites its tables: no file may say that they are of the iteration before."""
    path, game, advance = tmp_path / "run.npz", "rhode_island(ranks=3,suits=3)", FactoredCFR.advance

    def failing(engine, state, iterations):
        after = advance(engine, state, iterations)
        if after.iterations > 3:
            raise MemoryError("no room for more")
        return after

    monkeypatch.setattr(FactoredCFR, "advance", failing)
    with pytest.raises(MemoryError, match="no room"):
        tp.solve(game, form="boards", iterations=9, checkpoint=path)
    monkeypatch.undo()
    resumed = tp.solve(game, form="boards", iterations=9, checkpoint=path)
    whole = tp.solve(game, form="boards", iterations=9)
    for one, other in zip(resumed.strategy.weight, whole.strategy.weight, strict=True):
        np.testing.assert_array_equal(one, other)
