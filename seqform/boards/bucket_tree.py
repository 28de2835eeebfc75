"""The bucket of every live hand on every board of a factored tree, and strategies by bucket.

The layout of tables by bucket, and the same strategies hand by hand on boards.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.bucket_labels import (
    Labels,
    check_closed,
    checked_labels,
    counts_of,
    entries_above,
    labels_by,
    multiplicity,
    numbered_by_board,
)
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.forms.profile import Row
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True, repr=False)
class BucketTree(Shown):
    """A factored tree whose hands are in buckets: hands of one bucket play alike at all nodes of a street.

    A player's table is one flat array, street by street. The part of a street has shape (rows, buckets), a
    row for each action of each of the player's nodes, as ``FactoredTree.slot`` numbers them. The table of a
    player without buckets is laid out as ``FactoredTree`` says.

    Attributes
    ----------
    tree : FactoredTree
        No hands locked.
    label : pair of (.,) uint32 or None
        The bucket of each live hand of each board, in the order of ``Hands.hand``; buckets of each street are
        numbered from 0. None for a player whose hands are in no buckets.
    count : pair of (S,) int64
        The number of buckets of each street; 0 for a player without.
    abstraction : CardAbstraction or None
        What the labels come from; None if they were given as arrays.
    """

    tree: FactoredTree
    label: tuple[Labels | None, Labels | None]
    count: tuple[Index, Index]
    abstraction: CardAbstraction | None = None

    @staticmethod
    def of(
        tree: FactoredTree,
        labels: tuple[NDArray[np.integer] | None, NDArray[np.integer] | None],
        counts: tuple[Sequence[int], Sequence[int]] | None = None,
        report: Report = quiet,
    ) -> "BucketTree":
        """Return the buckets that labels of hands make.

        Parameters
        ----------
        tree : FactoredTree
        labels : pair of (.,) integers or None
            As in the class.
        counts : pair of sequences of int, optional
            The number of buckets of each street; one more than the largest label unless given.
        report : callable, optional
            Told a few times a second how many boards are done.

        Raises
        ------
        ValueError
            If hands are locked, labels do not fit the tree, or a suit permutation that fixes a board does not
            map buckets to buckets.
        """
        if tree.locked:
            raise BadInputError(f"buckets are for games without locks, got {tree.game.name}")
        given = [None if one is None else checked_labels(tree, p, one) for p, one in enumerate(labels)]
        number = [counts_of(tree, p, one, counts and counts[p]) for p, one in enumerate(given)]
        check_closed(tree, (given[0], given[1]), report)
        return BucketTree(tree, (given[0], given[1]), (number[0], number[1]))

    @staticmethod
    def by_abstraction(
        tree: FactoredTree,
        abstraction: CardAbstraction,
        abstracted: tuple[bool, bool] = (True, True),
        report: Report = quiet,
    ) -> "BucketTree":
        """Return the buckets of an abstraction.

        Parameters
        ----------
        tree : FactoredTree
        abstraction : CardAbstraction
        abstracted : pair of bool
            Whether each player's hands are in buckets.
        report : callable, optional
            Told a few times a second how many boards are done.

        Raises
        ------
        ValueError
            If the abstraction does not fit the game.
        """
        abstraction = abstraction.of_game(tree.game)
        both = labels_by(tree, abstraction, report) if any(abstracted) else None
        first, second = (both if tied else None for tied in abstracted)
        counts = abstraction.counts, abstraction.counts
        return replace(BucketTree.of(tree, (first, second), counts), abstraction=abstraction)

    @staticmethod
    def by_board(tree: FactoredTree, labels: tuple[Index, Index], report: Report = quiet) -> "BucketTree":
        """Return buckets of which each has hands of one board alone.

        Parameters
        ----------
        tree, report
            As for :meth:`of`, which says what is refused too.
        labels : pair of (.,) int64
            A number for each live hand of each board, in the order of ``Hands.hand``; hands of one board with
            one number are in one bucket. Numbers of two boards mean nothing to each other.
        """
        first, second = (numbered_by_board(tree, p, label) for p, label in enumerate(labels))
        return BucketTree.of(tree, (first, second), report=report)

    @staticmethod
    def by_hand(tree: FactoredTree, report: Report = quiet) -> "BucketTree":
        """Return a bucket for each hand on each board, but for hands that suits alone tell apart."""
        first, second = (hands.first.astype(np.int64) for hands in tree.boards.hands)
        return BucketTree.by_board(tree, (first, second), report)

    def brief(self) -> str:
        """Return the game and the number of buckets by street."""
        one = max(self.count, key=lambda count: int(count.sum()))
        return f"{self.tree.game.name}: {' / '.join(f'{n:,}' for n in one.tolist())} buckets"

    @property
    def game(self) -> PokerGame:
        """The game."""
        return self.tree.game

    @property
    def abstracted(self) -> tuple[bool, bool]:
        """Whether each player's hands are in buckets."""
        first, second = (label is not None for label in self.label)
        return first, second

    @cached_property
    def slots(self) -> tuple[Index, Index]:
        """The number of rows of each street, for each player, (S,)."""
        betting = self.tree.betting
        rows = np.array([len(children) for children in betting.children])
        first, second = (
            np.bincount(
                betting.street[betting.player == p], rows[betting.player == p], betting.n_streets
            ).astype(np.int64)
            for p in (0, 1)
        )
        return first, second

    @cached_property
    def base(self) -> tuple[Index, Index]:
        """The first entry of each street in the table of a player in buckets, and its length, (S + 1,)."""
        first, second = (
            np.concatenate([[0], np.cumsum(slots * count)]).astype(np.int64)
            for slots, count in zip(self.slots, self.count, strict=True)
        )
        return first, second

    @cached_property
    def identity(self) -> str:
        """The abstraction's identity; of labels given as arrays a digest of them and of their numbers."""
        if self.abstraction is not None:
            return self.abstraction.identity
        digest = hashlib.sha256()
        for label, count in zip(self.label, self.count, strict=True):
            digest.update(count.astype("<i8").tobytes())
            digest.update(b"none" if label is None else label.astype("<u4").tobytes())
        return digest.hexdigest()

    def length(self, player: int) -> int:
        """Return the length of a player's table."""
        return int((self.base if self.abstracted[player] else self.tree.base)[player][-1])

    def on(self, player: int, board: int) -> Labels:
        """Return the buckets of the live hands of a board."""
        label = self.label[player]
        if label is None:
            raise BadInputError(f"player {player} has no buckets")
        return label[self.tree.boards.hands[player].on(board)]

    def weight(self, player: int) -> tuple[Floats, ...]:
        """Return for each street how often chance deals each bucket, (buckets,).

        The sum over its hands of the range's weight times the number of real boards that a board stands for.
        """
        entry, street = self.dealt(player), self._street(player)
        label, count = self.label[player], self.count[player]
        assert label is not None
        found = []
        for s, n in enumerate(count.tolist()):
            here = street == s
            found.append(np.bincount(label[here], entry[here], n).astype(np.float64))
        return tuple(found)

    def dealt(self, player: int) -> Floats:
        """Return for each live hand of each board its weight times the real boards that it stands for."""
        hands = self.tree.boards.hands[player]
        ways: Floats = np.repeat(multiplicity(self.tree), np.diff(hands.start))
        return hands.weight[hands.hand] * ways

    def share(self, player: int) -> Floats:
        """Return for each live hand of each board its part of the weight of its bucket."""
        share, street, label = self.dealt(player), self._street(player), self.label[player]
        assert label is not None
        for s, weight in enumerate(self.weight(player)):
            here = street == s
            share[here] /= weight[label[here]]
        return share

    def parents(self, player: int) -> tuple[Index | None, ...]:
        """Return for each street the bucket of the street before of each bucket; None where there is not one.

        All are known if and only if the buckets have perfect recall: hands that were once apart stay apart.
        Buckets without hands are -1, as are those of the first street.
        """
        boards, hands, label = self.tree.boards, self.tree.boards.hands[player], self.label[player]
        assert label is not None
        found: list[Index | None] = [np.full(int(self.count[player][0]), -1)]
        above = entries_above(boards.parent, hands)
        street = self._street(player)
        for s in range(1, len(self.count[player])):
            here = street == s
            first = np.full(int(self.count[player][s]), -1)
            before = label[above[here]].astype(np.int64)
            first[label[here]] = before
            found.append(first if np.array_equal(first[label[here]], before) else None)
        return tuple(found)

    @cached_property
    def recall(self) -> str:
        """Whether buckets forget nothing of those before, ``perfect`` or ``imperfect``; of all hands."""
        known = [self.parents(p) for p in (0, 1) if self.abstracted[p]]
        return "imperfect" if any(one is None for parents in known for one in parents) else "perfect"

    def _street(self, player: int) -> NDArray[np.int8]:
        """Return the street of each entry of the player's labels."""
        boards = self.tree.boards
        return np.repeat(boards.street, np.diff(boards.hands[player].start))


@dataclass(frozen=True, repr=False)
class BucketStrategy(Shown):
    """Both players' strategies by bucket.

    Attributes
    ----------
    tree : BucketTree
    weight : pair of flat tables with the layout of ``tree``, float32
        At each decision a bucket plays actions in proportion to their weights (at least 0); uniformly if all
        are zero. The table of a player without buckets is by board and hand.
    """

    tree: BucketTree
    weight: tuple[NDArray[np.float32], NDArray[np.float32]]

    def brief(self) -> str:
        """Return the game and the number of buckets by street."""
        return self.tree.brief()

    def expanded(self) -> FactoredStrategy:
        """Return the same strategy hand by hand on the boards of the tree, in the tables' number format."""
        first, second = (self._expanded(p) for p in (0, 1))
        return FactoredStrategy(self.tree.tree, (first, second))

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at an infoset of the game, on any real board.

        Raises
        ------
        ValueError
            If the player has no such infoset, or the game hides suits, which the strategy sees.
        """
        return self.expanded().action_probabilities(player, infoset)

    def rows(self) -> Iterator[Row]:
        """Yield (player, infoset, action, probability) for each action on each real board.

        Raises
        ------
        ValueError
            If the game hides suits, which the strategy sees.
        """
        yield from self.expanded().rows()

    def _expanded(self, player: int) -> NDArray[Any]:
        table, tree = self.weight[player], self.tree.tree
        if not self.tree.abstracted[player]:
            return table
        shapes = zip(self.tree.slots[player], self.tree.count[player], strict=True)
        cuts = zip(pairwise(self.tree.base[player]), shapes, strict=True)
        parts = [table[a:b].reshape(shape) for (a, b), shape in cuts]
        base = tree.base[player]
        found = np.empty(int(base[-1]), table.dtype)
        for board, street in enumerate(tree.boards.street.tolist()):
            part, bucket = parts[street], self.tree.on(player, board)
            out = found[base[board] : base[board + 1]].reshape(len(part), len(bucket))
            np.take(part, bucket, axis=1, out=out, mode="clip")
        return found
