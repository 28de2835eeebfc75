"""Kept runs: a folder in which a run keeps arrays by name, and from which it goes on or is judged again."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.files.archives import ExpectedArray, opened, write_arrays
from treeplex.files.writing import write_text
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.packed_arrays import digest_of
from treeplex.games.base.reading import LONGEST_SHOWN, read_text, shortened

IDENTITY = "run.json"
"""The file that says which run a folder holds."""
DTYPES = tuple(np.dtype(kind) for kind in (np.float64, np.float32, np.int64, np.uint16, np.bool_))
"""Of the arrays that are kept."""


@dataclass(frozen=True)
class Kept:
    """A folder with one file for each part of a run, written whole or not at all.

    Attributes
    ----------
    folder : Path
    run : str
        A digest of what makes the run this one, which every file carries.
    """

    folder: Path
    run: str

    @staticmethod
    def open(folder: Path, identity: Mapping[str, Any]) -> "Kept":
        """Return the folder of a run, made if it is new.

        Parameters
        ----------
        folder : Path
        identity : mapping
            What makes the run this one, as JSON has it.

        Raises
        ------
        ValueError
            If the folder holds another run, or cannot be read or written.
        """
        path = folder / IDENTITY
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInputError(f"cannot make the folder {folder}: {error.strerror}") from error
        try:
            known = dict(json.loads(read_text(path))) if path.exists() else None
        except (OSError, TypeError, ValueError, RecursionError) as error:
            raise BadInputError(f"{path} must say what run {folder} holds: {error}") from error
        if known is None:
            write_text(path, lambda file: file.write(json.dumps(identity)))
        elif known != identity:
            other = next(key for key in {**identity, **known} if known.get(key) != identity.get(key))
            got = f"its {other} is {known.get(other)!r}, not {identity.get(other)!r}"
            raise BadInputError(f"{folder} holds another run: {got}")
        return Kept(folder, digest_of(identity, {}))

    def path(self, name: str) -> Path:
        """Return the file of a part."""
        return self.folder / f"{name}.npz"

    def get(
        self, name: str, expected: Mapping[str, ExpectedArray] | None = None, needed: Collection[str] = ()
    ) -> dict[str, NDArray[Any]] | None:
        """Return the arrays of a part; None unless it is kept.

        Parameters
        ----------
        name : str
        expected : mapping from names to ExpectedArray, optional
            Dtypes and shapes; any arrays of finite numbers unless given.
        needed : collection of str
            Arrays that must be there where none are expected.

        Raises
        ------
        ValueError
            If the file is damaged, or of another run or part.
        """
        path = self.path(name)
        if not path.exists():
            return None
        with opened(path, "part of a kept run") as archive:
            if archive.head != self._head(name):
                got = shortened(str(archive.head), LONGEST_SHOWN)
                raise BadInputError(f"{path} must be {name} of this run, got {got}")
            arrays = archive.all_arrays(DTYPES) if expected is None else archive.arrays(expected)
            if missing := sorted(set(needed) - arrays.keys()):
                raise archive.damaged(f"it has no array {missing[0]}")
            for what, array in arrays.items():
                if array.dtype.kind == "f" and not np.isfinite(array).all():
                    raise archive.damaged(f"its {what} must be finite")
        return arrays

    def put(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep the arrays of a part."""
        write_arrays(self.path(name), self._head(name), arrays)

    def _head(self, name: str) -> dict[str, Any]:
        return {"run": self.run, "part": name}
