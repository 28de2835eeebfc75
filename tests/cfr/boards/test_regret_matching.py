"""Regret matching on a board in float32 and float64 beside loops over hands; the ends of float32."""

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_arrays import DecisionArrays
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.cfr.boards.regret_matching import (
    BoardPart,
    FactoredMemory,
    Rule,
    Scratch,
    learn,
    quantise,
    spread_and_average_plan,
    spread_plan,
)
from treeplex.cfr.boards.simd import FLOAT32, FLOAT64, kind_of
from treeplex.cfr.engine import iterate
from treeplex.core.loading import load
from treeplex.seqform.subgames.tops import RootDecisions

WIDTH, STRIDE = 300, 304
DECISIONS = ((0, 1, 2, 0, 0, -1), (2, 3, 3, 2, 1, -1))
"""Two actions at the root, three after the second: parent row, first row, actions, slot, number, lock."""
N_ROWS, N_SLOTS = 6, 5
RULE = Rule(positive=0.75, negative=0.5, prediction=0.0, keep=0.9, weight=2.0)


def steps():
    return DecisionArrays(*np.array(DECISIONS, np.int64).T.copy())


def part():
    none = np.zeros(0)
    hands = np.zeros(0, np.uint16), np.zeros((0, 0)), np.zeros(0, np.uint32), none
    return BoardPart(0, len(DECISIONS), 0, 0, WIDTH, STRIDE, *hands)


def memory(kind, regret, gain=None):
    ones, root = np.ones(len(DECISIONS), np.float32), np.zeros(0)
    gain = np.zeros(0, kind) if gain is None else gain.astype(kind)
    return FactoredMemory(
        regret.astype(kind), np.zeros(N_SLOTS * WIDTH, kind), gain, ones, ones, root, root, root
    )


def shares(regret):
    """Return the play of one hand at a decision."""
    positive = np.maximum(regret, 0.0)
    return positive / positive.sum() if positive.sum() > 0 else np.full(len(regret), 1 / len(regret))


@over([(FLOAT32, 1e-6), (FLOAT64, 1e-15)])
def test_plans_averages_and_regrets_are_those_of_loops_over_hands(kind, near):
    rng = np.random.default_rng(3)
    regret = rng.normal(size=(N_SLOTS, WIDTH)) * (rng.random((N_SLOTS, WIDTH)) < 0.8)
    values, start = rng.normal(size=(N_ROWS, STRIDE)), rng.random(STRIDE)
    tables, scratch = memory(kind, regret.ravel()), Scratch.of(3, WIDTH, kind)
    plan, play, other, worth = (np.zeros(N_ROWS * STRIDE, kind) for _ in range(4))
    plan[:STRIDE] = other[:STRIDE] = start
    worth[:] = values.ravel()
    spread_plan(steps(), part(), tables, 0.0, other, scratch)
    spread_and_average_plan(steps(), part(), tables, RULE, 0.0, plan, play, scratch)
    learn(steps(), part(), tables, RULE, 0.0, 1e-14, play, worth, scratch)
    shaped = (one.reshape(N_ROWS, STRIDE) for one in (plan, play, other))
    (plan, play, other), learned = shaped, tables.regret.reshape(N_SLOTS, WIDTH)
    total = tables.total.reshape(N_SLOTS, WIDTH)
    for h in range(WIDTH):
        reach, worths = np.zeros(N_ROWS), values[:, h].copy()
        reach[0] = start[h]
        for above, first, count, slot, _, _ in DECISIONS:
            rows = slice(first, first + count)
            mine = shares(regret[slot : slot + count, h])
            reach[rows] = reach[above] * mine
            assert play[rows, h] == pytest.approx(mine, rel=near, abs=near)
            assert total[slot : slot + count, h] == pytest.approx(2.0 * reach[rows], rel=near, abs=near)
        assert plan[:, h] == pytest.approx(reach, rel=near, abs=near)
        assert other[:, h] == pytest.approx(reach, rel=near, abs=near)
        for above, first, count, slot, _, _ in reversed(DECISIONS):
            rows = slice(first, first + count)
            mean = shares(regret[slot : slot + count, h]) @ worths[rows]
            sums = regret[slot : slot + count, h] + worths[rows] - mean
            worths[above] += mean
            kept = np.where(sums > 0, 0.75, 0.5) * sums
            assert learned[slot : slot + count, h] == pytest.approx(kept, rel=10 * near, abs=10 * near)


@over([FLOAT32, FLOAT64], [0.0, 1e-39, 1e-44, 1e-30, 1e30])
def test_no_plan_of_faint_predictions_is_infinite(kind, size):
    """Predictions are not cut off where regrets are; one over a small float32 is infinite."""
    gain = size * np.arange(1.0, N_SLOTS * WIDTH + 1)
    tables, scratch = memory(kind, np.zeros(N_SLOTS * WIDTH), gain), Scratch.of(3, WIDTH, kind)
    plan = np.zeros(N_ROWS * STRIDE, kind)
    plan[:STRIDE] = 1.0
    spread_plan(steps(), part(), tables, 1.0, plan, scratch)
    rows = plan.reshape(N_ROWS, STRIDE)[:, :WIDTH]
    assert np.isfinite(rows).all()
    assert rows[1:3].sum(axis=0) == pytest.approx(1.0)
    assert rows[3:].sum(axis=0) == pytest.approx(rows[2], rel=1e-5)


@over([FLOAT32, FLOAT64], [1e-38, 1e-30, 1.0, 1e30])
def test_tables_of_any_size_are_kept_as_integers(kind, size):
    fresh, table = (size * np.arange(6.0)).astype(kind), np.zeros(6, np.uint16)
    unit = quantise(fresh, table, 0, 6, 65_535.0)
    assert table.tolist() == [0, 13_107, 26_214, 39_321, 52_428, 65_535]
    assert unit == pytest.approx(5 * size / 65_535.0, rel=1e-5)


@pytest.mark.seconds(3)
def test_hands_that_hardly_enter_are_computed_in_float64(monkeypatch):
    """Small games are float64 anyway; values are divided by what all hands can win."""
    monkeypatch.setattr(factored_cfr, "MOST_EXACT", 0)
    tree = load("leduc_poker").boards()

    def roots(weight):
        first, second = (RootDecisions.fixed(np.full(len(one.weight), weight)) for one in tree.boards.hands)
        return first, second

    def regrets(engine):
        return np.concatenate([memory.regret for memory in iterate(engine, 20).memories])

    whole, faint = (prepare(tree, factored_config("dcfr"), roots=roots(weight)) for weight in (1.0, 1e-60))
    kinds = [kind_of(engine.arrays.sides[0].betting.leaves.own.shape[1]) for engine in (whole, faint)]
    assert kinds == [FLOAT32, FLOAT64]
    expected = regrets(prepare(tree, factored_config("dcfr", storage="float64")))
    for engine in (whole, faint, whole.entered_by(roots(1e-60)), faint.entered_by(roots(1.0))):
        assert regrets(engine) == pytest.approx(expected, abs=2e-3)
