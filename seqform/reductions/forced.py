"""Removal of infosets with a single action."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Index, Treeplex


@dataclass(frozen=True)
class Unforced:
    """A game with and without its forced moves.

    Attributes
    ----------
    whole, form : SequenceForm
    sequence : pair of (S,) int64
        For each of the whole game's sequences, the one without its forced moves.
    """

    whole: SequenceForm
    form: SequenceForm
    sequence: tuple[Index, Index]

    def restrict(self, profile: Profile) -> Profile:
        """Return a profile of the whole game as one of ``form``."""
        behaviour = [
            np.append(1.0, b[1:][~_forced(t)[t.infoset_of[1:]]])
            for t, b in zip(self.whole.treeplexes, profile.behaviour, strict=True)
        ]
        return Profile(self.form.treeplexes, (behaviour[0], behaviour[1]))

    def lift(self, profile: Profile) -> Profile:
        """Return a profile of ``form`` as one of the whole game; forced moves have probability 1."""
        behaviour = [
            np.where(_forced(t)[t.infoset_of], 1.0, b[s])
            for t, b, s in zip(self.whole.treeplexes, profile.behaviour, self.sequence, strict=True)
        ]
        return Profile(self.whole.treeplexes, (behaviour[0], behaviour[1]))


def without_forced_moves(form: SequenceForm) -> Unforced:
    """Return a game without its infosets of one action; their sequences become the parent sequences.

    Plans of both games correspond one to one, with equal payoffs.
    """
    (first, to_first), (second, to_second) = (contracted(t, _forced(t)) for t in form.treeplexes)
    if not any(_forced(t)[:-1].any() for t in form.treeplexes):
        return Unforced(form, form, (to_first, to_second))
    payoff = form.payoff
    smaller = Payoff(
        renumbered(payoff.base, to_first, to_second),
        renumbered(payoff.left, to_first, np.arange(len(payoff.link))),
        payoff.link,
        renumbered(payoff.right, to_second, np.arange(len(payoff.link))),
    )
    small = replace(form, treeplexes=(first, second), payoff=smaller)
    return Unforced(form, small, (to_first, to_second))


def _forced(treeplex: Treeplex) -> NDArray[np.bool_]:
    """Return whether each infoset has one action, (I + 1,); the last entry, False, is for index -1."""
    return np.append(treeplex.end - treeplex.begin == 1, False)


def contracted(treeplex: Treeplex, removed: NDArray[np.bool_]) -> tuple[Treeplex, Index]:
    """Return a treeplex without the removed infosets, (I + 1,) flags, and the image of each sequence, (S,).

    The image of a removed infoset's sequences is that of its parent sequence. The last flag is False.
    """
    kept = ~removed[treeplex.infoset_of]
    to = np.cumsum(kept) - 1
    for i in np.flatnonzero(removed).tolist():
        to[treeplex.begin[i] : treeplex.end[i]] = to[treeplex.parent[i]]
    stays = ~removed[:-1]
    smaller = Treeplex(
        to[treeplex.begin[stays]],
        to[treeplex.end[stays] - 1] + 1,
        to[treeplex.parent[stays]],
        tuple(key for key, chosen in zip(treeplex.infosets, stays, strict=True) if chosen),
        tuple(label for label, chosen in zip(treeplex.actions, kept, strict=True) if chosen),
    )
    return smaller, to


def renumbered(matrix: ExactMatrix, rows: Index, cols: Index) -> ExactMatrix:
    """Return a matrix with renumbered rows and columns; entries at the same place are added."""
    shape = int(rows.max(initial=-1)) + 1, int(cols.max(initial=-1)) + 1
    return ExactMatrix.of(rows[matrix.rows], cols[matrix.cols], matrix.num, matrix.den, shape)
