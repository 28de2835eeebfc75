"""Files of tables read: whole, or one block; every byte is compared with a checksum before it is used."""

import json
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.split.tables import Tables
from treeplex.games.inputs.reading import shown
from treeplex.store.generations.filters import PLANES, joined_blocks
from treeplex.store.generations.frames import decompressed
from treeplex.store.generations.table_blocks import TableBlocks
from treeplex.store.generations.tables_file import (
    LARGEST,
    LENGTH,
    MAGIC,
    ROW,
    SEAL,
    TAIL,
    TablesHead,
    checksum,
    checksums,
    front_of,
    tables_hash,
)


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
            raise ValueError(f"cannot read {path}: {error.strerror}") from None
        if content[: len(MAGIC)].tobytes() != MAGIC:
            raise ValueError(f"{path} is no file of tables that treeplex wrote")
        try:
            return _opened(path, content)
        except _DamagedError as error:
            raise ValueError(f"{path} is damaged: {error}") from None

    def tables(self, blocks: TableBlocks) -> Tables:
        """Return the decoded tables.

        Raises
        ------
        ValueError
            If they are damaged.
        """
        try:
            return self._tables(blocks)
        except ValueError as error:
            raise ValueError(f"{self.path} is damaged: {error}") from None

    def block(self, blocks: TableBlocks, kind: str, board: int) -> NDArray[np.int32]:
        """Return one board's part of the table of ``kind`` regret or average, (rows, width); reads no other.

        Raises
        ------
        ValueError
            If there is no such table or board, the file is of other blocks, or the block is damaged.
        """
        if kind not in Tables._fields[: 1 + bool(self.head.averages)]:
            raise ValueError(f"{self.path} holds no {kind}")
        if not 0 <= board < blocks.n_blocks:
            raise ValueError(f"board must be from 0 to {blocks.n_blocks - 1:,}, got {board}")
        one = blocks.of_board(board)
        number = board + (blocks.n_blocks if kind == "average" else 0)
        try:
            self._check(blocks)
            table = self._decoded(one, slice(number, number + 1))
        except ValueError as error:
            raise ValueError(f"{self.path} is damaged: {error}") from None
        width = int(one.width[0])
        return table.reshape(len(table) // max(width, 1), width)

    def _check(self, blocks: TableBlocks) -> None:
        """Refuse blocks that are not those of the file: kernels do not look at lengths."""
        n, head = blocks.n_blocks, self.head
        if len(self.index) != (1 + bool(head.averages)) * n or head.entries != blocks.n_entries:
            raise ValueError(f"it must be of {n:,} boards and {blocks.n_entries:,} entries")
        if head.averages not in (0, head.entries):
            raise ValueError(f"its averages must be 0 or {head.entries:,}, got {shown(head.averages)}")

    def _tables(self, blocks: TableBlocks) -> Tables:
        self._check(blocks)
        n, kinds = blocks.n_blocks, 1 + bool(self.head.averages)
        found = [self._decoded(blocks, slice(k * n, (k + 1) * n)) for k in range(kinds)]
        tables = Tables(found[0], found[1] if kinds > 1 else np.zeros(0, np.int32))
        if tables_hash(tables) != self.digest:
            raise ValueError("its tables have another hash")
        return tables

    def _decoded(self, blocks: TableBlocks, chosen: slice) -> NDArray[np.int32]:
        rows = self.index[chosen]
        lengths = rows["length"].astype(np.int64)
        start = self.blocks_start + int(self.index["length"][: chosen.start].sum(dtype=np.int64))
        frames = self.content[start : start + int(lengths.sum())]
        wrong = np.flatnonzero(rows["checksum"] != np.array(checksums(frames, lengths), np.uint64))
        if len(wrong):
            raise ValueError(f"block {chosen.start + wrong[0]:,} has another checksum")
        parts = decompressed(frames, lengths, rows["planes"] * np.diff(blocks.base))
        table = np.empty(blocks.n_entries, np.int32)
        joined_blocks(parts, rows["planes"].astype(np.uint8), *blocks.layout, table)
        if len(table) and table.min() < 0:
            raise ValueError(f"its numbers must be from 0 to {LARGEST}, got {table.min()}")
        return table


class _DamagedError(ValueError):
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
            raise ValueError(f"{file.path} {what}{got}")
