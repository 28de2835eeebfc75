"""A player's infosets put into buckets, in each of which one behaviour is played.

In the sequence form of an abstract game infosets of a bucket are one infoset.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.certify.certificate import ExactPlan
from treeplex.seqform.forms.payoff import Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Index, Treeplex
from treeplex.seqform.reductions.removed_infosets import renumbered


@dataclass(frozen=True, repr=False)
class Partition(Shown):
    """A partition of a player's infosets into buckets; all infosets of a bucket have the same actions.

    Buckets are numbered in the order of their first infosets, and have their keys. Recall may be imperfect.

    Attributes
    ----------
    treeplex : Treeplex
        The player's own infosets.
    bucket : (I,) int64
        The bucket of each infoset.
    """

    treeplex: Treeplex
    bucket: Index

    def brief(self) -> str:
        """Return numbers of infosets and buckets."""
        return f"{self.treeplex.n_infosets:,} infosets in {self.n_buckets:,} buckets"

    @staticmethod
    def of(treeplex: Treeplex, labels: Sequence[Hashable]) -> "Partition":
        """Put infosets of equal labels into one bucket.

        Raises
        ------
        ValueError
            If there is not one label an infoset, or two infosets of a bucket have unlike actions, in
            their names or in their order.
        """
        if len(labels) != treeplex.n_infosets:
            raise BadInputError(
                f"a partition needs one label an infoset, got {len(labels)} for {treeplex.n_infosets}"
            )
        numbers: dict[Hashable, int] = {}
        bucket = np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)
        partition = Partition(treeplex, bucket)
        partition._check_actions()
        return partition

    @staticmethod
    def by(treeplex: Treeplex, label: Callable[[str], Hashable]) -> "Partition":
        """Put infosets into one bucket if a function of their keys returns the same; raises as :meth:`of`."""
        return Partition.of(treeplex, [label(key) for key in treeplex.infosets])

    @staticmethod
    def trivial(treeplex: Treeplex) -> "Partition":
        """Return the partition that abstracts nothing: a bucket an infoset."""
        return Partition(treeplex, np.arange(treeplex.n_infosets))

    @property
    def n_buckets(self) -> int:
        """Number of buckets B."""
        return int(self.bucket.max(initial=-1)) + 1

    @cached_property
    def first(self) -> Index:
        """The first infoset of each bucket, (B,)."""
        return np.asarray(np.unique(self.bucket, return_index=True)[1], dtype=np.int64)

    @cached_property
    def begin(self) -> Index:
        """The first sequence of each bucket, (B,): as in a treeplex of buckets."""
        sizes = self.treeplex.end[self.first] - self.treeplex.begin[self.first]
        return np.concatenate(([1], 1 + np.cumsum(sizes)[:-1]))[: len(sizes)]

    @cached_property
    def sequence(self) -> Index:
        """The bucket's sequence that each sequence of an infoset becomes, (S,); 0 for the empty one."""
        t, own = self.treeplex, self.treeplex.infoset_of[1:]
        action = np.arange(1, t.n_sequences) - t.begin[own]
        return np.concatenate(([0], self.begin[self.bucket[own]] + action))

    @cached_property
    def forgetful(self) -> tuple[int, int] | None:
        """The first infoset that follows another sequence of buckets than its bucket's first; None if none.

        The pair is that first infoset and the one that is found; None means perfect recall.
        """
        after = self.sequence[self.treeplex.parent]
        other = np.flatnonzero(after != after[self.first[self.bucket]])
        return (int(self.first[self.bucket[other[0]]]), int(other[0])) if len(other) else None

    @property
    def recalls(self) -> bool:
        """Whether recall is perfect."""
        return self.forgetful is None

    def refines(self, coarser: "Partition") -> bool:
        """Return whether each bucket lies in one bucket of another partition of the same infosets."""
        return bool(np.all(coarser.bucket == coarser.bucket[self.first[self.bucket]]))

    def lift(self, behaviour: Floats) -> Floats:
        """Return the behaviour (S,) of infosets in which each plays as its bucket does.

        Parameters
        ----------
        behaviour : f64
            By sequences of buckets, as :attr:`sequence` numbers them; the first entry is 1.
        """
        return behaviour[self.sequence]

    def merged(self) -> Treeplex:
        """Return the treeplex of buckets.

        Raises
        ------
        ValueError
            If recall is imperfect; the message names two infosets of one bucket and what each follows.
        """
        t = self.treeplex
        if self.forgetful is not None:
            raise BadInputError(self._forgotten(*self.forgetful))
        labels = ["", *(a for i in self.first.tolist() for a in t.actions[t.begin[i] : t.end[i]])]
        return Treeplex(
            self.begin,
            self.begin + (t.end - t.begin)[self.first],
            self.sequence[t.parent[self.first]],
            tuple(t.infosets[i] for i in self.first),
            tuple(labels),
        )

    def recalling(self) -> "Partition":
        """Return the coarsest partition of perfect recall whose buckets lie in buckets of this one.

        Infosets stay together if they also follow one sequence of buckets. What refines this partition has
        a recalling one that refines this one's.
        """
        t, sizes = self.treeplex, self.treeplex.end - self.treeplex.begin
        widest, after = int(sizes.max(initial=0)), np.zeros(t.n_sequences, dtype=np.int64)
        numbers: dict[tuple[int, int], int] = {}
        bucket = np.zeros(t.n_infosets, dtype=np.int64)
        for i, known in enumerate(zip(self.bucket.tolist(), t.parent.tolist(), strict=True)):
            line = known[0], int(after[known[1]])
            bucket[i] = numbers.setdefault(line, len(numbers))
            after[t.begin[i] : t.end[i]] = 1 + widest * bucket[i] + np.arange(sizes[i])
        return Partition(t, bucket)

    def _check_actions(self) -> None:
        t = self.treeplex
        for i, b in enumerate(self.bucket.tolist()):
            j = self.first[b]
            one, other = t.actions[t.begin[j] : t.end[j]], t.actions[t.begin[i] : t.end[i]]
            if one != other:
                raise BadInputError(
                    f"infosets of a bucket must have the same actions: {t.infosets[j]!r} has {one}, "
                    f"{t.infosets[i]!r} has {other}"
                )

    def _forgotten(self, one: int, other: int) -> str:
        t = self.treeplex
        follows = [self._after(int(t.parent[i])) for i in (one, other)]
        return (
            f"the partition has imperfect recall: {t.infosets[one]!r} and {t.infosets[other]!r} are one "
            f"bucket, but the first follows {follows[0]} and the second {follows[1]}"
        )

    def _after(self, sequence: int) -> str:
        t = self.treeplex
        if sequence == 0:
            return "no action of its own"
        bucket = self.first[self.bucket[t.infoset_of[sequence]]]
        return f"{t.actions[sequence]!r} in the bucket of {t.infosets[bucket]!r}"


@dataclass(frozen=True, repr=False)
class MergedForm(Shown):
    """A game and its abstract game, in which a player knows the bucket of an infoset alone.

    Plans of the abstract game are those plans of the game that play alike in all infosets of a bucket, and
    pay the same.

    Attributes
    ----------
    whole, form : SequenceForm
        The game, and the abstract one.
    partitions : pair of Partition
        Of perfect recall.
    """

    whole: SequenceForm
    form: SequenceForm
    partitions: tuple[Partition, Partition]

    def brief(self) -> str:
        """Return the abstract game."""
        return self.form.brief()

    def lift(self, profile: Profile) -> Profile:
        """Return a profile of the abstract game as one of the game: infosets play as their buckets do."""
        first, second = (
            own.lift(behaviour) for own, behaviour in zip(self.partitions, profile.behaviour, strict=True)
        )
        return Profile(self.whole.treeplexes, (first, second))

    def lift_plan(self, player: int, plan: Floats) -> Floats:
        """Return a player's plan of the abstract game as a plan of the game, (S,)."""
        return plan[self.partitions[player].sequence]

    def lift_exactly(self, player: int, plan: ExactPlan) -> ExactPlan:
        """Return :meth:`lift_plan` of an exact plan."""
        return ExactPlan(plan.num[self.partitions[player].sequence], plan.den)


def merged_form(form: SequenceForm, partitions: tuple[Partition, Partition]) -> MergedForm:
    """Return the abstract game of two partitions; an unabstracted player's is ``Partition.trivial``.

    With perfect recall the plan of a bucket's sequence is that of every infoset's sequence which becomes it,
    so that the abstract payoff is the sum ``A'[s, t]`` of all ``A[s0, t0]`` of sequences that become s and t.

    Raises
    ------
    ValueError
        If a partition is of other infosets, or its recall is imperfect; the message names the infosets.
    """
    for player, (own, partition) in enumerate(zip(form.treeplexes, partitions, strict=True)):
        if partition.treeplex.infosets != own.infosets or partition.treeplex.actions != own.actions:
            raise BadInputError(f"player {player}'s partition is of other infosets than the game's")
    treeplexes = tuple(partition.merged() for partition in partitions)
    first, second = (partition.sequence for partition in partitions)
    payoff, chain = form.payoff, np.arange(len(form.payoff.link))
    merged = Payoff(
        renumbered(payoff.base, first, second),
        renumbered(payoff.left, first, chain),
        payoff.link,
        renumbered(payoff.right, second, chain),
    )
    abstract = replace(form, treeplexes=(treeplexes[0], treeplexes[1]), payoff=merged)
    return MergedForm(form, abstract, partitions)
