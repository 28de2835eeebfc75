"""Runs on disk: a state's arrays by name, written whole every so often, and gone on from to the bit."""

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Generic

import numpy as np

from treeplex.cfr.engine import S
from treeplex.core.trace import TracePoint
from treeplex.games.poker.game import PokerGame
from treeplex.games.protocol import Game
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.store.boards_file import rules_of
from treeplex.store.files import read_arrays, write_arrays

FORMAT = 2
SUFFIXES = (".npz",)
LONGEST_SHOWN = 60
"""Most characters of what a run is of in a complaint."""
BETWEEN_WRITES = 60.0
"""Seconds from one write to the next."""
WHAT = "checkpoint of a run"


@dataclass(frozen=True)
class Identity:
    """What a run is of.

    Attributes
    ----------
    game, method : str
    form : str
        Where it runs, such as ``tree`` or ``16 boards``.
    parameters : str
        The engine's config.
    payoffs : str
        A digest of the rules or of the payoffs: names of games and files say little about their content.
    """

    game: str
    method: str
    form: str
    parameters: str
    payoffs: str

    @property
    def digest(self) -> str:
        """One digest of all of it."""
        return hashlib.sha256("\0".join(asdict(self).values()).encode()).hexdigest()


def identity_of(
    game: Game[Any], method: str, where: str, config: object, form: SequenceForm | None = None
) -> Identity:
    """Return what a run is of.

    Parameters
    ----------
    game : Game
    method : str
    where : str
        The form that it runs on.
    config : object
        The engine's; its ``repr`` says all parameters.
    form : SequenceForm, optional
        The game's; needed unless it is a poker game.
    """
    if isinstance(game, PokerGame):
        payoffs = rules_of(game)
    elif form is not None:
        payoffs = fingerprint(form)
    else:
        raise ValueError(f"a sequence form must be given, got none of {game.name}")
    return Identity(game.name, method, where, repr(config), payoffs)


def fingerprint(form: SequenceForm) -> str:
    """Return a digest of infosets, actions and payoffs."""
    digest = hashlib.sha256()
    for t in form.treeplexes:
        digest.update("\n".join((*t.infosets, "", *t.actions)).encode())
    for part in (form.payoff.base, form.payoff.left, form.payoff.right):
        for array in (part.csr.indptr, part.csr.indices, part.csr.data):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Position(Generic[S]):
    """Where a run stands.

    Attributes
    ----------
    state : State
        The engine's.
    trace : tuple of TracePoint
        What was certified on the way.
    seconds : float
        Wall time so far, that before the run was taken up again included.
    """

    state: S
    trace: tuple[TracePoint, ...]
    seconds: float


class CheckpointFile:
    """A file in which a run is kept, written whole.

    Parameters
    ----------
    path : Path
        Where no file is, the run starts from the beginning.
    identity : Identity
        What the run is of; a file of anything else is refused.
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
        """Whether the last write is long ago."""
        return time.perf_counter() - self._written >= BETWEEN_WRITES

    def write(self, position: Position[S]) -> None:
        """Write a position; raises ``ValueError`` if the file cannot be written."""
        write_checkpoint(self.path, self.identity, position)
        self._written = time.perf_counter()


def write_checkpoint(path: Path, identity: Identity, position: Position[S]) -> None:
    """Write a position of a run; raises ``ValueError`` if the file cannot be written."""
    leaves = dict(_leaves("", position.state))
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
        What the run must be of.
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
        if stored.keys() != {name for name, _ in _leaves("", start)}:
            raise KeyError(f"fields {', '.join(stored)}")
        trace = tuple(TracePoint(n, seconds, Certificate(*c)) for n, seconds, c in head["trace"])
        return Position(_rebuilt("", start, stored), trace, float(head["seconds"]))
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


def _parts(state: object) -> dict[str, Any] | None:
    """Return what a tuple or dataclass is made of, by name or place; None for anything else."""
    if is_dataclass(state):
        return {f.name: getattr(state, f.name) for f in fields(state)}
    if isinstance(state, tuple):
        names = getattr(state, "_fields", range(len(state)))
        return {str(name): part for name, part in zip(names, state, strict=True)}
    return None


def _leaves(path: str, state: object) -> Iterator[tuple[str, Any]]:
    """Yield the arrays and numbers of a state, each by its path, such as ``memories.0.regret``."""
    parts = _parts(state)
    if parts is not None:
        for name, part in parts.items():
            yield from _leaves(f"{path}.{name}" if path else name, part)
    elif isinstance(state, np.ndarray | int | float):
        yield path, state
    else:
        raise TypeError(f"a state must be of arrays and numbers, got {type(state).__name__} at {path}")


def _rebuilt(path: str, like: Any, stored: Mapping[str, Any]) -> Any:
    """Return a state of the same make whose arrays and numbers are those kept under their paths."""
    parts = _parts(like)
    if parts is None:
        return _like(like, stored[path])
    new = {name: _rebuilt(f"{path}.{name}" if path else name, part, stored) for name, part in parts.items()}
    if is_dataclass(like) and not isinstance(like, type):
        return replace(like, **new)
    return type(like)(**new) if hasattr(like, "_fields") else tuple(new.values())


def _like(like: Any, leaf: Any) -> Any:
    """Return an array or number that was kept; raises ``TypeError`` where it is of another kind."""
    if not isinstance(like, np.ndarray):
        if type(leaf) is not type(like):
            raise TypeError(f"expected a {type(like).__name__}, got {type(leaf).__name__}")
    elif not isinstance(leaf, np.ndarray) or (leaf.dtype, leaf.ndim) != (like.dtype, like.ndim):
        raise TypeError(f"expected an array of {like.dtype}, got {leaf!r}")
    return leaf
