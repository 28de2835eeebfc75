"""The shelf of a worker whose tables are in a store's files, and in memory too where there is room."""

from pathlib import Path

from treeplex.cfr.split.tables import Place, Put, Tables
from treeplex.outputs.place import cannot_write
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.store.generations.folder import StoreFolder
from treeplex.store.generations.table_blocks import BoardOrders, TableBlocks
from treeplex.store.generations.tables_file import TablesHead, write_tables
from treeplex.store.generations.tables_reading import TablesFile, check_head


class FileShelf:
    """Tables in a store's files, and those of the last half also in memory.

    Parameters
    ----------
    store : Path
    run : str
        The digest of the run.
    in_memory : bool
        Whether tables are kept in memory beside.
    """

    def __init__(self, store: Path, run: str, *, in_memory: bool) -> None:
        self.folder, self._run, self._in_memory = StoreFolder(store), run, in_memory
        self._kept: dict[Place, tuple[int, Tables]] = {}
        self._orders: dict[tuple[int, int], BoardOrders] = {}

    def take(self, place: Place, half: int, tree: FactoredTree) -> Tables:
        """Return tables from memory, or from their file; raises as ``cfr.split.tables.Shelf`` says."""
        kept = self._kept.get(place)
        return kept[1] if kept is not None and kept[0] == half else self.read(place, half, tree)

    def read(self, place: Place, half: int, tree: FactoredTree) -> Tables:
        """Return tables from their file.

        Raises
        ------
        ValueError
            If it is not there, damaged, stale or foreign.
        """
        file, blocks = TablesFile.opened(self.folder.tables_path(place, half)), self.blocks(place, tree)
        head = TablesHead(self._run, *place, half, blocks.n_entries, file.head.averages)
        check_head(file, head)
        return file.tables(blocks)

    def write(self, place: Place, half: int, tree: FactoredTree, tables: Tables) -> Put:
        """Write tables to their file.

        Raises
        ------
        ValueError
            If that fails, as on a full disk.
        """
        path, (entries, averages) = self.folder.tables_path(place, half), map(len, tables)
        head = TablesHead(self._run, *place, half, entries, averages)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return write_tables(path, head, self.blocks(place, tree), tables)
        except OSError as error:
            raise ValueError(cannot_write(path, error)) from None

    def put(self, place: Place, half: int, tables: Tables, *, written: bool) -> None:
        """Keep tables in memory, if that is where they are kept."""
        if self._in_memory:
            self._kept[place] = half, tables
        else:
            assert written, "tables must be in memory or in files"

    def blocks(self, place: Place, tree: FactoredTree) -> TableBlocks:
        """Return the blocks of tables; the orders of the last flop's hands are kept."""
        key = place.flop, place.player
        if key not in self._orders:
            self._orders = {known: orders for known, orders in self._orders.items() if known[0] == place.flop}
            self._orders[key] = BoardOrders.of(tree.game, tree.boards, place.player)
        return TableBlocks.of(tree, place.player, self._orders[key])
