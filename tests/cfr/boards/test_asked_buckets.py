"""Users' rules where hands are tied by bucket: the bits of CFR+, the play on the tree, failures."""

from itertools import product

import numpy as np
import pytest

import treeplex as tp
from tests.helpers import own_rules
from tests.helpers.cells import over
from tests.helpers.labelled_hands import bits, buckets, pairs_and_board, ranks
from tests.helpers.twins.factored import before, factored_tree
from treeplex.cfr.boards import bucket_cfr, factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.engine import iterate
from treeplex.cfr.variant import RULES_ON_BOARDS, Average, Variant

TURN, LEDUC = 'small_holdem(board="As Ks Qs Js",ranks=4,suits=3)', "leduc_poker(suits_visible=true)"
FLOP = "flop_holdem(ranks=4,suits=2,raises=[1,1])"


def config_of(rule, exponent=1.0):
    return FactoredConfig(Variant((rule, rule), "alternating", Average(exponent, "before")))


def by_rule(tree, rule, iterations, threads=1, exponent=1.0):
    engine = bucket_cfr.prepare(tree, config_of(rule, exponent), threads)
    state = iterate(engine, iterations)
    engine.check(state)
    return state


def built_in_run(tree, name):
    return iterate(bucket_cfr.prepare(tree, FactoredConfig(before(name))), 12)


@over([*product([TURN, LEDUC], [ranks, pairs_and_board])])
def test_regret_matching_plus_as_a_rule_has_the_bits_of_the_built_in_one(spec, label):
    tree = buckets(factored_tree(spec), label)
    ours, built_in = by_rule(tree, own_rules.RM_PLUS, 12), built_in_run(tree, "cfr+")
    for one, other in zip(ours.memories, built_in.memories, strict=True):
        assert np.array_equal(one.regret, other.regret)
        assert np.array_equal(one.total, other.total)


@over([(own_rules.PRM_PLUS, "pcfr+", 2.0), (own_rules.LINEAR, "lcfr", 1.0)])
def test_rules_with_several_arrays_and_schedules_are_those_built_in(rule, name, exponent):
    tree = buckets(factored_tree(TURN), ranks)
    ours, built_in = by_rule(tree, rule, 12, exponent=exponent), built_in_run(tree, name)
    for one, other in zip(ours.memories, built_in.memories, strict=True):
        np.testing.assert_allclose(one.total, other.total, rtol=0, atol=1e-9)


@pytest.mark.seconds(2)
@over([(own_rules.RM_PLUS, FLOP), (own_rules.FIRST, FLOP), *product(RULES_ON_BOARDS, [LEDUC])])
def test_hands_learn_on_boards_what_they_learn_on_the_tree(rule, spec):
    """The first play is the rule's own too, which is not uniform for one of these.

    Play by predictions is decided by signs of rounding errors where regrets tie, as they do on most games.
    """
    on = {"boards": {}, "tree": {"counted": "before"}}
    found = {form: tp.solve(spec, rule, form=form, iterations=20, **more) for form, more in on.items()}
    assert found["boards"].nash_conv == pytest.approx(found["tree"].nash_conv, rel=0, abs=1e-7)
    assert found["boards"].value == pytest.approx(found["tree"].value, rel=0, abs=1e-7)


def test_threads_and_parts_change_no_bit():
    tree = buckets(factored_tree(TURN), pairs_and_board)
    whole = by_rule(tree, own_rules.PRM_PLUS, 9)
    assert bits(by_rule(tree, own_rules.PRM_PLUS, 9, threads=3)) == bits(whole)
    engine = bucket_cfr.prepare(tree, config_of(own_rules.PRM_PLUS))
    assert bits(engine.advance(engine.advance(engine.start(), 4), 5)) == bits(whole)


def test_failures_of_a_rule_end_the_run():
    tree = buckets(factored_tree(LEDUC), ranks)
    for rule, said in (
        (own_rules.NEGATIVE, "strategy wrote weights that are negative"),
        (own_rules.RAISING, "observe raised an error"),
    ):
        with pytest.raises(tp.BadInputError, match=said):
            by_rule(tree, rule, 5)


def test_states_and_players_that_a_rule_has_not_are_refused():
    tree = factored_tree(LEDUC)
    engine = bucket_cfr.prepare(buckets(tree, ranks), config_of(own_rules.PRM_PLUS))
    with pytest.raises(tp.BadInputError, match="player 0's regret must have shape"):
        engine.check(by_rule(buckets(tree, ranks), own_rules.RM_PLUS, 1))
    with pytest.raises(tp.BadInputError, match="both players' hands in buckets"):
        bucket_cfr.prepare(buckets(tree, ranks, (True, False)), config_of(own_rules.RM_PLUS))
    with pytest.raises(tp.BadInputError, match="where hands are in buckets"):
        factored_cfr.prepare(tree, config_of(own_rules.RM_PLUS))
