"""No-limit Leduc: its size by counting, its bets by the pot, its stacks, and what it refuses."""

from fractions import Fraction

import pytest

from tests.helpers.cells import over
from treeplex.games.base.protocol import CHANCE
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import no_limit_leduc
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public
from treeplex.views.catalogue import catalogue

F = Fraction
THREE = "no_limit_leduc(bets=[1/2,3/4,1])"


def a_round(sizes, raises):
    """Return how many decisions, folds and other ends a round has."""
    bets = 2 * sum(sizes**n for n in range(1, raises + 1))  # by either player, the other still to answer
    return 2 + bets, bets, 1 + bets


def lines(game):
    """Yield every betting line with what the rules say there."""
    todo = [game.first_line]
    while todo:
        line = todo.pop()
        point = game.point(line)
        yield line, point
        todo += [point.after] if point.player == CHANCE else point.moves.values()


def raise_sizes(game, point):
    """Return the fraction of the pot after calling of each raise."""
    top = max(point.betting.put)
    totals = [game.point(after).betting.put[point.player] for after in point.moves.values()]
    return [(total - top) / (2 * top) for total in totals if total > top]


@pytest.mark.seconds(3)
@over([((F(1, 2), 1),), ((F(1, 2), F(3, 4), 1),)], [((1, 2),), ((0, 3),), ((2, 0),)])
def test_the_tree_has_the_size_that_counting_gives(sizes, max_raises):
    game = no_limit_leduc(bets=sizes, max_raises=max_raises)
    before, after = (a_round(len(sizes), n) for n in max_raises)
    tree = build_tree(game, max_nodes=200_000)
    assert tree.n_nodes == 1 + 30 * (sum(before) + before[2] * 4 * sum(after))
    assert len(tree.leaves) == 30 * (before[1] + before[2] * 4 * (after[1] + after[2]))
    infosets = 3 * before[0] // 2 + before[2] * 9 * after[0] // 2
    assert tree_form(tree).n_infosets == (infosets, infosets)


@over(
    [((F(1, 2), 1),), ((F(1, 2), F(3, 4), 1),), ((F(1, 2), 2),), ((3,),)], [((1, 2),), ((2, 2),), ((3, 1),)]
)
def test_no_size_is_cut_unless_a_stack_is_given(bets, max_raises):
    game = no_limit_leduc(bets=bets, max_raises=max_raises)
    for _, point in lines(game):
        if point.player >= 0:
            capped = point.betting.raises == max_raises[point.betting.round]
            assert raise_sizes(game, point) == ([] if capped else list(bets))


def test_lines_with_fewer_sizes_are_lines_with_more():
    few, many = dict(lines(no_limit_leduc())), dict(lines(load_game(THREE)))
    assert few.keys() < many.keys()
    for line, point in few.items():
        assert point.betting == many[line].betting
        assert point.moves.items() <= many[line].moves.items()


def test_bets_are_fractions_of_the_pot_and_labels_leave_the_ante_out():
    game = load_game(THREE)
    assert tuple(game.point("").moves) == ("c", "r1", "r1.5", "r2")
    assert tuple(game.point("r1").moves) == ("f", "c")
    # After half a pot and a call 4 lie in the pot; three quarters more are 3 on top of the 2 of each.
    assert game.point("r1c/r4").betting.put == (5, 2)
    assert tuple(game.point("r1c/r4").moves) == ("f", "c", "r9", "r11.5", "r14")


def test_a_smaller_stack_cuts_sizes_to_all_in():
    game = no_limit_leduc(stack=4)
    assert tuple(game.point("r2c/").moves) == ("c", "r3")
    assert tuple(game.point("r2c/r3").moves) == ("f", "c")
    assert tuple(no_limit_leduc(stack=1000, bets=(1, "a")).point("").moves) == ("c", "r2", "r999")


def test_a_raise_is_at_least_the_bet_that_it_answers():
    assert tuple(no_limit_leduc(bets=(F(1, 4), 1), max_raises=(2, 1)).point("r2").moves) == (
        "f",
        "c",
        "r4",
        "r8",
    )


def test_suits_are_not_seen():
    keys = [set(t.infosets) for t in tree_form(build_tree(no_limit_leduc())).treeplexes]
    assert {"K:", "KQ:cc/", "QQ:r2c/"} < keys[0]
    assert {"K:c", "KQ:cc/c"} < keys[1]


def test_specs_mean_what_the_constructor_means():
    for game in (no_limit_leduc(4, 2, bets=(0.5, 0.75, 1)), no_limit_leduc(bets=(F(1, 3), "a"), stack=20)):
        assert load_game(game.name) == game
    assert load_game("no_limit_leduc(bets=[1/2,1],max_raises=[1,2])").name == "no_limit_leduc"
    assert load_game(THREE) == no_limit_leduc(bets=(0.5, 0.75, 1))
    assert load_game(THREE).name == "no_limit_leduc(bets=[0.5,0.75,1])"


def test_the_list_of_games_has_it():
    (listed,) = (game for game in catalogue() if game.name == "no_limit_leduc")
    assert listed.keys["bets"] == "[0.5,1]"
    assert listed.sizes is not None
    assert (listed.sizes.n_infosets, listed.sizes.n_sequences) == (648, 1754)


@pytest.mark.seconds(3)
@over(["no_limit_leduc(max_raises=[2,1])", "no_limit_leduc(stack=5)", THREE])
def test_both_compilers_prove_the_same_value(spec):
    game = load_game(spec)
    walked, compiled = tree_form(build_tree(game)), sequence_form(compile_public(game))
    solution = solve_lp(walked)
    assert solution.status == "optimal"
    assert solution.certificate.nash_conv <= 1e-9
    assert not solution.certificate.disjoint(solve_lp(compiled).certificate)


def test_a_deeper_stack_changes_nothing():
    deep = tree_form(build_tree(no_limit_leduc(stack=10**6)))
    solution = solve_lp(tree_form(build_tree(no_limit_leduc())))
    assert certify(deep, solution.profile).nash_conv == solution.certificate.nash_conv


@over(
    [
        ("stack=0.5", "stack must be at least the ante of 1, got 0.5"),
        ("bets=[1,a]", "stack must be given where bets are not all fractions of the pot, got none"),
        ("bets=[1,b]", "bets must hold numbers > 0 .* got 'b'"),
        ("max_raises=[1]", r"max_raises must be 2 integers of at least 0, got \[1\]"),
        ("max_raises=2", "max_raises must be a list of integers, got 2"),
        ("suits=1,ranks=2", "need 3 cards, but the deck has 2"),
    ]
)
def test_bad_keys_are_refused(keys, says):
    with pytest.raises(ValueError, match=f"no_limit_leduc: .*{says}"):
        load_game(f"no_limit_leduc({keys})")
