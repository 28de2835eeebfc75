"""Runs kept on disk: written whole every so often, and gone on from to the bit."""

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.store.files import read_arrays, write_arrays
from treeplex.store.trace import TracePoint

FORMAT = 1
SUFFIXES = (".npz",)
LONGEST_SHOWN = 60
"""Most characters of what a run is of in a complaint."""
BETWEEN_WRITES = 60.0
"""Seconds from one write to the next."""


@dataclass(frozen=True)
class Position:
    """Where a run stands.

    Attributes
    ----------
    state : Any
        The minimiser's own; it says how many ``iterations`` are done.
    behaviour : tuple of (S,) f64
        Both players' average when it was last certified; empty before.
    trace : tuple of TracePoint
        What was certified on the way.
    seconds : float
        Wall time so far, that before the run was taken up again included.
    """

    state: Any
    behaviour: tuple[Floats, ...]
    trace: tuple[TracePoint, ...]
    seconds: float


class Keeper(Protocol):
    """Where a run's positions go."""

    def found(self, start: Position) -> Position:
        """Return where an earlier run stopped, or ``start``."""

    def keep(self, position: Position) -> None:
        """Take note of a position."""

    def close(self) -> None:
        """Make sure that the last position is kept."""


class NoKeeper:
    """Keeps nothing."""

    def found(self, start: Position) -> Position:
        """Return ``start``."""
        return start

    def keep(self, position: Position) -> None:
        """Forget the position."""

    def close(self) -> None:
        """Do nothing."""


class FileKeeper:
    """Keeps a run in a file, written whole every minute and at its end.

    Parameters
    ----------
    path : Path
        Where no file is, the run starts from the beginning.
    identity : mapping
        What the run is of; a file of anything else is refused.
    """

    def __init__(self, path: Path, identity: Mapping[str, str]) -> None:
        self.path, self.identity = path, identity
        self._latest: Position | None = None
        self._written = time.perf_counter()

    def found(self, start: Position) -> Position:
        """Return the file's position, or ``start`` where there is no file; raises ``ValueError``."""
        if not self.path.exists():
            return start
        return read_checkpoint(self.path, self.identity, start.state)

    def keep(self, position: Position) -> None:
        """Take note of a position, and write it if the last write is long ago."""
        self._latest = position
        if time.perf_counter() - self._written >= BETWEEN_WRITES:
            self.close()

    def close(self) -> None:
        """Write the last position that is not written yet."""
        if self._latest is not None:
            write_checkpoint(self.path, self.identity, self._latest)
            self._latest, self._written = None, time.perf_counter()


def fingerprint(form: SequenceForm) -> str:
    """Return a digest of a game's infosets and payoffs: names of files say little about their content."""
    digest = hashlib.sha256()
    for t in form.treeplexes:
        digest.update("\n".join((*t.infosets, "", *t.actions)).encode())
    for part in (form.payoff.base, form.payoff.left, form.payoff.right):
        for array in (part.csr.indptr, part.csr.indices, part.csr.data):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def write_checkpoint(path: Path, identity: Mapping[str, str], position: Position) -> None:
    """Write a position of a run; raises ``ValueError`` if the file cannot be written."""
    leaves = list(_leaves(position.state))
    head = {
        "format": FORMAT,
        "identity": dict(identity),
        "seconds": position.seconds,
        "trace": [(p.iterations, p.seconds, _numbers(p.certificate)) for p in position.trace],
        "averages": len(position.behaviour),
        "integers": [leaf for leaf in leaves if isinstance(leaf, int)],
    }
    arrays = [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]
    write_arrays(path, head, {f"array_{k}": a for k, a in enumerate((*position.behaviour, *arrays))})


def read_checkpoint(path: Path, identity: Mapping[str, str], start: Any) -> Position:
    """Read a position of a run.

    Parameters
    ----------
    path : Path
    identity : mapping
        What the run must be of.
    start : Any
        The state before the first iteration: what is neither an array nor a number is taken from it.

    Raises
    ------
    ValueError
        If the file cannot be read, is no checkpoint, or is of another run.
    """
    head, named = read_arrays(path, "checkpoint of a run")
    try:
        arrays = iter([named[f"array_{k}"] for k in range(len(named))])
        _check_identity(path, head, identity)
        behaviour = tuple([next(arrays) for _ in range(head["averages"])])
        state = _rebuilt(start, arrays, iter(head["integers"]))
        trace = tuple(TracePoint(n, seconds, Certificate(*c)) for n, seconds, c in head["trace"])
        return Position(state, behaviour, trace, float(head["seconds"]))
    except (KeyError, TypeError, StopIteration) as error:
        raise ValueError(f"{path} is no checkpoint of a run, or one of another version") from error


def _check_identity(path: Path, head: Mapping[str, Any], identity: Mapping[str, str]) -> None:
    if head["format"] != FORMAT:
        raise ValueError(f"{path} is a checkpoint of format {head['format']}, got a program for {FORMAT}")
    for what, wanted in identity.items():
        if head["identity"].get(what) != wanted:
            raise ValueError(
                f"{path} is of another run: its {what} {_shown(head['identity'].get(what))}, got "
                f"{_shown(wanted)}"
            )


def _shown(text: str) -> str:
    """Return a description, or that there is a longer one."""
    return text if len(str(text)) <= LONGEST_SHOWN else f"{str(text)[:LONGEST_SHOWN]}..."


def _numbers(certificate: Certificate) -> tuple[float, ...]:
    return tuple(float(getattr(certificate, field.name)) for field in fields(Certificate))


def _leaves(state: Any) -> Iterator[Any]:
    """Yield the arrays and integers of nested tuples and dataclasses, in order."""
    if isinstance(state, np.ndarray | int):
        yield state
    elif isinstance(state, tuple):
        for part in state:
            yield from _leaves(part)
    elif is_dataclass(state):
        for field in fields(state):
            yield from _leaves(getattr(state, field.name))


def _rebuilt(like: Any, arrays: Iterator[Any], integers: Iterator[int]) -> Any:
    """Return a state of the same make with other arrays and integers."""
    if isinstance(like, np.ndarray):
        array = next(arrays)
        if array.dtype != like.dtype or array.ndim != like.ndim:
            raise TypeError(f"expected an array of {like.dtype}, got {array.dtype}")
        return array
    if isinstance(like, int):
        return next(integers)
    if isinstance(like, tuple):
        parts = [_rebuilt(part, arrays, integers) for part in like]
        return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)
    if is_dataclass(like) and not isinstance(like, type):
        new = {f.name: _rebuilt(getattr(like, f.name), arrays, integers) for f in fields(like)}
        return replace(like, **new)
    return like
