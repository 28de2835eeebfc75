"""Stored subgames proved: the last half run again from the generation before, and hashes compared."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treeplex.cfr.factored.factored_cfr import rules_of
from treeplex.cfr.split.job import Job, Write
from treeplex.cfr.split.tables import Place, Put, Tables
from treeplex.cfr.split.worker import Worker
from treeplex.executors.file_shelf import FileShelf
from treeplex.games.display.blocks import Block, Rows
from treeplex.games.display.shown import Shown
from treeplex.seqform.factored.strategy import FactoredTree
from treeplex.splitting.environment import target
from treeplex.splitting.recorded import RecordedRun
from treeplex.store.generations.tables_file import tables_hash


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

    def write(self, place: Place, half: int, tree: FactoredTree, tables: Tables) -> Put:
        """Return the hash of tables."""
        return Put(tables_hash(tables), 0)

    def put(self, place: Place, half: int, tables: Tables, *, written: bool) -> None:
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
        raise ValueError(f"seed must be at least 0, got {seed}")
    clock, run = time.perf_counter(), RecordedRun.of(path)
    run.folder.check_free()
    files = {file.half: file for file in run.generations}
    half = max((half for half in files if half % 2 == 0 and half - 1 in files), default=0)
    if half == 0:
        raise ValueError(f"{path} must have two generations in a row, got {len(files)}")
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
