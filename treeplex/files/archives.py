"""Arrays and a head of JSON in .npz files, all compared with what is expected before any is loaded.

Headers of arrays are read without evaluation.
"""

import json
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from treeplex.files.strategy_rows import distinct
from treeplex.files.writing import write_bytes
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import LONGEST_SHOWN, open_file, shortened, shown

MAGIC = b"\x93NUMPY\x01\x00"
LONGEST = 1 << 10
"""Most bytes of a header; numpy writes 128 for arrays of numbers."""
HEADER = re.compile(rb"\{'descr': (.{1,500}), 'fortran_order': False, 'shape': \(([\d, ]{0,200})\), \} *\n")
"""The header of an array as numpy writes it, in C order."""


@dataclass(frozen=True)
class ExpectedArray:
    """What an array must be.

    Attributes
    ----------
    dtypes : tuple of dtype
        The legal ones.
    shape : tuple of int
    grows : bool
        Whether the first dimension may also be larger.
    """

    dtypes: tuple[np.dtype[Any], ...]
    shape: tuple[int, ...]
    grows: bool = False

    def admits(self, shape: tuple[int, ...]) -> bool:
        """Return whether a shape is legal."""
        if not self.grows:
            return shape == self.shape
        return len(shape) == len(self.shape) and shape[1:] == self.shape[1:] and shape[0] >= self.shape[0]


@dataclass(frozen=True)
class Header:
    """What a member of a zip file says of its array.

    Attributes
    ----------
    begin : int
        Bytes before the first entry.
    dtype : str
        As numpy writes it, such as ``'<f8'`` with its quotes.
    shape : tuple of int
    """

    begin: int
    dtype: str
    shape: tuple[int, ...]

    @staticmethod
    def of(start: bytes) -> "Header":
        """Return the header that the first ``LONGEST`` bytes of a member hold.

        Raises
        ------
        ValueError
            If there is none as numpy writes it.
        """
        begin = len(MAGIC) + 2
        end = begin + int.from_bytes(start[len(MAGIC) : begin], "little")
        parts = HEADER.fullmatch(start[begin:end])
        if not start.startswith(MAGIC) or parts is None:
            raise BadInputError("must be an array as numpy writes it, in C order")
        shape = tuple(int(n) for n in re.findall(rb"\d+", parts[2]))
        return Header(end, parts[1].decode("latin1"), shape)

    def dtype_of(self, expected: ExpectedArray, n_bytes: int) -> np.dtype[Any]:
        """Return the array's dtype.

        Parameters
        ----------
        expected : ExpectedArray
        n_bytes : int
            Of the whole member.

        Raises
        ------
        ValueError
            If dtype or shape are not as expected, or would need another number of bytes.
        """
        by_text = {repr(np.lib.format.dtype_to_descr(dtype)): dtype for dtype in expected.dtypes}
        if self.dtype not in by_text:
            raise BadInputError(f"must have dtype {' or '.join(by_text)}, got {shown(self.dtype)}")
        if not expected.admits(self.shape):
            at_least = "at least " if expected.grows else ""
            raise BadInputError(
                f"must have shape {at_least}{expected.shape}, got {shortened(str(self.shape), LONGEST_SHOWN)}"
            )
        size = self.begin + prod(self.shape) * by_text[self.dtype].itemsize
        if n_bytes != size:
            raise BadInputError(f"must have {size:,} bytes, got {n_bytes:,}")
        return by_text[self.dtype]


HEAD, SUFFIX = "head", ".npy"
LONGEST_HEAD = 1 << 24
"""Most bytes of a head."""
CHUNK = 1 << 20
"""Bytes read at a time."""
END, END_BYTES = b"PK\x05\x06", 22
"""Mark and length of the record that ends a zip file."""
TEXT = ExpectedArray((np.dtype(np.uint8),), (0,), grows=True)
"""Of the head."""
BROKEN = (zipfile.BadZipFile, struct.error, ValueError, RuntimeError, OverflowError, EOFError)
"""What zipfile raises for files that are not as they should be."""


class Archive:
    """An open .npz file as :func:`treeplex.files.archives.write_arrays` writes it; :func:`opened` makes it.

    Attributes
    ----------
    head : dict
        The object that the head's JSON is.
    """

    def __init__(self, path: Path, what: str, file: IO[bytes]) -> None:
        self._path, self._what = path, what
        try:
            self._zip = zipfile.ZipFile(file)
        except BROKEN as error:
            raise self._other() from error
        self._check_end(file)
        self._members: dict[str, zipfile.ZipInfo] = {}
        length = file.seek(0, 2)
        for one in self._zip.infolist():
            self._add(one, length)
        self.head = self._read_head()

    def damaged(self, how: str) -> ValueError:
        """Return an error that says how the file is damaged."""
        return BadInputError(f"{self._path} is damaged: {how}")

    def arrays(self, expected: Mapping[str, ExpectedArray]) -> dict[str, NDArray[Any]]:
        """Return the arrays of the file by name.

        Parameters
        ----------
        expected : mapping from names to ExpectedArray
            All arrays beside the head.

        Raises
        ------
        ValueError
            If an array is missing, not expected, of another dtype or shape, or cannot be read.
        """
        names = self._members.keys() - {HEAD}
        if missing := sorted(expected.keys() - names):
            raise self.damaged(f"it has no array {missing[0]}")
        if more := sorted(names - expected.keys()):
            raise self.damaged(f"it must hold {len(expected)} arrays, got also {shown(more[0])}")
        described = {name: self._described(name, one) for name, one in expected.items()}
        return {name: self._array(name, *one) for name, one in described.items()}

    def all_arrays(self, dtypes: tuple[np.dtype[Any], ...]) -> dict[str, NDArray[Any]]:
        """Return all arrays, whatever their names and shapes; raises as :meth:`arrays`."""
        shapes = {}
        for name in self._members.keys() - {HEAD}:
            with self._opened(name) as member:
                start = member.read(LONGEST)
            try:
                shapes[name] = Header.of(start).shape
            except ValueError as error:
                raise self.damaged(f"{shown(name)} {error}") from error
        return self.arrays({name: ExpectedArray(dtypes, shape) for name, shape in shapes.items()})

    def _other(self) -> ValueError:
        return BadInputError(f"{self._path} is no {self._what}")

    def _check_end(self, file: IO[bytes]) -> None:
        file.seek(-END_BYTES, 2)
        if file.read(len(END)) != END:
            raise self.damaged("there is something behind its end")

    def _add(self, one: zipfile.ZipInfo, length: int) -> None:
        """Keep a member by the name of its array; it must be stored as it is, within the file, and once."""
        name = one.filename.removesuffix(SUFFIX)
        if name == one.filename or name in self._members:
            raise self.damaged(f"its members must be arrays, each once, got {shown(one.filename)}")
        if one.compress_type != zipfile.ZIP_STORED or one.flag_bits & 1:
            raise self.damaged(f"{shown(name)} must be neither compressed nor encrypted")
        if one.compress_size != one.file_size or not 0 <= one.header_offset <= length - one.file_size:
            raise self.damaged(f"{shown(name)} must lie within the file, got {one.file_size:,} bytes")
        self._members[name] = one

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        try:
            with self._zip.open(self._members[name]) as member:
                yield member
        except BROKEN as error:
            raise self.damaged(f"{shown(name)} cannot be read, or has another checksum") from error

    def _described(self, name: str, expected: ExpectedArray) -> tuple[Header, np.dtype[Any]]:
        """Return an array's header and dtype, compared with what is expected and with the member's size."""
        with self._opened(name) as member:
            start = member.read(LONGEST)
        try:
            header = Header.of(start)
            return header, header.dtype_of(expected, self._members[name].file_size)
        except ValueError as error:
            raise self.damaged(f"{shown(name)} {error}") from error

    def _array(self, name: str, header: Header, dtype: np.dtype[Any]) -> NDArray[Any]:
        try:
            array = np.empty(header.shape, dtype)
        except MemoryError as error:
            raise BadInputError(f"{self._path} does not fit into memory") from error
        room = array.reshape(-1).view(np.uint8).data
        with self._opened(name) as member:
            member.read(header.begin)
            while room:
                part = member.read(min(CHUNK, len(room)))
                if not part:
                    raise EOFError
                room[: len(part)], room = part, room[len(part) :]
        return array

    def _read_head(self) -> dict[str, Any]:
        if HEAD not in self._members:
            raise self._other()
        size = self._members[HEAD].file_size
        if size > LONGEST_HEAD:
            raise self.damaged(f"its head must have at most {LONGEST_HEAD:,} bytes, got {size:,}")
        text = self._array(HEAD, *self._described(HEAD, TEXT)).tobytes()
        try:
            head = json.loads(text.decode(), object_pairs_hook=distinct, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise self.damaged("its head is no JSON of distinct keys and finite numbers") from error
        if not isinstance(head, dict):
            raise self._other()
        return head


@contextmanager
def opened(path: Path, what: str) -> Iterator[Archive]:
    """Open an .npz file.

    Parameters
    ----------
    path : Path
    what : str
        What the file must be, such as ``checkpoint of a run``.

    Raises
    ------
    ValueError
        If the file cannot be read, is none of ``what``, or its members are not arrays stored as they are.
    """
    try:
        with open_file(path) as file:
            yield Archive(path, what, file)
    except OSError as error:
        raise BadInputError(f"cannot read {path}: {error.strerror or error}") from error


def _no_number(text: str) -> None:
    raise BadInputError(f"numbers must be finite, got {text}")


def write_arrays(path: str | Path, head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays and a head of JSON to an .npz file; raises what :func:`write_bytes` raises."""
    text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    write_bytes(path, lambda file: np.savez(file, head=text, **arrays))  # type: ignore[arg-type]
