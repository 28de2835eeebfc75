"""Fingerprints of solvers that others write: styles of textbooks are named, planted bugs named and placed."""

from itertools import product

import pytest

from tests.helpers.cells import over
from tests.helpers.twins.textbook_cfr import TextbookCfr, leaf_paths
from tests.helpers.two_tiers import two_tiers
from treeplex.bench.examination.fingerprint import Fingerprint, Nearest, fingerprint
from treeplex.core.loading import load
from treeplex.files.strategies import strategy_of

P0, P1, BOTH = ((0,), (1,)), ((1,), (0,)), ((0, 1),)
ORDERS = {P0: "alternating, player 0 first", P1: "alternating, player 1 first", BOTH: "simultaneous"}
LINEAR = float


def found(spec, iterations=12, **choices):
    problem = load(spec)
    run = TextbookCfr(problem.game, **choices)
    tables = {t: run.run(1).average() for t in range(1, iterations + 1)}
    return fingerprint(problem, {t: strategy_of(problem, table).strategy for t, table in tables.items()})


@pytest.mark.seconds(3)
@over([(order,) for order in ORDERS])
def test_orders_of_updates_are_named(order):
    assert found("kuhn_poker", order=order) == Fingerprint("cfr", "uniform, before the update", ORDERS[order])
    plus = found("leduc_poker(raises=1)", order=order, plus=True, weights=LINEAR)
    assert plus == Fingerprint("cfr+", "linear, before the update", ORDERS[order])


@pytest.mark.parametrize(
    "spec", ["kuhn_poker", pytest.param("leduc_poker(raises=1)", marks=pytest.mark.seconds(20))]
)
@over([(order,) for order in ORDERS])
def test_regrets_that_change_during_the_walk_are_recognised(order, spec):
    named = f"{ORDERS[order]}, regrets updated during the walk"
    assert found(spec, order=order, at_once=True) == Fingerprint("cfr", "uniform, met during the walk", named)
    plus = found(spec, order=order, at_once=True, plus=True, weights=LINEAR)
    variant = "cfr+, regrets clipped at each history"
    assert plus == Fingerprint(variant, "linear, met during the walk", named)


@over(
    [
        (lambda t: t + 1.0, "linear with t + 1"),
        (lambda t: t - 1.0, "linear with t - 1"),
        (lambda t: max(t - 5.0, 0.0), "linear with t - 5"),
        (lambda t: float(t > 3), "uniform from iteration 4"),
        (lambda t: float(t**3), "cubic"),
    ]
)
def test_offsets_of_weights_are_named(weights, averaging):
    named = found("kuhn_poker", plus=True, weights=weights)
    assert named == Fingerprint("cfr+", f"{averaging}, before the update", ORDERS[P0])


@pytest.mark.seconds(2)
@over([(False, "leduc_poker(raises=1)"), (True, "kuhn_poker")])
def test_a_solver_without_averaging_and_one_without_weights_are_named(plus, spec):
    variant = "cfr+" if plus else "cfr"
    weights = LINEAR if plus else TextbookCfr.weights
    last = found(spec, plus=plus, weights=weights, bug="no averaging")
    assert last == Fingerprint(variant, "last", ORDERS[P0])
    assert found(spec, plus=plus) == Fingerprint(variant, "uniform, before the update", ORDERS[P0])


@two_tiers(
    [("wrong reach", False, "kuhn_poker"), ("chance weight", True, "kuhn_poker")],
    product(["wrong reach", "chance weight"], [False, True], ["kuhn_poker", "leduc_poker"]),
    seconds=(2, 20),
)
def test_a_wrong_reach_and_a_wrong_chance_weight_are_placed(bug, plus, spec):
    first = found(spec, bug=bug, plus=plus, weights=LINEAR if plus else TextbookCfr.weights)
    assert isinstance(first, Nearest)
    assert 2 <= first.iteration <= 12
    assert first.infosets
    assert first.difference > 1e-3
    if bug == "chance weight":
        assert first.nearest.order == ORDERS[P0]
        assert first.nearest.averaging == f"{'linear' if plus else 'uniform'}, before the update"


@pytest.mark.seconds(20)
@over([False, True])
def test_the_sign_of_a_leaf_is_placed_on_the_way_to_it(plus):
    """It shows first at infosets on the way to the leaf, and nowhere else."""
    for leaf, path in leaf_paths(load("kuhn_poker").game).items():
        first = found("kuhn_poker", bug=f"leaf {leaf}", plus=plus)
        assert isinstance(first, Nearest), leaf
        assert first.nearest.variant == ("cfr+" if plus else "cfr"), leaf
        assert set(first.infosets) <= set(path), leaf


@over([(1, "more"), (-1, "fewer")])
def test_a_wrong_number_of_iterations_is_named(extra, words):
    problem = load("kuhn_poker")
    run = TextbookCfr(problem.game, plus=True, weights=LINEAR)
    tables = {t - extra: run.run(1).average() for t in range(1, 13)}
    seen = {t: strategy_of(problem, table).strategy for t, table in tables.items() if t > 0}
    averaging = f"linear, before the update, after one iteration {words}"
    assert fingerprint(problem, seen) == Fingerprint("cfr+", averaging, ORDERS[P0])


def test_a_difference_as_json():
    first = found("kuhn_poker", bug="chance weight")
    (infoset,) = first.infosets
    assert first.as_json() == {
        "nearest": {
            "variant": "cfr",
            "averaging": "uniform, before the update",
            "order": "alternating, player 0 first",
        },
        "first_difference": {
            "iteration": first.iteration,
            "infosets": [{"player": infoset[0], "infoset": infoset[1]}],
        },
    }


@pytest.mark.seconds(3)
def test_strategies_after_some_iterations_alone_are_told_apart_too():
    problem = load("kuhn_poker")
    for bug, kind in (("", Fingerprint), ("chance weight", Nearest)):
        run = TextbookCfr(problem.game, bug=bug)
        tables = {t: run.run(t // 2 or 1).average() for t in (1, 2, 4, 8, 16)}
        seen = {t: strategy_of(problem, table).strategy for t, table in tables.items()}
        assert isinstance(fingerprint(problem, seen), kind)
