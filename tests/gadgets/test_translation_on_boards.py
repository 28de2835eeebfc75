"""Translation of strategies on boards: that of enumerated games, and by hand where stacks cut sizes."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.forms import public_form
from tests.helpers.profiles import drawn_profile
from tests.helpers.twins.factored import factored_tree, random_strategy, uniform_strategy
from treeplex.gadgets.off_tree.translation import pseudo_harmonic, raise_sizes, readings, translate
from treeplex.gadgets.off_tree.translation_on_boards import translated
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.board_conversions import strategy_of
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.forms.profile import Profile

DEEP = 'small_holdem(board="{0}",ranks=4,suits=3,stack=5000,bets=[{1}],raises=[{1}],max_raises=2)'
PAIRS = [
    ("no_limit_leduc", "no_limit_leduc(bets=[1/2,3/4,1])"),
    ("no_limit_leduc(ranks=2,bets=[1])", "no_limit_leduc(ranks=2,bets=[1/4,1,2])"),
    (DEEP.format("As Kh Qs Js Jh", "1/2,1"), DEEP.format("As Kh Qs Js Jh", "1/2,3/4,1")),
    (DEEP.format("As Ks Qs Jh", "1"), DEEP.format("As Ks Qs Jh", "1/2,1")),
]
CUT = 'small_holdem(stack={1},bets=[{0}],raises=[{0}],max_raises=3,ranges=["KK,QJ,AK","KT,TT,AK"])'


@cache
def form_of(spec):
    return public_form(spec)


def decisions(tree):
    for node in np.flatnonzero(tree.betting.player >= 0).tolist():
        for board in np.flatnonzero(tree.boards.street == tree.betting.street[node]).tolist():
            yield int(tree.betting.player[node]), node, board


@over(PAIRS[:3])
def test_it_is_that_of_enumerated_games(few, many):
    """Hands that do not reach a decision play uniformly in both."""
    abstract, full = load_game(few), load_game(many)
    small, large = form_of(few), form_of(many)
    profile = drawn_profile(small, 3)
    tree = factored_tree(full, isomorphism=False)
    found = translated(strategy_of(profile, factored_tree(abstract, isomorphism=False)), tree)
    first, second = (
        translate(abstract, small, profile.behaviour[p], full, large, defender=p) for p in (0, 1)
    )
    wanted = strategy_of(Profile(large.treeplexes, (first, second)), tree)
    for player, node, board in decisions(tree):
        np.testing.assert_allclose(
            found.at(player, node, board), wanted.at(player, node, board), rtol=0, atol=1e-12
        )


@over([np.float64, np.float32])
def test_on_merged_boards_it_is_that_on_all(dtype):
    few, many = PAIRS[3]
    coarse, fine = factored_tree(few), factored_tree(many)
    strategy = uniform_strategy(coarse)
    found = translated(strategy, fine, dtype=dtype)
    assert found.weight[0].dtype == dtype
    other = translated(
        strategy_of(Profile(form_of(few).treeplexes, _uniform(few)), factored_tree(few, False)),
        factored_tree(many, False),
    )
    one, two = (certify_factored(load_game(many), each) for each in (found, other))
    assert (one.value, one.nash_conv) == pytest.approx((two.value, two.nash_conv), abs=1e-5)


def _uniform(spec):
    first, second = form_of(spec).treeplexes
    return first.uniform(), second.uniform()


def test_a_bet_below_the_smallest_size_is_read_as_the_smallest_and_never_as_a_check():
    """The menus of docs/ENDGAMES.md: 50%, 100% and all-in, of which the blueprint lacks the first."""
    few, many = (load_game(CUT.format(menu, 20)) for menu in ('1,"a"', '1/2,1,"a"'))
    read = readings(few, few.first_line, many, many.first_line, own=False)
    sizes = raise_sizes(many, many.first_line)
    by_size = {sizes.get(action, action): found for action, found in read.items()}
    one, all_in = (label for label, _ in sorted(raise_sizes(few, few.first_line).items(), key=lambda x: x[1]))
    assert sorted(sizes.values())[:2] == [Fraction(1, 2), 1]
    assert [by_size[each] for each in ("c", Fraction(1, 2), 1)] == [{"c": 1.0}, {one: 1.0}, {one: 1.0}]
    assert by_size[max(sizes.values())] == {all_in: 1.0}


@over([PAIRS[3][1], 'small_holdem(board="As Ks Qs Jh",ranks=4,suits=3,stack=3,bets=[1,"a"],raises=["a"])'])
def test_a_game_with_the_same_sizes_is_played_as_before(spec):
    tree = factored_tree(spec)
    strategy = random_strategy(tree, 2)
    found = translated(strategy, factored_tree(spec))
    for player, node, board in decisions(tree):
        np.testing.assert_allclose(
            found.at(player, node, board), strategy.at(player, node, board), rtol=0, atol=1e-12
        )


# where stacks cut sizes


def size_of(game, line, after):
    """Return a raise's size and whether it is all-in."""
    point = game.point(line)
    top, mine = max(point.betting.put), game.point(after).betting.put[point.player]
    return (mine - top) / (2 * top), mine == game.betting.effective


def raises_at(game, line):
    point = game.point(line)
    top = max(point.betting.put)
    return {
        label: size_of(game, line, after)
        for label, after in point.moves.items()
        if game.point(after).betting.put[point.player] > top
    }


def draws(game, other, full, line, action):
    """Return what an opponent's action is taken for on one line of the abstract game."""
    raises, known = raises_at(full, line), raises_at(game, other)
    if action not in raises:
        return {action: 1.0}
    size, all_in = raises[action]
    if not known:
        return {"c": 1.0}
    same = [label for label, (worth, _) in known.items() if worth == size]
    shoves = [label for label, (_, shove) in known.items() if shove]
    if same or (all_in and shoves):
        return {(same or shoves)[0]: 1.0}
    below = (
        max((w, label) for label, (w, _) in known.items() if w < size)
        if min(w for w, _ in known.values()) < size
        else None
    )
    above = (
        min((w, label) for label, (w, _) in known.items() if w > size)
        if max(w for w, _ in known.values()) > size
        else None
    )
    if below is None or above is None:
        return {(below or above)[1]: 1.0}
    chance = pseudo_harmonic(below[0], size, above[0])
    return {below[1]: chance, above[1]: 1 - chance}


def played_as(game, other, full, line, label):
    """Return the full game's action for one of the defender's in the abstract game."""
    known, raises = raises_at(game, other), raises_at(full, line)
    if label not in known:
        return label
    if not raises:
        return "c"
    worth, shove = known[label]
    same = [action for action, (size, _) in raises.items() if size == worth]
    shoves = [action for action, (_, all_in) in raises.items() if all_in]
    nearest = min(raises, key=lambda action: (abs(raises[action][0] - worth), raises[action][0]))
    return same[0] if same else shoves[0] if shove and shoves else nearest


def walk(game, full, tree, strategy, hand, defender):
    """Return {line: behaviour} of one hand, by drawing and remembering what bets are taken for."""
    found = {}

    def visit(line, minds):
        point = full.point(line)
        if point.player == TERMINAL:
            return
        nexts = {action: {} for action in point.moves}
        for other, weight in minds.items():
            over = game.point(other).player == TERMINAL
            for action in point.moves:
                if point.player != defender:
                    for label, chance in (
                        {None: 1.0} if over else draws(game, other, full, line, action)
                    ).items():
                        to = other if over else game.point(other).moves[label]
                        nexts[action][to] = nexts[action].get(to, 0) + weight * chance
            if point.player == defender and over:
                nexts["c"][other] = weight
            elif point.player == defender:
                node = tree.betting.node_of[other]
                for label, p in zip(tree.actions(node), strategy.at(defender, node, 0)[hand], strict=True):
                    to = game.point(other).moves[label]
                    nexts[played_as(game, other, full, line, label)][to] = weight * p
        if point.player == defender:
            mass = {action: sum(minds.values()) for action, minds in nexts.items()}
            total = sum(mass.values())
            found[line] = [p / total if total > 0 else 1 / len(mass) for p in mass.values()]
        for action, after in point.moves.items():
            visit(after, nexts[action])

    visit(full.first_line, {game.first_line: 1.0})
    return found


@over(["1", "2", "7/2", "7", "30"], [('1,"a"', '3/4,1,"a"'), ('1/2,"a"', '1/4,1/2,3,"a"'), ("1", "1/2,1")])
def test_where_stacks_cut_sizes_it_is_the_walk_by_hand(stack, few, many):
    game, full = load_game(CUT.format(few, stack)), load_game(CUT.format(many, stack))
    coarse, fine = factored_tree(game), factored_tree(full)
    strategy = random_strategy(coarse, 5)
    found = translated(strategy, fine)
    for defender in (0, 1):
        for hand in range(len(fine.boards.hands[defender].hand)):
            wanted = walk(game, full, coarse, strategy, hand, defender)
            for line, row in wanted.items():
                at = found.at(defender, fine.betting.node_of[line], 0)[hand]
                np.testing.assert_allclose(at, row, rtol=0, atol=1e-12)


def test_a_hand_that_is_all_in_for_the_abstraction_checks_and_calls():
    """A bet of 3/4 pot is taken for all-in; the chips behind are put in with every hand that called."""
    game = load_game(CUT.format('"a"', 2))
    full = load_game(CUT.format('3/4,"a"', 2))
    coarse, fine = factored_tree(game), factored_tree(full)
    found = translated(uniform_strategy(coarse), fine)
    # Player 0 bets 3/4, player 1 raises all-in: player 1 took the bet for all-in, and never raises.
    line = next(line for line in fine.betting.line if line.count("r") == 1 and line.startswith("r"))
    node = fine.betting.node_of[line]
    assert fine.actions(node)[:2] == ["f", "c"]
    np.testing.assert_allclose(found.at(1, node, 0)[:, :2], 0.5)


def test_all_in_for_the_abstraction_on_the_turn_it_calls_on_the_river_too():
    spec = 'small_holdem(board="As Ks Qs Jh",ranks=4,suits=3,stack=2,bets=[{0}],raises=[{0}])'
    game, full = load_game(spec.format('"a"')), load_game(spec.format('1/4,"a"'))
    coarse, fine = factored_tree(game), factored_tree(full)
    found = translated(uniform_strategy(coarse), fine)
    small, met = fine.actions(0)[1], 0
    for player, node, board in decisions(fine):
        # The other player's small bet was called, which was taken for all-in; now it is the player's turn.
        line, before = (fine.betting.line[n] for n in (node, fine.betting.parent[node]))
        if (player, line) == (0, f"c{small}c/") or (player, before) == (1, f"{small}c/"):
            expected = [float(action == "c") for action in fine.actions(node)]
            np.testing.assert_allclose(
                found.at(player, node, board), [expected] * len(found.at(player, node, board))
            )
            met += 1
    assert met == 4 * (coarse.boards.street == 1).sum()  # one line of player 0, three of player 1


def test_chips_that_sizes_are_rounded_to_part_no_sizes():
    """After a bet of 3/4 was taken for 1/2 pots differ, and so does what half of them is in chips."""
    few, many = (load_game(DEEP.format("As Ks Qs Jh", sizes)) for sizes in ("1/2,1", "1/2,3/4,1"))
    few, many = (replace(one, betting=replace(one.betting, chip=Fraction(2, 7))) for one in (few, many))
    taken, bet = ([*game.point("").moves.values()][k] + "c/" for game, k in ((few, 1), (many, 2)))
    known, sizes = raise_sizes(few, taken), raise_sizes(many, bet)
    half, more, whole = sizes
    assert sizes[half] not in known.values()
    for own in (False, True):
        read = readings(few, taken, many, bet, own=own)
        assert [read[half], read[whole]] == [{label: 1.0} for label in known]
        assert len(read[more]) == (0 if own else 2)


# what is refused


def test_other_games_are_refused():
    few, many = PAIRS[0]
    strategy = strategy_of(drawn_profile(form_of(few), 1), factored_tree(few, False))
    with pytest.raises(ValueError, match="the games may differ in sizes and stacks alone"):
        translated(strategy, factored_tree("no_limit_leduc(ranks=4,bets=[1/2,3/4,1])", False))
    with pytest.raises(ValueError, match="both games must have the same boards"):
        translated(strategy, factored_tree(many))
    with pytest.raises(ValueError, match=r"every size of .* must be among those of"):
        translated(strategy, factored_tree("no_limit_leduc(bets=[3/4,1])", False))


def test_an_opponent_without_a_size_is_refused():
    few, many = (CUT.format("1", 9).replace("raises=[1]", f"raises=[{r}]") for r in ("", "1"))
    coarse, fine = factored_tree(few), factored_tree(many)
    strategy = uniform_strategy(coarse)
    with pytest.raises(ValueError, match="an opponent who raises there needs a size in both"):
        translated(strategy, fine)
