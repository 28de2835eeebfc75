"""Damaged strategies on boards: every one is refused in one line, or is a legal strategy."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.answers import answered
from tests.helpers.archive_mutations import spoilt

GAME = "leduc_poker(ranks=2,raises=1)"
WRITTEN = ({}, {"storage": "int16"}, {"isomorphism": False})


@pytest.fixture(scope="module")
def problem():
    return tp.load(GAME)


@pytest.fixture(scope="module")
def files(problem, tmp_path_factory):
    path, found = tmp_path_factory.mktemp("kept") / "s.npz", []
    for options in WRITTEN:
        tp.write(tp.solve(problem, "dcfr", form="boards", iterations=5, **options), path)
        found.append(path.read_bytes())
    return found


@pytest.fixture(scope="module")
def value(problem):
    return tp.solve(problem, "lp").certificate.value


def check_rows(strategy):
    """Fail what is no distribution of each hand at some decision on some board."""
    betting, boards = strategy.tree.betting, strategy.tree.boards
    for node in np.flatnonzero(betting.player >= 0).tolist():
        for board in np.flatnonzero(boards.street == betting.street[node]).tolist():
            rows = strategy.at(betting.player[node], node, board)
            assert (rows >= 0).all()
            np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-9)


def fuzz(problem, files, value, seeds, path):
    """Certify spoilt strategies; return how many were refused and how many certified."""
    counts = {"refused": 0, "accepted": 0}
    for seed in seeds:
        path.write_bytes(spoilt(f"boards {seed}", files[seed % len(files)]))
        result = answered(lambda: tp.check(problem, path))
        counts["refused" if result is None else "accepted"] += 1
        if result is not None:
            assert result.certificate.lower <= value + 1e-9
            assert result.certificate.upper >= value - 1e-9
            check_rows(result.strategy)
    return counts


def test_spoilt_strategies_on_boards(problem, files, value, tmp_path):
    counts = fuzz(problem, files, value, range(100), tmp_path / "s.npz")
    assert min(counts.values()) > 0


@pytest.mark.slow
def test_a_thousand_spoilt_strategies_on_boards(problem, files, value, tmp_path):
    counts = fuzz(problem, files, value, range(100, 1100), tmp_path / "s.npz")
    assert min(counts.values()) > 0
