"""Checkpoints: an engine's state, trace and seconds in an .npz file; runs resume bit for bit.

The head, as JSON, says what a run is (game, method, form, parameters and payoffs), its seconds, its trace and
the numbers of its state.
"""

import hashlib
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Generic, Protocol

import numpy as np

from treeplex.cfr.engine import S
from treeplex.core.trace import TracePoint
from treeplex.files.archives import Archive, opened, write_arrays
from treeplex.files.board_files import rules_of
from treeplex.files.state_arrays import expected_of, leaves_of, rebuilt, stored_arrays, unpacked
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.packed_arrays import digest_of
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import shortened, shown
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import Certificate
from treeplex.seqform.forms.sequence_form import SequenceForm


@dataclass(frozen=True)
class Identity:
    """Game, method, form, parameters and payoffs of a run.

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
        raise BadInputError(f"a sequence form must be given, got none of {game.name}")
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


NUMBERS = tuple(field.name for field in fields(Certificate))


@dataclass(frozen=True)
class Head:
    """What a checkpoint holds beside arrays.

    Attributes
    ----------
    identity : Identity
    seconds : float
        Wall time of the run so far.
    trace : tuple of TracePoint
        Certificates so far.
    numbers : mapping from paths to int or float
        The numbers of the engine's state.
    """

    identity: Identity
    seconds: float
    trace: tuple[TracePoint, ...]
    numbers: Mapping[str, int | float]

    @property
    def json(self) -> dict[str, Any]:
        """The head as objects of JSON."""
        return {
            "identity": asdict(self.identity),
            "seconds": self.seconds,
            "trace": [(p.iterations, p.seconds, _numbers(p.certificate)) for p in self.trace],
            "numbers": dict(self.numbers),
        }

    @staticmethod
    def of(head: Mapping[str, Any]) -> "Head":
        """Return the head that objects of JSON describe.

        Raises
        ------
        ValueError
            If they describe none: a key is missing, or a value has another type or is out of its range.
        """
        names = tuple(field.name for field in fields(Head))
        if head.keys() != set(names):
            raise BadInputError(f"its head must have {', '.join(names)}, got {shown([*head])}")
        identity, numbers, words = head["identity"], head["numbers"], [f.name for f in fields(Identity)]
        texts = isinstance(identity, dict) and all(isinstance(text, str) for text in identity.values())
        if not texts or identity.keys() != set(words):
            raise BadInputError(f"its identity must be texts of {', '.join(words)}, got {shown(identity)}")
        if not isinstance(numbers, dict):
            raise BadInputError(f"its numbers must have names, got {shown(numbers)}")
        for name, number in numbers.items():
            _number(shown(name), number)
        if _number("its seconds", head["seconds"]) < 0:
            raise BadInputError(f"its seconds must be at least 0, got {head['seconds']}")
        return Head(Identity(**identity), head["seconds"], _trace(head["trace"]), numbers)


def _trace(rows: object) -> tuple[TracePoint, ...]:
    if not isinstance(rows, list):
        raise BadInputError(f"its trace must be a list, got {shown(rows)}")
    trace = tuple(map(_point, rows))
    for before, after in pairwise(trace):
        if before.iterations > after.iterations or before.seconds > after.seconds:
            done = f"{after.iterations:,} iterations after {before.iterations:,}"
            raise BadInputError(f"its trace must be in the order of time, got {done}")
    return trace


def _point(row: object) -> TracePoint:
    match row:
        case [int(iterations), seconds, [_, _, _, _, _] as numbers]:
            value, lower, upper, rounding, spent = (
                _number(f"{name} of a certificate in its trace", number)
                for name, number in zip(NUMBERS, numbers, strict=True)
            )
        case _:
            raise BadInputError(f"its trace must be of iterations, seconds, certificates, got {shown(row)}")
    done, clock = _number("iterations", iterations), _number("seconds", seconds)
    if min(done, clock, rounding, spent) < 0 or not 0 <= upper - lower <= sys.float_info.max:
        raise BadInputError(f"a certificate in its trace must have lower <= upper, got {shown(row)}")
    return TracePoint(done, clock, Certificate(value, lower, upper, rounding, spent))


def _number(what: str, number: object) -> Any:
    """Return a number; raises ``ValueError`` unless it is one, and in the range of floats."""
    largest = sys.float_info.max
    if not isinstance(number, int | float) or isinstance(number, bool) or not -largest <= number <= largest:
        raise BadInputError(f"{what} must be a finite number, got {shown(number)}")
    return number


def _numbers(certificate: Certificate) -> tuple[float, ...]:
    return tuple(float(getattr(certificate, name)) for name in NUMBERS)


FORMAT = 3
SUFFIXES = (".npz",)
LONGEST_WHOLE = 60
"""Most characters of what a run is of that a complaint quotes whole."""
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


class Checkpoint(Protocol[S]):
    """Where a run is kept."""

    @property
    def path(self) -> Path:
        """The file or the folder."""

    @property
    def is_due(self) -> bool:
        """Whether the run is to be written again."""

    def read(self, start: S, check: Callable[[S], None]) -> Position[S]:
        """Return what was written, or the position of ``start`` where nothing was.

        Raises
        ------
        ValueError
            If it is damaged or of another run; ``check`` raises it for states that the engine refuses.
        """

    def write(self, position: Position[S]) -> None:
        """Write a position; raises ``ValueError`` if that fails."""


class CheckpointFile:
    """A checkpoint file of one run, written atomically.

    What another run wrote there since this one read or wrote it is not replaced.

    Parameters
    ----------
    path : Path
        Where no file is, the run starts from the beginning.
    identity : Identity
        Identity of the run; a file of another run is refused.
    """

    def __init__(self, path: Path, identity: Identity) -> None:
        self._path, self.identity = path, identity
        self._written = time.perf_counter()
        self._known = self._signature()

    def _signature(self) -> tuple[int, int] | None:
        """Return the file's inode and time, which every write of it changes; None where there is no file."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def read(self, start: S, check: Callable[[S], None]) -> Position[S]:
        """Return the file's position, or that of ``start`` where there is no file.

        Raises
        ------
        ValueError
            As :func:`read_checkpoint`, which says what ``check`` is.
        """
        self._known = self._signature()
        if self._known is None:
            return Position(start, (), 0.0)
        return read_checkpoint(self.path, self.identity, start, check)

    @property
    def is_due(self) -> bool:
        """Whether the last write is at least ``BETWEEN_WRITES`` seconds ago."""
        return time.perf_counter() - self._written >= BETWEEN_WRITES

    def write(self, position: Position[S]) -> None:
        """Write a position.

        Raises
        ------
        ValueError
            If the file cannot be written, or another run wrote it.
        """
        if self._signature() not in (None, self._known):
            raise BadInputError(f"{self.path} was written by another run, whose iterations stay there")
        write_checkpoint(self.path, self.identity, position)
        self._known = self._signature()
        self._written = time.perf_counter()


def write_checkpoint(path: Path, identity: Identity, position: Position[S]) -> None:
    """Write a position of a run; raises ``ValueError`` if the file cannot be written."""
    leaves = dict(leaves_of("", position.state))
    arrays = {name: leaf for name, leaf in leaves.items() if isinstance(leaf, np.ndarray)}
    numbers = {name: leaf for name, leaf in leaves.items() if name not in arrays}
    head = Head(identity, position.seconds, position.trace, numbers).json
    whole = {"format": FORMAT, "digest": digest_of(head, arrays), **head}
    write_arrays(path, whole, stored_arrays(position.state))


def read_checkpoint(path: Path, identity: Identity, start: S, check: Callable[[S], None]) -> Position[S]:
    """Read a position of a run.

    Parameters
    ----------
    path : Path
    identity : Identity
        Identity that the file must have.
    start : State
        The state before the first iteration, whose arrays and numbers say what those in the file must be.
    check : callable
        Raises ``ValueError`` for states that the run's engine refuses.

    Raises
    ------
    ValueError
        If the file cannot be read, is no checkpoint, is of another run, or is damaged.
    """
    with opened(path, WHAT) as archive:
        head, objects, digest = _head(path, archive)
        _check_identity(path, head.identity, identity)
        arrays = archive.arrays(expected_of(start))
    try:
        arrays = unpacked(start, arrays)
        if digest != digest_of(objects, arrays):
            raise BadInputError("its digest is not that of its contents")
        state = _state(start, arrays, head.numbers)
        check(state)
        if head.trace and head.trace[-1].iterations > state.iterations:
            last = head.trace[-1].iterations
            raise BadInputError(f"its trace must end by iteration {state.iterations:,}, got {last:,}")
        return Position(state, head.trace, head.seconds)
    except ValueError as error:
        raise archive.damaged(str(error)) from error


def iterations_done(path: Path) -> int:
    """Return how many iterations a checkpoint has behind it, as its head says; 0 where there is no file.

    Raises
    ------
    ValueError
        If the file cannot be read or is no checkpoint.
    """
    if not path.exists():
        return 0
    with opened(path, WHAT) as archive:
        return int(_head(path, archive)[0].numbers.get("iterations", 0))


def _head(path: Path, archive: Archive) -> tuple[Head, dict[str, Any], object]:
    """Return the head of a checkpoint, the objects of JSON that describe it, and the digest beside them."""
    objects = dict(archive.head)
    _check_format(path, objects.pop("format", None))
    digest = objects.pop("digest", None)
    try:
        return Head.of(objects), objects, digest
    except ValueError as error:
        raise archive.damaged(str(error)) from error


def _state(start: S, arrays: Mapping[str, Any], numbers: Mapping[str, Any]) -> S:
    expected = {name for name, leaf in leaves_of("", start) if not isinstance(leaf, np.ndarray)}
    if numbers.keys() != expected:
        raise BadInputError(f"its numbers must be {', '.join(sorted(expected))}, got {shown([*numbers])}")
    state: S = rebuilt("", start, {**arrays, **numbers})
    return state


def _check_format(path: Path, found: object) -> None:
    if type(found) is not int:
        raise BadInputError(f"{path} is no {WHAT}")
    if found != FORMAT:
        raise BadInputError(f"{path} is a checkpoint of format {shown(found)}, got a program for {FORMAT}")


def _check_identity(path: Path, found: Identity, expected: Identity) -> None:
    for what, text in asdict(expected).items():
        recorded = getattr(found, what)
        if recorded != text and what == "payoffs":
            raise BadInputError(f"{path} is of another run: the game's rules or payoffs were others")
        if recorded != text:
            one, other = _differing(recorded, text)
            raise BadInputError(f"{path} is of another run: its {what} {one}, got {other}")


def _differing(recorded: str, expected: str) -> tuple[str, str]:
    """Return two descriptions; of long ones only the first entry that differs, such as storage='int16'."""
    if max(len(recorded), len(expected)) <= LONGEST_WHOLE:
        return _printable(recorded), _printable(expected)
    pairs = enumerate(zip(recorded, expected, strict=False))
    same = next((i for i, (one, other) in pairs if one != other), min(len(recorded), len(expected)))
    begin = max(recorded.rfind(mark, 0, same) for mark in " (") + 1
    one, other = (re.split("[,)]", text[begin:])[0] for text in (recorded, expected))
    return _printable(one), _printable(other)


def _printable(text: str) -> str:
    """Return a description that is printable and not too long."""
    return shortened(text if text.isprintable() else repr(text), LONGEST_WHOLE)
