"""Files of tables: round trips, random access, and every damage found."""

import errno
from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.complaints import INTERNALS
from tests.helpers.tables import ALL_IN, HOLDEM, STEPS, drawn_blocks, drawn_tables, flips, subgame_blocks
from treeplex.cfr.split.subgame_tables import SubgameTables
from treeplex.files.generation_files import TablesFile, TablesHead, check_head, tables_hash, write_tables

NAME = "00004.1.0000000006.tables"


def head_of(tables):
    return TablesHead("0" * 32, 3, 4, 1, 6, len(tables.regret), len(tables.average))


def written(folder, blocks, tables):
    path = folder / NAME
    put = write_tables(path, head_of(tables), blocks, tables)
    assert put.n_bytes == path.stat().st_size
    assert put.hash == tables_hash(tables)
    return path


def read(path, blocks, head):
    file = TablesFile.opened(path)
    check_head(file, head)
    return file.tables(blocks)


def equal(one, other):
    return all(
        a.dtype == b.dtype == np.int32 and np.array_equal(a, b) for a, b in zip(one, other, strict=True)
    )


def refusal(path, blocks, head):
    """Return the one line with which a file is refused."""
    with pytest.raises(ValueError, match=r"\S") as caught:
        read(path, blocks, head)
    line = str(caught.value)
    assert "\n" not in line
    assert str(path) in line
    assert not INTERNALS.search(line.replace(str(path), ""))
    return line


@over(range(20), [True, False])
def test_tables_come_back(seed, averages, tmp_path):
    blocks = drawn_blocks(seed)
    tables = drawn_tables(blocks.n_entries, seed, averages=averages)
    assert equal(read(written(tmp_path, blocks, tables), blocks, head_of(tables)), tables)
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_one_block_is_what_the_whole_has_there(tmp_path):
    blocks = subgame_blocks(HOLDEM, player=1)
    tables = drawn_tables(blocks.n_entries, 0)
    file = TablesFile.opened(written(tmp_path, blocks, tables))
    for kind, table in zip(SubgameTables._fields, tables, strict=True):
        for board in range(blocks.n_blocks):
            part = table[blocks.base[board] : blocks.base[board + 1]]
            found = file.block(blocks, kind, board)
            assert found.shape == (len(part) // blocks.width[board], blocks.width[board])
            assert np.array_equal(found.reshape(-1), part)


def test_a_player_who_never_acts_has_a_file(tmp_path):
    blocks = subgame_blocks(ALL_IN, line=1)
    tables = drawn_tables(blocks.n_entries, 0)
    path = written(tmp_path, blocks, tables)
    assert equal(read(path, blocks, head_of(tables)), tables)
    assert TablesFile.opened(path).block(blocks, "regret", 0).size == 0


def test_blocks_that_are_not_there_are_refused(tmp_path):
    blocks = drawn_blocks(1)
    tables = drawn_tables(blocks.n_entries, 0, averages=False)
    file = TablesFile.opened(written(tmp_path, blocks, tables))
    for board in (-1, blocks.n_blocks):
        with pytest.raises(ValueError, match="board must be from 0 to 5, got"):
            file.block(blocks, "regret", board)
    with pytest.raises(ValueError, match="holds no average"):
        file.block(blocks, "average", 0)
    for other in (drawn_blocks(1, 7), drawn_blocks(2)):
        with pytest.raises(ValueError, match="is damaged: it must be of"):
            file.block(other, "regret", 1)
        with pytest.raises(ValueError, match="is damaged: it must be of"):
            file.tables(other)


@pytest.mark.parametrize("step", STEPS)
def test_flipped_bits_are_found(step, tmp_path):
    blocks = drawn_blocks(3, 3)
    tables = drawn_tables(blocks.n_entries, 3)
    path = written(tmp_path, blocks, tables)
    for content in flips(path.read_bytes(), step):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=NAME):
            TablesFile.opened(path).tables(blocks)


def test_one_damaged_block_is_refused_and_others_are_read(tmp_path):
    blocks = drawn_blocks(3, 3)
    tables = drawn_tables(blocks.n_entries, 3)
    path = written(tmp_path, blocks, tables)
    file, whole = TablesFile.opened(path), path.read_bytes()
    ends = file.blocks_start + np.cumsum(file.index["length"].astype(int))
    places = [(kind, board) for kind in SubgameTables._fields for board in range(blocks.n_blocks)]
    filled = [number for number in range(len(places)) if file.index["length"][number]]
    assert len(filled) > 3
    for number in filled:
        content = bytearray(whole)
        content[ends[number] - 1] ^= 1
        path.write_bytes(content)
        damaged = TablesFile.opened(path)
        for other, place in enumerate(places):
            if other != number:
                damaged.block(blocks, *place)
                continue
            with pytest.raises(ValueError, match=r"is damaged: block [0-9]+ has another checksum"):
                damaged.block(blocks, *place)


def test_truncated_and_longer_files_are_refused(tmp_path):
    blocks = drawn_blocks(3)
    tables = drawn_tables(blocks.n_entries, 3)
    path = written(tmp_path, blocks, tables)
    content = path.read_bytes()
    for n in range(len(content)):
        path.write_bytes(content[:n])
        with pytest.raises(ValueError, match=NAME):
            TablesFile.opened(path)
    path.write_bytes(content + b"\0")
    assert "is damaged" in refusal(path, blocks, head_of(tables))


@over(
    [
        ({"run": "1" * 32}, "is of another run"),
        ({"half": 4}, "is stale or foreign: its half is 6, not 4"),
        ({"flop": 2}, "is stale or foreign: its flop is 3, not 2"),
        ({"line": 0}, "is stale or foreign: its line is 4, not 0"),
        ({"player": 0}, "is stale or foreign: its player is 1, not 0"),
        ({"averages": 0}, "is stale or foreign: its averages"),
    ]
)
def test_stale_and_foreign_files_are_refused(change, line, tmp_path):
    blocks = drawn_blocks(3)
    tables = drawn_tables(blocks.n_entries, 3)
    path = written(tmp_path, blocks, tables)
    assert line in refusal(path, blocks, replace(head_of(tables), **change))


def test_what_is_no_file_of_tables_is_refused(tmp_path):
    blocks, head = drawn_blocks(3), head_of(drawn_tables(1, 0))
    for path, content in ((tmp_path / "a", b""), (tmp_path / "b", b"something else, and long enough" * 9)):
        path.write_bytes(content)
        assert "is no file of tables" in refusal(path, blocks, head)
    for path in (tmp_path, tmp_path / "none"):
        assert "cannot read" in refusal(path, blocks, head)


def test_numbers_below_zero_are_refused(tmp_path, monkeypatch):
    blocks = subgame_blocks("leduc_poker")
    tables = drawn_tables(blocks.n_entries, 3)
    tables.average[:] = 0
    tables.average[1] = -1
    with pytest.raises(
        ValueError, match=r"numbers of a table \(average\) must be from 0 to 2147483647, got -1"
    ):
        written(tmp_path, blocks, tables)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr("treeplex.files.generation_files.check_numbers", lambda tables: None)
    path = written(tmp_path, blocks, tables)
    assert "its numbers must be from 0 to 2147483647, got -1" in refusal(path, blocks, head_of(tables))


class Full:
    """A file on a disk that has room for some bytes more."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.close()

    def write(self, content):
        self.room -= len(content)
        if self.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.file.write(content)


@over([0, 10, 200, 600])
def test_a_full_disk_leaves_what_was_there(room, tmp_path, monkeypatch):
    blocks = drawn_blocks(3)
    tables, newer = drawn_tables(blocks.n_entries, 3), drawn_tables(blocks.n_entries, 4)
    path = written(tmp_path, blocks, tables)
    assert path.stat().st_size > 600
    opened = type(path).open
    monkeypatch.setattr(type(path), "open", lambda self, *args: Full(opened(self, *args), room))
    with pytest.raises(OSError, match="No space left"):
        write_tables(path, head_of(newer), blocks, newer)
    monkeypatch.undo()
    assert equal(read(path, blocks, head_of(tables)), tables)
    assert [one.name for one in tmp_path.iterdir()] == [NAME]
