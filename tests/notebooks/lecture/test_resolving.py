"""Subgames solved again by the helpers of the notebooks are those of ``tp.resolve``."""

import pytest

import treeplex as tp
from lecture.resolving import again, by_estimates, promised_and_kept, subgames, value_of
from treeplex.gadgets.published_gadgets import Resolve

COIN = {"game": "coin_toss", "at": ":Play", "blueprint": "uniform"}


def test_without_options_it_is_resolve():
    run = tp.resolve("coin_toss", 1, ":Play", "maxmargin", blueprint="uniform")
    assert again("maxmargin", **COIN).tops == run.tops


def test_cbvs_as_estimates_give_maxmargin():
    plain = again("maxmargin", **COIN)
    estimates = {(top.subgame, top.top): top.cbv for top in plain.tops}
    assert by_estimates(estimates, **COIN).min_margin == pytest.approx(plain.min_margin)


def test_gains_are_at_least_what_is_promised():
    pairs = promised_and_kept("coin_toss", 1, "uniform")
    assert pairs
    assert all(kept >= promised - 1e-9 for promised, kept in pairs)


def test_resolve_is_worth_what_staying_out_is():
    (piece,) = subgames("coin_toss", 1, "uniform")
    assert value_of(Resolve().apply(piece)) == pytest.approx(float(piece.reach @ piece.cbv))
