"""The folder of a split run: what it is of, one run at a time, names of files, generations kept.

The shelf of a worker has its tables in the folder's files, and in memory too where there is room; strategies
read tables of subgames from there.
"""

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from treeplex.cfr.split.subgame_tables import Put, SubgameTables, TablePlace
from treeplex.files.compressed_blocks import BoardOrders, TableBlocks
from treeplex.files.generation_files import TablesFile, TablesHead, check_head, write_tables
from treeplex.files.in_use import check_free, locked
from treeplex.files.outputs import cannot_write
from treeplex.files.strategy_rows import distinct
from treeplex.files.writing import write_text
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import read_text, shown
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.split_tree import TreeOf

RUN, LOCK, SUBGAMES, TRUNK = "run.json", "lock", "subgames", "trunk"
FORMAT = "treeplex store 1"
TABLES = re.compile(r"(\d{5})\.([01])\.(\d{10})\.tables")
LEFTOVERS = ("*.part", ".treeplex-*", "writing.npz")
"""Names of files that were being written when a run was killed: tables, others, the trunk."""
WHAT = "store of a split run"


@dataclass(frozen=True)
class StoreFolder:
    """A store: a folder with the files of one run.

    Attributes
    ----------
    path : Path
    """

    path: Path

    def tables_path(self, place: TablePlace, half: int) -> Path:
        """Return where tables are: ``subgames/FLOP/LINE.PLAYER.HALF.tables``."""
        return (
            self.path / SUBGAMES / f"{place.flop:05d}" / f"{place.line:05d}.{place.player}.{half:010d}.tables"
        )

    def tables_files(self) -> Iterator[tuple[TablePlace, int, Path]]:
        """Yield the place and the half of each file of tables, in order."""
        folder = self.path / SUBGAMES
        for flop in sorted(folder.iterdir()) if folder.is_dir() else ():
            for path in sorted(flop.iterdir()) if flop.name.isdecimal() and flop.is_dir() else ():
                if (name := TABLES.fullmatch(path.name)) is not None:
                    yield TablePlace(int(flop.name), int(name[1]), int(name[2])), int(name[3]), path

    def n_bytes(self) -> int:
        """Return the bytes of all files."""
        return sum(path.stat().st_size for path in self.path.rglob("*") if path.is_file())

    def settle(self) -> None:
        """Wait until all files that were written are safe on the disk."""
        os.sync()

    def prune(self, halves: Collection[int]) -> None:
        """Remove the files of tables that are of none of the generations after some halves, and leftovers.

        A generation after half h has the tables of one player from half h, of the other from half h - 1.
        """
        needed = {half - back for half in halves for back in (0, 1)}
        for _, half, path in list(self.tables_files()):
            if half not in needed:
                path.unlink()
        for path in self.leftovers():
            path.unlink()

    def leftovers(self) -> list[Path]:
        """Return the files that a killed run was writing; another run must not be in the folder."""
        return sorted({path for name in LEFTOVERS for path in self.path.rglob(name)})

    def locked(self) -> AbstractContextManager[None]:
        """Keep other runs out; raises ``ValueError`` as :func:`treeplex.files.in_use.locked`."""
        return locked(self.path / LOCK)

    def check_free(self) -> None:
        """Refuse a folder in which a run is under way, with ``ValueError``: it removes what is read."""
        check_free(self.path / LOCK)  # which a copied store may lack


def is_store(path: str | Path) -> bool:
    """Return whether a path is the folder of a split run."""
    return Path(path, RUN).is_file()


def opened_store(
    path: Path, identity: Mapping[str, Any], facts: Mapping[str, Any]
) -> tuple[StoreFolder, str]:
    """Return the store of a run, made if it is not there, and the digest that its files carry.

    Parameters
    ----------
    path : Path
        A folder of this run, an empty one, or none.
    identity : mapping to JSON
        What the run is of.
    facts : mapping to JSON
        What else a new store tells its readers, such as versions.

    Raises
    ------
    ValueError
        If the folder is of another run or of none, or cannot be made; in one line.
    """
    if (path / RUN).exists():
        _check_same(path, read_run(path), json.loads(json.dumps({"identity": dict(identity), **facts})))
    else:
        _make(path, {"format": FORMAT, "identity": dict(identity), **facts})
    return StoreFolder(path), run_digest(identity)


def run_digest(identity: Mapping[str, Any]) -> str:
    """Return the xxh3_128 of what a run is of."""
    return xxhash.xxh3_128_hexdigest(json.dumps(dict(identity), sort_keys=True).encode())


def read_run(path: Path) -> dict[str, Any]:
    """Return what a store's ``run.json`` says.

    Raises
    ------
    ValueError
        If there is no such file, or it is damaged or of another format.
    """
    try:
        text = read_text(path / RUN)
    except BadInputError as error:
        raise BadInputError(f"{path} is no {WHAT}: {error}") from None
    try:
        found = json.loads(text, object_pairs_hook=distinct)
    except (ValueError, RecursionError):
        raise BadInputError(f"{path / RUN} is damaged: it is no JSON") from None
    if not isinstance(found, dict) or not isinstance(found.get("identity"), dict):
        raise BadInputError(f"{path / RUN} is damaged: it must say what the run is of")
    if found.get("format") != FORMAT:
        raise BadInputError(
            f"{path} is a store of format {shown(found.get('format'))}, got a program for {FORMAT}"
        )
    digest = found.pop("digest", None)
    if digest != run_digest(found) or _text(found, str(digest)) != text:
        raise BadInputError(f"{path / RUN} is damaged: its digest is not that of its contents")
    return found


def _text(contents: Mapping[str, Any], digest: str) -> str:
    return json.dumps({**contents, "digest": digest}, indent=1, sort_keys=True) + "\n"


def _make(path: Path, contents: Mapping[str, Any]) -> None:
    if path.exists() and not (path.is_dir() and all(_may_be_left(entry) for entry in path.iterdir())):
        raise BadInputError(f"{path} must be a {WHAT}, an empty folder or none, got {_kind(path)}")
    try:
        (path / SUBGAMES).mkdir(parents=True, exist_ok=True)
        (path / TRUNK).mkdir(exist_ok=True)
    except OSError as error:
        raise BadInputError(cannot_write(path, error)) from None
    write_text(path / RUN, lambda file: file.write(_text(contents, run_digest(contents))))


def _may_be_left(entry: Path) -> bool:
    """Return whether a store that could not be made may have left this behind."""
    if entry.is_dir():
        return entry.name in (SUBGAMES, TRUNK) and not any(entry.iterdir())
    return entry.match(".treeplex-*")


def _kind(path: Path) -> str:
    return "a folder of other files" if path.is_dir() else "a file"


def _check_same(path: Path, found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Refuse a store of another identity; by the game or a single parameter rather than all together."""
    if found["identity"] == expected["identity"]:
        return
    one, other = (_told(contents) for contents in (found, expected))
    key = next(key for key in {**other, **one} if one.get(key) != other.get(key))
    got = f"its {key} is {shown(one.get(key))}, got {shown(other.get(key))}"
    raise BadInputError(f"{path} is of another run: {got}")


def _told(contents: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells runs apart by what users give, the game first, the digest of its rules last."""
    identity, config = contents["identity"], contents.get("config")
    return {"game": identity.get("game"), **(config if isinstance(config, dict) else {}), **identity}


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
        self._kept: dict[TablePlace, tuple[int, SubgameTables]] = {}
        self._orders: dict[tuple[int, int], BoardOrders] = {}

    def take(self, place: TablePlace, half: int, tree: FactoredTree) -> SubgameTables:
        """Return tables from memory, or from their file; raises as :meth:`Shelf.take` says."""
        kept = self._kept.get(place)
        return kept[1] if kept is not None and kept[0] == half else self.read(place, half, tree)

    def read(self, place: TablePlace, half: int, tree: FactoredTree) -> SubgameTables:
        """Return tables from their file.

        Raises
        ------
        ValueError
            If it is not there, damaged, stale or foreign.
        """
        file, blocks = self._opened(place, half, tree)
        return file.tables(blocks)

    def block(
        self, place: TablePlace, half: int, tree: FactoredTree, board: int, *, is_last: bool
    ) -> NDArray[np.int32]:
        """Return one board's regrets or averages, (rows, live hands), from their file; raises as ``read``."""
        file, blocks = self._opened(place, half, tree)
        return file.block(blocks, "regret" if is_last else "average", board)

    def _opened(self, place: TablePlace, half: int, tree: FactoredTree) -> tuple[TablesFile, TableBlocks]:
        file, blocks = TablesFile.opened(self.folder.tables_path(place, half)), self.blocks(place, tree)
        check_head(file, TablesHead(self._run, *place, half, blocks.n_entries, file.head.averages))
        return file, blocks

    def write(self, place: TablePlace, half: int, tree: FactoredTree, tables: SubgameTables) -> Put:
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
            raise BadInputError(cannot_write(path, error)) from None

    def put(self, place: TablePlace, half: int, tables: SubgameTables, *, written: bool) -> None:
        """Keep tables in memory, if that is where they are kept."""
        if self._in_memory:
            self._kept[place] = half, tables
        else:
            assert written, "tables must be in memory or in files"

    def blocks(self, place: TablePlace, tree: FactoredTree) -> TableBlocks:
        """Return the blocks of tables; the orders of the last flop's hands are kept."""
        key = place.flop, place.player
        if key not in self._orders:
            self._orders = {known: orders for known, orders in self._orders.items() if known[0] == place.flop}
            self._orders[key] = BoardOrders.of(tree.game, tree.boards, place.player)
        return TableBlocks.of(tree, place.player, self._orders[key])


Weights = tuple[NDArray[np.int32], NDArray[np.int32]]


def half_of(player: int, halves: int) -> int:
    """Return the half after which a player's tables were written last, when so many are done."""
    return halves - (halves + player + 1) % 2


@dataclass(frozen=True)
class Generation:
    """Which tables of a store are meant.

    Attributes
    ----------
    store : Path
    run : str
        The digest of the run.
    halves : int
        Those after so many halves.
    is_last : bool
        Whether regrets are wanted, of which the last plan is made, instead of averages.
    """

    store: Path
    run: str
    halves: int
    is_last: bool


@dataclass(frozen=True)
class StoredTables:
    """The loader of both players' tables in a subgame.

    Attributes
    ----------
    generation : Generation
    tree : callable
        As ``TreeOf``.
    """

    generation: Generation
    tree: TreeOf

    def __call__(self, flop: int, line: int) -> Weights:
        """Return both players' tables in a subgame; raises ``ValueError`` if files are missing or damaged."""
        shelf = FileShelf(self.generation.store, self.generation.run, in_memory=False)
        tree = self.tree(flop, line)
        first, second = (self._read(shelf, TablePlace(flop, line, p), tree) for p in (0, 1))
        return first, second

    def block(self, flop: int, line: int, player: int, board: int) -> NDArray[np.int32]:
        """Return a player's part of a board, (rows, live hands); raises as reading tables."""
        shelf = FileShelf(self.generation.store, self.generation.run, in_memory=False)
        tree, place = self.tree(flop, line), TablePlace(flop, line, player)
        half = half_of(player, self.generation.halves)
        width = int(np.diff(tree.boards.hands[player].start[board : board + 2])[0])
        if half == 0:
            base = tree.base[player]
            return np.zeros((int(base[board + 1] - base[board]) // max(width, 1), width), np.int32)
        return shelf.block(place, half, tree, board, is_last=self.generation.is_last)

    def _read(self, shelf: FileShelf, place: TablePlace, tree: FactoredTree) -> NDArray[np.int32]:
        """Return one player's table; zeros before its first half."""
        half = half_of(place.player, self.generation.halves)
        if half == 0:
            return np.zeros(int(tree.base[place.player][-1]), np.int32)
        return chosen(shelf.read(place, half, tree), is_last=self.generation.is_last)


def chosen(tables: SubgameTables, *, is_last: bool) -> NDArray[np.int32]:
    """Return regrets or averages."""
    return tables.regret if is_last else tables.average
