"""Blueprints shown bucket by bucket, as they are shown hand by hand where that fits."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.abstractions import drawn_abstraction
from tests.helpers.cells import over
from treeplex.cfr.bucket_sampling.bucket_sampler import prepare
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.engine import iterate
from treeplex.core.problem import Problem
from treeplex.games.poker.named import flop_holdem
from treeplex.pictures.blueprint_view import blueprint_view
from treeplex.pictures.board_view import board_view
from treeplex.solving.check import expanded

GAME = flop_holdem(3, 3, (1, 1))
ABSTRACTION = drawn_abstraction(GAME, (None, 4))


@pytest.fixture(scope="module")
def blueprint():
    engine = prepare(GAME, ABSTRACTION, BlueprintConfig(batch=10, period=50, clusters=3))
    return engine.strategy(iterate(engine, 3000))


@over([("", ""), ("r", ""), ("cc/", "AsKhQd"), ("rc/cr", "KdAhKh"), ("cr", "")])
def test_it_is_what_boards_say(line, board, blueprint):
    by_bucket = blueprint_view(GAME, blueprint, line, board)
    by_hand = board_view(GAME, expanded(Problem(GAME), blueprint), line, board)
    assert by_bucket.point == by_hand.point
    order, same = (np.lexsort(view.hands.T) for view in (by_bucket, by_hand))
    np.testing.assert_array_equal(by_bucket.hands[order], by_hand.hands[same])
    for name in ("reach", "behaviour", "met"):
        one, other = getattr(by_bucket, name)[order], getattr(by_hand, name)[same]
        if name == "met":
            one, other = one / one.sum(), other / other.sum()
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


def test_show_takes_blueprints(blueprint, tmp_path):
    path = tmp_path / "blueprint.npz"
    tp.write(blueprint, path)
    tp.write_abstraction(tmp_path / "buckets.npz", ABSTRACTION)
    game = Problem(GAME)
    shown = tp.show(game, "cc/", strategy=path, board="AsKhQd", abstraction=tmp_path / "buckets.npz")
    assert f"strategy {path}" in str(shown)
    assert str(tp.show(game, "cc/", strategy=blueprint, board="AsKhQd")).count("\n") == str(shown).count("\n")
    with pytest.raises(ValueError, match="read it with --abstraction FILE"):
        tp.show(game, strategy=path)
    with pytest.raises(ValueError, match="expected values are of strategies that fit on boards"):
        tp.show(game, strategy=blueprint, map="ev")
    with pytest.raises(
        ValueError, match="by the map of buckets, or read with a blueprint's file, got the map"
    ):
        tp.show(game, abstraction=ABSTRACTION)
    with pytest.raises(ValueError, match="missing is for strategies that are tables"):
        tp.show(game, strategy=blueprint, missing="uniform")
