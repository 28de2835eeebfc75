"""The price of abstractions, exactly: one side abstracted is monotone, both sides are not."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.forms import compiled
from tests.helpers.twins.partitions import by_card, generator, random_partition, refined
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.bench.theorems_on_games.partition_price import abstract_optimum, one_sided_optimum
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import MatrixGame
from treeplex.seqform.forms.normal_form import normal_form_of
from treeplex.seqform.programs.rational_optimum import rational_optimum


def bounds(optimum, player):
    return (optimum.certificate.lower, optimum.certificate.upper)[player]


@pytest.mark.seconds(3)
@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(0, 1))
def test_with_one_side_abstracted_finer_buckets_are_never_worse(seed, depth, player):
    form = compiled(random_game(seed=seed, depth=depth))
    coarse = random_partition(form.treeplexes[player], generator(seed), colours=1)
    fine = refined(coarse, generator(seed + 1))
    value = rational_optimum(form).value
    prices = []
    for partition in (coarse.recalling(), fine.recalling(), Partition.trivial(form.treeplexes[player])):
        found = one_sided_optimum(form, player, partition)
        assert found.optimum.value == bounds(found, player)
        prices.append(found.exploitability(player, value))
    assert prices[0] >= prices[1] >= prices[2] == 0


def plays_alike(plan, sequence):
    """Whether sequences that become one have the same entry of a plan."""
    return all(len({*plan[sequence == s].tolist()}) == 1 for s in range(sequence.max() + 1))


@pytest.mark.seconds(3)
@over([0, 1], range(3, 15))
def test_no_strategy_in_buckets_guarantees_more(player, seed):
    """The matrix game of all pure strategies that play alike in buckets has the abstract value."""
    form = compiled(random_game(seed=seed, depth=4))
    partition = random_partition(form.treeplexes[player], generator(seed)).recalling()
    found = one_sided_optimum(form, player, partition)
    normal = normal_form_of(form)
    alike = [plays_alike(plan, partition.sequence) for plan in normal.plans[player]]
    matrix = normal.matrix[alike] if player == 0 else normal.matrix[:, alike]
    game = MatrixGame(tuple(map(tuple, matrix.tolist())))
    assert rational_optimum(compiled(game)).value == bounds(found, player)


FINER_IS_WORSE = [
    # spec, player, coarse buckets of both, fine buckets of both, exploitabilities. All optima are unique.
    ("kuhn_poker", 0, ("J QK", "JQK"), ("J QK", "JQ K"), Fraction(1, 9), Fraction(5, 18)),
    ("kuhn_poker(ranks=4)", 0, ("TJ QK", "TJQK"), ("TJ Q K", "TJQK"), Fraction(29, 312), Fraction(11, 72)),
    ("kuhn_poker(ranks=4)", 0, ("TJQ K", "T JQK"), ("T JQ K", "T JQ K"), Fraction(1, 12), Fraction(1, 8)),
]


@over(FINER_IS_WORSE)
def test_with_both_sides_abstracted_finer_buckets_can_be_worse(spec, player, coarse, fine, before, after):
    form = tp.load(spec).form
    value = rational_optimum(form).value
    small, large = (
        tuple(by_card(t, text) for t, text in zip(form.treeplexes, texts, strict=True))
        for texts in (coarse, fine)
    )
    assert all(one.refines(other) for one, other in zip(large, small, strict=True))
    found = [
        abstract_optimum(form, partitions).exploitability(player, value) for partitions in (small, large)
    ]
    assert found == [before, after]


def test_an_optimum_is_shown_with_what_it_is_worth_in_the_game():
    form = tp.load("kuhn_poker").form
    found = abstract_optimum(form, (by_card(form.treeplexes[0], "J QK"), by_card(form.treeplexes[1], "JQK")))
    assert "abstract value" in str(found)
    assert "4 and 2 of 6 and 6 infosets" in str(found)
    assert repr(found).startswith("AbstractOptimum(abstract value ")
