"""Flops whose subgames were solved again, kept one by one in a folder, so that an ended run goes on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treeplex.games.inputs.digests import digest_of
from treeplex.store.archives import opened
from treeplex.store.array_headers import Expected
from treeplex.store.files import write_arrays
from treeplex.subgames.flops.composed.value import Blueprint, OnFlop
from treeplex.subgames.flops.store import open_run

WHAT = "flop solved again"
FLOAT, BOOL = (np.dtype(np.float64),), (np.dtype(np.bool_),)


@dataclass(frozen=True)
class KeptFlops:
    """A folder with one file a flop.

    Attributes
    ----------
    folder : Path
    run : str
        A digest of the run's identity, which every file carries.
    shape : pair of int
        E and H of ``OnFlop``.
    played : tuple of int
        S of each flop.
    """

    folder: Path
    run: str
    shape: tuple[int, int]
    played: tuple[int, ...]

    @staticmethod
    def open(folder: Path, identity: dict[str, Any], blueprint: Blueprint) -> "KeptFlops":
        """Return the folder of a run, made if it is new; raises ``ValueError`` as ``open_run``."""
        open_run(folder, identity)
        trunk, first = blueprint.trunk, blueprint.start.here.before.street
        played = tuple(count * len(trunk.lines.names) for count in blueprint.last_boards)
        return KeptFlops(folder, digest_of(identity, {}), (len(first.chance), len(trunk.weight)), played)

    def or_run(self, run: Callable[[int], OnFlop]) -> Callable[[int], OnFlop]:
        """Return a function of the number of a flop: what is kept of it, or what is run now and kept."""

        def found(number: int) -> OnFlop:
            path = self.folder / f"flop{number:04d}.npz"
            if path.exists():
                return self._read(path, number)
            now = run(number)
            write_arrays(path, self._head(number), now._asdict())
            return now

        return found

    def _head(self, number: int) -> dict[str, Any]:
        return {"run": self.run, "flop": number}

    def _read(self, path: Path, number: int) -> OnFlop:
        with opened(path, WHAT) as archive:
            if archive.head != self._head(number):
                raise ValueError(f"{path} must be of flop {number} of this run, got {archive.head}")
            expected = {
                "values": Expected(FLOAT, self.shape),
                "error": Expected(FLOAT, (self.played[number],)),
                "solved": Expected(BOOL, (self.played[number],)),
            }
            kept = OnFlop(**archive.arrays(expected))
            sound = (kept.error >= 0.0) & (kept.error < np.inf)
            if not (sound.all() and np.isfinite(kept.values).all()):
                raise archive.damaged("its values must be finite and its errors at least 0")
        return kept
