"""Arrays of integers as compressed blocks: round trips, and blocks that are not what they should be."""

import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from treeplex.games.base import packed_arrays
from treeplex.games.base.packed_arrays import n_blocks, pack, unpack


def arrays(seed, n, dtype):
    rng = np.random.default_rng(seed)
    return (rng.integers(0, 50, n) * rng.integers(0, 2, n)).astype(dtype)


@over([((0,),), ((3, 0),), ((1,),), ((2, 7),), ((40, 11),)], ["i4", "f4", "i8"])
def test_arrays_come_back(shape, dtype, monkeypatch):
    monkeypatch.setattr(packed_arrays, "BLOCK", 64)
    array = arrays(1, int(np.prod(shape)), dtype).reshape(shape)
    blocks, index = pack(array)
    assert len(index) == n_blocks(array.nbytes) == -(-array.nbytes // 64)
    found = np.full_like(array, 9)
    unpack(blocks, index, found)
    np.testing.assert_array_equal(found, array)


def test_large_arrays_are_smaller_in_blocks():
    array = arrays(2, 3 * 2**18 + 5, "i4")
    blocks, index = pack(array)
    assert index.shape == (4, 2)
    assert len(blocks) < array.nbytes / 4
    again, other = pack(array.copy())
    assert np.array_equal(again, blocks)
    assert np.array_equal(other, index)


@given(st.data())
def test_altered_blocks_are_refused(data):
    array = arrays(3, 500, "i4")
    blocks, index = (part.copy() for part in pack(array))
    spoilt = data.draw(st.sampled_from(["blocks", "index", "shorter", "longer", "other"]))
    if spoilt == "blocks":
        blocks[data.draw(st.integers(0, len(blocks) - 1))] ^= data.draw(st.integers(1, 255))
    elif spoilt == "index":
        index[0, data.draw(st.integers(0, 1))] += data.draw(st.integers(1, 2**40))
    elif spoilt == "shorter":
        blocks = blocks[:-1]
    elif spoilt == "longer":
        blocks = np.append(blocks, np.uint8(0))
    else:
        bomb = zlib.compress(bytes(10**7))
        blocks = np.frombuffer(bomb, np.uint8)
        index[0] = len(bomb), zlib.crc32(bytes(10**7))
    found = np.empty_like(array)
    if spoilt == "blocks":  # bits of zlib's head say nothing of what follows
        with suppress(ValueError):
            unpack(blocks, index, found)
            np.testing.assert_array_equal(found, array)
    else:
        with pytest.raises(ValueError, match="block"):
            unpack(blocks, index, found)
