"""Figures 1c and 1d on a small deck: what scales cost and save, and where a run ends."""

import numpy as np
import pytest

from treeplex.bench.reproductions import rhode_island_scales
from treeplex.bench.reproductions.reproduction import Settings
from treeplex.bench.reproductions.rhode_island_scales import (
    RHODE_ISLAND_SCALES,
    counts_of,
    measured,
    sizes,
)
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.cfr.boards.fixed_point import FixedPoint
from treeplex.core.loading import load
from treeplex.core.progress import silent
from treeplex.files.compressed_blocks import TableBlocks
from treeplex.files.generation_files import encoded
from treeplex.games.poker.named import rhode_island
from treeplex.seqform.certify.board_certificate import certify_factored

GAME = rhode_island(ranks=4, suits=2, raises=1)


@pytest.mark.seconds(3)
def test_small_scales_take_less_and_stay_above_the_target():
    counts, tree = (10, 30, 300), load(GAME).boards()
    coarse, fine = (measured(GAME, tree, row, counts, 1, silent) for row in ("1", "64"))
    assert coarse.ours[0] == pytest.approx(fine.ours[0], rel=0.01)
    assert fine.ours[1] > fine.ours[2]
    assert fine.ours[2] <= 1.0 < coarse.ours[2]
    assert (coarse.ours[3], fine.ours[3]) == (None, 300.0)
    assert coarse.ours[4] < fine.ours[4]
    assert coarse.ours[5] > fine.ours[5] > 1.0


def test_a_run_ends_at_the_target(monkeypatch):
    monkeypatch.setattr(rhode_island_scales, "TARGET", 1e6)
    tree = load(GAME).boards()
    row = measured(GAME, tree, "4", (5, 10), 1, silent)
    scales = FixedPoint((4.0, 4.0, 4.0), (1024.0, 1024.0, 1024.0))
    engine = prepare(tree, factored_config("cfr+", "linear", "int32", scales))
    certificate = certify_factored(GAME, engine.strategy(engine.advance(engine.start(), 5)))
    assert row.ours[0] == pytest.approx(certificate.nash_conv / 2 / 10 * 1000)  # a bet is 10 chips
    assert row.ours[1] is None
    assert row.ours[2] == 5.0


def test_sizes_are_those_of_both_players_files():
    tree = load(GAME).boards()
    engine = prepare(tree, factored_config("cfr+", storage="int32"))
    state = engine.advance(engine.start(), 20)
    raw, size = sizes(tree, state)
    assert raw == 4 * tree.n_entries
    frames = [encoded(TableBlocks.of(tree, p), state.memories[p].regret)[0] for p in (0, 1)]
    assert size == sum(map(len, frames)) < raw
    assert np.any(state.memories[0].regret)


def test_certificates_end_with_the_last_iteration():
    assert counts_of(Settings())[-1] == 2000
    assert counts_of(Settings(iterations=200)) == (100, 200)
    assert counts_of(Settings(iterations=30)) == (30,)
    few, all_ = (RHODE_ISLAND_SCALES.estimate(Settings(rows=rows)) for rows in (("1",), ()))
    assert few.seconds < all_.seconds / 10


@pytest.mark.seconds(3)
def test_a_table_is_of_its_game():
    asked = Settings(rows=("64", "1"), columns=("4 ranks",), iterations=2, threads=1)
    (table,) = RHODE_ISLAND_SCALES.run(asked, silent)
    assert "4 ranks" in table.title
    assert table.columns == ("2", *rhode_island_scales.COLUMNS)
    assert [row.name for row in table.rows] == ["1", "64"]
    game = rhode_island(ranks=4)
    assert table.rows[1] == measured(game, load(game).boards(), "64", (2,), 1, silent)


@pytest.mark.seconds(60)
def test_rhode_island_itself_is_computed_again():
    asked = Settings(rows=("1", "64"), columns=("13 ranks",), iterations=2, threads=1)
    ((first, last),) = (table.rows for table in RHODE_ISLAND_SCALES.run(asked, silent))
    assert first.ours[0] == pytest.approx(last.ours[0], rel=1e-3)
    assert 1000.0 < first.ours[0] < 5000.0
