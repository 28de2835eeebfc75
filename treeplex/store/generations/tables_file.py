"""Files of one player's tables in a subgame after a half of an iteration, compressed block by block: written.

From front to back: ``MAGIC``; the length of the head (8 bytes, little-endian), and the head, JSON; the
compressed blocks of regrets, then those of averages, a block a board; the index, of each block ``ROW``;
``TAIL``, the number of rows of the index, the xxh3_128 of the decoded tables and the length of the file;
``SEAL``, the xxh64 of all but the blocks up to here, and ``MAGIC`` again. It is read in ``tables_reading``.
"""

import json
import os
import struct
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from treeplex.cfr.split.tables import Put, Tables
from treeplex.store.generations.filters import PLANES, split_blocks
from treeplex.store.generations.frames import compressed
from treeplex.store.generations.table_blocks import TableBlocks

MAGIC = b"TPTABLE1"
LENGTH = struct.Struct("<Q")
TAIL, SEAL = struct.Struct("<Q16sQ"), struct.Struct("<Q8s")
LARGEST = 2**31 - 1
"""The largest integer in a table."""
ROW = np.dtype([("length", "<u4"), ("planes", "<u4"), ("checksum", "<u8")])
"""Length of a compressed block, bytes kept of each integer, xxh64 of the compressed block."""


@dataclass(frozen=True)
class TablesHead:
    """What a file of tables is of.

    Attributes
    ----------
    run : str
        The digest of the run.
    flop, line, player : int
        Whose tables these are.
    half : int
        The half after which they were written.
    entries, averages : int
        Entries of regrets and of averages.
    """

    run: str
    flop: int
    line: int
    player: int
    half: int
    entries: int
    averages: int


def tables_hash(tables: Tables) -> bytes:
    """Return the xxh3_128 of decoded tables: regrets, then averages, as little-endian int32; 16 bytes."""
    digest = xxhash.xxh3_128()
    for table in tables:
        digest.update(np.ascontiguousarray(table, "<i4").data)
    return digest.digest()


def write_tables(path: Path, head: TablesHead, blocks: TableBlocks, tables: Tables) -> Put:
    """Write tables to a file beside, and rename it; it is not synced.

    Raises
    ------
    ValueError
        If a number is below 0; nothing is written.
    OSError
        If it cannot be written; nothing is left of it.
    """
    check_numbers(tables)
    kept = tables[: 1 + bool(len(tables.average))]  # also those of a player who never acts: of no entries
    frames, rows = zip(*(_encoded(blocks, table) for table in kept), strict=True)
    digest, front, index = tables_hash(tables), front_of(head), np.concatenate(rows).tobytes()
    length = len(front) + sum(map(len, frames)) + len(index) + TAIL.size + SEAL.size
    tail = TAIL.pack(len(index) // ROW.itemsize, digest, length)
    end = index + tail + SEAL.pack(checksum(front, index, tail), MAGIC)
    part = path.with_suffix(".part")
    try:
        with part.open("wb") as file:
            for piece in (front, *(frame.data for frame in frames), end):
                file.write(piece)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    return Put(digest, length)


def check_numbers(tables: Tables) -> None:
    """Refuse numbers below 0, which filters do not keep, with ``ValueError``."""
    for kind, table in zip(Tables._fields, tables, strict=True):
        if len(table) and table.min() < 0:
            raise ValueError(f"numbers of a table ({kind}) must be from 0 to {LARGEST}, got {table.min()}")


def _encoded(blocks: TableBlocks, table: NDArray[np.int32]) -> tuple[NDArray[np.uint8], NDArray[np.void]]:
    """Return a table's blocks compressed, and their rows of the index."""
    room, planes = np.empty(PLANES * len(table), np.uint8), np.zeros(blocks.n_blocks, np.uint8)
    n = split_blocks(table, *blocks.layout, planes, room)
    frames, lengths = compressed(room[:n], planes.astype(np.int64) * np.diff(blocks.base))
    rows = np.zeros(blocks.n_blocks, ROW)
    rows["length"], rows["planes"] = lengths, planes
    rows["checksum"] = checksums(frames, lengths)
    return frames, rows


def checksums(frames: NDArray[np.uint8], lengths: NDArray[np.int64]) -> list[int]:
    """Return the xxh64 of each of some blocks one after the other."""
    ends, whole = np.cumsum(lengths), frames.data
    starts = (ends - lengths).tolist()
    return [xxhash.xxh64_intdigest(whole[a:b]) for a, b in zip(starts, ends.tolist(), strict=True)]


def front_of(head: TablesHead) -> bytes:
    """Return the beginning of a file, up to its blocks."""
    text = json.dumps(asdict(head), sort_keys=True).encode()
    return MAGIC + LENGTH.pack(len(text)) + text


def checksum(front: bytes, index: bytes, tail: bytes) -> int:
    """Return the xxh64 of all parts of a file but its blocks."""
    digest = xxhash.xxh64(front)
    digest.update(index)
    digest.update(tail)
    return digest.intdigest()
