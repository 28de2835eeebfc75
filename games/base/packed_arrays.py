"""Arrays of integers as compressed blocks with lengths and checksums; digests of arrays."""

import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError

Bytes = NDArray[np.uint8]
BLOCK = 1 << 20
"""Bytes of a block before compression; the last one of an array may be shorter."""
LEVEL = 1
"""Of zlib: on tables of regrets higher ones take four times as long for a tenth less."""


def pack(array: NDArray[np.generic]) -> tuple[Bytes, NDArray[np.int64]]:
    """Return the compressed blocks of an array, one after the other, and their index.

    Blocks are compressed on all processors.

    Returns
    -------
    blocks : (n,) uint8
    index : (k, 2) int64
        Length of each block, and the CRC-32 of what it holds.
    """
    raw = _bytes_of(np.ascontiguousarray(array))
    parts = [raw[lo : lo + BLOCK] for lo in range(0, len(raw), BLOCK)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        blocks = list(threads.map(lambda part: zlib.compress(part.data, LEVEL), parts))
    index = [(len(block), zlib.crc32(part.data)) for block, part in zip(blocks, parts, strict=True)]
    return np.frombuffer(b"".join(blocks), np.uint8), np.array(index, np.int64).reshape(-1, 2)


def n_blocks(n_bytes: int) -> int:
    """Return how many blocks an array of so many bytes has."""
    return -(-n_bytes // BLOCK)


def unpack(blocks: Bytes, index: NDArray[np.int64], array: NDArray[np.generic]) -> None:
    """Write what compressed blocks hold into an array in C order.

    Raises
    ------
    ValueError
        If the blocks are not as long as their index says, or hold something of another length or checksum.
    """
    raw = _bytes_of(array)
    if index.shape != (n_blocks(len(raw)), 2) or (index < 0).any() or index[:, 0].sum() != len(blocks):
        raise BadInputError(f"{len(blocks):,} bytes of compressed blocks are not what their index says")
    for number, (block, crc) in enumerate(_listed(blocks, index)):
        part = raw[number * BLOCK : (number + 1) * BLOCK]
        part[:] = np.frombuffer(_held(number, block, len(part), crc), np.uint8)


def _listed(blocks: Bytes, index: NDArray[np.int64]) -> Iterator[tuple[Bytes, int]]:
    end = 0
    for length, crc in index.tolist():
        yield blocks[end : end + length], crc
        end += length


def _held(number: int, block: Bytes, length: int, crc: int) -> bytes:
    """Return what a block holds; no more than ``length`` bytes are ever made of it."""
    decoder = zlib.decompressobj()
    try:
        held = decoder.decompress(block.data, length)
    except zlib.error as error:
        raise BadInputError(f"block {number:,} cannot be decompressed") from error
    if len(held) != length or not decoder.eof or decoder.unused_data or zlib.crc32(held) != crc:
        raise BadInputError(f"block {number:,} must hold {length:,} bytes of its checksum")
    return held


def _bytes_of(array: NDArray[np.generic]) -> Bytes:
    return array.reshape(-1).view(np.uint8)


def digest_of(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the SHA-256 digest of a head and of the names, dtypes, shapes and entries of arrays."""
    whole = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for name in sorted(arrays):
        array = arrays[name]
        whole.update(f"\0{name} {np.lib.format.dtype_to_descr(array.dtype)} {array.shape}\0".encode())
        whole.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return whole.hexdigest()
