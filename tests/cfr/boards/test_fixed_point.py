"""Runs in fixed point and in float64: beside the judge, beside each other, and what is refused."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.twins.factored import before, compared, factored_tree
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig, factored_config
from treeplex.cfr.boards.factored_cfr import rules_of, run_half
from treeplex.cfr.boards.fixed_point import LARGEST_INTEGER, PAPER, FixedPoint, fixed_of
from treeplex.cfr.boards.workspace import BoardLearner, BoardPartition, backwards
from treeplex.cfr.engine import iterate
from treeplex.games.formats.specs import load_game
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.seqform.certify.board_values import HandValues

LEDUC = "leduc_poker(suits_visible=true)"
FLOP = 'small_holdem(board="As Ks Qs",ranks=4,suits=3)'
WHOLE = "flop_holdem(ranks=4,suits=2)"
HOLDEM = "limit_holdem(ranks=5,suits=2,raises=[1,0,1,1])"
TURN = 'small_holdem(board="As Kh Qs Jh",ranks=6,ranges=["AK,QJ:0.5,TT","KQ,JT,99:0.25"])'
WAYS = [("int32", "linear"), ("int32", "last"), ("float64", "linear"), ("float64", "last")]


def engine_of(spec, storage="int32", average="linear", fixed=PAPER, *, threads=1, isomorphism=True):
    config = factored_config("cfr+", average, storage, fixed)
    return factored_cfr.prepare(factored_tree(spec, isomorphism), config, threads)


def fine(spec, scale):
    """Return the same scale for regrets and averages of all streets."""
    n_streets = 1 + int(factored_tree(spec).boards.street.max())
    return FixedPoint((scale,) * n_streets, (scale,) * n_streets)


def tables_of(state):
    return [array.tobytes() for memory in state.memories for array in memory]


def current(engine, state):
    """Return the strategy that regrets make."""
    first, second = (memory.regret.astype(np.float64) for memory in state.memories)
    return FactoredStrategy(engine.tree, (first, second))


# --- increments and best values beside the judge ---


def action_values(game, strategy, player, node, board):
    """Return the judge's value of each action on a board of the tree, (hands, actions)."""
    tree, columns = strategy.tree, []
    start, n_actions, width = tree.rows(player, node, board)
    for a in range(n_actions):
        weight = [np.array(table, np.float64) for table in strategy.weight]
        rows = weight[player][start : start + n_actions * width].reshape(n_actions, width)
        rows[:] = np.arange(n_actions)[:, None] == a
        on = FactoredStrategy(tree, (weight[0], weight[1]))
        columns.append(HandValues(game, on).at(node, tree.boards.cards[board]))
    return np.array(columns).T


@pytest.mark.seconds(3)
@over([LEDUC, FLOP, TURN])
def test_increments_are_what_actions_gain_per_chip_whatever_the_chance_of_the_board(spec):
    """The first regrets, against uniform play: one scale means the same on all streets."""
    game, scale = load_game(spec), 37.0
    engine = engine_of(spec, fixed=fine(spec, scale))
    uniform, after = current(engine, engine.start()), iterate(engine, 1)
    tree, regret = engine.tree, after.memories[0].regret
    for board in range(tree.boards.n_boards):
        for node in np.flatnonzero(tree.betting.player == 0).tolist():
            if tree.betting.street[node] != tree.boards.street[board]:
                continue
            values = action_values(game, uniform, 0, node, board)
            exact = scale * (values - values.mean(axis=1, keepdims=True))
            start, n_actions, width = tree.rows(0, node, board)
            found = regret[start : start + n_actions * width].reshape(n_actions, width).T
            assert (np.abs(found - np.maximum(exact, 0.0)) <= 0.5 + 1e-6).all()
    assert after.memories[0].regret.max() > 10


def pairs(engine):
    """Return each player's weights in the order of the first board, and the weight of all pairs of hands."""
    boards, weights = engine.tree.boards, []
    for hands in boards.hands:
        here = hands.hand[hands.on(0)]
        weights.append((hands.weight / hands.weight.max())[here])
    first, second = (hands.cards[hands.hand[hands.on(0)]].tolist() for hands in boards.hands)
    apart = np.array([[not set(g) & set(h) for h in second] for g in first])
    return weights, float(weights[0] @ apart @ weights[1])


def best_after(engine, state):
    """Run an iteration in place; return each player's best value of each hand, carried in its half."""
    arrays, config, boards = engine.arrays, engine.config, engine.arrays.boards
    learners = []
    for p in (0, 1):
        fixed = fixed_of(engine.tree, arrays, config.fixed, p) if config.storage == "int32" else None
        learners.append(BoardLearner.of(arrays.sides[p], state.memories[p], engine.offsets[p], fixed=fixed))
    (rule,), found = rules_of(config.variant, state.iterations, 1), []
    with ThreadPoolExecutor(1) as pool:
        for p, segments in enumerate((engine.segments, backwards(engine.segments))):
            own, opponent = learners[p], learners[1 - p]
            partition = BoardPartition.of(boards, own, opponent, segments, engine.threads, carries=True)
            run_half(boards, own, opponent, rule, (0.0, 0.0), partition, pool)
            entry = own.side.betting.roots.entry[0] * own.offsets.stride[0]
            best = partition.workspace.best[entry : entry + len(own.root_plan[0])]
            found.append(best * arrays.units[p])
    return found


@pytest.mark.seconds(3)
@over([LEDUC, FLOP, TURN], [("int32", 1), ("float64", 3)], [True, False])
def test_best_values_carried_in_the_walk_are_the_judges(spec, storage, threads, isomorphism):
    """Player 0's against the plan before the iteration, player 1's against player 0's new one."""
    game = load_game(spec)
    engine = engine_of(spec, storage, threads=threads, isomorphism=isomorphism)
    weights, mass = pairs(engine)
    state, plain = iterate(engine, 7), iterate(engine, 8)
    old, (first, second) = certify_factored(game, current(engine, state)), best_after(engine, state)
    new = certify_factored(game, current(engine, state))
    assert tables_of(state) == tables_of(plain)
    assert float(weights[0] @ first) / mass == pytest.approx(float(old.upper), abs=1e-9)
    assert -float(weights[1] @ second) / mass == pytest.approx(float(new.lower), abs=1e-9)


# --- runs beside each other ---


@pytest.mark.seconds(3)
@over([LEDUC, FLOP, TURN], [True, False])
def test_with_large_scales_runs_are_those_on_the_explicit_tree(spec, isomorphism):
    fixed = fine(spec, 1e6)
    for iterations in (1, 5):
        found = compared(spec, "cfr+", iterations, isomorphism=isomorphism, storage="int32", fixed=fixed)
        assert found[0] < 1e-3


@pytest.mark.seconds(3)
@over([*((LEDUC, *way) for way in WAYS), (FLOP, *WAYS[0])])
def test_intervals_of_all_storages_overlap(spec, storage, average):
    game = load_game(spec)
    fixed = fine(spec, 1e3) if storage == "int32" else PAPER
    engine, reference = engine_of(spec, storage, average, fixed), engine_of(spec, "float64")
    proof, other = (
        certify_factored(game, one.strategy(iterate(one, count)))
        for one, count in ((engine, 150), (reference, 400))
    )
    assert not proof.disjoint(other)
    assert proof.lower <= other.value <= proof.upper
    assert proof.nash_conv <= (40 if average == "linear" else 100) * other.nash_conv


def test_averages_beside_floats():
    """Integers are the sums of plans times scale and weight, each rounded once."""
    scale, iterations = 50.0, 12
    fixed = FixedPoint((1e6, 1e6), (scale, 3 * scale))
    ints, floats = engine_of(LEDUC, fixed=fixed), engine_of(LEDUC, "float64")
    one, two = iterate(ints, iterations), iterate(floats, iterations)
    tree = ints.tree
    for p in (0, 1):
        for board, street in enumerate(tree.boards.street.tolist()):
            a, b = tree.base[p][board : board + 2]
            expected = (scale, 3 * scale)[street] * two.memories[p].total[a:b]
            assert np.abs(one.memories[p].total[a:b] - expected).max() <= 0.5 * iterations + 3.0
            assert expected.max() > 1000


def test_a_warm_up_is_not_averaged():
    warm = engine_of(LEDUC, fixed=replace(PAPER, warm_up=5))
    cold = engine_of(LEDUC)
    state = iterate(warm, 5)
    assert not any(memory.total.any() for memory in state.memories)
    assert not any(memory.root_total.any() for memory in state.memories)
    regrets = [memory.regret.copy() for memory in iterate(cold, 5).memories]
    for memory, regret in zip(state.memories, regrets, strict=True):
        np.testing.assert_array_equal(memory.regret, regret)
    after = iterate(warm, 1, state)
    # The first that counts has weight 1: on the first board player 0's plan is that of regrets after five.
    start, n_actions, width = warm.tree.rows(0, int(np.flatnonzero(warm.tree.betting.player == 0)[0]), 0)
    regret = regrets[0][start : start + n_actions * width].reshape(n_actions, width).astype(float)
    mass = regret.sum(axis=0)
    plan = np.where(mass > 0, regret / np.where(mass > 0, mass, 1.0), 1 / n_actions)
    found = after.memories[0].total[start : start + n_actions * width].reshape(n_actions, width)
    np.testing.assert_array_equal(found, np.rint(16.0 * plan))


def test_without_averages_regrets_and_the_last_plan_are_the_same():
    kept, last = (iterate(engine_of(FLOP, average=average), 30) for average in ("linear", "last"))
    for one, other in zip(kept.memories, last.memories, strict=True):
        np.testing.assert_array_equal(one.regret, other.regret)
        assert (len(one.total), len(other.total)) == (len(one.regret), 0)
    engine = engine_of(FLOP, average="last")
    assert engine.strategy(last).weight[0] is last.memories[0].regret


@pytest.mark.seconds(3)
@over([*((spec, *way) for spec in (FLOP, TURN) for way in WAYS), (WHOLE, *WAYS[0])])
def test_neither_threads_nor_slices_change_a_bit_of_integers(spec, storage, average):
    check_bits(spec, storage, average)


@pytest.mark.seconds(20)
@over(WAYS)
def test_neither_threads_nor_slices_change_a_bit_on_four_streets(storage, average):
    check_bits(HOLDEM, storage, average)


def check_bits(spec, storage, average):
    expected = iterate(engine_of(spec, storage, average), 9)
    for threads in (1, 3):
        engine, state = engine_of(spec, storage, average, threads=threads), None
        for count in (4, 1, 4):
            state = iterate(engine, count, state)
        assert tables_of(state) == tables_of(expected)
        np.testing.assert_array_equal(state.saturated, expected.saturated)


@over([1, 3])
def test_saturations_are_counted_over_the_run(threads):
    fixed = FixedPoint((2e9,) * 3, (2e9,) * 3)
    engine = engine_of(FLOP, fixed=fixed, threads=threads)
    state, counts = engine.start(), []
    for _ in range(4):
        state = iterate(engine, 1, state)
        counts.append(state.saturated.tolist())
    assert counts == sorted(counts)
    assert min(counts[-1]) > 0
    assert max(memory.regret.max() for memory in state.memories) == LARGEST_INTEGER
    engine.check(state)
    np.testing.assert_array_equal(iterate(engine_of(FLOP, fixed=fixed), 4).saturated, counts[-1])
    assert iterate(engine_of(FLOP), 4).saturated.tolist() == [0, 0]


@over([1e-6, 1e-12])
def test_where_everything_is_rounded_away_play_is_uniform(factor):
    fixed = FixedPoint((factor,) * 3, (factor,) * 3)
    state = iterate(engine_of(FLOP, fixed=fixed), 3)
    assert not any(memory.regret.any() or memory.total.any() for memory in state.memories)


# --- scales ---


def test_scales_of_streets_are_those_of_the_paper():
    assert FixedPoint().of_streets(load_game("limit_holdem")) == ((16, 16, 0.5, 0.5), (16, 16, 1, 1))
    assert FixedPoint().of_streets(load_game(FLOP)) == ((16, 0.5, 0.5), (16, 1, 1))
    assert engine_of(LEDUC).config.fixed == FixedPoint((16.0, 16.0), (16.0, 16.0))


def test_scales_are_read_from_text_and_numbers():
    assert FixedPoint.of("16,0.5", [1, 2], 3) == FixedPoint((16.0, 0.5), (1.0, 2.0), 3)
    assert FixedPoint.of() == PAPER


@over(
    [
        ({"scales": "1;2"}, "scales must be numbers such as 16,16,0.5,0.5, got '1;2'"),
        ({"average_scales": ""}, "average_scales must be numbers such as"),
        ({"scales": 16}, "scales must be numbers such as 16,16,0.5,0.5, got 16"),
        ({"scales": [1, 0]}, r"scales must be above 0 and at most 2\*\*31 - 1, got 1,0"),
        ({"scales": "nan"}, r"scales must be above 0 and at most 2\*\*31 - 1, got nan"),
        ({"average_scales": "1,1e10"}, "average_scales must be above 0 and at most .*, got 1,1e.10"),
        ({"warm_up": -1}, "warm_up must be at least 0, got -1"),
    ]
)
def test_other_scales_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        FixedPoint.of(**given)
    with pytest.raises(TypeError, match="float"):
        FixedPoint.of(warm_up=1.5)


def test_scales_must_be_one_a_street():
    for what in ("scales", "average_scales"):
        with pytest.raises(ValueError, match=f"{what} must be one number a street, 3 in .*, got 1,2"):
            engine_of(FLOP, fixed=FixedPoint(**{what: (1.0, 2.0)}))


@over(
    [
        ("dcfr", "int32", PAPER, "on boards fixed point is for cfr\\+, got Matching"),
        ("pcfr+", "int32", PAPER, "on boards fixed point is for cfr\\+"),
        (
            "cfr+",
            "float64",
            FixedPoint(scales=(1.0, 1.0)),
            "scales and a warm-up are for the storage int32, got float64",
        ),
        ("cfr+", "float32", replace(PAPER, warm_up=1), "a warm-up are for the storage int32, got float32"),
    ]
)
def test_fixed_point_is_for_cfr_plus(variant, storage, fixed, message):
    with pytest.raises(ValueError, match=message):
        FactoredConfig(before(variant), storage, fixed)


@over(
    [
        ("cfr+", "float32", "linear", 8),
        ("cfr+", "float32", "last", 8),
        ("cfr+", "int16", "linear", 4),
        ("cfr+", "int32", "linear", 8),
        ("cfr+", "int32", "last", 4),
        ("cfr+", "float64", "linear", 16),
        ("pcfr+", "float32", "linear", 12),
        ("pcfr+", "float64", "linear", 24),
    ]
)
def test_bytes_of_an_entry(name, storage, average, n_bytes):
    config = factored_config(name, average, storage)
    engine = factored_cfr.prepare(factored_tree(LEDUC), config)
    assert config.entry_bytes == n_bytes
    assert sum(memory.n_bytes for memory in engine.start().memories) == n_bytes * engine.tree.n_entries


# --- damaged states ---


def with_table(state, **tables):
    first, second = state.memories
    return replace(state, memories=(first, second._replace(**tables)))


def changed(array, value):
    other = array.copy()
    other[len(other) // 2] = value
    return other


@over(
    [
        ("regret", -1, "player 1's regret must be between 0 and 2.147.*e.09, got -1 at place"),
        ("total", -7, "player 1's total must be between 0 and"),
        ("root_regret", np.nan, "player 1's root_regret must be between"),
        ("root_total", -1.0, "player 1's root_total must be between 0 and"),
        ("regret_scale", 2.0, "player 1's regret_scale must be between 1 and 1, got 2"),
    ]
)
def test_numbers_out_of_range_are_refused(name, value, message):
    engine = engine_of(LEDUC)
    state = iterate(engine, 3)
    engine.check(state)
    with pytest.raises(ValueError, match=message):
        engine.check(with_table(state, **{name: changed(getattr(state.memories[1], name), value)}))


def test_counts_of_saturations_out_of_range_are_refused():
    engine = engine_of(LEDUC)
    state = iterate(engine, 2)
    for counts in ([-1, 0], [0, 10**9]):
        with pytest.raises(ValueError, match="saturated must be between 0 and"):
            engine.check(replace(state, saturated=np.array(counts)))
    with pytest.raises(ValueError, match="saturated must have shape"):
        engine.check(replace(state, saturated=np.zeros(3, np.int64)))
    floats = engine_of(LEDUC, "float64")
    with pytest.raises(ValueError, match="saturated must be between 0 and 0"):
        floats.check(replace(floats.start(), saturated=np.array([0, 1])))


@over(["float32", "float64", "int16", "last"])
def test_states_of_other_storages_are_refused(storage):
    engine = engine_of(LEDUC, average="last") if storage == "last" else engine_of(LEDUC, storage)
    for one, other in ((engine, engine_of(LEDUC)), (engine_of(LEDUC), engine)):
        with pytest.raises(ValueError, match="the state must be of the same tree and storage"):
            one.advance(other.start(), 1)
