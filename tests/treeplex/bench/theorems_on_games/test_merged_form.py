"""Abstract games: the sequence form of merged infosets is that of a game which shows buckets alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.forms import compiled
from tests.helpers.profiles import mixed_profile
from tests.helpers.twins.games import exact_entries
from tests.helpers.twins.partitions import Bucketed, by_card, generator, random_partition
from treeplex.bench.theorems_on_games.partition import Partition, merged_form
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.reductions.sparsification import running_differences


def drawn(seed, depth):
    game = random_game(seed=seed, depth=depth)
    form = compiled(game)
    rng = generator(seed)
    first, second = (random_partition(t, rng) for t in form.treeplexes)
    return game, form, (first, second)


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_the_form_is_that_of_the_game_with_buckets_as_keys(seed, depth):
    game, form, loose = drawn(seed, depth)
    partitions = (loose[0].recalling(), loose[1].recalling())
    merged = merged_form(form, partitions).form
    shown = compiled(Bucketed(game, partitions))
    for ours, twin in zip(merged.treeplexes, shown.treeplexes, strict=True):
        assert (ours.infosets, ours.actions) == (twin.infosets, twin.actions)
        np.testing.assert_array_equal(ours.end, twin.end)
        np.testing.assert_array_equal(ours.parent, twin.parent)
    assert exact_entries(merged.payoff) == exact_entries(shown.payoff)
    assert merged.stakes == shown.stakes


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_imperfect_recall_is_refused_where_the_game_with_buckets_is(seed, depth):
    game, form, partitions = drawn(seed, depth)
    forgets = not all(partition.recalls for partition in partitions)
    for refused in (
        lambda: merged_form(form, partitions),
        lambda: compiled(Bucketed(game, partitions)),
    ):
        if forgets:
            with pytest.raises(ValueError, match="imperfect recall"):
                refused()
        else:
            refused()


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_lifted_profiles_pay_the_same(seed, depth):
    _, form, loose = drawn(seed, depth)
    merged = merged_form(form, (loose[0].recalling(), loose[1].recalling()))
    profile = mixed_profile(merged.form, seed)
    lifted = merged.lift(profile)
    for player, (plan, small) in enumerate(zip(lifted.plans, profile.plans, strict=True)):
        np.testing.assert_allclose(merged.lift_plan(player, small), plan, rtol=1e-12, atol=0)
    inside, outside = certify(merged.form, profile), certify(form, lifted)
    assert inside.value == pytest.approx(outside.value, abs=1e-12)
    # Best responses may do more outside, where nothing is merged.
    assert outside.lower <= inside.lower + 1e-12
    assert outside.upper >= inside.upper - 1e-12


def test_payoffs_in_running_sums_are_merged_too():
    form = tp.load("kuhn_poker(ranks=13)").form
    factored = replace(form, payoff=running_differences(form.payoff.base))
    texts = "23456 789T JQKA", "234 56789TJQ KA"
    partitions = tuple(map(by_card, form.treeplexes, texts))
    assert len(factored.payoff.link) > 0
    sparse, sums = (merged_form(f, partitions).form.payoff for f in (form, factored))
    assert exact_entries(sums) == exact_entries(sparse)


def test_partitions_of_another_game_are_refused():
    kuhn, leduc = (tp.load(spec).form for spec in ("kuhn_poker", "leduc_poker"))
    trivial = Partition.trivial(leduc.treeplexes[0]), Partition.trivial(leduc.treeplexes[1])
    with pytest.raises(ValueError, match="player 0's partition is of other infosets"):
        merged_form(kuhn, trivial)
    with pytest.raises(ValueError, match="player 1's partition is of other infosets"):
        merged_form(kuhn, (Partition.trivial(kuhn.treeplexes[0]), trivial[1]))
