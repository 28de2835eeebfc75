"""Finished streets kept beside an output, so that a run that was ended goes on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treeplex.games.abstraction.street_buckets import StreetBuckets
from treeplex.games.inputs.digests import digest_of
from treeplex.games.inputs.reading import complaint
from treeplex.store.archives import opened
from treeplex.store.array_headers import Expected
from treeplex.store.files import write_arrays

WHAT = "street of a card abstraction that treeplex kept"
FORMAT = "treeplex street 1"
DTYPES = np.dtype(np.uint16), np.dtype(np.uint32)


@dataclass(frozen=True)
class KeptStreet:
    """One street's file, named after the output and a digest of all that decides its buckets.

    Attributes
    ----------
    out : Path
        The output.
    name : str
        The street's.
    settings : dict
        What decides its buckets, as JSON has it; streets of other settings have other files.
    """

    out: Path
    name: str
    settings: dict[str, Any]

    @property
    def path(self) -> Path:
        """Where the street is kept, beside the output."""
        return self.out.with_name(f"{self.out.stem}.{self.name}-{digest_of(self.settings, {})[:12]}.npz")

    def read(self) -> StreetBuckets | None:
        """Return the street; None unless it is kept.

        Raises
        ------
        ValueError
            If the file cannot be read or is damaged.
        """
        if not self.path.exists():
            return None
        with opened(self.path, WHAT) as archive:
            head = dict(archive.head)
            digest, nested = head.pop("digest", None), head.get("nested") is True
            names = ("table", "parent") if nested else ("table",)
            if head.get("format") != FORMAT:
                raise ValueError(f"{self.path} is no {WHAT}")
            arrays = archive.arrays({name: Expected(DTYPES, (0,), grows=True) for name in names})
            if digest != digest_of(head, arrays) or head.get("settings") != self.settings:
                raise archive.damaged(
                    "its digest is not that of its contents; without it the street is made anew"
                )
            try:
                return StreetBuckets(head["kind"], head["count"], arrays["table"], arrays.get("parent"))
            except (KeyError, ValueError) as error:
                raise archive.damaged(complaint(str(error))) from error

    def write(self, street: StreetBuckets) -> None:
        """Keep a street; raises ``ValueError`` if it cannot be written."""
        arrays = {"table": street.table, "parent": street.parent}
        there = {name: array for name, array in arrays.items() if array is not None}
        head = {
            "format": FORMAT,
            "settings": self.settings,
            "kind": street.kind,
            "count": street.count,
            "nested": street.parent is not None,
        }
        write_arrays(self.path, {"digest": digest_of(head, there), **head}, there)

    def remove(self) -> None:
        """Remove the file, if it is there."""
        self.path.unlink(missing_ok=True)
