"""Infosets in buckets: numbering, recall, refinement, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.forms import compiled
from tests.helpers.twins.partitions import by_card, generator, random_partition, refined
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.games.zoo.random_game import random_game


def treeplexes(seed, depth):
    return compiled(random_game(seed=seed, depth=depth)).treeplexes


def recalls_naively(partition):
    """Whether all infosets of a bucket follow the same buckets and actions, from the root on."""
    t, pasts = partition.treeplex, {}

    def past(sequence):
        if sequence == 0:
            return ()
        i = int(t.infoset_of[sequence])
        return (*past(int(t.parent[i])), (int(partition.bucket[i]), t.actions[sequence]))

    for i, b in enumerate(partition.bucket.tolist()):
        pasts.setdefault(b, set()).add(past(int(t.parent[i])))
    return all(len(found) == 1 for found in pasts.values())


@given(st.integers(0, 10_000), st.integers(2, 7))
def test_recall_is_perfect_where_buckets_follow_one_line(seed, depth):
    for t in treeplexes(seed, depth):
        partition = random_partition(t, generator(seed))
        assert partition.recalls == recalls_naively(partition)
        recalling = partition.recalling()
        assert recalls_naively(recalling)
        assert recalling.refines(partition)
        assert recalling.recalling().bucket.tolist() == recalling.bucket.tolist()
        assert (recalling.n_buckets == partition.n_buckets) == partition.recalls


@given(st.integers(0, 10_000), st.integers(2, 7))
def test_the_recalling_partition_is_the_coarsest(seed, depth):
    """Two of its buckets in one of the given partition follow different sequences: joined they forget."""
    for t in treeplexes(seed, depth):
        partition = random_partition(t, generator(seed))
        recalling = partition.recalling()
        after = recalling.sequence[t.parent[recalling.first]]
        coarse = partition.bucket[recalling.first]
        assert len({*zip(coarse.tolist(), after.tolist(), strict=True)}) == recalling.n_buckets


@given(st.integers(0, 10_000), st.integers(2, 7))
def test_finer_partitions_have_finer_recalling_ones(seed, depth):
    for t in treeplexes(seed, depth):
        coarse = random_partition(t, generator(seed))
        fine = refined(coarse, generator(seed + 1))
        assert fine.refines(coarse)
        assert fine.recalling().refines(coarse.recalling())
        assert Partition.trivial(t).refines(fine)
        assert coarse.refines(fine) == (fine.n_buckets == coarse.n_buckets)


def test_buckets_are_numbered_by_their_first_infosets():
    t = tp.load("kuhn_poker").form.treeplexes[0]
    partition = by_card(t, "JK Q")
    keys = [t.infosets[i] for i in partition.first]
    assert keys == [key for key in t.infosets if key[0] in "JQ"]
    assert repr(partition) == "Partition(6 infosets in 4 buckets)"
    assert Partition.trivial(t).merged().infosets == t.infosets


def test_sequences_go_to_those_of_buckets_with_their_actions():
    t = tp.load("leduc_poker").form.treeplexes[0]
    partition = Partition.by(t, lambda key: key.replace("Q", "J")).recalling()
    merged = partition.merged()
    assert [merged.actions[s] for s in partition.sequence] == list(t.actions)
    np.testing.assert_array_equal(
        merged.infoset_of[partition.sequence[1:]], partition.bucket[t.infoset_of[1:]]
    )
    np.testing.assert_array_equal(merged.parent[partition.bucket], partition.sequence[t.parent])


def test_what_is_forgotten_is_named():
    t = tp.load("kuhn_poker").form.treeplexes[0]
    forgetful = Partition.by(t, lambda key: key[1:] if "r" in key else key)
    assert forgetful.forgetful is not None
    with pytest.raises(ValueError, match="imperfect recall") as told:
        forgetful.merged()
    assert str(told.value) == (
        "the partition has imperfect recall: 'J:cr' and 'Q:cr' are one bucket, but the first follows 'c' in "
        "the bucket of 'J:' and the second 'c' in the bucket of 'Q:'"
    )


def test_after_no_action_of_its_own():
    t = tp.load("leduc_poker").form.treeplexes[0]
    i = next(i for i in range(t.n_infosets) if t.parent[i] > 0 and t.end[i] - t.begin[i] == 2)
    first = next(j for j in range(t.n_infosets) if t.parent[j] == 0)
    labels = list(range(t.n_infosets))
    labels[i] = first
    with pytest.raises(ValueError, match="follows no action of its own and the second 'c'"):
        Partition.of(t, labels).merged()


def test_other_actions_are_refused():
    t = tp.load("kuhn_poker").form.treeplexes[0]
    with pytest.raises(ValueError, match="same actions: 'J:' has"):
        Partition.of(t, [0] * t.n_infosets)
    with pytest.raises(ValueError, match="one label an infoset, got 2 for 6"):
        Partition.of(t, [0, 0])
