"""Profiles from tables of rows; infosets without rows are refused or completed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from treeplex.core.result import COUNTS
from treeplex.files.strategy_rows import SUM_TOLERANCE, Flags, Moves, read_rows
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats

if TYPE_CHECKING:
    import pandas as pd

MISSING = ("error", "uniform")
"""Rules for infosets without rows: refused, or played uniformly."""


T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Completed(Generic[T_co]):
    """A strategy, and how much was added to what was given of it.

    Attributes
    ----------
    strategy : Profile or FactoredStrategy
    infosets : int
        How many infosets had no row, of both players together.
    actions : int
        How many actions had no row at infosets where those that had sum to one; they are never taken.
    """

    strategy: T_co
    infosets: int = 0
    actions: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of completed infosets and absent actions, as in the parameters of results."""
        return dict(zip(COUNTS, (self.infosets, self.actions), strict=True))


def complete_table(
    table: "pd.DataFrame",
    form: SequenceForm,
    missing: str = "error",
    *,
    rest: Profile | None = None,
    name: str = "the table",
) -> Completed[Profile]:
    """Read a profile of a form from columns player, infoset, action, probability; count what was completed.

    Rows come in any order, further columns are ignored, and ``player`` may be left out where no infoset of
    the table belongs to both players.

    Parameters
    ----------
    table : DataFrame
    form : SequenceForm
        A problem's ``whole``, which has the infosets of locked hands too.
    missing : {"error", "uniform"}
        With ``error`` every action of every infoset must have a row. With ``uniform`` infosets without any
        row play ``rest``, and an action without a row at an infoset that has some is never taken if the
        others sum to one within 5e-4, and refused if not.
    rest : Profile, optional
        What infosets without rows play with ``uniform``, such as what is locked there; every action equally
        often unless given.
    name : str
        What complaints call the table, such as a path.

    Raises
    ------
    ValueError
        If a column is missing, a row is for no player, infoset or action of the game, appears twice or is
        missing, or an infoset's probabilities are negative, not finite or do not sum to one within 5e-4.
    """
    check_missing(missing)
    moves = Moves(form.treeplexes)
    move_of_row, probability = read_rows(table, moves, name)
    behaviour = np.full(len(moves.actions), np.nan)
    behaviour[move_of_row] = probability
    n_given = np.bincount(moves.infoset_of[move_of_row], minlength=len(moves.sizes))
    empty, started = n_given == 0, (n_given > 0) & (n_given < moves.sizes)
    absent = np.isnan(behaviour) & started[moves.infoset_of]
    if missing == "error":
        _refuse_missing(np.isnan(behaviour), int(empty.sum()), moves, name)
    behaviour[absent] = 0.0
    _check_sums(behaviour, absent, moves, name)
    return Completed(complete_moves(behaviour, moves, rest), int(empty.sum()), int(absent.sum()))


def complete_moves(behaviour: Floats, moves: Moves, rest: Profile | None = None) -> Profile:
    """Return a profile from the probability of each move, which sum to one up to ``SUM_TOLERANCE``.

    Parameters
    ----------
    behaviour : (M,) f64
        NaN at the moves of infosets that are to be completed.
    moves : Moves
    rest : Profile, optional
        What is played there; every action equally often unless given.
    """
    normal = _normalised(behaviour, moves)
    filling = _uniform(moves) if rest is None else _side_by_side(rest)
    whole = np.where(np.isnan(normal), filling, normal)
    x, y = np.split(whole, [moves.treeplexes[0].n_sequences - 1])
    return Profile(moves.treeplexes, (np.concatenate(([1.0], x)), np.concatenate(([1.0], y))))


def check_missing(missing: str) -> None:
    """Refuse an unknown rule for infosets without rows."""
    if missing not in MISSING:
        raise BadInputError(f"missing must be {' or '.join(MISSING)}, got {missing!r}")


def check_unused(missing: str, instead: str) -> None:
    """Refuse a rule where there is no table that it could complete."""
    check_missing(missing)
    if missing != "error":
        raise BadInputError(f"missing is for strategies that are tables, got {missing} with {instead}")


class MissingRowsError(BadInputError):
    """Rows of a table are missing; the text says which, and what completes them.

    Attributes
    ----------
    plain : str
        The text without what completes them, for those who do not offer that.
    """

    def __init__(self, missing: str, counted: str, remedy: str) -> None:
        super().__init__(f"{missing} ({counted}{remedy})")
        self.plain = f"{missing} ({counted})"


def _refuse_missing(gone: Flags, n_empty: int, moves: Moves, name: str) -> None:
    if not gone.any():
        return
    counted = f"{int(gone.sum()):,} rows are" + (f"; {n_empty:,} infosets have none" if n_empty else "")
    remedy = ", and missing uniform completes those" if n_empty else ""
    raise MissingRowsError(f"{name}: {moves.move_text(int(np.argmax(gone)))} is missing", counted, remedy)


def _check_sums(behaviour: Floats, absent: Flags, moves: Moves, name: str) -> None:
    """Refuse infosets whose probabilities do not sum to one; NaN, where there are none, passes."""
    totals = _totals(behaviour, moves)
    off = np.abs(totals - 1.0) > SUM_TOLERANCE
    if not off.any():
        return
    infoset = int(np.argmax(off))
    own = np.flatnonzero(absent & (moves.infoset_of == infoset))
    if len(own):
        raise BadInputError(
            f"{name}: {moves.move_text(int(own[0]))} is missing, and what is there must sum to 1 within "
            f"{SUM_TOLERANCE} to do without it, got {totals[infoset]}"
        )
    raise BadInputError(
        f"{name}: {moves.owner(infoset)} probabilities at {moves.infosets[infoset]!r} must sum to 1 within "
        f"{SUM_TOLERANCE}, got {totals[infoset]}"
    )


def _normalised(behaviour: Floats, moves: Moves) -> Floats:
    """Return each infoset's probabilities divided by their sum.

    Sums that are one up to rounding are left alone, so that what was written is read back bit by bit:
    quotients by their sum are each off by (n + 1) / 2 units in the last place, and adding them up by n more.
    """
    totals = _totals(behaviour, moves)
    exact = np.abs(totals - 1.0) <= 2 * moves.sizes * np.finfo(np.float64).eps
    return behaviour / np.where(exact, 1.0, totals)[moves.infoset_of]


def _totals(behaviour: Floats, moves: Moves) -> Floats:
    return np.add.reduceat(behaviour, moves.begin) if len(moves.begin) else np.empty(0)


def _uniform(moves: Moves) -> Floats:
    return 1.0 / moves.sizes[moves.infoset_of]


def _side_by_side(profile: Profile) -> Floats:
    return np.concatenate([b[1:] for b in profile.behaviour])
