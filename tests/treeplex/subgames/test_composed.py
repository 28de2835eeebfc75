"""Flop and turn subgames of short decks solved again: tops and values are those of the whole strategy."""

from dataclasses import replace
from functools import cache, partial
from time import thread_time

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.engine import average
from treeplex.core.problem import Problem
from treeplex.gadgets.boards.board_subgame import board_subgame, gifts_at, places_for_gifts, positions
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.games.poker.named import no_limit_flop_holdem, no_limit_turn_holdem, small_holdem
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.boards.subtree import Subtree
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.certify.board_values import recorded_values
from treeplex.subgames.composed_responses import ResolveConfig, played_again
from treeplex.subgames.composed_trunk import ComposedTrunk
from treeplex.subgames.composed_value import Blueprint, composed
from treeplex.subgames.resolve_on_boards import board_gadget, promises

DCFR = factored_config("dcfr")
OPTIONS = {
    "unsafe": GadgetOptions(),
    "resolve": GadgetOptions(),
    "estimated-resolve": GadgetOptions(estimates="blueprint"),
    "maxmargin": GadgetOptions(),
    "reach-maxmargin": GadgetOptions(),
    "estimated-maxmargin": GadgetOptions(estimates="blueprint"),
    "reach-estimated-distributional": GadgetOptions(estimates="blueprint", scale=20.0, atoms=4),
}
PROMISED = ("resolve", "maxmargin", "reach-maxmargin")


@cache
def flop_game(ranks=4, suits=2, raises=2):
    return no_limit_flop_holdem(ranks, suits, bets=(1, "a"), max_raises=(2, raises), stack=1200)


@cache
def turn_game(ranks=4, suits=2, flops=None):
    return no_limit_turn_holdem(ranks, suits, bets=(1,), max_raises=(1, 1, 1), stack=700, flops=flops)


FLOP, TURN, LISTED = flop_game(), turn_game(), turn_game(4, 3, 2)


@cache
def start(game, iterations=8):
    """Return a blueprint that is still bad, but comes everywhere."""
    return average(factored_cfr.prepare(Problem(game).boards(), DCFR), iterations)


def judged(defender, game=FLOP, iterations=8, threads=1):
    return Blueprint.of(ComposedTrunk.of(start(game, iterations), defender, DCFR, threads))


def again(method, iterations=60, tolerance=1e9):
    return ResolveConfig(
        board_gadget(method, OPTIONS[method]), promises(method, OPTIONS[method]), iterations, tolerance
    )


def subgames_of(blueprint, numbers):
    """Return the subgames below some flops."""
    found = []

    def play(subgame):
        found.append(subgame)
        return subgame.tops.value

    for number in numbers:
        blueprint.with_play(number, play)
    return found


def composed_by(blueprint, how):
    return composed(blueprint, partial(blueprint.on_flop, again=how))


def written_out(blueprint, how):
    """Return the composed strategy as one of the whole game; the opponent's part is the blueprint's."""
    d, strategy = blueprint.trunk.menus.defender, blueprint.trunk.strategy
    tree, table = strategy.tree, strategy.weight[d].astype(np.float64)
    for subgame in subgames_of(blueprint, range(len(blueprint.last_boards))):
        found = played_again(subgame, d, how)
        if found.table is None:
            continue
        first = tree.betting.node_of[blueprint.trunk.lines.names[subgame.line]]
        inside = np.arange(first, tree.betting.end[first])
        node = int(inside[tree.betting.player[inside] == d][0])
        at, _, width = tree.rows(d, node, subgame.flop.number)
        table[at : at + len(found.table) * width] = found.table.ravel()
    other = strategy.weight[1 - d]
    return FactoredStrategy(tree, (table, other) if d == 0 else (other, table))


def best_response(strategy, defender):
    proved = certify_factored(strategy.tree.game, strategy)
    return (proved.upper if defender == 1 else -proved.lower), 2 * proved.rounding


WRITTEN_OUT = [
    *((FLOP, method, number % 2) for number, method in enumerate(OPTIONS)),
    (flop_game(suits=3), "resolve", 0),
    (turn_game(3, 3), "maxmargin", 1),
    (LISTED, "resolve", 0),
    (LISTED, "reach-estimated-distributional", 1),
]
THE_OTHER_PLAYERS = [
    *((game, method, 1 - defender) for game, method, defender in WRITTEN_OUT),
    *((game, "reach-maxmargin", defender) for game in (LISTED, TURN) for defender in (0, 1)),
]


@two_tiers([WRITTEN_OUT[n] for n in (1, 4, -1)], WRITTEN_OUT + THE_OTHER_PLAYERS, seconds=(4, 30))
def test_values_are_those_of_the_strategy_written_out(game, method, defender):
    blueprint, how = judged(defender, game), again(method, iterations=10)
    found = composed_by(blueprint, how)
    exact, rounding = best_response(written_out(blueprint, how), defender)
    assert found.after == pytest.approx(exact, abs=rounding)
    before, rounding = best_response(blueprint.trunk.strategy, defender)
    assert found.before == pytest.approx(before, abs=rounding)
    assert found.solved == found.subgames > 80
    assert found.after != found.before


@two_tiers(
    [(0, flop_game(suits=3)), (1, turn_game(3, 3)), (0, LISTED)],
    [(1, flop_game(suits=3)), (0, turn_game(3, 3)), (1, LISTED)],
    seconds=(3, 3),
)
def test_tops_are_those_of_subgames_on_boards(defender, game):
    blueprint = judged(defender, game, iterations=20)
    strategy, opponent = blueprint.trunk.strategy, 1 - defender
    tree = strategy.tree
    found, wanted = {}, set()
    for subgame in subgames_of(blueprint, {0, len(blueprint.last_boards) - 1}):
        place = tree.betting.node_of[blueprint.trunk.lines.names[subgame.line]], subgame.flop.number
        if tree.betting.player[place[0]] >= 0:
            found[place] = subgame.tops
            wanted |= {place, *places_for_gifts(tree, opponent, place)}
    records = recorded_values(tree.game, strategy, wanted)
    given = 0
    for place, tops in found.items():
        subtree = Subtree.of(tree, *place)
        order = positions(subtree, opponent)
        lower, estimated = (one[order] for one in gifts_at(tree, opponent, place, records))
        subgame = board_subgame(subtree, strategy, defender, records[place], (lower, estimated))
        whole = np.argsort(order)  # from hands in the order of the range to those of the board
        assert tops.reach == pytest.approx(subgame.reach[whole], rel=1e-9, abs=1e-12)
        assert tops.value == pytest.approx(subgame.value[whole], rel=1e-9, abs=1e-9)
        assert tops.blueprint_value == pytest.approx(subgame.blueprint_value[whole], rel=1e-9, abs=1e-9)
        assert tops.opponent_reach == pytest.approx(subgame.opponent_reach[whole], rel=1e-9, abs=1e-12)
        live = tops.live
        assert tops.lower_bound_gifts[live] == pytest.approx(lower[whole][live], rel=1e-9, abs=1e-9)
        given += int((lower > 1e-3).sum())
    assert given > 10


@over([0, 1])
def test_hands_met_before_a_listed_flop_count_as_often_as_flops_leave_them(defender):
    blueprint = judged(defender, LISTED)
    trunk, before = blueprint.trunk, blueprint.start
    own, theirs = (trunk.cards(0, p).tolist() for p in (defender, 1 - defender))
    left = np.array([[_flops_left(LISTED, {*one, *other}) for other in own] for one in theirs])
    rows = [0, *before.here.before.steps]
    reach = before.here.reaches[defender][rows]
    assert before.met[rows] == pytest.approx(reach @ left.T, rel=1e-12, abs=1e-12)
    assert len({round(share, 9) for share in left[left > 0]}) > 1


def _flops_left(game, hands):
    """Return the share of the list's weight that two hands leave; 0 where they share a card."""
    left = sum(weight for flop, weight in game.flops if not hands & set(flop)) if len(hands) == 4 else 0
    return left / sum(weight for _, weight in game.flops)


@pytest.mark.parametrize(
    "seat", [pytest.param(0, marks=pytest.mark.seconds(5)), pytest.param(1, marks=pytest.mark.seconds(6))]
)
@over(enumerate(PROMISED))
def test_methods_that_promise_keep_the_blueprint_where_they_err(number, method, seat):
    blueprint = judged((number + seat) % 2)
    few = composed_by(blueprint, again(method, iterations=3, tolerance=0.0))
    assert few.after <= few.before + 1e-9
    assert few.error == 0.0
    assert few.solved < few.subgames
    many = composed_by(blueprint, again(method, iterations=200, tolerance=1e-2))
    assert many.solved > few.solved
    assert many.after < few.before
    assert many.error < 2.0


@pytest.mark.seconds(2)
def test_unsafe_solving_harms_a_good_blueprint_and_safe_solving_does_not():
    blueprint = judged(0, iterations=400)
    unsafe = composed_by(blueprint, again("unsafe", iterations=100))
    safe = composed_by(blueprint, again("maxmargin", iterations=200, tolerance=1e-2))
    assert unsafe.after > unsafe.before + 0.3
    assert safe.after <= safe.before + safe.error + 1e-9
    assert safe.error < 0.2


def test_an_error_on_one_of_many_boards_counts_by_its_share():
    """Of twelve cards two hands and a flop leave five: an error after one of them counts a fifth."""
    blueprint, how = judged(1, LISTED), again("unsafe", iterations=5)
    errors = np.array([played_again(one, 1, how).error for one in subgames_of(blueprint, [0])])
    assert blueprint.on_flop(0, how).error == pytest.approx(errors / 5, rel=1e-9)
    assert errors.sum() > 0


def hand_by_hand(subgame):
    """Return the same subgame on a flop of which no symmetries are known."""
    return subgame._replace(flop=replace(subgame.flop, group=subgame.flop.group[:1], engines={}))


@pytest.mark.seconds(2)
@over(["unsafe", "resolve", "estimated-resolve", "reach-estimated-distributional"], [0, 1])
def test_hands_that_suits_alone_tell_apart_are_solved_as_one(method, defender):
    """By ten iterations, before what rounding does to a hand can grow."""
    how, merged = again(method, iterations=10), 0
    for subgame in subgames_of(judged(defender, flop_game(suits=3)), range(6)):
        found, one_by_one = (played_again(one, defender, how) for one in (subgame, hand_by_hand(subgame)))
        assert found.values == pytest.approx(one_by_one.values, rel=1e-7, abs=1e-7)
        flop = subgame.flop
        classes = {learner for _, learner in flop.engines}
        assert classes <= {flop.alike}
        merged += bool(classes) and len(flop.alike.first[0]) < len(flop.each.first[0])
    assert merged > 10


FIELDS = ("reach", "opponent_reach", "value", "lower_bound_gifts", "played")


@over([None, *FIELDS])
def test_hands_that_come_to_a_subgame_in_other_ways_are_solved_one_by_one(field):
    """Only classes of which all hands come alike are solved as one; here one hand of one class does not."""
    how, tried, player = again("resolve", iterations=2), 0, int(field is not None)
    for subgame in subgames_of(judged(0, flop_game(suits=3)), range(6)):
        number, live = (
            subgame.flop.alike.number[player],
            subgame.tops.live if player else subgame.own_reach > 0,
        )
        shared = np.flatnonzero((np.bincount(number) > 1)[number] & live)
        if subgame.below is None or not len(shared):
            continue
        changed = (subgame.own_reach if field is None else getattr(subgame.tops, field)).copy()
        changed[shared[0]] += 0.5 * (1.0 + np.abs(changed).max())
        if field is None:
            other = subgame._replace(own_reach=changed)
        else:
            other = subgame._replace(tops=replace(subgame.tops, **{field: changed}))
        other = other._replace(flop=replace(subgame.flop, engines={}))
        found, one_by_one = (played_again(one, 0, how) for one in (other, hand_by_hand(other)))
        assert [learner for _, learner in other.flop.engines] == [other.flop.each]
        assert np.array_equal(found.table, one_by_one.table)
        tried += 1
    assert tried > 5


@pytest.mark.seconds(3)
def test_threads_change_nothing():
    how = again("reach-maxmargin", iterations=10)
    assert composed_by(judged(1), how) == composed_by(judged(1, threads=2), how)


def test_seconds_are_the_cpu_time_of_all_flops():
    blueprint, how, began = judged(1), again("unsafe", iterations=5), thread_time()
    assert 0.0 < blueprint.on_flop(0, how).seconds <= thread_time() - began
    found = composed(blueprint, lambda n: blueprint.on_flop(n, how)._replace(seconds=np.array(2.5)))
    assert found.seconds == 2.5 * len(blueprint.last_boards)


def test_games_that_begin_on_a_flop_are_refused():
    game = small_holdem("As Kh Qs", ranks=3, suits=3)
    with pytest.raises(ValueError, match="all board cards must be dealt after the start, got small_holdem"):
        ComposedTrunk.of(start.__wrapped__(game), 0, DCFR)
