"""The hash of a split run, and how well its tables are compressed."""

import numpy as np
import xxhash

from treeplex.cfr.split.state import SplitState
from treeplex.store.generations.folder import StoreFolder
from treeplex.store.generations.tables_reading import TablesFile

INTEGER = 4


def state_hash(state: SplitState) -> str:
    """Return xxh3_128 of the trunk's tables and of the hashes of all subgames' tables.

    In this order: player 0's regrets and averages in the trunk, player 1's, then 16 bytes for each player,
    flop and line; 32 hexadecimal digits.
    """
    digest = xxhash.xxh3_128()
    for memory in state.memories:
        for table in (memory.regret, memory.total):
            digest.update(np.ascontiguousarray(table, "<i4").data)
    digest.update(np.ascontiguousarray(state.hashes).data)
    return digest.hexdigest()


def tables_ratio(folder: StoreFolder) -> float:
    """Return the bytes of all tables in files as int32, per byte of these files; 1 where there are none."""
    raw = disk = 0
    for _, _, path in folder.tables_files():
        head = TablesFile.opened(path).head
        raw += INTEGER * (head.entries + head.averages)
        disk += path.stat().st_size
    return raw / disk if disk else 1.0
