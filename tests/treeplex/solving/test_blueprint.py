"""Blueprints through solve: threads, files, resumption, bounds where nothing certifies, bad input."""

import json
import subprocess
import sys
import time

import pytest

import treeplex as tp
from tests.helpers.abstractions import drawn_abstraction
from tests.helpers.cells import over
from treeplex.cli.main import run
from treeplex.core.result import Result
from treeplex.files.abstraction_file import write_abstraction
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.poker.named import leduc_poker
from treeplex.solving import on_boards

GAME = leduc_poker()
SMALL = {"iterations": 4000, "batch": 50, "period": 500}
OF_COMMAND = ("iterations", "threads", "average")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Return the path of a lossless abstraction."""
    path = tmp_path_factory.mktemp("abstractions") / "lossless.npz"
    write_abstraction(path, lossless(GAME))
    return path


def solved(file, **options) -> Result:
    return tp.solve("leduc_poker", "mccfr-external", abstraction=file, **(SMALL | options))


def test_it_is_judged_in_the_real_game_and_never_called_solved(file):
    found = solved(file)
    assert (found.form, found.method, found.iterations) == ("buckets", "mccfr-external", 4000)
    assert 0.05 < found.nash_conv < 2
    assert found.lower <= -0.0856 <= found.upper
    assert found.fact(tp.AbstractionFacts).nash_conv == pytest.approx(found.nash_conv, rel=1e-6)
    said = found.as_json()
    assert said["blueprint"]["clusters"] == 3
    assert said["lower_bounds"] is None
    text = str(found)
    assert "solved" not in text
    assert "0 times cut off" in text


@pytest.mark.seconds(3)
@over([{}, {"pruning": "pluribus"}, {"pruning": "libratus", "averaged": "snapshots"}])
def test_threads_change_no_byte(options, file, tmp_path):
    paths = []
    for threads in (1, 2, 3):
        paths.append(tmp_path / f"{threads}.npz")
        assert run(_command(file, paths[-1], threads=threads, **options)) == 0
    assert len({path.read_bytes() for path in paths}) == 1


def _command(file, out, **options):
    words = ["solve", "leduc_poker", "--method", "mccfr-external"]
    words += ["--abstraction", str(file), "--out", str(out)]
    for key, value in (SMALL | options).items():
        words += [f"--{key}", str(value)] if key in OF_COMMAND else ["--set", f"{key}={value}"]
    return words


def test_choices_are_part_of_the_run(file):
    plain = solved(file)
    others = {"seed": 3}, {"clusters": 1}, {"batch": 100}, {"period": 1000}, {"average": "uniform"}
    for other in others:
        assert solved(file, **other).nash_conv != plain.nash_conv, other
    assert solved(file, average="linear", averaged="counts").nash_conv == plain.nash_conv
    assert solved(file, batch=300, period=None).fact(tp.BlueprintFacts).config.period == 999_900


def test_numbers_of_pruning_are_a_part_of_the_run(file, tmp_path, capsys):
    one, other, path = "libratus(threshold=-1,constant=0.5)", "libratus(threshold=-2)", tmp_path / "run.npz"
    out = tmp_path / "blueprint.npz"
    command = [*_command(file, out, pruning=one), "--checkpoint", str(path), "--json"]
    assert run(command) == 0
    said = json.loads(capsys.readouterr().out)["blueprint"]["pruning"]
    assert said == {"kind": "libratus", "threshold": -1.0, "constant": 0.5, "least": 0.05, "start": 0}
    found = solved(file, pruning=one)
    assert found.fact(tp.BlueprintFacts).as_json()["blueprint"]["pruning"] == said
    assert found.parameters["pruning"] == one
    assert solved(file).fact(tp.BlueprintFacts).visited > found.fact(tp.BlueprintFacts).visited
    with pytest.raises(ValueError, match="is of another run"):
        solved(file, pruning=other, checkpoint=path)


@pytest.mark.seconds(12)
def test_a_killed_run_ends_with_the_same_bytes(file, tmp_path):
    whole, resumed, checkpoint = (tmp_path / name for name in ("whole.npz", "resumed.npz", "run.npz"))
    many = {"iterations": 400_000, "period": 20_000, "threads": 2}
    assert run(_command(file, whole, **many)) == 0
    code = (
        "from treeplex.files import checkpoint; checkpoint.BETWEEN_WRITES = 0.0\n"
        "from treeplex.cli.main import run\n"
        f"run({[*_command(file, resumed, **many), '--checkpoint', str(checkpoint)]!r})"
    )
    for _ in range(2):
        child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        while child.poll() is None and (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before):
            time.sleep(0.01)
        child.kill()
        assert child.wait() == -9
    assert run([*_command(file, resumed, **(many | {"threads": 3})), "--checkpoint", str(checkpoint)]) == 0
    assert resumed.read_bytes() == whole.read_bytes()


def test_what_is_too_large_to_judge_is_bounded(file, monkeypatch):
    monkeypatch.setattr(on_boards, "EXPANDED_BYTES", 10**15)
    monkeypatch.setattr(on_boards, "BOUND_HANDS", 150)
    found = solved(file, seed=4)
    bounds = found.fact(tp.LowerBounds)
    assert found.certificate is None
    assert found.nash_conv is None
    assert 0 < bounds.nash_conv < 3
    assert bounds == solved(file, seed=4, threads=2).fact(tp.LowerBounds)
    said = json.loads(json.dumps(found.as_json()))
    assert said["nash_conv"] is None
    assert not said["certified"]
    assert said["lower_bounds"]["seed"] == 4
    assert "a local best response from street 0, 150 hands a seat" in " ".join(str(found).split())
    with pytest.raises(ValueError, match="a target needs certificates, for which leduc_poker is too large"):
        solved(file, target=0.1)
    with pytest.raises(ValueError, match="a trace needs certificates"):
        solved(file, traced=True)


def test_other_abstractions_are_other_runs(file, tmp_path):
    path = tmp_path / "run.npz"
    solved(file, checkpoint=path)
    other = drawn_abstraction(GAME, (None, 3))
    with pytest.raises(ValueError, match="is of another run"):
        solved(other, checkpoint=path)
    with pytest.raises(ValueError, match="is of another run: its parameters batch=50, got batch=25"):
        solved(file, checkpoint=path, batch=25)


@over(
    [
        ({"threads": 0}, "threads must be between 1 and 256, got 0"),
        ({"clusters": 0}, "clusters must be between 1"),
        ({"batch": 0}, "batch must be at least 1, got 0"),
        ({"period": 120}, "period must be a multiple of the batch, 50, got 120"),
        ({"average": "quadratic"}, "average must be one of linear, uniform, got 'quadratic'"),
        (
            {"averaged": "snapshots", "period": 1_000_000},
            "must be at least a period, 1,000,000 traversals",
        ),
        ({"averaged": "plans"}, "averaged must be one of counts, snapshots, got 'plans'"),
        ({"pruning": "all"}, "pruning must be one of libratus, pluribus, got 'all'"),
        ({"workers": 2}, "takes average, averaged, seed"),
    ]
)
def test_bad_options_are_one_line(options, message, file, tmp_path, capsys):
    assert run(_command(file, tmp_path / "out.npz", **options)) == 2
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1


def test_sampling_on_buckets_needs_an_abstraction_that_fits(file):
    with pytest.raises(ValueError, match="the abstraction is of a deck of 3 ranks"):
        tp.solve("kuhn_poker", "mccfr-external", abstraction=file)
    with pytest.raises(ValueError, match="the form buckets needs a card abstraction, got none"):
        tp.solve("leduc_poker", "mccfr-external", form="buckets")
    with pytest.raises(ValueError, match="workers"):
        tp.solve("leduc_poker", "mccfr-external", workers=2)
