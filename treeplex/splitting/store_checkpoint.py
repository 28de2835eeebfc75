"""Checkpoints of split runs: the trunk after each half, in a folder beside the files of subgames' tables."""

import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

import xxhash

from treeplex.cfr.split.state import SplitState
from treeplex.runs.checkpoint import Position, read_checkpoint, write_checkpoint
from treeplex.runs.identity import Identity

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
            As :func:`treeplex.runs.checkpoint.read_checkpoint`.
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
