"""What a result says of a run on a split game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treeplex.games.base.display import Shown
from treeplex.games.base.number_texts import Estimate, Units, size_text


@dataclass(frozen=True, kw_only=True, repr=False)
class SplitFacts(Shown):
    """How a split game was solved, what that was to take, and what it took.

    Attributes
    ----------
    store : str
        The folder.
    hash : str
        xxh3_128 of the trunk's tables and of the hashes of all subgames' tables: equal for equal tables.
    n_flops, n_lines : int
        The subgames are one for each line on each flop.
    raw : int
        Bytes of all subgames' tables as int32.
    disk : int
        Bytes of the store.
    ratio : float
        Bytes of tables that are in files, as int32, per byte of these files.
    executor : str
    workers : int
    in_memory : bool
        Whether workers kept all tables in memory.
    lost : int
        Workers that died and were replaced.
    estimated, measured : Estimate
        Of this call; ``measured`` has the largest resident memory of all processes together.
    walk, files : float
        Seconds of all workers together in walks, and in files with the compression.
    """

    store: str
    hash: str
    n_flops: int
    n_lines: int
    raw: int
    disk: int
    ratio: float
    executor: str
    workers: int
    in_memory: bool
    lost: int
    estimated: Estimate
    measured: Estimate
    walk: float
    files: float

    def brief(self) -> str:
        """Return the number of subgames and the hash."""
        return f"{self.n_flops * self.n_lines:,} subgames, hash {self.hash}"

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        yield "subgames", f"{self.n_flops * self.n_lines:,}: {self.n_lines:,} lines on {self.n_flops:,} flops"
        where = "in memory" if self.in_memory else "through the disk"
        lost = f", {self.lost:,} lost" if self.lost else ""
        yield "workers", f"{self.workers:,} ({self.executor}), tables {where}{lost}"
        yield "store", f"{self.store}: {size_text(self.disk)}, {self.ratio:.1f} to 1"
        yield "estimated", str(self.estimated)
        yield "measured", str(self.measured)
        yield "worker seconds", f"{self.walk:,.1f} of walks, {self.files:,.1f} of files"
        yield "hash", self.hash

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        split = {
            "store": self.store,
            "flops": self.n_flops,
            "lines": self.n_lines,
            "raw": self.raw,
            "disk": self.disk,
            "ratio": self.ratio,
            "executor": self.executor,
            "workers": self.workers,
            "in_memory": self.in_memory,
            "lost": self.lost,
            "estimated": self.estimated.as_json(),
            "measured": self.measured.as_json(),
            "walk_seconds": self.walk,
            "file_seconds": self.files,
        }
        return {"split": split, "hash": self.hash, "bytes": self.disk, "storage": "int32"}
