"""Stores read whole: checksums, ranges and hashes of all files compared with what the trunk says of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from treeplex.cfr.split.state import SplitState
from treeplex.cfr.split.tables import Place
from treeplex.games.display.blocks import Block, Line, Rows
from treeplex.games.display.shown import Shown
from treeplex.games.reporting import Report, quiet
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.splitting.recorded import RecordedRun
from treeplex.splitting.store_checkpoint import FOLDER, TrunkFile
from treeplex.splitting.stored_tables import half_of, trees_of
from treeplex.store.generations.folder import LOCK, RUN, SUBGAMES
from treeplex.store.generations.table_blocks import TableBlocks
from treeplex.store.generations.tables_file import TablesHead
from treeplex.store.generations.tables_reading import TablesFile, check_head

MOST_SHOWN = 20
"""Lines of damage that are printed; JSON has all."""


@dataclass(frozen=True, kw_only=True, repr=False)
class StoreReport(Shown):
    """What reading a store has found.

    Attributes
    ----------
    store : str
    game : str
    generations : tuple of int
        The halves after which there is a file of the trunk.
    files : int
        Files of tables that were read.
    n_bytes : int
    damage : tuple of str
        A line for each file that is missing or not what it should be.
    leftovers : tuple of str
        Files of no generation, which an interrupted run leaves; ``prune`` removes them.
    """

    store: str
    game: str
    generations: tuple[int, ...]
    files: int
    n_bytes: int
    damage: tuple[str, ...]
    leftovers: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is damaged."""
        return not self.damage

    def brief(self) -> str:
        """Return whether it is whole."""
        return f"{self.store}: {'whole' if self.is_whole else f'{len(self.damage):,} damaged'}"

    def blocks(self) -> tuple[Block, ...]:
        """Return a table, and lines of what is damaged."""
        rows = (
            ("game", self.game),
            ("generations", ", ".join(f"{half:,}" for half in self.generations) or "none"),
            ("files read", f"{self.files:,}"),
            ("bytes", f"{self.n_bytes:,}"),
            ("leftovers", f"{len(self.leftovers):,}"),
            ("damage", f"{len(self.damage):,}" if self.damage else "none"),
        )
        return Rows(self.store, rows), *(Line(text) for text in self.damage[:MOST_SHOWN])

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "store": self.store,
            "game": self.game,
            "generations": [*self.generations],
            "files": self.files,
            "bytes": self.n_bytes,
            "whole": self.is_whole,
            "damage": [*self.damage],
            "leftovers": [*self.leftovers],
        }


def verify_store(path: str | Path, report: Report = quiet) -> StoreReport:
    """Read every file of a store and compare it with its checksums and with the trunk's hashes.

    Parameters
    ----------
    path : str or Path
    report : callable, optional
        Told a few times a second how many flops have been read.

    Raises
    ------
    ValueError
        If it is no store, a run is in it, or its ``run.json`` is damaged: then nothing else can be told.
    """
    run = RecordedRun.of(path)
    run.folder.check_free()
    damage: list[str] = []
    states = {}
    for file in run.generations:
        try:
            states[file.half] = run.position(file).state
        except ValueError as error:
            damage.append(str(error))
    needed = dict(_needed(run, states))
    damage += [text for text in _read_all(run, needed, report) if text]
    known = {run.folder.tables_path(place, half) for place, half in needed}
    return StoreReport(
        store=str(path),
        game=run.identity.game,
        generations=tuple(file.half for file in run.generations),
        files=len(needed),
        n_bytes=run.folder.n_bytes(),
        damage=tuple(damage),
        leftovers=tuple(_others(run, known, run.generations)),
    )


def _needed(run: RecordedRun, states: dict[int, SplitState]) -> Iterator[tuple[tuple[Place, int], bytes]]:
    """Yield the place and the half of each file that a generation needs, with the hash of its tables."""
    split = run.trunk.split
    for halves, state in states.items():
        for flop in range(len(split.flops)):
            for line in range(len(split.lines)):
                for p in (0, 1):
                    if (half := half_of(p, halves)) > 0:
                        yield (Place(flop, line, p), half), state.hashes[p, flop, line].tobytes()


def _read_all(run: RecordedRun, needed: dict[tuple[Place, int], bytes], report: Report) -> Iterator[str]:
    """Yield a line on each file that is not what it should be."""
    tree_of, n = lru_cache(maxsize=1)(trees_of(run.trunk.split)), len(needed)
    for k, ((place, half), digest) in enumerate(sorted(needed.items())):
        if k % 100 == 0:
            report(f"{k:,} of {n:,} files read")
        try:
            _check_tables(run, place, half, tree_of(place.flop, place.line), digest)
        except ValueError as error:
            yield str(error)


def _check_tables(run: RecordedRun, place: Place, half: int, tree: FactoredTree, digest: bytes) -> None:
    file = TablesFile.opened(run.folder.tables_path(place, half))
    entries = int(tree.base[place.player][-1])
    averages = entries if run.trunk.config.averages else 0
    check_head(file, TablesHead(run.run, *place, half, entries, averages))
    file.tables(TableBlocks.of(tree, place.player))
    if file.digest != digest:
        raise ValueError(f"{file.path} is damaged: its tables are not those of the trunk's generation")


def _others(run: RecordedRun, known: set[Path], generations: tuple[TrunkFile, ...]) -> Iterator[str]:
    """Yield the files of no generation."""
    path = run.folder.path
    kept = {*known, path / RUN, path / LOCK, *(file.path for file in generations)}
    for folder in (path, path / FOLDER, *(path / SUBGAMES).glob("*")):
        yield from (str(file) for file in sorted(folder.glob("*")) if file.is_file() and file not in kept)
