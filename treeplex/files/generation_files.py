"""Files of one player's tables in a subgame after a half of an iteration, compressed block by block.

From front to back: ``MAGIC``; the length of the head (8 bytes, little-endian), and the head, JSON; the
compressed blocks of regrets, then those of averages, a block a board; the index, of each block ``ROW``;
``TAIL``, the number of rows of the index, the xxh3_128 of the decoded tables and the length of the file;
``SEAL``, the xxh64 of all but the blocks up to here, and ``MAGIC`` again.

They are read whole, or one block; every byte is compared with a checksum before it is used.
"""

import json
import os
import struct
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from treeplex.cfr.split.subgame_tables import Put, SubgameTables
from treeplex.files.compressed_blocks import (
    PLANES,
    TableBlocks,
    compressed,
    decompressed,
    joined_blocks,
    split_blocks,
)
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import shown

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


def tables_hash(tables: SubgameTables) -> bytes:
    """Return the xxh3_128 of decoded tables: regrets, then averages, as little-endian int32; 16 bytes."""
    digest = xxhash.xxh3_128()
    for table in tables:
        digest.update(np.ascontiguousarray(table, "<i4").data)
    return digest.digest()


def write_tables(path: Path, head: TablesHead, blocks: TableBlocks, tables: SubgameTables) -> Put:
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
    frames, rows = zip(*(encoded(blocks, table) for table in kept), strict=True)
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


def check_numbers(tables: SubgameTables) -> None:
    """Refuse numbers below 0, which filters do not keep, with ``ValueError``."""
    for kind, table in zip(SubgameTables._fields, tables, strict=True):
        if len(table) and table.min() < 0:
            raise BadInputError(f"numbers of a table ({kind}) must be from 0 to {LARGEST}, got {table.min()}")


def encoded(blocks: TableBlocks, table: NDArray[np.int32]) -> tuple[NDArray[np.uint8], NDArray[np.void]]:
    """Return a table's blocks compressed, one after the other, and their rows of the index."""
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


@dataclass(frozen=True)
class TablesFile:
    """An open file of tables, of which head and index have been checked.

    Attributes
    ----------
    path : Path
    head : TablesHead
    index : (K,) of ``ROW``
    digest : bytes
        The hash of the decoded tables, as written.
    blocks_start : int
    content : (.,) uint8
        The file's bytes, read when they are used.
    """

    path: Path
    head: TablesHead
    index: NDArray[np.void]
    digest: bytes
    blocks_start: int
    content: NDArray[np.uint8]

    @staticmethod
    def opened(path: Path) -> "TablesFile":
        """Open a file.

        Raises
        ------
        ValueError
            If it cannot be read, is no file of tables, or is damaged outside of its blocks; in one line.
        """
        try:
            content = np.asarray(
                np.memmap(path, np.uint8, "r") if path.stat().st_size else np.zeros(0, np.uint8)
            )
        except OSError as error:
            raise BadInputError(f"cannot read {path}: {error.strerror}") from None
        if content[: len(MAGIC)].tobytes() != MAGIC:
            raise BadInputError(f"{path} is no file of tables that treeplex wrote")
        try:
            return _opened(path, content)
        except _DamagedError as error:
            raise BadInputError(f"{path} is damaged: {error}") from None

    def tables(self, blocks: TableBlocks) -> SubgameTables:
        """Return the decoded tables.

        Raises
        ------
        ValueError
            If they are damaged.
        """
        try:
            return self._tables(blocks)
        except ValueError as error:
            raise BadInputError(f"{self.path} is damaged: {error}") from None

    def block(self, blocks: TableBlocks, kind: str, board: int) -> NDArray[np.int32]:
        """Return one board's part of the table of ``kind`` regret or average, (rows, width); reads no other.

        Raises
        ------
        ValueError
            If there is no such table or board, the file is of other blocks, or the block is damaged.
        """
        if kind not in SubgameTables._fields[: 1 + bool(self.head.averages)]:
            raise BadInputError(f"{self.path} holds no {kind}")
        if not 0 <= board < blocks.n_blocks:
            raise BadInputError(f"board must be from 0 to {blocks.n_blocks - 1:,}, got {board}")
        one = blocks.of_board(board)
        number = board + (blocks.n_blocks if kind == "average" else 0)
        try:
            self._check(blocks)
            table = self._decoded(one, slice(number, number + 1))
        except ValueError as error:
            raise BadInputError(f"{self.path} is damaged: {error}") from None
        width = int(one.width[0])
        return table.reshape(len(table) // max(width, 1), width)

    def _check(self, blocks: TableBlocks) -> None:
        """Refuse blocks that are not those of the file: kernels do not look at lengths."""
        n, head = blocks.n_blocks, self.head
        if len(self.index) != (1 + bool(head.averages)) * n or head.entries != blocks.n_entries:
            raise BadInputError(f"it must be of {n:,} boards and {blocks.n_entries:,} entries")
        if head.averages not in (0, head.entries):
            raise BadInputError(f"its averages must be 0 or {head.entries:,}, got {shown(head.averages)}")

    def _tables(self, blocks: TableBlocks) -> SubgameTables:
        self._check(blocks)
        n, kinds = blocks.n_blocks, 1 + bool(self.head.averages)
        found = [self._decoded(blocks, slice(k * n, (k + 1) * n)) for k in range(kinds)]
        tables = SubgameTables(found[0], found[1] if kinds > 1 else np.zeros(0, np.int32))
        if tables_hash(tables) != self.digest:
            raise BadInputError("its tables have another hash")
        return tables

    def _decoded(self, blocks: TableBlocks, chosen: slice) -> NDArray[np.int32]:
        rows = self.index[chosen]
        lengths = rows["length"].astype(np.int64)
        start = self.blocks_start + int(self.index["length"][: chosen.start].sum(dtype=np.int64))
        frames = self.content[start : start + int(lengths.sum())]
        wrong = np.flatnonzero(rows["checksum"] != np.array(checksums(frames, lengths), np.uint64))
        if len(wrong):
            raise BadInputError(f"block {chosen.start + wrong[0]:,} has another checksum")
        parts = decompressed(frames, lengths, rows["planes"] * np.diff(blocks.base))
        table = np.empty(blocks.n_entries, np.int32)
        joined_blocks(parts, rows["planes"].astype(np.uint8), *blocks.layout, table)
        if len(table) and table.min() < 0:
            raise BadInputError(f"its numbers must be from 0 to {LARGEST}, got {table.min()}")
        return table


class _DamagedError(BadInputError):
    """Says what is damaged."""


def _opened(path: Path, content: NDArray[np.uint8]) -> TablesFile:
    size, least = len(content), len(MAGIC) + LENGTH.size + TAIL.size + SEAL.size
    if size < least:
        raise _DamagedError(f"it must have at least {least} bytes, got {size}")
    sealed, magic = SEAL.unpack(content[size - SEAL.size :].tobytes())
    tail = content[size - SEAL.size - TAIL.size : size - SEAL.size].tobytes()
    n_rows, digest, length = TAIL.unpack(tail)
    if magic != MAGIC or length != size:
        raise _DamagedError(f"it must end with its length, {size:,} bytes")
    (n_head,) = LENGTH.unpack(content[len(MAGIC) :][: LENGTH.size].tobytes())
    begin, until = len(MAGIC) + LENGTH.size + n_head, size - SEAL.size - TAIL.size - n_rows * ROW.itemsize
    if not begin <= until:
        raise _DamagedError("its head and its index must lie within it")
    front, index = content[:begin].tobytes(), content[until : until + n_rows * ROW.itemsize].tobytes()
    if checksum(front, index, tail) != sealed:
        raise _DamagedError("its head or its index has another checksum")
    rows = np.frombuffer(index, ROW)
    if int(rows["length"].sum(dtype=np.int64)) != until - begin or rows["planes"].max(initial=0) > PLANES:
        raise _DamagedError("its blocks must fill it")
    return TablesFile(path, _head(front), rows, digest, begin, content)


def _head(front: bytes) -> TablesHead:
    """Return the head at the beginning of a file."""
    try:
        head = TablesHead(**json.loads(front[len(MAGIC) + LENGTH.size :]))
    except (ValueError, TypeError) as error:
        raise _DamagedError("its head cannot be read") from error
    kinds = {"run": str}
    if any(type(getattr(head, f.name)) is not kinds.get(f.name, int) for f in fields(head)):
        raise _DamagedError("its head must be a text and integers")
    if front_of(head) != front:
        raise _DamagedError("its head must be as it was written")
    return head


def check_head(file: TablesFile, expected: TablesHead) -> None:
    """Refuse a file that is of another run, subgame, player or half; raises ``ValueError`` in one line."""
    for field in fields(expected):
        found, wanted = getattr(file.head, field.name), getattr(expected, field.name)
        if found != wanted:
            what = "is of another run" if field.name == "run" else f"is stale or foreign: its {field.name} is"
            got = "" if field.name == "run" else f" {shown(found)}, not {shown(wanted)}"
            raise BadInputError(f"{file.path} {what}{got}")
