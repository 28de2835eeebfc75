"""Checks of states: those that runs reach pass, whatever the engine; those that no run reaches do not."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cfr.sequences.warm_start import WarmStart
from treeplex.cfr.state_checks import MOST, SUMMED, check_close, check_range, sum_of_weights
from treeplex.cfr.variant import VARIANTS, Average, Ramp
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.solving import methods
from treeplex.solving.methods import FORMS, METHODS, forms_of, options_of

GAME, HOLDEM = "leduc_poker(ranks=2,raises=1)", "flop_holdem(ranks=4,suits=2,raises=[0,1])"


@cache
def engine_of(method, form, **choices):
    problem = tp.load(HOLDEM if form == "buckets" else GAME)
    if form == "buckets":
        choices["abstraction"] = lossless(problem.game)
    return methods.engine_of(problem, method, form, choices)


@pytest.mark.seconds(7)
@over([(m, f) for m in METHODS for f in forms_of(m) if f != "split"])
def test_states_of_runs_pass(method, form):
    engine = engine_of(method, form)
    state = engine.start()
    engine.check(state)
    for iterations in (1, 1, 2, 7, 30):
        state = engine.advance(state, iterations)
        engine.check(state)


@over(["uniform", "linear", "quadratic", "last"], ["before", "after", "seen"], ["tree", "public"])
def test_states_of_any_average_pass(average, counted, form):
    engine = engine_of("cfr+", form, average=average, counted=counted)
    for iterations in (1, 5):
        engine.check(engine.advance(engine.start(), iterations))


@over(
    [
        ("dcfr", "boards", {"storage": "int16"}),
        ("pcfr+", "boards", {"storage": "int16"}),
        ("mccfr-external", "tree", {"streams": 3}),
    ]
)
def test_states_of_other_choices_pass(method, form, choices):
    engine = engine_of(method, form, **choices)
    engine.check(engine.advance(engine.start(), 10))


def test_states_of_tables_on_rules_are_checked():
    problem = tp.load("goofspiel(cards=3)")
    engine = methods.engine_of(problem, "mccfr-external", "table")
    state = engine.advance(engine.start(), 10)
    engine.check(state)
    with pytest.raises(ValueError, match="player 0's regret and total must have shape"):
        engine.check(replace(state, regret=(np.zeros(1), state.regret[1])))
    with pytest.raises(ValueError, match="drawn must be between 0 and"):
        engine.check(replace(state, drawn=-1))


def with_memory(state, **arrays):
    """Return a state with changes to player 0's memory: functions of its arrays."""
    first, second = state.memories
    changed = {name: change(getattr(first, name).copy()) for name, change in arrays.items()}
    return replace(state, memories=(first._replace(**changed), second))


def put(at, value):
    def change(array):
        array[at] = value
        return array

    return change


@over(
    [
        (
            "cfr+",
            "tree",
            {"regret": put(3, np.nan)},
            "player 0's regret must be between .*, got nan at place 2",
        ),
        (
            "cfr+",
            "tree",
            {"play": put(3, -1.0)},
            "player 0's play must be between 0 and .*, got -1 at place 3",
        ),
        ("cfr+", "tree", {"mass": put(3, 1e9)}, "player 0's mass must be between .*, got 1e\\+09 at place 3"),
        (
            "cfr+",
            "tree",
            {"plan": put(0, 0.5)},
            "player 0's plan must be between 1 and 1, got 0.5 at place 0",
        ),
        (
            "cfr+",
            "tree",
            {"total": put(0, 5.0)},
            "player 0's total must be between 15 and 15, got 5 at place 0",
        ),
        (
            "hedge",
            "tree",
            {"squared_ranges": put(1, -1.0)},
            "player 0's squared_ranges must be between 0 and",
        ),
        ("cfr+", "public", {"regret": put(3, -np.inf)}, "player 0's regret must be between .*, got -inf"),
        (
            "cfr+",
            "public",
            {"strategy": put(8, 0.9)},
            "the sum of player 0's strategy at node 0 must be between 1",
        ),
        ("cfr+", "public", {"total": put(8, 99.0)}, "player 0's total at node 0 must be between"),
        ("hedge", "public", {"squared_ranges": put(0, np.nan)}, "player 0's squared_ranges must be between"),
        (
            "mccfr-public",
            "public",
            {"total": put(0, 5.1)},
            "player 0's total must be between 0 and 5, got 5.1",
        ),
        ("dcfr", "boards", {"total": put(0, 99.0)}, "player 0's total must be between 0 and 57.75, got 99"),
        (
            "dcfr",
            "boards",
            {"total_scale": put(0, 2.0)},
            "player 0's total_scale must be between 1 and 1, got 2",
        ),
        ("pcfr+", "boards", {"gain": put(0, np.nan)}, "player 0's gain must be between"),
        ("cfr-d", "tree", {"plan": put(0, 0.5)}, "player 0's plan must be between 1 and 1"),
    ]
)
def test_states_that_no_run_reaches_are_refused(method, form, arrays, says):
    engine = engine_of(method, form)
    state = with_memory(engine.advance(engine.start(), 5), **arrays)
    with pytest.raises(ValueError, match=says):
        engine.check(state)


def test_scales_of_integers_are_bounded_by_the_weights():
    engine = engine_of("cfr", "boards", storage="int16")
    state = engine.advance(engine.start(), 5)
    with pytest.raises(ValueError, match=r"player 0's total_scale must be between 0 and 1, got 1\.5"):
        engine.check(with_memory(state, total_scale=put(0, 1.5)))
    with pytest.raises(ValueError, match="player 0's regret must be between -32767 and 32767, got -32768"):
        engine.check(with_memory(state, regret=put(0, -32768)))


def test_numbers_of_other_states_are_refused():
    engine = engine_of("mccfr-external", "tree", streams=3)
    state = engine.advance(engine.start(), 10)
    first, *others = state.streams
    for change, says in (
        ({"iterations": 5}, "must be of 3 streams in step, got iterations"),
        ({"drawn": -1}, "stream 0's drawn must be between 0 and 9,007,199,254,740,992, got -1"),
        ({"visited": 2**60}, "stream 0's visited must be between"),
        (
            {"total": (-first.total[0] - 1, first.total[1])},
            "stream 0's total of player 0 must be between 0 and",
        ),
    ):
        with pytest.raises(ValueError, match=says):
            engine.check(replace(state, streams=(replace(first, **change), *others)))


def test_values_at_tops_are_bounded_by_what_can_be_won_there():
    engine = engine_of("cfr-d", "tree")
    state = engine.advance(engine.start(), 3)
    with pytest.raises(ValueError, match="player 1's values at tops must be between"):
        engine.check(replace(state, tops=(state.tops[0], state.tops[1] + 1e6)))
    with pytest.raises(ValueError, match="what player 0 earned must be between"):
        engine.check(replace(state, earned=(math.inf, 0.0)))


def test_a_warm_start_has_its_iterations_done():
    profile = tp.solve(GAME, "cfr+", iterations=5).profile
    problem = tp.load(GAME)
    start = WarmStart(VARIANTS["cfr"], profile, 20)
    warm = FORMS["tree"].engine(problem, start, options_of("cfr", "tree"))
    warm.check(warm.advance(warm.start(), 3))
    with pytest.raises(ValueError, match="iterations must be between 20 and"):
        warm.check(replace(warm.start(), iterations=19))


@over([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 7.3], [0, 1, 2, SUMMED, SUMMED + 1, 10 * SUMMED])
def test_sums_of_weights_are_those_of_the_weights(exponent, iterations):
    exact = math.fsum(t**exponent for t in range(1, iterations + 1))
    assert sum_of_weights(exponent, iterations) == pytest.approx(exact, rel=1e-13)


def test_of_an_average_of_the_last_plan_one_weighs():
    assert [sum_of_weights(math.inf, n) for n in (0, 1, 9)] == [0, 1, 1]


def test_ranges_name_the_first_entry_outside():
    with pytest.raises(ValueError, match="x must be between 0 and 1, got 3 at place 2"):
        check_range("x", np.array([0.0, 1.0, 3.0, -1.0]), 0.0, 1.0)
    with pytest.raises(ValueError, match="x must be between -2 and 2, got nan at place 1"):
        check_range("x", np.array([0.0, math.nan]), np.array([-1.0, -2.0]), np.array([1.0, 2.0]))
    check_range("x", np.zeros(0), 1.0, 2.0)


def test_what_is_close_differs_by_rounding_alone():
    check_close("x", np.array([1.0 + 1e-12, 0.0]), np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match=r"x must be between 1 and 1, got 1\.001 at place 0"):
        check_close("x", np.array([1.001]), np.array([1.0]))


@over([(4, 1), (4, 2), (4, 9), (1000, 50), (30, 3 * SUMMED)])
def test_the_weights_of_a_ramp_are_added_up_one_by_one(horizon, iterations):
    average, total = Average(Ramp(30.0, -5.0, horizon)), 0.0
    for t in range(1, iterations + 1):
        total = total * ((t - 1) / t) ** (30.0 - 5.0 * min(t / horizon, 1.0)) + 1.0
    assert average.total(iterations) == pytest.approx(total, rel=1e-11)
    weights = average.weights(0, iterations)
    assert weights.sum() / weights[-1] == pytest.approx(total, rel=1e-11)
    assert weights[1:] == pytest.approx(average.weights(1, iterations - 1), rel=1e-12)


def test_the_weights_of_a_ramp_take_no_memory_where_its_exponent_stays():
    assert Average(Ramp(30.0, -5.0)).total(2**50) == pytest.approx(2**50 / 26, rel=1e-9)
    assert Average(Ramp(30.0, -5.0)).total(0) == 0.0
    for start, slope in ((math.inf, 1.0), (1.0, math.nan)):
        with pytest.raises(ValueError, match="a ramp's start and slope must be finite"):
            Ramp(start, slope)


@over([(exponent, largest) for exponent in (0.0, 1.0, 4.0, 5.0) for largest in (1.0, 32.5, 33.0, 1e6)])
def test_the_most_iterations_are_those_whose_weights_add_up_to_no_more(exponent, largest):
    average, total, most = Average(exponent), 1.0, 1
    while total + (most + 1) ** exponent <= largest and most < 1000:
        most += 1
        total += most**exponent
    assert average.is_within(largest, most)
    if most < 1000:
        assert average.most_within(largest) == most
        assert not average.is_within(largest, most + 1)


def test_the_last_plan_and_ramps_have_weights_that_do_not_grow():
    for exponent in (math.inf, Ramp(30.0, -5.0, 10**7)):
        assert Average(exponent).most_within(1e38) == MOST
