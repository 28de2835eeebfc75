"""Filters before compression: differences of neighbouring hands in bytes of equal weight, and back.

In a row of a block, hands in order of strength, neighbours are often alike. Their differences d are written
as ``2 d`` or ``-2 d - 1``, so that small ones of either sign have zeros in their upper bytes; then all lowest
bytes come first, all second ones next. Upper bytes that are zero throughout are left out.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Integers = NDArray[np.int32]
Index = NDArray[np.int64]
Bytes = NDArray[np.uint8]
PLANES = 4
"""Bytes of an integer."""


@njit(cache=True, error_model="numpy", nogil=True)
def split_blocks(
    table: Integers,
    base: Index,
    width: Index,
    order_start: Index,
    order: Index,
    planes: Bytes,
    room: Bytes,
) -> int:
    """Write the filtered bytes of a table's blocks one after the other; return how many there are.

    Parameters
    ----------
    table : (N,) int32
    base, width, order_start, order
        As in ``TableBlocks``.
    planes : (B,) uint8
        Overwritten by the number of bytes kept of each integer of a block, 0 to ``PLANES``.
    room : (PLANES * N,) uint8
        Overwritten by ``planes[b] * (base[b + 1] - base[b])`` bytes for each block.
    """
    longest = 0
    for b in range(len(width)):
        longest = max(longest, base[b + 1] - base[b])
    codes, row, at = np.empty(longest, np.uint32), np.empty(width.max(), np.int32), 0
    for b in range(len(width)):
        n, w = base[b + 1] - base[b], width[b]
        block, found = table[base[b] : base[b + 1]], np.uint32(0)
        for first in range(0, n, max(w, 1)):
            values, code = block[first : first + w], codes[first : first + w]
            if order_start[b] >= 0:
                places = order[order_start[b] : order_start[b] + w]
                for h in range(w):
                    row[h] = values[places[h]]
                values = row[:w]
            code[0] = np.uint32(values[0]) << np.uint32(1)
            for h in range(1, w):
                difference = np.int32(values[h] - values[h - 1])
                code[h] = np.uint32((difference << np.int32(1)) ^ (difference >> np.int32(31)))
            for h in range(w):
                found |= code[h]
        kept = 0
        while kept < PLANES and found >> np.uint32(8 * kept):
            kept += 1
        planes[b] = kept
        for k in range(kept):
            to, shift = room[at : at + n], np.uint32(8 * k)
            for i in range(n):
                to[i] = np.uint8((codes[i] >> shift) & np.uint32(255))
            at += n
    return at


@njit(cache=True, error_model="numpy", nogil=True)
def joined_blocks(
    parts: Bytes,
    planes: Bytes,
    base: Index,
    width: Index,
    order_start: Index,
    order: Index,
    table: Integers,
) -> None:
    """Write a table from the filtered bytes of its blocks: the inverse of :func:`split_blocks`."""
    longest = 0
    for b in range(len(width)):
        longest = max(longest, base[b + 1] - base[b])
    codes, at = np.empty(longest, np.uint32), 0
    for b in range(len(width)):
        n, w = base[b + 1] - base[b], width[b]
        block, code = table[base[b] : base[b + 1]], codes[:n]
        code[:] = 0
        for k in range(planes[b]):
            part, shift = parts[at : at + n], np.uint32(8 * k)
            for i in range(n):
                code[i] |= np.uint32(part[i]) << shift
            at += n
        for i in range(n):
            code[i] = (code[i] >> np.uint32(1)) ^ (np.uint32(0) - (code[i] & np.uint32(1)))
        for first in range(0, n, max(w, 1)):
            value = np.uint32(0)
            if order_start[b] >= 0:
                places = order[order_start[b] : order_start[b] + w]
                for h in range(w):
                    value += code[first + h]
                    block[first + places[h]] = np.int32(value)
            else:
                for h in range(w):
                    value += code[first + h]
                    block[first + h] = np.int32(value)
