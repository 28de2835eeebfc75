"""Vectors of eight or sixteen numbers against numpy, bit by bit."""

import numpy as np
import pytest
from numba import njit

from tests.helpers.cells import over
from treeplex.cfr.boards import simd
from treeplex.cfr.boards.simd import FLOAT32, FLOAT64, LANES, aligned, simd_rows


@njit
def add(to, i, of, j):
    simd.add_vector(to, i, of, j)


@njit
def copy(to, i, of, j):
    simd.copy_vector(to, i, of, j)


@njit
def unblocked(to, i, sums, all_, first, second):
    simd.add_unblocked(to, i, sums, all_, first, second)


@njit
def unblocked_parts(to, i, sums, all_, first, second, one, other):
    simd.add_unblocked_parts(to, i, sums, all_, first, second, one, other)


@njit
def scale(to, i, of, j, factor):
    simd.scale_vector(to, i, of, j, factor)


@njit
def interleaved(to, start, of, places, factors):
    simd.interleave(to, start, of, places, factors)


@njit
def add_interleaved(to, start, of, places):
    simd.add_interleaved(to, start, of, places)


KINDS = [FLOAT32, FLOAT64]


def drawn(rng, rows, kind):
    """Draw vectors over many orders of magnitude, both signs, some zeros."""
    out = simd_rows(rows, kind)
    out[:] = rng.standard_normal(out.shape) * 10.0 ** rng.integers(-12, 12, out.shape)
    out[rng.random(out.shape) < 0.1] = 0.0
    return out


def flat(rng, rows, kind):
    """Draw a flat array on cache lines."""
    out = aligned(rows * LANES[kind], kind)
    out[:] = drawn(rng, rows, kind).ravel()
    return out


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@over(range(1, 18), KINDS)
def test_room_is_zeros_on_a_cache_line(count, kind):
    room, rows = aligned(count, kind), simd_rows(count, kind)
    assert (room.shape, rows.shape) == ((count,), (count, LANES[kind]))
    assert room.dtype == rows.dtype == kind
    assert room.ctypes.data % 64 == 0 == rows.ctypes.data % 64
    assert rows.flags.c_contiguous
    assert not room.any()
    assert not rows.any()


@over(KINDS, [(0, 0), (4, 2), (2, 4), (0, 4)])
def test_adding_and_copying(kind, i, j, rng):
    to, of = drawn(rng, 5, kind), drawn(rng, 5, kind)
    for kernel, expected in ((add, to[i] + of[j]), (copy, of[j])):
        here, before = simd_rows(5, kind), of.copy()
        here[:] = to
        kernel(here, np.uint64(i), of, np.uint64(j))
        assert (here[i] == expected).all()
        rest = np.arange(5) != i
        assert (here[rest] == to[rest]).all()
        assert (of == before).all()


@over(KINDS)
def test_adding_a_row_to_itself_doubles_it(kind, rng):
    rows = drawn(rng, 3, kind)
    expected = 2 * rows[1]
    add(rows, np.uint64(1), rows, np.uint64(1))
    assert (rows[1] == expected).all()


@over(KINDS, [np.uint8, np.uint16, np.int64])
def test_indices_may_be_of_any_width(kind, integer, rng):
    to, of = simd_rows(250, kind), drawn(rng, 250, kind)
    copy(to, integer(249), of, integer(200))
    assert (to[249] == of[200]).all()


@over(KINDS, [(5, 0, 1), (3, 3, 3), (0, 5, 0)])
def test_adding_what_is_not_blocked(kind, all_, first, second, rng):
    to, sums = drawn(rng, 4, kind), drawn(rng, 6, kind)
    before = to.copy()
    unblocked(to, np.uint64(2), sums, *map(np.uint64, (all_, first, second)))
    assert (to[2] == before[2] + (sums[all_] - sums[first] - sums[second])).all()
    rest = [0, 1, 3]
    assert (to[rest] == before[rest]).all()


@over(KINDS, [(5, 0, 1), (3, 3, 3), (0, 5, 0)], [(1.0, 1.0), (1 / 3, 0.5)])
def test_adding_parts_of_what_is_not_blocked(kind, all_, first, second, one, other, rng):
    to, sums = drawn(rng, 4, kind), drawn(rng, 6, kind)
    before = to.copy()
    unblocked_parts(to, np.uint64(2), sums, *map(np.uint64, (all_, first, second)), one, other)
    expected = sums[all_] - kind.type(one) * sums[first] - kind.type(other) * sums[second]
    assert (to[2] == before[2] + expected).all()
    rest = [0, 1, 3]
    assert (to[rest] == before[rest]).all()


@over(KINDS, [1.0, 1 / 3])
def test_scaling(kind, factor, rng):
    to, of = drawn(rng, 5, kind), drawn(rng, 5, kind)
    before = to.copy()
    scale(to, np.uint64(3), of, np.uint64(1), factor)
    assert (to[3] == kind.type(factor) * of[1]).all()
    assert (to[[0, 1, 2, 4]] == before[[0, 1, 2, 4]]).all()


@over(KINDS, [0, 1, 2], [False, True])
def test_runs_become_vectors(kind, block, same, rng):
    n = LANES[kind]
    to, of, factors = drawn(rng, 5 * n, kind), flat(rng, 30, kind), rng.standard_normal(n)
    start, places = block * n, np.full(n, n) if same else n * rng.permutation(20)[:n]
    before = to.copy()
    interleaved(to, np.uint64(start), of, places, factors)
    for k in range(n):
        run = of[places[k] + start : places[k] + start + n]
        assert (to[start : start + n, k] == kind.type(factors[k]) * run).all()
    outside = np.r_[0:start, start + n : 5 * n]
    assert (to[outside] == before[outside]).all()


@over(KINDS, [0, 1, 2], [range(8), [7, 3, 0, 1, 2, 6, 5, 4], [2] * 8, [0, 0, 1, 1, 0, 2, 2, 0]])
def test_vectors_are_added_to_runs(kind, block, places, rng):
    """Several vectors may be added to one run, in their order."""
    n = LANES[kind]
    to, of, start = flat(rng, 80, kind), drawn(rng, 3 * n, kind), block * n
    places = 8 * n * np.resize(places, n)
    expected = to.copy()
    for k in range(n):
        expected[places[k] + start : places[k] + start + n] += of[start : start + n, k]
    add_interleaved(to, np.uint64(start), of, places)
    assert (to == expected).all()


@over(KINDS)
def test_there_and_back_again(kind, rng):
    n = LANES[kind]
    of, to, room = flat(rng, 2 * n, kind), aligned(2 * n * n, kind), simd_rows(n, kind)
    places = n * rng.permutation(2 * n)[:n]
    interleaved(room, np.uint64(0), of, places, np.ones(n))
    add_interleaved(to, np.uint64(0), room, places)
    at = (places[:, None] + np.arange(n)).ravel()
    assert (to[at] == of[at]).all()
    assert not np.delete(to, at).any()
