"""Eight floats at a time against numpy, bit by bit."""

import numpy as np
import pytest
from numba import njit

from tests.helpers.cells import over
from treeplex.cfr.boards import simd
from treeplex.cfr.boards.simd import SIMD_WIDTH, aligned, simd_rows


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
def interleaved(to, start, of, places, factors):
    simd.interleave(to, start, of, places, factors)


@njit
def add_interleaved(to, start, of, places):
    simd.add_interleaved(to, start, of, places)


def drawn(rng, rows):
    """Draw vectors over many orders of magnitude, both signs, some zeros."""
    out = simd_rows(rows)
    out[:] = rng.standard_normal((rows, SIMD_WIDTH)) * 10.0 ** rng.integers(-12, 12, (rows, SIMD_WIDTH))
    out[rng.random((rows, SIMD_WIDTH)) < 0.1] = 0.0
    return out


def flat(rng, rows):
    """Draw a flat array on cache lines."""
    out = aligned(rows * SIMD_WIDTH)
    out[:] = drawn(rng, rows).ravel()
    return out


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@over(range(1, 18))
def test_room_is_zeros_on_a_cache_line(count):
    room, rows = aligned(count), simd_rows(count)
    assert (room.shape, rows.shape) == ((count,), (count, SIMD_WIDTH))
    assert room.ctypes.data % 64 == 0 == rows.ctypes.data % 64
    assert rows.flags.c_contiguous
    assert not room.any()
    assert not rows.any()


@over([(0, 0), (4, 2), (2, 4), (0, 4)])
def test_adding_and_copying(i, j, rng):
    to, of = drawn(rng, 5), drawn(rng, 5)
    for kernel, expected in ((add, to[i] + of[j]), (copy, of[j])):
        here, before = simd_rows(5), of.copy()
        here[:] = to
        kernel(here, np.uint64(i), of, np.uint64(j))
        assert (here[i] == expected).all()
        rest = np.arange(5) != i
        assert (here[rest] == to[rest]).all()
        assert (of == before).all()


def test_adding_a_row_to_itself_doubles_it(rng):
    rows = drawn(rng, 3)
    expected = 2 * rows[1]
    add(rows, np.uint64(1), rows, np.uint64(1))
    assert (rows[1] == expected).all()


@over([np.uint8, np.uint16, np.int64])
def test_indices_may_be_of_any_width(kind, rng):
    to, of = simd_rows(250), drawn(rng, 250)
    copy(to, kind(249), of, kind(200))
    assert (to[249] == of[200]).all()


@over([(5, 0, 1), (3, 3, 3), (0, 5, 0)])
def test_adding_what_is_not_blocked(all_, first, second, rng):
    to, sums = drawn(rng, 4), drawn(rng, 6)
    before = to.copy()
    unblocked(to, np.uint64(2), sums, *map(np.uint64, (all_, first, second)))
    assert (to[2] == before[2] + (sums[all_] - sums[first] - sums[second])).all()
    rest = [0, 1, 3]
    assert (to[rest] == before[rest]).all()


@over([0, 8, 16], [False, True])
def test_eight_runs_become_vectors(start, same, rng):
    to, of, factors = drawn(rng, 40), flat(rng, 30), rng.standard_normal(SIMD_WIDTH)
    places = np.full(SIMD_WIDTH, 8) if same else 8 * rng.permutation(20)[:SIMD_WIDTH]
    before = to.copy()
    interleaved(to, np.uint64(start), of, places, factors)
    for k in range(SIMD_WIDTH):
        run = of[places[k] + start : places[k] + start + 8]
        assert (to[start : start + 8, k] == factors[k] * run).all()
    outside = np.r_[0:start, start + 8 : 40]
    assert (to[outside] == before[outside]).all()


@over([0, 8, 16], [range(8), [7, 3, 0, 1, 2, 6, 5, 4], [2] * 8, [0, 0, 1, 1, 0, 2, 2, 0]])
def test_vectors_are_added_to_eight_runs(start, places, rng):
    """Several vectors may be added to one run, in their order."""
    to, of = flat(rng, 80), drawn(rng, 24)
    places = 64 * np.array(places)
    expected = to.copy()
    for k in range(SIMD_WIDTH):
        expected[places[k] + start : places[k] + start + 8] += of[start : start + 8, k]
    add_interleaved(to, np.uint64(start), of, places)
    assert (to == expected).all()


def test_there_and_back_again(rng):
    of, to, room = flat(rng, 16), aligned(128), simd_rows(8)
    places = 8 * rng.permutation(16)[:SIMD_WIDTH]
    interleaved(room, np.uint64(0), of, places, np.ones(SIMD_WIDTH))
    add_interleaved(to, np.uint64(0), room, places)
    at = (places[:, None] + np.arange(8)).ravel()
    assert (to[at] == of[at]).all()
    assert not np.delete(to, at).any()
