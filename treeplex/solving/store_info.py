"""What a store holds, read from its head, its trunk and the heads of its files."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeplex.files.checkpoint import Position
from treeplex.files.generation_files import TablesFile
from treeplex.files.split_store import GENERATIONS, RecordedRun, state_hash, trunk_files
from treeplex.games.base.display import Block, Rows, Shown
from treeplex.games.base.number_texts import interval_texts, size_text

INTEGER = 4


@dataclass(frozen=True, kw_only=True, repr=False)
class StoreInfo(Shown):
    """What a store holds.

    Attributes
    ----------
    store, game, parameters : str
    n_flops, n_lines : int
    iterations : int
        Whole iterations of the newest generation.
    generations : tuple of int
    hash : str or None
        Of the newest whole iteration, as ``solve`` prints it.
    seconds : float
        Of the run so far.
    certificate : str or None
        The last one: the proved interval.
    files, n_bytes : int
    raw : int
        Bytes of the tables in files as int32.
    disk : int
        Bytes of these files.
    environment : mapping
    """

    store: str
    game: str
    parameters: str
    n_flops: int
    n_lines: int
    iterations: int
    generations: tuple[int, ...]
    hash: str | None
    seconds: float
    certificate: str | None
    files: int
    n_bytes: int
    raw: int
    disk: int
    environment: dict[str, str]

    def brief(self) -> str:
        """Return game and iterations."""
        return f"{self.game}: {self.iterations:,} iterations"

    @property
    def ratio(self) -> float:
        """Bytes of tables per byte of their files; 1 where there are none."""
        return self.raw / self.disk if self.disk else 1.0

    def blocks(self) -> tuple[Block, ...]:
        """Return a table."""
        n = self.n_flops * self.n_lines
        rows = (
            ("game", self.game),
            ("parameters", self.parameters),
            ("subgames", f"{n:,}: {self.n_lines:,} lines on {self.n_flops:,} flops"),
            ("iterations", f"{self.iterations:,} in {self.seconds:,.0f} s"),
            ("certified", self.certificate or "not yet"),
            ("generations", ", ".join(f"{half:,}" for half in self.generations) or "none"),
            ("tables", f"{self.files:,} files, {size_text(self.disk)}, {self.ratio:.1f} to 1"),
            ("hash", self.hash or "none"),
            *((name, text) for name, text in self.environment.items()),
        )
        return (Rows(self.store, rows),)

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "store": self.store,
            "game": self.game,
            "parameters": self.parameters,
            "flops": self.n_flops,
            "lines": self.n_lines,
            "iterations": self.iterations,
            "generations": [*self.generations],
            "hash": self.hash,
            "seconds": self.seconds,
            "certificate": self.certificate,
            "files": self.files,
            "bytes": self.n_bytes,
            "raw": self.raw,
            "ratio": self.ratio,
            "environment": self.environment,
        }


def store_info(path: str | Path) -> StoreInfo:
    """Return what a store holds.

    Raises
    ------
    ValueError
        If it is no store, or its newest generation is damaged.
    """
    run = RecordedRun.of(path)
    whole = [file for file in run.generations if file.half % 2 == 0]
    position = run.position(whole[-1]) if whole else None
    sizes = _sizes(run)
    return StoreInfo(
        store=str(path),
        game=run.identity.game,
        parameters=_words(run),
        n_flops=len(run.trunk.split.flops),
        n_lines=len(run.trunk.split.lines),
        iterations=position.state.iterations if position else 0,
        generations=tuple(file.half for file in run.generations),
        hash=state_hash(position.state) if position else None,
        seconds=position.seconds if position else 0.0,
        certificate=_certificate(position),
        files=sizes["files"],
        n_bytes=run.folder.n_bytes(),
        raw=sizes["raw"],
        disk=sizes["disk"],
        environment=dict(run.environment),
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class PrunedStore(Shown):
    """What was removed from a store.

    Attributes
    ----------
    store : str
    removed : int
        Bytes.
    generations : tuple of int
        The halves that are kept.
    """

    store: str
    removed: int
    generations: tuple[int, ...]

    def brief(self) -> str:
        """Return how many bytes were removed."""
        return f"{self.store}: {self.removed:,} bytes removed"

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"store": self.store, "removed": self.removed, "generations": [*self.generations]}


def prune_store(path: str | Path) -> PrunedStore:
    """Remove all but the generations of the newest whole iteration, and leftovers of interrupted runs.

    Raises
    ------
    ValueError
        If it is no store, or a run is in it.
    """
    run = RecordedRun.of(path)
    before = run.folder.n_bytes()
    with run.folder.locked():
        halves = [file.half for file in run.generations]
        newest = max((half for half in halves if half % 2 == 0), default=0)
        kept = [half for half in halves if newest - GENERATIONS < half <= newest]
        for file in trunk_files(run.folder.path):
            if file.half not in kept:
                file.path.unlink()
        run.folder.prune(kept)
    return PrunedStore(store=str(path), removed=before - run.folder.n_bytes(), generations=tuple(kept))


def _words(run: RecordedRun) -> str:
    config = run.trunk.config
    average = "the last plan" if config.is_last else f"exponent {config.variant.average.exponent:g}"
    scales = ", ".join(f"{scale:g}" for scale in config.fixed.scales or ())
    averages = ", ".join(f"{scale:g}" for scale in config.fixed.average_scales or ())
    return (
        f"cfr+, average {average}, scales {scales}, of averages {averages}, warm-up {config.fixed.warm_up:,}"
    )


def _sizes(run: RecordedRun) -> Counter[str]:
    found: Counter[str] = Counter()
    for _, _, path in run.folder.tables_files():
        head = TablesFile.opened(path).head
        found.update(files=1, raw=INTEGER * (head.entries + head.averages), disk=path.stat().st_size)
    return found


def _certificate(position: Position[Any] | None) -> str | None:
    if position is None or not position.trace:
        return None
    point = position.trace[-1]
    _, low, high = interval_texts(
        *(float(getattr(point.certificate, k)) for k in ("value", "lower", "upper"))
    )
    return f"[{low}, {high}] after {point.iterations:,} iterations"
