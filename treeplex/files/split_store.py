"""Checkpoints of split runs, and runs as their stores record them.

The trunk is kept after each half, in a folder beside the files of subgames' tables. Recorded are the game,
the config, and the newest generations; the hash of a run, and how well its tables are compressed; what
numbers may depend on beside a run's parameters: versions, and numba's target.
"""

import os
import platform
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from llvmlite import binding
from numba.core import config

from treeplex.cfr.boards.board_state import FactoredConfig, factored_config
from treeplex.cfr.boards.fixed_point import FixedPoint
from treeplex.cfr.split.split_trunk import SplitState, SplitTrunk, check, fresh, strategy_after
from treeplex.cfr.split.subgame_tables import TablePlace
from treeplex.cfr.variant import AVERAGES
from treeplex.files.board_files import rules_of
from treeplex.files.checkpoint import (
    Identity,
    Position,
    identity_of,
    read_checkpoint,
    write_checkpoint,
)
from treeplex.files.generation_files import TablesFile
from treeplex.files.store_folder import (
    RUN,
    Generation,
    StoredTables,
    StoreFolder,
    read_run,
    run_digest,
)
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import complaint
from treeplex.games.formats.specs import named_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.split_strategy import SplitStrategy
from treeplex.seqform.boards.split_tree import SplitTree, trees_of

FOLDER = "trunk"
NAME = re.compile(r"(\d{10})-(\d{6})-([0-9a-f]{32})\.npz")
"""Half, number of points of the trace, and the hash of the file."""
PART = "writing.npz"
CHUNK = 1 << 20
GENERATIONS = 2
"""Kept: the last two halves."""


@dataclass(frozen=True, order=True)
class TrunkFile:
    """A file of the trunk, and what its name says.

    Attributes
    ----------
    half, points : int
        The half after which it was written, and how many points its trace has.
    digest : str
        What the xxh3_128 of its bytes must be, in hexadecimal digits.
    path : Path
    """

    half: int
    points: int
    digest: str
    path: Path

    @property
    def is_whole(self) -> bool:
        """Whether its bytes are those that were written."""
        return file_digest(self.path) == self.digest


def trunk_files(store: Path) -> tuple[TrunkFile, ...]:
    """Return the files of the trunk in a store, by half, the newest last."""
    folder = store / FOLDER
    found = [(NAME.fullmatch(path.name), path) for path in folder.iterdir()] if folder.is_dir() else []
    return tuple(
        sorted(
            TrunkFile(int(name[1]), int(name[2]), name[3], path) for name, path in found if name is not None
        )
    )


def file_digest(path: Path) -> str:
    """Return the xxh3_128 of a file's bytes, in hexadecimal digits."""
    digest = xxhash.xxh3_128()
    with path.open("rb") as file:
        while part := file.read(CHUNK):
            digest.update(part)
    return digest.hexdigest()


class StoreCheckpoint:
    """The trunk's files of one run in its store; to the run loop it is what a ``CheckpointFile`` is.

    A generation is complete when its file of the trunk is there, which is written last.

    Parameters
    ----------
    path : Path
        The store's folder.
    identity : Identity
        Identity of the run; files of another run are refused.
    settle : callable
        Called before a file of the trunk is written: the files of tables must be safe on the disk.
    prune : callable
        Called with the halves of the generations that are kept, when others are needed no more.
    """

    def __init__(
        self,
        path: Path,
        identity: Identity,
        settle: Callable[[], object],
        prune: Callable[[Collection[int]], object],
    ) -> None:
        self._path, self.identity = path, identity
        self._settle, self._prune = settle, prune

    @property
    def path(self) -> Path:
        """The store's folder."""
        return self._path

    @property
    def is_due(self) -> bool:
        """True: tables are in files already when the trunk's turn comes."""
        return True

    @property
    def halves(self) -> int:
        """The newest half after which an iteration was whole; 0 where there is none."""
        return 0 if self._newest is None else self._newest.half

    @property
    def _newest(self) -> TrunkFile | None:
        whole = [file for file in trunk_files(self.path) if file.half % 2 == 0]
        return whole[-1] if whole else None

    def read(self, start: SplitState, check: Callable[[SplitState], None]) -> Position[SplitState]:
        """Return the position after the newest whole iteration, or that of ``start`` where there is none.

        Raises
        ------
        ValueError
            As :func:`treeplex.files.checkpoint.read_checkpoint`.
        """
        newest = self._newest
        if newest is None:
            return Position(start, (), 0.0)
        return read_checkpoint(newest.path, self.identity, start, check)

    def write(self, position: Position[SplitState]) -> None:
        """Write both halves of the last iteration; raises ``ValueError`` if a file cannot be written."""
        state = position.state
        if state.halves == 0:
            return
        self._settle()
        before = tuple(point for point in position.trace if point.iterations < state.iterations)
        self._write(replace(position, state=state.half_before(), trace=before))
        self._write(position)
        kept = range(state.halves - GENERATIONS + 1, state.halves + 1)
        for file in trunk_files(self.path):
            if file.half not in kept:
                file.path.unlink()
        self._prune(kept)

    def _write(self, position: Position[SplitState]) -> None:
        """Write one half to a file beside, and rename it by its content; drop others of the same half."""
        half, folder = position.state.halves, self.path / FOLDER
        folder.mkdir(exist_ok=True)
        write_checkpoint(folder / PART, self.identity, position)
        digest = file_digest(folder / PART)
        final = folder / f"{half:010d}-{len(position.trace):06d}-{digest}.npz"
        os.replace(folder / PART, final)
        for file in trunk_files(self.path):
            if file.half == half and file.path != final:
                file.path.unlink()


def where(split: SplitTree) -> str:
    """Return the form that a run is on, as its identity says."""
    return f"{len(split.lines):,} lines on {len(split.flops):,} flops after street {split.street}"


def recorded(config: FactoredConfig) -> dict[str, Any]:
    """Return a config as objects of JSON."""
    names: dict[object, str] = {exponent: name for name, exponent in AVERAGES.items()}
    return {"average": names[config.variant.average.exponent], **asdict(config.fixed)}


def config_of(record: Mapping[str, Any]) -> FactoredConfig:
    """Return the config that :func:`recorded` describes; raises ``ValueError`` or ``TypeError``."""
    parts = dict(record)
    average = parts.pop("average")
    scales: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in parts.items()}
    return factored_config("cfr+", average, "int32", FixedPoint(**scales))


@dataclass(frozen=True, repr=False)
class RecordedRun(Shown):
    """A run in a store.

    Attributes
    ----------
    folder : StoreFolder
    run : str
        The digest that its files carry.
    identity : Identity
    trunk : SplitTrunk
    environment : mapping
        Versions and numba's target when it was begun.
    """

    folder: StoreFolder
    run: str
    identity: Identity
    trunk: SplitTrunk
    environment: Mapping[str, str]

    @staticmethod
    def of(path: str | Path) -> "RecordedRun":
        """Read what a store is of.

        Raises
        ------
        ValueError
            If it is no store, damaged, or of a game or parameters that cannot be made again.
        """
        folder = StoreFolder(Path(path))
        contents = read_run(folder.path)
        try:
            identity, config = Identity(**contents["identity"]), config_of(contents["config"])
        except (KeyError, TypeError, ValueError) as error:
            raise BadInputError(f"{folder.path / RUN} is damaged: {error}") from None
        try:
            game = named_game(identity.game)
        except ValueError as error:
            raise BadInputError(complaint(f"{folder.path / RUN}: {error}")) from None
        if not isinstance(game, PokerGame):
            raise BadInputError(f"{folder.path} is of {identity.game}, which is no poker game")
        split = SplitTree.of(game)
        if identity_of(game, identity.method, where(split), config) != identity:
            raise BadInputError(f"{folder.path} is of other rules or parameters than {identity.game} has now")
        run, environment = run_digest(contents["identity"]), contents.get("environment", {})
        return RecordedRun(folder, run, identity, SplitTrunk.of(split, config), environment)

    def brief(self) -> str:
        """Return the game and the number of iterations."""
        return f"{self.identity.game}: {self.iterations:,} iterations"

    @property
    def iterations(self) -> int:
        """Iterations of the newest generation."""
        newest = self.generations
        return newest[-1].half // 2 if newest else 0

    def check_game(self, game: Game[Any]) -> None:
        """Refuse a store of another game than ``game``; raises ``ValueError``."""
        own = self.trunk.split.game
        if not isinstance(game, PokerGame) or rules_of(game) != rules_of(own):
            raise BadInputError(f"{self.folder.path} is of another game, {own.name}, got {game.name}")

    @property
    def generations(self) -> tuple[TrunkFile, ...]:
        """The files of the trunk that are there now, oldest first; one a half."""
        newest = {file.half: file for file in trunk_files(self.folder.path)}
        return tuple(newest[half] for half in sorted(newest))

    def strategy(self) -> SplitStrategy:
        """Return the strategy after the newest whole iteration, read from files where it is asked for.

        Raises
        ------
        ValueError
            If no iteration is whole yet, or the trunk is damaged.
        """
        whole = [file for file in self.generations if file.half % 2 == 0]
        if not whole:
            why = "has no iteration done yet" if self.folder.path.exists() else "is no longer there"
            raise BadInputError(f"{self.folder.path} {why}")
        return self._strategy_of(whole[-1])

    @cached_property
    def _strategy_of(self) -> Callable[[TrunkFile], SplitStrategy]:
        """The strategy that a file of the trunk begins; the last one is kept."""
        trees = trees_of(self.trunk.split)

        def read(file: TrunkFile) -> SplitStrategy:
            state = self.position(file).state
            generation = Generation(self.folder.path, self.run, state.halves, self.trunk.config.is_last)
            return strategy_after(self.trunk, state, StoredTables(generation, trees))

        return lru_cache(maxsize=1)(read)

    def position(self, file: TrunkFile) -> Position[SplitState]:
        """Return what a file of the trunk holds; raises ``ValueError`` if it is damaged or foreign."""
        if not file.is_whole:
            raise BadInputError(f"{file.path} is damaged: its name is not that of its contents")
        start = fresh(self.trunk)
        return read_checkpoint(file.path, self.identity, start, lambda state: check(self.trunk, state))


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


def tables_bytes(folder: StoreFolder) -> tuple[int, float]:
    """Return the bytes of subgames' tables as int32, and those of all files' tables per byte of the files."""
    place_bytes: dict[TablePlace, int] = {}
    raw = disk = 0
    for place, _, path in folder.tables_files():
        head = TablesFile.opened(path).head
        place_bytes[place] = INTEGER * (head.entries + head.averages)
        raw += place_bytes[place]
        disk += path.stat().st_size
    return sum(place_bytes.values()), raw / disk if disk else 1.0


PACKAGES = ("treeplex", "numpy", "numba", "llvmlite", "zstandard", "xxhash")


def environment() -> dict[str, str]:
    """Return versions of packages and of Python, and numba's target."""
    return {
        **{name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "target": target(),
    }


def target() -> str:
    """Return for which processor numba compiles: its name, and a digest of its features.

    With ``NUMBA_CPU_NAME=generic`` in the environment it is ``generic``, without any.
    """
    name = config.CPU_NAME or binding.get_host_cpu_name()
    if config.CPU_FEATURES is not None:
        features = config.CPU_FEATURES
    else:
        features = "" if name == "generic" else binding.get_host_cpu_features().flatten()
    return f"{name}, features {xxhash.xxh32_hexdigest(features.encode())}" if features else str(name)
