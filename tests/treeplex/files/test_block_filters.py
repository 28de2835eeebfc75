"""Filters of blocks against a twin in numpy, and back."""

import numpy as np

from tests.helpers.cells import over
from tests.helpers.tables import HOLDEM, drawn_blocks, drawn_table, subgame_blocks
from treeplex.files.compressed_blocks import PLANES, BoardOrders, TableBlocks, joined_blocks, split_blocks
from treeplex.files.generation_files import LARGEST


def filtered(blocks, table):
    """Return the filtered bytes of a table, and the number of bytes kept of each block's integers."""
    planes, room = np.full(blocks.n_blocks, 99, np.uint8), np.full(PLANES * len(table), 99, np.uint8)
    n = split_blocks(table, *blocks.layout, planes, room)
    return room[:n], planes


def unfiltered(blocks, parts, planes):
    table = np.full(blocks.n_entries, -7, np.int32)
    joined_blocks(parts, planes, *blocks.layout, table)
    return table


def naive(blocks, table):
    """The same with Python's integers, entry by entry."""
    parts, planes = [], []
    for b in range(blocks.n_blocks):
        w, codes = int(blocks.width[b]), []
        values = table[blocks.base[b] : blocks.base[b + 1]].tolist()
        for first in range(0, len(values), max(w, 1)):
            row, before = values[first : first + w], 0
            if (start := blocks.orders.start[b]) >= 0:
                row = [row[place] for place in blocks.orders.order[start : start + w]]
            for value in row:
                codes.append(2 * (value - before) if value >= before else 2 * (before - value) - 1)
                before = value
        kept = max(((code.bit_length() + 7) // 8 for code in codes), default=0)
        planes.append(kept)
        parts += [(code >> 8 * k) & 255 for k in range(kept) for code in codes]
    return parts, planes


@over(range(40))
def test_filters_are_those_of_the_twin(seed):
    blocks = drawn_blocks(seed)
    table = drawn_table(blocks.n_entries, seed)
    parts, planes = filtered(blocks, table)
    assert (parts.tolist(), planes.tolist()) == naive(blocks, table)
    assert np.array_equal(unfiltered(blocks, parts, planes), table)


@over([HOLDEM, "leduc_poker", "rhode_island(ranks=3)"], [0, 1])
def test_tables_of_games_come_back(spec, player):
    blocks = subgame_blocks(spec, player)
    table = drawn_table(blocks.n_entries, 1)
    assert np.array_equal(unfiltered(blocks, *filtered(blocks, table)), table)


@over([[0, 0, 0], [LARGEST] * 3, [0, LARGEST, 0], [LARGEST, 0, LARGEST], [1, 0, 1], [127, 128, 255]])
def test_extreme_neighbours_come_back(row):
    none = BoardOrders(np.array([-1]), np.zeros(0, np.int64))
    blocks, table = TableBlocks(np.array([0, 3]), np.array([3]), none), np.array(row, np.int32)
    parts, planes = filtered(blocks, table)
    assert np.array_equal(unfiltered(blocks, parts, planes), table)
    assert (planes[0] == 0) == (not any(row))
    assert len(parts) == 3 * planes[0]


@over(range(PLANES + 1))
def test_upper_bytes_of_zeros_are_left_out(kept):
    none = BoardOrders(np.array([-1]), np.zeros(0, np.int64))
    blocks = TableBlocks(np.array([0, 4]), np.array([4]), none)
    table = np.array([0, 0, (1 << (8 * kept - 2)) if kept else 0, 0], np.int32)
    assert filtered(blocks, table)[1].tolist() == [kept]
