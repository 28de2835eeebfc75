"""A sequence form as arrays in an .npz file that numpy reads alone."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from treeplex.files.archives import write_arrays
from treeplex.games.base.reading import digits
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.programs.sequence_program import plain_program

VERSION = 1
"""Of the layout of the file."""


def write_form(form: SequenceForm, path: str | Path) -> None:
    """Write a sequence form as .npz; ``numpy.load(path)`` reads it, nothing is pickled.

    ``head`` is JSON in bytes: ``game``, ``unit``, ``version`` of this layout, and ``denominators`` of the
    matrices below as decimal strings. With p for 0 and 1, S sequences, I infosets and K running sums:

    - ``p_infosets`` (I,) str, the key of each infoset; ``p_begin``, ``p_end`` (I,), its first sequence and
      one past its last; ``p_parent`` (I,), the player's last sequence before it. Sequence 0 is empty.
    - ``p_actions`` (S,) str, the last action of each sequence, and ``p_infoset_of`` (S,), its infoset; -1 for
      the empty one.
    - ``E`` (1 + I0, S0), ``e`` (1 + I0,), ``F`` (1 + I1, S1) and ``f`` (1 + I1,): plans are E x = e, x >= 0
      and F y = f, y >= 0.
    - ``base`` (S0, S1), ``left`` (S0, K), ``right`` (S1, K) and ``link`` (K,) bool: player 0's payoff is
      x' base y + (left' x)' s with the running sums s[k] = (right' y)[k] + (s[k - 1] where link[k]). Most
      games have K = 0, and ``base`` is the payoff matrix A.

    Each matrix M is in compressed rows: ``M_data``, ``M_indices``, ``M_indptr`` and ``M_shape``, as
    ``scipy.sparse.csr_array((data, indices, indptr), shape)`` takes them. ``base``, ``left`` and ``right``
    have ``M_num`` besides, exact numerators over the denominator in the head, in the order of ``M_data``:
    int64, or decimal strings where one does not fit.

    Raises
    ------
    ValueError
        If the file cannot be written.
    """
    payoff = form.payoff
    exact = {"base": payoff.base, "left": payoff.left, "right": payoff.right}
    arrays: dict[str, NDArray[Any]] = {"link": payoff.link}
    for p, treeplex in enumerate(form.treeplexes):
        arrays[f"{p}_infosets"] = np.array(treeplex.infosets, dtype=np.str_)
        arrays[f"{p}_actions"] = np.array(treeplex.actions, dtype=np.str_)
        for what in ("begin", "end", "parent", "infoset_of"):
            arrays[f"{p}_{what}"] = getattr(treeplex, what)
    for name, right_side, matrix in (("E", "e", _flow(form, 0)), ("F", "f", _flow(form, 1))):
        arrays |= _compressed(name, matrix)
        arrays[right_side] = np.eye(1, matrix.shape[0]).ravel()
    for name, entries in exact.items():
        arrays |= _compressed(name, entries.csr)
        arrays[f"{name}_num"] = _numerators(entries)
    head = {
        "game": form.name,
        "unit": form.unit,
        "version": VERSION,
        "denominators": {name: digits(entries.den) for name, entries in exact.items()},
    }
    write_arrays(path, head, arrays)


def _flow(form: SequenceForm, player: int) -> csr_array:
    """Return E or F: the first rows and columns of the player's program."""
    program = plain_program(form, player)
    rows = 1 + form.treeplexes[player].n_infosets
    return csr_array(program.program.matrix[:rows, : program.n_own])


def _compressed(name: str, matrix: csr_array) -> dict[str, NDArray[Any]]:
    return {
        f"{name}_data": matrix.data,
        f"{name}_indices": matrix.indices,
        f"{name}_indptr": matrix.indptr,
        f"{name}_shape": np.array(matrix.shape, dtype=np.int64),
    }


def _numerators(matrix: ExactMatrix) -> NDArray[Any]:
    limits = np.iinfo(np.int64)
    if all(limits.min <= int(a) <= limits.max for a in matrix.num):
        return matrix.num.astype(np.int64)
    return np.array([digits(int(a)) for a in matrix.num], dtype=np.str_)
