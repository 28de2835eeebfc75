"""Kernels of fixed point and of best values beside loops in numpy: rounding, saturation, locked hands."""

import numpy as np

from tests.helpers.cells import over
from treeplex.cfr.boards.board_arrays import DecisionArrays
from treeplex.cfr.boards.fixed_point import (
    LARGEST_INTEGER,
    carry_best,
    learn_fixed,
    spread_and_average_fixed,
)
from treeplex.cfr.boards.regret_matching import BoardPart, FactoredMemory, Scratch
from treeplex.cfr.boards.simd import FLOAT64

WIDTH, STRIDE, RANGE, BASE = 300, 304, 400, 7
"""Hands on the board (more than a tile), floats per row, hands of the range, first entry of the board."""
DECISIONS = ((0, 1, 2, 0), (1, 3, 3, 2), (2, 6, 2, 5), (0, 8, 1, 7))
"""Parent row, first row, actions and first slot of each decision; rows 0 and 9 are roots, 9 without any."""
N_ROWS, N_SLOTS, LOCKED = 10, 8, 1


def scratch(actions, hands):
    return Scratch.of(actions, hands, FLOAT64)


def steps():
    columns = np.array(DECISIONS, np.int64).T.copy()
    lock = np.array([0 if i == LOCKED else -1 for i in range(len(DECISIONS))])
    return DecisionArrays(*columns[:3], columns[3], np.arange(len(DECISIONS)), lock)


def part(rng, share_locked):
    hand = rng.permutation(RANGE)[:WIDTH].astype(np.uint16)
    locked = rng.dirichlet(np.ones(3), RANGE).T.copy()
    locked[:, rng.random(RANGE) >= share_locked] = -1.0
    none = np.zeros(0, np.uint32), np.zeros(0)
    return BoardPart(0, len(DECISIONS), BASE, 0, WIDTH, STRIDE, hand, locked, *none)


def memory(rng, most, *, averages=True):
    n, none = BASE + N_SLOTS * WIDTH + 3, np.zeros(0, np.float32)
    regret = rng.integers(0, most, n, endpoint=True) * (rng.random(n) < 0.6)
    total = rng.integers(0, most, n, endpoint=True) if averages else np.zeros(0)
    tables = regret.astype(np.int32), total.astype(np.int32)
    return FactoredMemory(*tables, none, none, none, none, none, none)


def of_decisions(table):
    """Yield for each decision its number, parent and rows, and its (actions, hands) of a table."""
    for i, (parent, first, actions, slot) in enumerate(DECISIONS):
        at = BASE + slot * WIDTH
        yield (
            i,
            parent,
            slice(first, first + actions),
            table[at : at + actions * WIDTH].reshape(actions, WIDTH),
        )


def shares(board, i, n_actions):
    """Return the probabilities of locked hands at a decision, (actions, hands), and which are locked."""
    if i != LOCKED:
        return np.zeros((n_actions, WIDTH)), np.zeros(WIDTH, bool)
    given = board.locked[:n_actions, board.hand]
    return given, given[0] >= 0


def rows_of(rng):
    return rng.normal(size=(N_ROWS, STRIDE))


@over([(1000, 16.0), (LARGEST_INTEGER, 3e8), (0, 1e-3)], [0.0, 0.4])
def test_plans_and_averages(most, scale, share_locked):
    rng = np.random.default_rng(3)
    board, tables, saturated = part(rng, share_locked), memory(rng, most), np.array([5, 11])
    before = FactoredMemory(*(array.copy() for array in tables))
    plan, play = rng.random((N_ROWS, STRIDE)), np.zeros((N_ROWS, STRIDE))
    expected = plan.copy()
    flat = plan.ravel(), play.ravel()
    spread_and_average_fixed(steps(), board, tables, scale, *flat, scratch(3, STRIDE), saturated)
    over = 0
    for i, parent, rows, regret in of_decisions(before.regret.astype(float)):
        mass = regret.sum(axis=0)
        given, is_locked = shares(board, i, len(regret))
        matched = np.where(mass > 0, regret / np.where(mass > 0, mass, 1.0), 1 / len(regret))
        behaviour = np.where(is_locked, given, matched)
        expected[rows, :WIDTH] = expected[parent, :WIDTH] * behaviour
        np.testing.assert_allclose(play[rows, :WIDTH], behaviour, rtol=1e-14)
    np.testing.assert_allclose(plan, expected, rtol=1e-14)
    kept = before.total.copy()
    for _, _, rows, total in of_decisions(kept):
        sums = total.astype(np.int64) + np.rint(scale * plan[rows, :WIDTH]).astype(np.int64)
        over += (sums > LARGEST_INTEGER).sum()
        total[:] = np.minimum(sums, LARGEST_INTEGER)
    assert (over > 0) == (most == LARGEST_INTEGER)
    assert saturated.tolist() == [5, 11 + over]
    np.testing.assert_array_equal(tables.total, kept)
    np.testing.assert_array_equal(tables.regret, before.regret)


def test_plans_without_averages():
    rng = np.random.default_rng(4)
    board, tables = part(rng, 0.2), memory(rng, 50, averages=False)
    saturated = np.zeros(2, np.int64)
    with_averages = tables._replace(total=np.zeros_like(tables.regret))
    found = []
    for one in (tables, with_averages):
        plan, play = np.ones(N_ROWS * STRIDE), np.zeros(N_ROWS * STRIDE)
        spread_and_average_fixed(steps(), board, one, 16.0, plan, play, scratch(3, STRIDE), saturated)
        found.append((plan, play))
    np.testing.assert_array_equal(found[0], found[1])
    assert with_averages.total.any()


@over([(1000, 16.0), (LARGEST_INTEGER, 3e7), (40, 1e12), (40, 1e-3)], [0.0, 0.4])
def test_regrets(most, scale, share_locked):
    rng = np.random.default_rng(5)
    board, tables, saturated = part(rng, share_locked), memory(rng, most), np.array([5, 11])
    kept, play = tables.regret.copy(), np.abs(rows_of(rng))
    values = rows_of(rng)
    expected, over = values.copy(), 0
    flat = play.ravel(), values.ravel()
    total = tables.total.copy()
    learn_fixed(steps(), board, tables, scale, *flat, scratch(3, STRIDE), saturated)
    for i, parent, rows, regret in [*of_decisions(kept)][::-1]:
        mean = np.zeros(WIDTH)
        for x, v in zip(play[rows, :WIDTH], expected[rows, :WIDTH], strict=True):
            mean += x * v
        expected[parent, :WIDTH] += mean
        _, is_locked = shares(board, i, len(regret))
        gain = np.where(is_locked, 0.0, expected[rows, :WIDTH] - mean)
        sums = regret.astype(float) + np.rint(scale * gain)
        over += (sums > LARGEST_INTEGER).sum()
        regret[:] = np.clip(sums, 0, LARGEST_INTEGER).astype(np.int32)
    assert (over > 0) == (most == LARGEST_INTEGER or scale == 1e12)
    assert saturated.tolist() == [5 + over, 11]
    np.testing.assert_array_equal(tables.regret, kept)
    np.testing.assert_array_equal(tables.total, total)
    unlocked = [0, 1, 2, 8, 9]  # values of locked hands at their decision are overwritten by their mean
    np.testing.assert_allclose(values[unlocked], expected[unlocked], rtol=1e-13)


def one_decision(regret, total):
    """Return steps, board and tables of a decision with two actions of six hands each, in rows of eight."""
    columns = (np.array([n]) for n in (0, 1, 2, 0, 0, -1))
    none = np.zeros(0, np.uint32), np.zeros(0)
    board = BoardPart(0, 1, 0, 0, 6, 8, np.zeros(0, np.uint16), np.zeros((0, 0)), *none)
    tables = (np.full(12, n, np.int32) for n in (regret, total))
    return DecisionArrays(*columns), board, FactoredMemory(*tables, *[np.zeros(0, np.int32)] * 6)


def test_increments_are_rounded_to_the_nearest_integer():
    """Not down: of halves to the even one."""
    decision, board, tables = one_decision(10, 0)
    values, play = np.zeros((3, 8)), np.zeros((3, 8))
    values[1, :6], play[2] = [0.49, 0.5, 0.51, 1.5, -0.5, -0.51], 1.0
    saturated = np.zeros(2, np.int64)
    learn_fixed(decision, board, tables, 1.0, play.ravel(), values.ravel(), scratch(2, 8), saturated)
    assert tables.regret[:6].tolist() == [10, 10, 11, 12, 10, 9]
    assert tables.regret[6:].tolist() == [10] * 6


def test_the_largest_integer_itself_is_not_saturated():
    """Of one below it only what grows by more than one is counted."""
    grown = [0.0, 1.0, 1.0, 2.0, 2.0, 2.0]
    saturated, kept = np.zeros(2, np.int64), [LARGEST_INTEGER - (n == 0) for n in grown]
    decision, board, tables = one_decision(LARGEST_INTEGER - 1, 0)
    values, play = np.zeros((3, 8)), np.zeros((3, 8))
    values[1, :6], play[2] = grown, 1.0
    learn_fixed(decision, board, tables, 1.0, play.ravel(), values.ravel(), scratch(2, 8), saturated)
    assert (tables.regret[:6].tolist(), saturated.tolist()) == (kept, [3, 0])
    decision, board, tables = one_decision(0, LARGEST_INTEGER - 1)
    plan, saturated[:] = np.zeros((3, 8)), 0
    plan[0, :6] = grown
    args = plan.ravel(), play.ravel(), scratch(2, 8), saturated
    spread_and_average_fixed(decision, board, tables, 2.0, *args)  # twice the half of each action
    assert (tables.total.tolist(), saturated.tolist()) == ([*kept, *kept], [0, 6])


def test_best_values():
    rng = np.random.default_rng(6)
    board, best = part(rng, 0.0), rows_of(rng)
    expected = best.copy()
    carry_best(steps(), board, best.ravel(), scratch(3, STRIDE))
    for _, parent, rows, _ in [*of_decisions(np.zeros(BASE + N_SLOTS * WIDTH))][::-1]:
        expected[parent, :WIDTH] += expected[rows, :WIDTH].max(axis=0)
    np.testing.assert_allclose(best, expected, rtol=1e-14)
