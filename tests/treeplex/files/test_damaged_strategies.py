"""Damaged strategies on boards: every one is refused in one line, or is a legal strategy."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.answers import answered, soon
from tests.helpers.archive_members import (
    changed,
    exchanged,
    header,
    members_of,
    put,
    saved,
    told,
    with_head,
    zipped,
)
from tests.helpers.archive_mutations import spoilt
from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers

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


@two_tiers([range(100)], [range(100, 1100)], seconds=(1, 20))
def test_spoilt_strategies_on_boards(seeds, problem, files, value, tmp_path):
    path = tmp_path / "s.npz"
    counts = {"refused": 0, "accepted": 0}
    for seed in seeds:
        path.write_bytes(spoilt(f"boards {seed}", files[seed % len(files)]))
        result = answered(lambda: tp.check(problem, path))
        counts["refused" if result is None else "accepted"] += 1
        if result is not None:
            assert result.certificate.lower <= value + 1e-9
            assert result.certificate.upper >= value - 1e-9
            check_rows(result.strategy)
    assert min(counts.values()) > 0


COMMANDS = (
    "check {game} {path}",
    "show {game} --strategy {path} --node cc/",
    "solve {game} --method cfr+ --iterations 3 --warm-start {path}",
    "gadget {game} --defender 0 --at Q:cc/ --blueprint {path}",
    "depth-limited {game} --defender 0 --at Q:cc/ --blueprint {path}",
    "draw {game} --defender 0 --at Q:cc/ --gadget resolve --blueprint {path}",
)
DAMAGED = {
    "junk in the head": (
        lambda m: exchanged(m, "head", b"junk"),
        "'head' must be an array as numpy writes it",
    ),
    "floats as head": (
        lambda m: exchanged(m, "head", saved(np.zeros(3))),
        "'head' must have dtype '|u1', got",
    ),
    "a list as head": (lambda m: with_head(m, [1]), "is no strategy on boards that treeplex wrote"),
    "a deep head": (lambda m: with_head(m, b"[" * 100_000), "its head is no JSON of distinct keys"),
    "rules that are none": (
        lambda m: told(m, rules=[1], game={"a": 1}),
        "is of another game, {'a': 1}, or of",
    ),
    "other rules of the same name": (lambda m: told(m, rules=""), "is of another game, 'leduc_poker("),
    "another format": (lambda m: told(m, format="other 2"), "is no strategy on boards that treeplex wrote"),
    "no number of boards": (lambda m: told(m, boards=[1]), "its number of boards must be 3 or 5, got [1]"),
    "another number of boards": (lambda m: told(m, boards=9), "its number of boards must be 3 or 5, got 9"),
    "junk in a table": (
        lambda m: exchanged(m, "player1", b"junk"),
        "'player1' must be an array as numpy writes",
    ),
    "a claim of 1e11 floats": (
        lambda m: exchanged(m, "player0", header(m, "player0", shape=("(88,)", "(100000000000,)"))),
        "'player0' must have shape (88,), got (100000000000,)",
    ),
    "another length": (
        lambda m: exchanged(m, "player0", saved(np.zeros(3))),
        "'player0' must have shape (88,), got (3,)",
    ),
    "NaN": (
        lambda m: changed(m, "player0", put(3, np.nan)),
        "weights must be at least 0 and finite, got nan at place 3",
    ),
    "an infinity": (
        lambda m: changed(m, "player0", put(3, np.inf)),
        "weights must be at least 0 and finite, got inf",
    ),
    "a negative weight": (
        lambda m: changed(m, "player0", put(3, -1.0)),
        "weights must be at least 0 and finite, got -1",
    ),
    "no table": (lambda m: m[:2], "it has no array player1"),
    "another table": (lambda m: [*m, ("player2.npy", m[1][1])], "it must hold 2 arrays, got also 'player2'"),
    "a table twice": (lambda m: [*m, m[1]], "its members must be arrays, each once, got 'player0.npy'"),
}


@over(DAMAGED)
def test_damage_is_one_line_that_says_where(name, files, tmp_path, complaint):
    path, (damage, says) = tmp_path / "s.npz", DAMAGED[name]
    path.write_bytes(zipped(damage(members_of(files[0]))))
    with soon():
        assert f"{path} is" in (line := complaint("check", GAME, path))
    assert says in line


@over(COMMANDS)
def test_every_command_answers_in_one_line(command, files, tmp_path, complaint):
    path = tmp_path / "s.npz"
    for content in (b"junk", files[0][:900], zipped(exchanged(members_of(files[0]), "player0", b"junk"))):
        path.write_bytes(content)
        with soon():
            complaint(*(word.format(game=GAME, path=path) for word in command.split()))


def test_a_plot_of_an_archive_is_refused(files, tmp_path, complaint):
    path = tmp_path / "s.npz"
    path.write_bytes(files[0])
    assert "is no trace: it is no text in UTF-8" in complaint("plot", path, "--out", tmp_path / "p.png")
