"""Blocks and tables of subgames drawn at random, files with one bit flipped, and small stores of runs."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.split.subgame_tables import SubgameTables
from treeplex.files.compressed_blocks import BoardOrders, TableBlocks
from treeplex.files.generation_files import LARGEST
from treeplex.games.base.reporting import quiet
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.split_tree import SplitTree
from treeplex.solving.split_run import SplitOptions, SplitRun, split_run

LEDUC = "leduc_poker(ranks=4)"
HOLDEM = "limit_holdem(ranks=4,raises=[1,1,1,1])"
STEPS = (pytest.param(1, marks=pytest.mark.seconds(20)), 11)
"""All bits of a file, or some of nearly every byte."""
ALL_IN = 'small_holdem(board="As Kh Qs",ranks=5,bets=[1],raises=[1])'


def drawn_blocks(seed: int, n_boards: int = 6) -> TableBlocks:
    """Return blocks of any shapes, empty ones too, columns of half of them in another order."""
    rng = np.random.default_rng(seed)
    width, rows = rng.integers(0, 9, n_boards), rng.integers(0, 5, n_boards)
    start, orders, n = np.full(n_boards, -1), [np.zeros(0, np.int64)], 0
    for b in np.flatnonzero(rng.integers(0, 2, n_boards)).tolist():
        start[b], n = n, n + width[b]
        orders.append(rng.permutation(width[b]))
    base = np.concatenate([[0], np.cumsum(width * rows)])
    return TableBlocks(base, width, BoardOrders(start, np.concatenate(orders)))


def drawn_table(n: int, seed: int) -> np.ndarray:
    """Return numbers of all sizes, the smallest and the largest among them."""
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 2 ** rng.integers(1, 32, n), dtype=np.int64)
    table[rng.random(n) < 0.2] = 0
    table[rng.random(n) < 0.2] = LARGEST
    return table.astype(np.int32)


def drawn_tables(n: int, seed: int, *, averages: bool = True) -> SubgameTables:
    """Return tables of n entries."""
    return SubgameTables(drawn_table(n, seed), drawn_table(n if averages else 0, seed + 1))


def subgame_blocks(spec: str, player: int = 0, flop: int = 0, line: int = 0) -> TableBlocks:
    """Return the blocks of a player's table in a subgame of a game."""
    split = SplitTree.of(load_game(spec))
    return TableBlocks.of(split.tree(flop, line, split.boards(flop)), player)


def flips(content: bytes, step: int = 1) -> Iterator[bytes]:
    """Yield a file's content with one bit flipped: each bit in turn, or every ``step``-th."""
    for bit in range(0, 8 * len(content), step):
        place = bit // 8
        yield content[:place] + bytes([content[place] ^ (1 << bit % 8)]) + content[place + 1 :]


def run_for(store: Path, iterations: int, spec: str = LEDUC) -> SplitRun:
    """Run a game in a store until so many iterations are done, a generation each; return the run."""
    config, options = factored_config("cfr+", storage="int32"), SplitOptions.of(store, "serial", 1, 2.0)
    with split_run(load_game(spec), config, options, quiet) as run:
        start = run.engine.start()
        position = run.checkpoint.read(start, run.engine.check)
        state = position.state
        while state.iterations < iterations:
            state = run.engine.advance(state, 1)
            run.checkpoint.write(type(position)(state, (), 0.0))
    return run
