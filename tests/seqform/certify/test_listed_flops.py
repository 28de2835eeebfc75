"""Games with listed flops in all forms: enumerated, public trees, betting times boards, judged and solved."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.helpers.cells import kept, over
from tests.helpers.forms import compiled, public_form
from tests.helpers.twins.factored import factored_tree, random_strategy
from treeplex.bench.theorems_on_games.card_blind import best_response_to_blind
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.boards.factored_cfr import prepare
from treeplex.cfr.engine import average
from treeplex.cfr.sampling.poker_deals import card_arrays
from treeplex.games.poker.named import flop_holdem, leduc_poker, no_limit_flop_holdem, turn_holdem
from treeplex.pictures.public_node import find_point
from treeplex.seqform.boards.betting_tree import BettingTree
from treeplex.seqform.boards.board_conversions import profile_of
from treeplex.seqform.boards.real_boards import boards_to, next_boards, starting_board
from treeplex.seqform.boards.suit_symmetry import symmetries
from treeplex.seqform.certify.board_certificate import certify_factored, pair_weight
from treeplex.seqform.certify.board_values import HandValues
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.programs.lp_solution import solve_lp

ALL = flop_holdem(4, 2, raises=(0, 1))
SMALL = flop_holdem(4, 2, raises=(0, 1), flops=5)
LISTED = [
    SMALL,
    flop_holdem(4, 2, raises=(1, 1), flops=2),
    flop_holdem(3, 3, raises=(0, 1), flops=3),
    no_limit_flop_holdem(4, 2, bets=(1,), max_raises=(1, 1), flops=4),
    replace(SMALL, name="uneven", flops=(((49, 48, 45), 3), ((48, 45, 40), 2), ((45, 44, 41), 7))),
    replace(turn_holdem(3, 3, raises=(0, 1, 0)), name="turn", flops=(((50, 49, 48), 5), ((50, 45, 40), 2))),
    replace(leduc_poker(suits_visible=True, raises=1), name="leduc", flops=(((45,), 3), ((40,), 1))),
    replace(
        SMALL,
        name="ranges",
        ranges=(
            {hand: Fraction(1 + hand[0] % 5, 3) for hand in SMALL.reach[0]},
            {hand: Fraction(1 + hand[1] % 7) for hand in SMALL.reach[1] if hand != (40, 41)},
        ),
    ),
]


@kept
def known(game):
    """Return a game with its enumerated and its public form."""
    return game, compiled(game), public_form(game)


@pytest.mark.seconds(3)
@over(LISTED)
def test_public_trees_have_the_enumerated_game(game):
    _, walked, public = known(game)
    assert public.n_infosets == walked.n_infosets
    assert public.n_sequences == walked.n_sequences
    found, other = solve_lp(walked).certificate, solve_lp(public).certificate
    assert not found.disjoint(other)
    assert found.nash_conv < 1e-8


@pytest.mark.seconds(3)
@over([True, False], LISTED)
def test_the_judge_says_of_strategies_what_the_enumerated_game_does(isomorphism, game):
    game, walked, _ = known(game)
    tree = factored_tree(game, isomorphism)
    for seed in range(3):
        strategy = random_strategy(tree, seed)
        profile = profile_of(game, strategy, walked)
        found, other = certify_factored(game, strategy), certify(walked, profile)
        size = 1e-12 * max(1.0, abs(other.lower), abs(other.upper))
        assert abs(found.value - other.value) <= size
        assert abs(found.upper - found.rounding - walked.best_response(0, profile.plans[1]).total) <= size
        assert abs(found.lower + found.rounding + walked.best_response(1, profile.plans[0]).total) <= size
        assert found.n_boards == factored_tree(game, isomorphism=False).boards.n_boards


@over(LISTED[::2])
def test_minimisers_come_to_the_value_of_the_enumerated_game(game):
    game, walked, _ = known(game)
    value = solve_lp(walked).certificate
    engine = prepare(factored_tree(game), factored_config("dcfr"), 1)
    found = certify_factored(game, average(engine, 400))
    assert found.lower <= value.upper
    assert value.lower <= found.upper
    assert found.nash_conv < 0.01 * BettingTree.of(game).largest_stake


@over(LISTED)
def test_values_of_hands_before_the_flop_add_up_to_the_value(game):
    game, _, _ = known(game)
    tree = factored_tree(game)
    strategy = random_strategy(tree, 7)
    first = int(np.flatnonzero(tree.betting.player >= 0)[0])
    player = int(tree.betting.player[first])
    values = HandValues(game, strategy).at(first, ())
    weight = tree.boards.hands[player].weight
    total = float(weight @ values) / float(pair_weight(game)) * (1 - 2 * player)
    assert total == pytest.approx(certify_factored(game, strategy).value, abs=1e-11)


@pytest.mark.seconds(3)
def test_all_flops_with_equal_weights_are_the_game_without_a_list():
    plain = ALL
    listed = replace(plain, name="listed", flops=tuple((cards, 4) for cards, _ in plain.streets((), 3)))
    found, other = (solve_lp(compiled(game)).certificate for game in (plain, listed))
    assert not found.disjoint(other)
    assert abs(found.value - other.value) < 1e-9
    trees = factored_tree(plain), factored_tree(listed)
    assert trees[0].boards.cards == trees[1].boards.cards
    one, two = (
        certify_factored(g, random_strategy(t, 3)) for g, t in zip((plain, listed), trees, strict=True)
    )
    assert one.value == pytest.approx(two.value, abs=1e-12)
    assert one.upper - one.rounding == pytest.approx(two.upper - two.rounding, abs=1e-12)


def test_suits_are_merged_only_where_the_list_allows_it():
    assert len(symmetries(SMALL)) == 2
    uneven = next(game for game in LISTED if game.name == "uneven")
    assert len(symmetries(uneven)) == 1
    weights = dict(SMALL.flops)
    moved = tuple(
        (cards, 2 * weight if cards == SMALL.flops[0][0] else weight) for cards, weight in weights.items()
    )
    assert len(symmetries(replace(SMALL, flops=moved))) == 1


def test_ways_add_up_to_all_weights():
    boards = factored_tree(SMALL).boards
    assert boards.ways[1:].sum() == sum(dict(SMALL.flops).values()) == boards.runouts[1]
    assert boards.n_boards == 1 + 5


def test_boards_carry_the_weight_of_their_flop():
    tree, weights = factored_tree(SMALL).boards, dict(SMALL.flops)
    for board in next_boards(SMALL, tree, starting_board(SMALL)):
        flop = tuple(sorted(board.cards, reverse=True))
        assert board.weight == weights.pop(flop)
        assert boards_to(SMALL, tree, flop)[-1] == board
    assert not weights
    with pytest.raises(ValueError, match="none stands for"):
        boards_to(SMALL, tree, next(f for f, _ in ALL.streets((), 3) if f not in dict(SMALL.flops)))


@over(
    [
        (lambda: best_response_to_blind(SMALL, "uniform", 0), "got a list of flops"),
        (lambda: card_arrays(LISTED[-1]), "from ranges or with listed flops, got both"),
        (lambda: find_point(SMALL, "c", ""), "shown after the flop"),
    ]
)
def test_what_deals_all_flops_evenly_refuses_a_list(refused, says):
    with pytest.raises(ValueError, match=says):
        refused()
