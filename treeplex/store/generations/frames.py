"""Blocks of bytes compressed and decompressed, each by itself, many in one call."""

from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Sizes = NDArray[np.int64]
LEVEL = 1
"""Of zstd: higher ones take several times as long for a few parts in a hundred."""


def compressed(parts: Bytes, sizes: Sizes) -> tuple[Bytes, Sizes]:
    """Return blocks compressed, one after the other, and their lengths; empty blocks stay empty.

    Parameters
    ----------
    parts : (.,) uint8
        The blocks, one after the other.
    sizes : (K,) int64
        Their lengths.
    """
    lengths = np.zeros(len(sizes), np.int64)
    full = np.flatnonzero(sizes)
    if not len(full):
        return np.zeros(0, np.uint8), lengths
    blocks = zstandard.BufferWithSegments(parts.data, _segments(sizes)[full].tobytes())
    options = zstandard.ZstdCompressionParameters.from_level(
        LEVEL, write_content_size=True, write_checksum=False
    )
    found: Any = zstandard.ZstdCompressor(compression_params=options).multi_compress_to_buffer(blocks)
    frames = [*found]
    lengths[full] = [len(frame) for frame in frames]
    return np.frombuffer(b"".join(frames), np.uint8), lengths


def decompressed(frames: Bytes, lengths: Sizes, sizes: Sizes) -> Bytes:
    """Return blocks decompressed, one after the other: the inverse of :func:`compressed`.

    Raises
    ------
    ValueError
        If a frame is no compressed block of just the size that is given.
    """
    full = np.flatnonzero(lengths)
    if not np.array_equal(full, np.flatnonzero(sizes)):
        raise ValueError("blocks and compressed blocks must be empty together")
    if not len(full):
        return np.zeros(0, np.uint8)
    blocks = zstandard.BufferWithSegments(frames.data, _segments(lengths)[full].tobytes())
    wanted = sizes[full].astype(np.uint64).tobytes()
    try:
        found: Any = zstandard.ZstdDecompressor().multi_decompress_to_buffer(
            blocks, decompressed_sizes=wanted
        )
    except zstandard.ZstdError as error:
        raise ValueError(f"a block cannot be decompressed: {error}") from error
    return np.frombuffer(b"".join([*found]), np.uint8)


def _segments(sizes: Sizes) -> NDArray[np.uint64]:
    """Return the start and the length of each of some blocks one after the other, (K, 2)."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.column_stack([starts, sizes]).astype(np.uint64)
