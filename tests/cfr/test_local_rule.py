"""Users' local rules on trees: the same bits as the built-in rules, and refusals."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from numba import njit

from tests.helpers import own_rules
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.engine import iterate
from treeplex.cfr.local_rule import LocalRule, load_rule, name_of
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.sequences import full_width, warm_start
from treeplex.cfr.variant import variant_named
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.named import leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public

MODULE = own_rules.__name__
LEDUC = leduc_poker(ranks=3, suits_visible=True)


def form():
    return tree_form(build_tree(leduc_poker(ranks=2)))


@pytest.mark.seconds(2)
@pytest.mark.parametrize("order", ["alternating", "simultaneous"])
def test_a_rule_of_ten_lines_is_cfr_plus_to_the_bit(order):
    states = [
        iterate(full_width.prepare(form(), variant_named(name, order=order)), 300)
        for name in ("cfr+", f"{MODULE}:RM_PLUS")
    ]
    for built_in, own in zip(*(state.memories for state in states), strict=True):
        for name in built_in._fields:
            assert np.array_equal(getattr(built_in, name), getattr(own, name)), name


@pytest.mark.seconds(3)
@pytest.mark.parametrize(("name", "rule"), [("pcfr+", "PRM_PLUS"), ("lcfr", "LINEAR")])
def test_rules_with_predictions_and_discounts(name, rule):
    """Sums are written in another order on the tree: the last bits differ, which would break ties."""
    untied = tree_form(build_tree(random_game(3)))
    engines = [full_width.prepare(untied, variant_named(one)) for one in (name, f"{MODULE}:{rule}")]
    first, second = (engine.strategy(iterate(engine, 50)) for engine in engines)
    for a, b in zip(first.behaviour, second.behaviour, strict=True):
        assert np.abs(a - b).max() < 1e-12


@pytest.mark.seconds(3)
def test_the_first_strategy_is_asked_of_the_rule():
    """The rule plays first actions; uniform play would earn something else."""
    engine = full_width.prepare(form(), variant_named(f"{MODULE}:FIRST", average="last"))
    state = engine.start()
    for t, memory in zip(form().treeplexes, state.memories, strict=True):
        first = np.zeros(t.n_sequences)
        first[t.begin] = 1.0
        assert np.array_equal(memory.plan, t.plan(np.append(1.0, first[1:])))
    engine.check(state)
    engine.check(engine.advance(state, 2))


def test_a_rule_is_the_same_in_pieces():
    engine = full_width.prepare(form(), variant_named(f"{MODULE}:PRM_PLUS"))
    whole, pieces = iterate(engine, 9), iterate(engine, 4, iterate(engine, 5))
    for one, other in zip(whole.memories, pieces.memories, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_a_rule_is_certified():
    engine = full_width.prepare(form(), variant_named(f"{MODULE}:LINEAR"))
    assert certify(form(), engine.strategy(iterate(engine, 500))).nash_conv < 0.03


@pytest.mark.seconds(8)
@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("DIVIDED", "strategy wrote weights that are negative or not finite"),
        ("NEGATIVE", "strategy wrote weights that are negative or not finite, or add up to infinity"),
        ("ONCE", "strategy wrote weights that are negative or not finite"),
        ("OVERFLOWING", "or add up to infinity"),
        ("BEYOND", "strategy raised an error"),
    ],
)
def test_a_rule_that_fails_ends_the_run(rule, words):
    with pytest.raises(BadInputError, match=words):
        iterate(full_width.prepare(form(), variant_named(f"{MODULE}:{rule}")), 10)


@pytest.mark.seconds(3)
def test_a_rule_that_fails_later_ends_the_run():
    engine = full_width.prepare(form(), variant_named(f"{MODULE}:RAISING"))
    state = iterate(engine, 3)
    with pytest.raises(BadInputError, match="its observe raised an error"):
        iterate(engine, 1, state)


def test_what_is_no_rule_is_refused():
    observe, strategy = own_rules.observe, own_rules.strategy
    for given, words in [
        ((observe.py_func, strategy, ("regret",)), r"observe must be a function with @numba.njit"),
        ((observe, None, ("regret",)), r"strategy must be a function with @numba.njit above it, got none"),
        ((observe, strategy, "regret"), r"a tuple of 1 to 8 different names, got 'regret'"),
        ((observe, strategy, ()), r"a tuple of 1 to 8 different names, got \[\]"),
        ((observe, strategy, ("a", "a")), "different names"),
        ((observe, strategy, ("a b",)), "a Python name, got 'a b'"),
        ((observe, strategy, ("class",)), "a Python name, got 'class'"),
    ]:
        with pytest.raises(BadInputError, match=words):
            LocalRule(*given)
    for path, words in [
        (
            f"{MODULE}:MISSPELT",
            "cannot compile the rule's strategy .*own_rules.py, line .*: Unknown attribute",
        ),
        (f"{MODULE}:observe", "must be a treeplex.LocalRule, got"),
        (f"{MODULE}:none", "has no none"),
    ]:
        with pytest.raises(BadInputError, match=words):
            load_rule(path)


def test_where_rules_do_not_run():
    variant = variant_named(f"{MODULE}:RM_PLUS")
    with pytest.raises(BadInputError, match="runs on the tree and on boards, got a public tree"):
        vector_cfr.prepare(compile_public(LEDUC), variant)
    profile = full_width.prepare(form(), variant).strategy(full_width.prepare(form(), variant).start())
    with pytest.raises(BadInputError, match="no warm start"):
        warm_start.prepare(form(), warm_start.WarmStart(variant, profile, 10))
    with pytest.raises(BadInputError, match="both players must learn by the same regret matching"):
        FactoredConfig(replace(variant, minimisers=(own_rules.RM_PLUS, own_rules.LINEAR)))


def test_a_rule_is_known_by_its_code():
    @njit
    def other(memory, play):
        for a in range(len(play)):
            play[a] = 2.0 * memory.regret[a]

    rule = own_rules.RM_PLUS
    assert repr(rule) == repr(LocalRule(own_rules.observe, own_rules.strategy, ("regret",)))
    others = [replace(rule, arrays=("sums",))]
    others += [replace(rule, strategy=one) for one in (other, *map(own_rules.powered, (1, 2)))]
    assert len({repr(rule), *map(repr, others)}) == 5
    assert repr(others[-1]) == repr(replace(rule, strategy=own_rules.powered(2)))
    assert repr(pickle.loads(pickle.dumps(rule))) == repr(rule)
    assert name_of(rule) == f"{MODULE}:RM_PLUS"
    assert name_of("cfr+") == "cfr+"
    with pytest.raises(BadInputError, match="must have a name in a module: put"):
        name_of(replace(rule, strategy=other))
