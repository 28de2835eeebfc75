"""Stores read whole and proved: hashes of files compared, and the last half run again.

Checksums, ranges and hashes of all files are compared with what the trunk says of them; subgames are run
again from the generation before, and hashes compared.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treeplex.cfr.boards.factored_cfr import rules_of
from treeplex.cfr.split.split_trunk import SplitState
from treeplex.cfr.split.subgame_tables import Put, SubgameTables, TablePlace
from treeplex.cfr.split.workers import Job, Worker, Write
from treeplex.files.compressed_blocks import TableBlocks
from treeplex.files.generation_files import TablesFile, TablesHead, check_head, tables_hash
from treeplex.files.split_store import FOLDER, RecordedRun, TrunkFile, target
from treeplex.files.store_folder import LOCK, RUN, SUBGAMES, FileShelf, half_of
from treeplex.games.base.display import Block, Line, Rows, Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report, quiet
from treeplex.seqform.boards.factored_strategy import FactoredTree
from treeplex.seqform.boards.split_tree import trees_of

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


def _needed(
    run: RecordedRun, states: dict[int, SplitState]
) -> Iterator[tuple[tuple[TablePlace, int], bytes]]:
    """Yield the place and the half of each file that a generation needs, with the hash of its tables."""
    split = run.trunk.split
    for halves, state in states.items():
        for flop in range(len(split.flops)):
            for line in range(len(split.lines)):
                for p in (0, 1):
                    if (half := half_of(p, halves)) > 0:
                        yield (TablePlace(flop, line, p), half), state.hashes[p, flop, line].tobytes()


def _read_all(run: RecordedRun, needed: dict[tuple[TablePlace, int], bytes], report: Report) -> Iterator[str]:
    """Yield a line on each file that is not what it should be."""
    tree_of, n = trees_of(run.trunk.split), len(needed)
    for k, ((place, half), digest) in enumerate(sorted(needed.items())):
        if k % 100 == 0:
            report(f"{k:,} of {n:,} files read")
        try:
            _check_tables(run, place, half, tree_of(place.flop, place.line), digest)
        except ValueError as error:
            yield str(error)


def _check_tables(run: RecordedRun, place: TablePlace, half: int, tree: FactoredTree, digest: bytes) -> None:
    file = TablesFile.opened(run.folder.tables_path(place, half))
    entries = int(tree.base[place.player][-1])
    averages = entries if run.trunk.config.averages else 0
    check_head(file, TablesHead(run.run, *place, half, entries, averages))
    file.tables(TableBlocks.of(tree, place.player))
    if file.digest != digest:
        raise BadInputError(f"{file.path} is damaged: its tables are not those of the trunk's generation")


def _others(run: RecordedRun, known: set[Path], generations: tuple[TrunkFile, ...]) -> Iterator[str]:
    """Yield the files of no generation."""
    path = run.folder.path
    kept = {*known, path / RUN, path / LOCK, *(file.path for file in generations)}
    for folder in (path, path / FOLDER, *(path / SUBGAMES).glob("*")):
        yield from (str(file) for file in sorted(folder.glob("*")) if file.is_file() and file not in kept)


@dataclass(frozen=True, kw_only=True, repr=False)
class Replay(Shown):
    """A subgame's last half, run again.

    Attributes
    ----------
    store : str
    game : str
    flop, line : str
        The board, and the betting line at whose end the subgame begins.
    player, half : int
        Who was updated, and the half after which tables are compared.
    stored, found : str
        Hashes of the tables: of the trunk's generation, and of those that the update made.
    begun_on, target : str
        For which processor kernels were compiled when the run was begun, and now.
    seconds : float
    """

    store: str
    game: str
    flop: str
    line: str
    player: int
    half: int
    stored: str
    found: str
    begun_on: str
    target: str
    seconds: float

    @property
    def is_same(self) -> bool:
        """Whether the hashes are equal."""
        return self.stored == self.found

    def brief(self) -> str:
        """Return whether the hashes are equal."""
        return f"{self.store}: {self.flop} {self.line}: {'the same' if self.is_same else 'different'}"

    def blocks(self) -> tuple[Block, ...]:
        """Return a table."""
        rows = [
            ("game", self.game),
            ("subgame", f"{self.line} on {self.flop or 'no board'}"),
            ("half", f"{self.half:,}, player {self.player}"),
            ("stored", self.stored),
            ("run again", f"{self.found}, {'the same' if self.is_same else 'NOT THE SAME'}"),
            ("seconds", f"{self.seconds:.2f}"),
        ]
        if self.begun_on != self.target:
            rows.append(("note", "kernels were compiled for another processor when the run was begun"))
        return (Rows(self.store, tuple(rows)),)

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "store": self.store,
            "game": self.game,
            "flop": self.flop,
            "line": self.line,
            "player": self.player,
            "half": self.half,
            "stored": self.stored,
            "found": self.found,
            "same": self.is_same,
            "begun_on": self.begun_on,
            "target": self.target,
            "seconds": self.seconds,
        }


class _Hashing(FileShelf):
    """A shelf that writes nothing but hashes what it is given."""

    def write(self, place: TablePlace, half: int, tree: FactoredTree, tables: SubgameTables) -> Put:
        """Return the hash of tables."""
        return Put(tables_hash(tables), 0)

    def put(self, place: TablePlace, half: int, tables: SubgameTables, *, written: bool) -> None:
        """Keep nothing."""


def replay(path: str | Path, seed: int | None = None) -> Replay:
    """Run the last half of a random subgame again, from the generation before, and compare hashes.

    Parameters
    ----------
    path : str or Path
    seed : int, optional
        Of the choice of the subgame, at least 0; any unless given.

    Raises
    ------
    ValueError
        If it is no store, a run is in it, it has not two generations, or what is needed of it is damaged.
    """
    if seed is not None and seed < 0:
        raise BadInputError(f"seed must be at least 0, got {seed}")
    clock, run = time.perf_counter(), RecordedRun.of(path)
    run.folder.check_free()
    files = {file.half: file for file in run.generations}
    half = max((half for half in files if half % 2 == 0 and half - 1 in files), default=0)
    if half == 0:
        raise BadInputError(f"{path} must have two generations in a row, got {len(files)}")
    before, after = (run.position(files[one]).state for one in (half - 1, half))
    split, config = run.trunk.split, run.trunk.config
    number = int(np.random.default_rng(seed).integers(split.n_subgames))
    flop, line = divmod(number, len(split.lines))
    (rule,) = rules_of(config.variant, half // 2 - 1, 1, config.fixed.warm_up)
    plans, seen = run.trunk.half(1, before.memories, rule._replace(weight=0.0)).plans()
    mine, theirs = (one[flop, [line], : run.trunk.widths(p)[flop]] for one, p in ((plans, 1), (seen, 0)))
    shelf = _Hashing(run.folder.path, run.run, in_memory=False)
    job = Job(half, flop, (line, line + 1), rule, mine, theirs, Write.AFTER)
    ((found, _),) = Worker(split, config, shelf).run(job).hashes
    return Replay(
        store=str(path),
        game=run.identity.game,
        flop=split.game.deck.text(split.trunk.boards.cards[split.flops[flop]]),
        line=split.trunk.betting.line[split.lines[line]],
        player=1,
        half=half,
        stored=after.hashes[1, flop, line].tobytes().hex(),
        found=found.hex(),
        begun_on=run.environment.get("target", ""),
        target=target(),
        seconds=time.perf_counter() - clock,
    )
