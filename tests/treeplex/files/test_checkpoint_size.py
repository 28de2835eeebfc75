"""The size of a checkpoint is said before the run that leaves it, where it is large."""

import re

import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cli.main import run
from treeplex.solving import form as forms

HEAD = 1 << 16
"""Most bytes of a checkpoint beside its arrays."""
RUNS = [
    ("leduc_poker", "mccfr-external", "table", 3000),
    ("leduc_poker(ranks=6)", "mccfr-outcome", "table", 20_000),
    ("rhode_island", "mccfr-external", "table", 200),
    ("leduc_poker", "dcfr", "boards", 5),
    ("leduc_poker", "cfr+", "tree", 5),
    ("leduc_poker", "pcfr+", "public", 5),
    ("leduc_poker(ranks=2)", "mccfr-public", "public", 5),
    ("leduc_poker(ranks=2)", "mccfr-average", "tree", 5),
    ("leduc_poker(ranks=2)", "cfr-d", "tree", 2),
]


@pytest.fixture
def said(monkeypatch):
    """Return what is said of a run's checkpoint, however small."""
    monkeypatch.setattr(forms, "LARGE", 0)
    return []


@over(RUNS)
def test_the_size_is_as_said(spec, method, form, iterations, said, tmp_path, monkeypatch):
    sizes = []
    monkeypatch.setattr(forms, "size_text", lambda path, size, at_most: sizes.append((path, size, at_most)))
    path = tmp_path / "run.npz"
    tp.solve(spec, method, form=form, iterations=iterations, checkpoint=path, warn=said.append)
    ((named, size, at_most),) = sizes
    assert named == path
    assert at_most == (form == "table")
    assert path.stat().st_size <= size + HEAD
    assert at_most or path.stat().st_size >= size


def test_a_large_table_is_announced(tmp_path, monkeypatch, capsys):
    """The run itself is left out: limit hold'em fills hundreds of megabytes within seconds."""

    def no_run(*_, **__):
        raise ValueError("not run")

    monkeypatch.setattr(forms, "run_minimiser", no_run)
    path = tmp_path / "run.npz"
    table = "--method", "mccfr-external", "--form", "table", "--checkpoint", str(path)
    assert run(["solve", "limit_holdem", *table, "--iterations", "1000000"]) == 2
    err = capsys.readouterr().err.splitlines()
    assert err[-1].startswith("treeplex: not run (")  # and where, as for any code of one's own
    found = re.fullmatch(rf"treeplex: the checkpoint {path} will take up to ([\d,]+) MiB, .*", err[-2])
    assert found is not None
    assert 500 < int(found[1].replace(",", "")) < 2000
    small = ["--iterations", "1000000", "--set", "max_infosets=10000"]
    assert run(["solve", "limit_holdem", *table, *small]) == 2
    assert "the checkpoint" not in capsys.readouterr().err


def test_nothing_is_said_of_small_ones_or_without_a_checkpoint(said, tmp_path, monkeypatch):
    tp.solve("kuhn_poker", "cfr+", iterations=3, warn=said.append)
    monkeypatch.undo()
    path = tmp_path / "run.npz"
    tp.solve("kuhn_poker", "cfr+", iterations=3, checkpoint=path, warn=said.append)
    assert said == []
