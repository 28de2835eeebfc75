"""Blocks of bytes compressed, and back; sizes that are not what they should be are refused."""

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.files.compressed_blocks import compressed, decompressed


def sized(sizes, seed=0):
    return np.random.default_rng(seed).integers(0, 4, sum(sizes)).astype(np.uint8), np.array(sizes, np.int64)


@over([[], [0], [0, 0], [1], [5, 0, 1000], [0, 70_000, 3, 0]])
def test_blocks_come_back(sizes):
    parts, sizes = sized(sizes)
    frames, lengths = compressed(parts, sizes)
    assert (len(frames), len(lengths)) == (lengths.sum(), len(sizes))
    assert ((lengths == 0) == (sizes == 0)).all()
    assert np.array_equal(decompressed(frames, lengths, sizes), parts)


def test_the_same_bytes_are_compressed_alike():
    parts, sizes = sized([1000, 2000])
    assert np.array_equal(compressed(parts, sizes)[0], compressed(parts.copy(), sizes)[0])


@over([[999, 2000], [1001, 2000], [1000, 2_000_000], [0, 2000], [2000, 1000]])
def test_blocks_of_other_sizes_are_refused(wrong):
    frames, lengths = compressed(*sized([1000, 2000]))
    with pytest.raises(ValueError, match="block"):
        decompressed(frames, lengths, np.array(wrong))


def test_what_is_no_frame_is_refused():
    with pytest.raises(ValueError, match="cannot be decompressed"):
        decompressed(np.arange(50, dtype=np.uint8), np.array([50]), np.array([10]))
