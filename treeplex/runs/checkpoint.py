"""Checkpoints: an engine's state, trace and seconds in an .npz file, from which runs resume bit for bit."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Generic

import numpy as np

from treeplex.cfr.engine import S
from treeplex.core.trace import TracePoint
from treeplex.runs.identity import Identity
from treeplex.runs.state_arrays import leaves_of, rebuilt
from treeplex.seqform.certify.certificate import Certificate
from treeplex.store.files import read_arrays, write_arrays

FORMAT = 2
SUFFIXES = (".npz",)
LONGEST_SHOWN = 60
"""Most characters of what a run is of in a complaint."""
BETWEEN_WRITES = 60.0
"""Seconds from one write to the next."""
WHAT = "checkpoint of a run"


@dataclass(frozen=True)
class Position(Generic[S]):
    """State, trace and elapsed seconds of a run.

    Attributes
    ----------
    state : State
        The engine's.
    trace : tuple of TracePoint
        Certificates so far.
    seconds : float
        Wall time so far, that before it was resumed included.
    """

    state: S
    trace: tuple[TracePoint, ...]
    seconds: float


class CheckpointFile:
    """A checkpoint file of one run, written atomically.

    Parameters
    ----------
    path : Path
        Where no file is, the run starts from the beginning.
    identity : Identity
        Identity of the run; a file of another run is refused.
    """

    def __init__(self, path: Path, identity: Identity) -> None:
        self.path, self.identity = path, identity
        self._written = time.perf_counter()

    def read(self, start: S) -> Position[S]:
        """Return the file's position, or that of ``start`` where there is no file; raises ``ValueError``."""
        if not self.path.exists():
            return Position(start, (), 0.0)
        return read_checkpoint(self.path, self.identity, start)

    @property
    def is_due(self) -> bool:
        """Whether the last write is at least ``BETWEEN_WRITES`` seconds ago."""
        return time.perf_counter() - self._written >= BETWEEN_WRITES

    def write(self, position: Position[S]) -> None:
        """Write a position; raises ``ValueError`` if the file cannot be written."""
        write_checkpoint(self.path, self.identity, position)
        self._written = time.perf_counter()


def write_checkpoint(path: Path, identity: Identity, position: Position[S]) -> None:
    """Write a position of a run; raises ``ValueError`` if the file cannot be written."""
    leaves = dict(leaves_of("", position.state))
    head = {
        "format": FORMAT,
        "identity": identity.digest,
        "description": asdict(identity),
        "seconds": position.seconds,
        "trace": [(p.iterations, p.seconds, _numbers(p.certificate)) for p in position.trace],
        "numbers": {name: leaf for name, leaf in leaves.items() if not isinstance(leaf, np.ndarray)},
    }
    write_arrays(path, head, {name: leaf for name, leaf in leaves.items() if isinstance(leaf, np.ndarray)})


def read_checkpoint(path: Path, identity: Identity, start: S) -> Position[S]:
    """Read a position of a run.

    Parameters
    ----------
    path : Path
    identity : Identity
        Identity that the file must have.
    start : State
        The state before the first iteration, which says how its fields are called and nested.

    Raises
    ------
    ValueError
        If the file cannot be read, is no checkpoint, or is of another run.
    """
    head, arrays = read_arrays(path, WHAT)
    try:
        _check_identity(path, head, identity)
        stored = arrays | head["numbers"]
        if stored.keys() != {name for name, _ in leaves_of("", start)}:
            raise KeyError(f"fields {', '.join(stored)}")
        trace = tuple(TracePoint(n, seconds, Certificate(*c)) for n, seconds, c in head["trace"])
        return Position(rebuilt("", start, stored), trace, float(head["seconds"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path} is no {WHAT}, or one of another version") from error


def _check_identity(path: Path, head: Mapping[str, Any], identity: Identity) -> None:
    if not isinstance(head["format"], int):
        raise TypeError(f"format {head['format']}")
    if head["format"] != FORMAT:
        raise ValueError(f"{path} is a checkpoint of format {head['format']}, got a program for {FORMAT}")
    if head["identity"] == identity.digest:
        return
    for what, expected in asdict(identity).items():
        recorded = head["description"].get(what)
        if recorded != expected:
            raise ValueError(
                f"{path} is of another run: its {what} {_shown(recorded)}, got {_shown(expected)}"
            )
    raise KeyError("identity")


def _shown(text: object) -> str:
    """Return a description, or that there is a longer one."""
    return str(text) if len(str(text)) <= LONGEST_SHOWN else f"{str(text)[:LONGEST_SHOWN]}..."


def _numbers(certificate: Certificate) -> tuple[float, ...]:
    return tuple(float(getattr(certificate, field.name)) for field in fields(Certificate))
