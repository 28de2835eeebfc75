"""The reduced sequence form of linear programs: hands merged, forced moves removed, similar rows factored.

What results say of a program: its size, and the hands that were merged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from treeplex.games.base.display import Shown
from treeplex.games.base.number_texts import Units
from treeplex.seqform.certify.certificate import ExactPlan
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index
from treeplex.seqform.reductions.hand_classes import MergedTree
from treeplex.seqform.reductions.removed_infosets import Locked, Unforced, locked_form, without_forced_moves
from treeplex.seqform.reductions.sparsification import sparsified
from treeplex.seqform.trees.public_tree import PublicTree


@dataclass(frozen=True, repr=False)
class LPSize(Shown):
    """The size of the linear program that a solver was given: the last of several, player 0's if solved."""

    n_rows: int
    n_cols: int
    nnz: int

    def brief(self) -> str:
        """Return rows, columns and nonzeros."""
        return f"{self.n_rows:,} rows, {self.n_cols:,} columns, {self.nnz:,} nonzeros"

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        yield "LP", self.brief()

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it."""
        return {"lp": {"rows": self.n_rows, "cols": self.n_cols, "nnz": self.nnz}}


@dataclass(frozen=True)
class MergedHands:
    """How many hands were merged into how many, of each player.

    Attributes
    ----------
    hands, classes : pair of int
    """

    hands: tuple[int, int]
    classes: tuple[int, int]

    def __str__(self) -> str:
        before, after = (
            " and ".join(f"{n:,}" for n in dict.fromkeys(pair)) for pair in (self.hands, self.classes)
        )
        return f"{before} hands a side, {after} classes that the game cannot tell apart"

    def rows(self, units: Units) -> Iterator[tuple[str, str]]:
        """Yield names and values as results show them."""
        yield "hands", str(self)

    def as_json(self) -> dict[str, Any]:
        """Return nothing: ``--json`` prints nothing of it."""
        return {}


@dataclass(frozen=True, repr=False)
class SmallForm(Shown):
    """A smaller sequence form of the same value, and the way back from its plans to the whole form's.

    Attributes
    ----------
    played : SequenceForm
        The form that is made smaller.
    tree : PublicTree or None
        Of a poker game.
    merged : MergedTree or None
        The public tree with indistinguishable hands merged; None where that changes nothing.
    locked : Locked or None
        What ``played`` was made from where hands are locked.
    """

    played: SequenceForm
    tree: PublicTree | None
    merged: MergedTree | None
    locked: Locked | None

    def brief(self) -> str:
        """Return the form that is made smaller."""
        return self.played.brief()

    @property
    def merged_hands(self) -> MergedHands | None:
        """How many hands were merged into how many; None where that changes nothing."""
        if self.merged is None or self.tree is None:
            return None
        (h0, h1), (c0, c1) = (map(len, tree.hands) for tree in (self.tree, self.merged.tree))
        return MergedHands((h0, h1), (c0, c1))

    @cached_property
    def form(self) -> SequenceForm:
        """The smaller form."""
        return sparsified(self._unforced.form)

    @property
    def whole(self) -> SequenceForm:
        """The form of the merged hands, or ``played``; forced moves are still in it."""
        return self._unforced.whole

    def shortened(self, profile: Profile) -> Profile:
        """Return a profile of ``whole`` as one of ``form``."""
        return self._unforced.restrict(profile)

    def lift(self, profile: Profile) -> Profile:
        """Return a profile of ``form`` as one of ``played``: all hands of a class play alike."""
        whole = self._unforced.lift(profile)
        x, y = (b[s] for b, s in zip(whole.behaviour, self._sequences, strict=True))
        return Profile(self.played.treeplexes, (x, y))

    def lift_exactly(self, plans: tuple[ExactPlan, ExactPlan]) -> tuple[ExactPlan, ExactPlan]:
        """Return exact plans of ``form`` as plans of ``played``."""
        x, y = (
            ExactPlan(p.num[to[s]], p.den)
            for p, to, s in zip(plans, self._unforced.sequence, self._sequences, strict=True)
        )
        return x, y

    @cached_property
    def _merged_form(self) -> Locked | None:
        return None if self.merged is None else locked_form(self.merged.tree)

    @cached_property
    def _unforced(self) -> Unforced:
        return without_forced_moves(self.played if self._merged_form is None else self._merged_form.form)

    @cached_property
    def _sequences(self) -> tuple[Index, Index]:
        """The merged form's sequence for each of ``played``."""
        if self._merged_form is None or self.merged is None or self.tree is None:
            n0, n1 = (t.n_sequences for t in self.played.treeplexes)
            return np.arange(n0), np.arange(n1)
        classes = self.merged.sequences(self.tree, 0), self.merged.sequences(self.tree, 1)
        if self.locked is None:
            return classes
        first, second = (
            to[of_class[kept]]
            for to, of_class, kept in zip(self._merged_form.sequence, classes, self.locked.free, strict=True)
        )
        return first, second
