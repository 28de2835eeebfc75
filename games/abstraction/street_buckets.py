"""The buckets of one street."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.inputs.parameters import check_integer, check_kind, check_word

Buckets = NDArray[np.uint16] | NDArray[np.uint32]
LOSSLESS = "lossless"
"""The kind whose buckets are the deals up to suits themselves."""
KINDS = (LOSSLESS, "equity", "ehs2", "hist", "ochs", "emd", "weva")
"""How buckets were made."""
MOST_BUCKETS = 1 << 32
"""The most buckets of a street: tables are uint32."""


def bucket_dtype(count: int) -> np.dtype[Any]:
    """Return the dtype of tables of bucket numbers below ``count``: uint16, or uint32 above 65,536."""
    return np.dtype(np.uint16 if count <= 1 << 16 else np.uint32)


@dataclass(frozen=True, eq=False)
class StreetBuckets:
    """The buckets of one street.

    Attributes
    ----------
    kind : str
        One of ``KINDS``, how they were made.
    count : int
        How many there are.
    table : (deals,) uint16 or uint32, or None
        The bucket of each deal by its number up to suits; None where each is a bucket, which has its number.
    parent : (count,) uint16 or uint32, or None
        The bucket on the street before, of abstractions with perfect recall; None on the first street, where
        ``table`` is None, and with imperfect recall.

    Raises
    ------
    ValueError
        If the kind is none of these, an array has another dtype or dimension, or a bucket of the table is not
        below ``count``.
    """

    kind: str
    count: int
    table: Buckets | None
    parent: Buckets | None

    def __post_init__(self) -> None:
        check_word("the kind of buckets", self.kind, KINDS)
        check_integer("the number of buckets", self.count, 1, MOST_BUCKETS)
        if (self.kind == LOSSLESS) != (self.table is None):
            raise ValueError(f"buckets without a table must be {LOSSLESS} and no others, got {self.kind}")
        if self.table is not None:
            _check_array("a table of buckets", self.table)
            if len(self.table) and (largest := int(self.table.max())) >= self.count:
                raise ValueError(f"buckets must be below their number {self.count:,}, got {largest:,}")
        if self.parent is not None:
            _check_array("the parents of buckets", self.parent)
            if self.table is None or len(self.parent) != self.count:
                raise ValueError(f"{self.count:,} buckets of a table have a parent, got {len(self.parent):,}")

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays."""
        return sum(array.nbytes for array in (self.table, self.parent) if array is not None)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many deals up to suits each bucket has, (count,); of a table only."""
        if self.table is None:
            raise ValueError("lossless buckets have one deal up to suits each")
        return np.bincount(self.table, minlength=self.count)


def _check_array(what: str, array: object) -> None:
    check_kind(what, array, np.ndarray, "an array")
    assert isinstance(array, np.ndarray)
    if array.ndim != 1 or array.dtype not in (np.uint16, np.uint32):
        shape = f"{array.ndim} dimensions, {array.dtype}"
        raise ValueError(f"{what} must have one dimension, uint16 or uint32, got {shape}")
