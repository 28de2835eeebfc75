"""Strategies on merged boards, on all boards and as profiles: the same behaviour at every infoset."""

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.forms import public_form
from tests.helpers.profiles import mixed_profile
from tests.helpers.twins.factored import factored_tree, game_of
from treeplex.games.poker.named import leduc_poker, no_limit_leduc, rhode_island, small_holdem
from treeplex.seqform.boards.board_conversions import profile_of, strategy_of, unmerged
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.certify.certificate import certify

GAMES = [
    leduc_poker(suits_visible=True),
    rhode_island(3, 3, raises=1),
    small_holdem(),
    small_holdem("As Ks Qs Js", 4, 3),
    small_holdem("As Ks Qs", 4, 3),
    small_holdem("As Ks Qh", 4, 4, ranges=("AhAd,KhJd,JcJd:1/3", "AA,KJ:0.9,QJs")),
]


def drawn(tree, seed, dtype=np.float64):
    rng = np.random.default_rng(seed)
    first, second = ((rng.random(int(base[-1])) * 65535).astype(dtype) for base in tree.base)
    return FactoredStrategy(tree, (first, second))


def rows_of(strategy):
    return {(p, key, action): probability for p, key, action, probability in strategy.rows()}


@pytest.mark.seconds(3)
@over(zip(GAMES, [np.float64, np.float32, np.uint16] * 2, strict=True))
def test_behaviour_on_all_boards_is_that_on_merged_ones(game, dtype):
    strategy = drawn(factored_tree(game), 1, dtype)
    every = unmerged(strategy, factored_tree(game, isomorphism=False))
    assert every.weight[0].dtype == dtype
    assert rows_of(every) == rows_of(strategy)


def test_a_tree_without_merged_boards_changes_nothing():
    tree = factored_tree(GAMES[3], isomorphism=False)
    strategy = drawn(tree, 2)
    again = unmerged(strategy, tree)
    for p in (0, 1):
        assert np.array_equal(again.weight[p], strategy.weight[p])


def test_trees_of_two_games_are_refused():
    strategy = drawn(factored_tree(GAMES[3]), 3)
    with pytest.raises(ValueError, match="both trees must be of one game"):
        unmerged(strategy, factored_tree(GAMES[4], isomorphism=False))


@pytest.mark.seconds(3)
@over(GAMES)
def test_a_profile_comes_back(game):
    form = public_form(game)
    profile = mixed_profile(form, 4)
    there = strategy_of(profile, factored_tree(game, isomorphism=False))
    back = profile_of(game, there, form)
    for x, y in zip(profile.behaviour, back.behaviour, strict=True):
        np.testing.assert_allclose(y, x, rtol=0, atol=1e-15)


@over([leduc_poker(), no_limit_leduc()])
def test_a_profile_that_sees_no_suits_is_worth_the_same(game):
    form = public_form(game)
    profile = mixed_profile(form, 5)
    found = certify_factored(game, strategy_of(profile, factored_tree(game, isomorphism=False)))
    wanted = certify(form, profile)
    assert found.value == pytest.approx(wanted.value, abs=1e-12)
    assert found.lower + found.rounding == pytest.approx(wanted.lower + wanted.rounding, abs=1e-12)
    assert found.upper - found.rounding == pytest.approx(wanted.upper - wanted.rounding, abs=1e-12)


def test_a_profile_of_another_game_is_refused():
    profile = mixed_profile(public_form(leduc_poker(ranks=4)), 6)
    with pytest.raises(ValueError, match="the profile is of another game than leduc_poker, where player 0"):
        strategy_of(profile, factored_tree(leduc_poker(), isomorphism=False))
    with pytest.raises(ValueError, match=r"the actions at .* must be"):
        strategy_of(mixed_profile(public_form(no_limit_leduc()), 7), factored_tree(leduc_poker(), False))


def test_merged_boards_are_refused():
    game = game_of("leduc_poker(suits_visible=true)")
    with pytest.raises(ValueError, match="a profile is for boards that are not merged"):
        strategy_of(mixed_profile(public_form(game), 8), factored_tree(game))
