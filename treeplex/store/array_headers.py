"""Headers of arrays in .npz files, read without evaluation and compared with what is expected."""

import re
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from treeplex.games.inputs.reading import LONGEST_SHOWN, shortened, shown

MAGIC = b"\x93NUMPY\x01\x00"
LONGEST = 1 << 10
"""Most bytes of a header; numpy writes 128 for arrays of numbers."""
HEADER = re.compile(rb"\{'descr': (.{1,500}), 'fortran_order': False, 'shape': \(([\d, ]{0,200})\), \} *\n")
"""The header of an array as numpy writes it, in C order."""


@dataclass(frozen=True)
class Expected:
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
            raise ValueError("must be an array as numpy writes it, in C order")
        shape = tuple(int(n) for n in re.findall(rb"\d+", parts[2]))
        return Header(end, parts[1].decode("latin1"), shape)

    def dtype_of(self, expected: Expected, n_bytes: int) -> np.dtype[Any]:
        """Return the array's dtype.

        Parameters
        ----------
        expected : Expected
        n_bytes : int
            Of the whole member.

        Raises
        ------
        ValueError
            If dtype or shape are not as expected, or would need another number of bytes.
        """
        by_text = {repr(np.lib.format.dtype_to_descr(dtype)): dtype for dtype in expected.dtypes}
        if self.dtype not in by_text:
            raise ValueError(f"must have dtype {' or '.join(by_text)}, got {shown(self.dtype)}")
        if not expected.admits(self.shape):
            at_least = "at least " if expected.grows else ""
            raise ValueError(
                f"must have shape {at_least}{expected.shape}, got {shortened(str(self.shape), LONGEST_SHOWN)}"
            )
        size = self.begin + prod(self.shape) * by_text[self.dtype].itemsize
        if n_bytes != size:
            raise ValueError(f"must have {size:,} bytes, got {n_bytes:,}")
        return by_text[self.dtype]
