"""Split games run without files: shelves that are dictionaries, and tables put together again."""

import hashlib
from dataclasses import dataclass, field

from treeplex.cfr.boards.board_state import FactoredConfig, factored_config
from treeplex.cfr.split.split_cfr import SplitCFR
from treeplex.cfr.split.split_trunk import SplitTrunk
from treeplex.cfr.split.subgame_tables import Put, SubgameTables, TablePlace
from treeplex.cfr.split.workers import Serial, Worker
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.split_tree import SplitTree

PLUS = factored_config("cfr+", storage="int32")


@dataclass
class DictShelf:
    """Tables in memory, and what was written of them."""

    tables: dict[TablePlace, tuple[int, SubgameTables]] = field(default_factory=dict)
    files: dict[tuple[TablePlace, int], SubgameTables] = field(default_factory=dict)

    def take(self, place: TablePlace, half: int, tree: FactoredTree) -> SubgameTables:
        """Return tables from memory, or else those that were written."""
        kept, tables = self.tables.get(place, (-1, None))
        if kept == half and tables is not None:
            return tables
        if (place, half) not in self.files:
            raise ValueError(f"there are no tables of {place} after half {half}")
        return SubgameTables(*(array.copy() for array in self.files[place, half]))

    def write(self, place: TablePlace, half: int, tree: FactoredTree, tables: SubgameTables) -> Put:
        """Keep a copy."""
        self.files[place, half] = SubgameTables(*(array.copy() for array in tables))
        return Put(hashlib.md5(b"".join(a.tobytes() for a in tables)).digest(), 0)

    def put(self, place: TablePlace, half: int, tables: SubgameTables, *, written: bool) -> None:
        """Keep tables in memory."""
        self.tables[place] = half, tables


def split_engine(
    game: PokerGame, config: FactoredConfig = PLUS, street: int | None = None
) -> tuple[SplitCFR, DictShelf]:
    """Return an engine with one worker, and its shelf."""
    split, shelf = SplitTree.of(game, street), DictShelf()
    worker = Worker(split, config, shelf)
    return SplitCFR(SplitTrunk.of(split, config), Serial(worker), lambda half: None), shelf  # type: ignore[arg-type,return-value]
