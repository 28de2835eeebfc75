"""Blueprints of short decks: on buckets, kept and read back, and without abstraction."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.bench.reproductions import blueprints
from treeplex.bench.reproductions.blueprints import bucket_blueprint, last_iterate, unabstracted
from treeplex.core.progress import silent
from treeplex.games.poker.named import no_limit_flop_holdem

GAME = no_limit_flop_holdem(4, 2, bets=(1, "a"), max_raises=(2, 2), stack=1200)


@pytest.mark.seconds(3)
def test_buckets_play_alike_and_are_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr(blueprints, "ITERATIONS", 40)
    found = bucket_blueprint(GAME, 6, 1, tmp_path / "run", silent)
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["abstraction.npz", "blueprint.npz"]
    read = bucket_blueprint(GAME, 6, 1, tmp_path / "run", silent)
    assert all(np.array_equal(a, b) for a, b in zip(found.weight, read.weight, strict=True))
    found = found.expanded()
    played = found.at(0, found.tree.betting.node_of["cc/"], found.tree.boards.n_boards - 1)
    assert 1 < len(np.unique(played, axis=0)) <= 6


@pytest.mark.seconds(3)
def test_the_last_iteration_stands_on_the_last_street_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(blueprints, "ITERATIONS", 40)
    average = bucket_blueprint(GAME, 6, 1, tmp_path, silent)
    found = last_iterate(average, GAME, 6, 1, tmp_path, silent)
    run = tp.solve(
        GAME, "cfr+", abstraction=str(tmp_path / "abstraction.npz"), iterations=40, average="last"
    ).strategy
    for node in range(found.tree.tree.betting.n_nodes):
        player, street = found.tree.tree.betting.player[node], found.tree.tree.betting.street[node]
        if player >= 0:
            board = int(np.flatnonzero(found.tree.tree.boards.street == street)[-1])
            same = average if street == 0 else run
            expected = same.expanded().at(int(player), node, board)
            assert np.array_equal(found.expanded().at(int(player), node, board), expected)
            assert street == 0 or not np.array_equal(
                expected, average.expanded().at(int(player), node, board)
            )


@pytest.mark.seconds(3)
def test_without_abstraction_the_value_is_bounded(monkeypatch):
    monkeypatch.setattr(blueprints, "UNABSTRACTED_ITERATIONS", 50)
    first, second = unabstracted(GAME, 1, None, silent)
    proved = tp.solve(GAME, "dcfr", form="boards", iterations=100).certificate
    assert -first <= proved.upper
    assert proved.lower <= second
    assert 0.0 < first + second < 100.0


@over([0, 10**9])
def test_counts_that_cannot_be_are_refused(buckets):
    with pytest.raises(ValueError, match="number of buckets must be from 1 to"):
        bucket_blueprint(GAME, buckets, 1, None, silent)


@over([("flop:5:ochs", 0), ("flop:6:equity", 0), ("flop:6:ochs", 1)])
def test_an_abstraction_that_is_not_the_one_asked_for_is_refused(streets, seed, tmp_path):
    """A column would stand in the table under a number of buckets that it has not."""
    tp.abstract(GAME, streets, seed=seed, out=tmp_path / "abstraction.npz")
    with pytest.raises(ValueError, match=f"must be flop:6:ochs, imperfect recall, seed 0, got {streets}"):
        bucket_blueprint(GAME, 6, 1, tmp_path, silent)
