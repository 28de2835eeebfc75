"""Removal of infosets with a single action, and of those at which behaviour is locked."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.trees.public_tree import PublicTree
from treeplex.seqform.trees.tree_arrays import Ints


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


TOLERANCE = 5e-4
"""The largest deviation of a strategy from a lock: files may have few digits."""


@dataclass(frozen=True)
class Locked:
    """A game with locked hands, with and without their infosets.

    At a locked infoset I the plan is ``x[I, a] = share[I, a] x[parent of I]``, so that each sequence of the
    whole form is a constant times one of ``form``; the payoff of ``form`` contains the constants.

    Attributes
    ----------
    whole : SequenceForm
        The form with all infosets, as if none was locked.
    form : SequenceForm
        The form without the infosets of locked hands.
    share : pair of (S,) float64
        The locked probability of each sequence of ``whole``; NaN if it is free.
    sequence : pair of (S,) int64
        For each sequence of ``whole``, the one of ``form`` of which it is a multiple.
    """

    whole: SequenceForm
    form: SequenceForm
    share: tuple[Floats, Floats]
    sequence: tuple[Index, Index]

    @property
    def free(self) -> tuple[Index, Index]:
        """The sequence of ``whole`` for each of ``form``'s."""
        first, second = (np.flatnonzero(np.isnan(share)) for share in self.share)
        return first, second

    def lift(self, profile: Profile) -> Profile:
        """Return a profile of ``form`` as one of the whole form; locked hands play what is locked."""
        x, y = (
            np.where(np.isnan(share), b[to], share)
            for share, to, b in zip(self.share, self.sequence, profile.behaviour, strict=True)
        )
        return Profile(self.whole.treeplexes, (x, y))

    def restrict(self, profile: Profile) -> Profile:
        """Return a profile of the whole form as one of ``form``.

        Raises
        ------
        ValueError
            If a probability deviates from a lock by more than ``TOLERANCE``.
        """
        for p, (treeplex, share, b) in enumerate(
            zip(self.whole.treeplexes, self.share, profile.behaviour, strict=True)
        ):
            wrong = np.flatnonzero(np.abs(b - share) > TOLERANCE)
            if len(wrong):
                s = wrong[0]
                key = treeplex.infosets[treeplex.infoset_of[s]]
                raise BadInputError(
                    f"player {p} is locked at {key!r}: the probability of {treeplex.actions[s]!r} must be "
                    f"{share[s]:.6g}, got {b[s]:.6g}"
                )
        x, y = (b[free] for b, free in zip(profile.behaviour, self.free, strict=True))
        return Profile(self.form.treeplexes, (x, y))


def locked_form(tree: PublicTree, whole: SequenceForm | None = None) -> Locked:
    """Return the sequence form of a public tree without the infosets of its locked hands.

    Parameters
    ----------
    tree : PublicTree
    whole : SequenceForm, optional
        Its form with all infosets, if known.
    """
    whole = sequence_form(tree) if whole is None else whole
    if not tree.locks:
        nothing = [np.full(t.n_sequences, np.nan) for t in whole.treeplexes]
        return Locked(
            whole, whole, (nothing[0], nothing[1]), (np.arange(len(nothing[0])), np.arange(len(nothing[1])))
        )
    first, second = (_Half(tree, p, t) for p, t in enumerate(whole.treeplexes))
    payoff, chain = whole.payoff, np.arange(len(whole.payoff.link))
    ones = np.ones(len(chain), dtype=object)
    smaller = Payoff(
        renumbered(_scaled(payoff.base, first, second.weight, second.den), first.to, second.to),
        renumbered(_scaled(payoff.left, first, ones, 1), first.to, chain),
        payoff.link,
        renumbered(_scaled(payoff.right, second, ones, 1), second.to, chain),
    )
    form = replace(whole, treeplexes=(first.treeplex, second.treeplex), payoff=smaller)
    return Locked(whole, form, (first.share, second.share), (first.to, second.to))


class _Half:
    """A player's treeplex without locked infosets.

    Attributes
    ----------
    treeplex : Treeplex
    to : (S,) int64
        The image of each sequence.
    share : (S,) float64
        Its locked probability, NaN if free.
    weight : (S,) exact integers, in units of 1 / den
        The product of locked probabilities on the path to each sequence, itself included.
    den : int
    """

    def __init__(self, tree: PublicTree, player: int, whole: Treeplex) -> None:
        locked = _shares(tree, player)
        self.share = np.full(whole.n_sequences, np.nan)
        gone = np.zeros(whole.n_infosets + 1, dtype=np.bool_)
        for s, share in locked.items():
            self.share[s] = float(share)
            gone[whole.infoset_of[s]] = True
        self.treeplex, self.to = contracted(whole, gone)
        product: list[Fraction | int] = [1] * whole.n_sequences
        for s, parent in enumerate(whole.parent_of.tolist()):
            if parent >= 0:
                product[s] = product[parent] * locked[s] if s in locked else product[parent]
        self.den = lcm(*{one.denominator for one in product})
        self.weight: Ints = np.array([int(one * self.den) for one in product], dtype=object)


def _shares(tree: PublicTree, player: int) -> dict[int, Fraction]:
    """Return the locked probability of each locked sequence, numbered as by ``Numbering.of``."""
    shares: dict[int, Fraction] = {}
    at = 1
    for node in tree.nodes_of(player).tolist():
        live, actions = np.flatnonzero(tree.deals[tree.deal[node]].alive[player]), tree.actions(node)
        plays = tree.locks.get(node, {})
        for hand in live.tolist():
            play = plays.get(tree.hands[player][hand])
            if play is not None:
                shares |= {at + a: Fraction(play.get(label, 0)) for a, label in enumerate(actions)}
            at += len(actions)
    return shares


def _scaled(matrix: ExactMatrix, rows: _Half, cols: Ints, cols_den: int) -> ExactMatrix:
    """Return a matrix times the weights of its rows and columns."""
    num = matrix.num.astype(object) * rows.weight[matrix.rows] * cols[matrix.cols]
    return ExactMatrix(matrix.rows, matrix.cols, num, matrix.den * rows.den * cols_den, matrix.shape)
