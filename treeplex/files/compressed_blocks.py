"""A player's tables in a subgame as blocks, one a board, filtered and compressed.

Rows of actions, hands in order of strength, where neighbours are often alike. Their differences d are written
as ``2 d`` or ``-2 d - 1``, so that small ones of either sign have zeros in their upper bytes; then all lowest
bytes come first, all second ones next. Upper bytes that are zero throughout are left out. Blocks of bytes are
compressed and decompressed each by itself, many in one call.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import zstandard
from numba import njit
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.evaluator import holdem_strength
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_tree import BoardTree
from treeplex.seqform.boards.factored_strategy import FactoredTree

Index = NDArray[np.int64]
RANKED_CARDS = 3
"""Board cards from which hold'em hands have a strength."""
PAIR = 2


class BoardOrders(NamedTuple):
    """Columns of each board from the weakest hand to the strongest, of one player.

    Attributes
    ----------
    start : (B,) int64
        Where the order of a board's hands begins in ``order``; -1 where columns are in order already.
    order : (.,) int64
    """

    start: Index
    order: Index

    @staticmethod
    def of(game: PokerGame, boards: BoardTree, player: int) -> "BoardOrders":
        """Return the orders of a player's hands.

        On the last street columns are in order of strength already; on the starting board, where nobody
        acts, and in games that are not hold'em, they stay as they are.
        """
        hands, last = boards.hands[player], int(boards.street.max())
        start, orders, n = np.full(boards.n_boards, -1), [np.zeros(0, np.int64)], 0
        if game.ranking != "holdem" or game.hole_cards != PAIR:
            return BoardOrders(start, orders[0])
        for board, cards in enumerate(boards.cards):
            if 0 < boards.street[board] < last and len(cards) >= RANKED_CARDS:
                live = hands.cards[hands.hand[hands.on(board)]]
                start[board], n = n, n + len(live)
                orders.append(np.argsort(holdem_strength(cards, live), kind="stable"))
        return BoardOrders(start, np.concatenate(orders))


@dataclass(frozen=True)
class TableBlocks:
    """The blocks of one player's table in a subgame, board by board.

    Attributes
    ----------
    base : (B + 1,) int64
        First entry of each board in the table.
    width : (B,) int64
        Live hands of each board; a block has ``(base[b + 1] - base[b]) / width[b]`` rows.
    orders : BoardOrders
    """

    base: Index
    width: Index
    orders: BoardOrders

    @staticmethod
    def of(tree: FactoredTree, player: int, orders: BoardOrders | None = None) -> "TableBlocks":
        """Return the blocks of a player's table; the orders are shared by all lines on a flop."""
        known = BoardOrders.of(tree.game, tree.boards, player) if orders is None else orders
        return TableBlocks(tree.base[player], np.diff(tree.boards.hands[player].start), known)

    @property
    def n_blocks(self) -> int:
        """Number of boards."""
        return len(self.width)

    @property
    def n_entries(self) -> int:
        """Entries of the table."""
        return int(self.base[-1])

    @property
    def layout(self) -> tuple[Index, Index, Index, Index]:
        """What filters take of it."""
        return self.base, self.width, *self.orders

    def of_board(self, board: int) -> "TableBlocks":
        """Return the block of one board as a table of its own."""
        return TableBlocks(
            self.base[board : board + 2] - self.base[board],
            self.width[board : board + 1],
            BoardOrders(self.orders.start[board : board + 1], self.orders.order),
        )


Integers = NDArray[np.int32]
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
        raise BadInputError("blocks and compressed blocks must be empty together")
    if not len(full):
        return np.zeros(0, np.uint8)
    blocks = zstandard.BufferWithSegments(frames.data, _segments(lengths)[full].tobytes())
    wanted = sizes[full].astype(np.uint64).tobytes()
    try:
        found: Any = zstandard.ZstdDecompressor().multi_decompress_to_buffer(
            blocks, decompressed_sizes=wanted
        )
    except zstandard.ZstdError as error:
        raise BadInputError(f"a block cannot be decompressed: {error}") from error
    return np.frombuffer(b"".join([*found]), np.uint8)


def _segments(sizes: Sizes) -> NDArray[np.uint64]:
    """Return the start and the length of each of some blocks one after the other, (K, 2)."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return np.column_stack([starts, sizes]).astype(np.uint64)
