"""Blueprints: the naive twin, all samples, splits and workers, pruning, permuted buckets, convergence."""

from collections import defaultdict
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.helpers.abstractions import drawn_abstraction
from tests.helpers.cells import over
from tests.helpers.twins.blueprint import NaiveBlueprint
from treeplex.bench.theorems_on_learning.samples import every_sample
from treeplex.cfr.bucket_sampling.bucket_sampler import prepare
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig, LibratusPruning, PluribusPruning
from treeplex.cfr.bucket_sampling.sampler_walk import LARGEST
from treeplex.cfr.engine import iterate
from treeplex.cfr.theory.regret_log import immediate_regrets
from treeplex.games.buckets.card_abstraction import StreetBuckets, rounds_of
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.poker.named import flop_holdem, kuhn_poker, leduc_poker, one_card_flop
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.game_tree import build_tree

SMALL = BlueprintConfig(seed=5, batch=10, period=40, clusters=3)
NO_WEIGHTS = replace(SMALL, linear_periods=1)
EARLY = {"threshold": -0.05}
"""Prunes in short runs."""
GAMES = [kuhn_poker(), leduc_poker(), one_card_flop(3, 2), flop_holdem(4, 2, (1, 1))]
SEEN = [kuhn_poker(), leduc_poker(ranks=2, raises=1, suits_visible=True)]
"""With few enough samples, and infosets that tell suits apart as buckets do."""
CONFIGS = [
    SMALL,
    NO_WEIGHTS,
    replace(SMALL, clusters=1, linear_periods=3),
    replace(SMALL, pruning=LibratusPruning(**EARLY, constant=0.1, start=20)),
    replace(SMALL, pruning=PluribusPruning(**EARLY, floor=-0.2, share=0.6, start=23)),
]


def coarse(game, count):
    """Return random buckets, so many on each street after the first."""
    return drawn_abstraction(game, (None, *(count for _ in rounds_of(game)[1:])))


def rows(engine, table):
    """Yield a name as the twin has it, and the entries of a row in each cluster; only those of choices."""
    layout = engine.layout
    for node, actions in enumerate(layout.lines.actions):
        record = layout.nodes[node]
        for bucket in range(layout.abstraction.counts[record["street"]] if actions else 0):
            at = int(record["base"]) + bucket * len(actions)
            shared = record["street"] == 0
            for cluster in range(layout.clusters.count):
                name = None if shared else cluster, layout.lines.names[node], bucket
                yield name, actions, table[cluster, at : at + len(actions)]


def compare(naive, engine, state):
    """Hold all tables against those of the twin."""
    assert (state.iterations, state.visited) == (naive.iterations, naive.visited)
    for name, actions, row in rows(engine, state.regret):
        assert row.tolist() == [naive.regret[name][a] for a in actions], name
    counts = defaultdict(lambda: defaultdict(int))
    for name, actions, row in rows(engine, state.total):
        for a, n in zip(actions, row.tolist(), strict=True):
            counts[name][a] += n
    for name, row in counts.items():
        assert row == {a: naive.count[name][a] for a in row}, name


def same(one, other):
    """Return whether two states have the same bits."""
    arrays = all(np.array_equal(getattr(one, n), getattr(other, n)) for n in ("regret", "gain", "total"))
    return arrays and all(
        getattr(one, n) == getattr(other, n) for n in ("iterations", "visited", "saturated")
    )


def check_that_traversals_are_the_naive_ones(game, config):
    for abstraction in (lossless(game), coarse(game, 2)):
        engine = prepare(game, abstraction, config)
        naive, state = NaiveBlueprint(engine.layout, config), None
        for n in (1, 9, 25, 30):
            naive.run(n)
            state = iterate(engine, n, state)
            compare(naive, engine, state)


@over([*product(GAMES[:2], CONFIGS), *zip(GAMES[2:], CONFIGS[3:1:-1], strict=True)])
def test_traversals_are_the_naive_ones(game, config):
    check_that_traversals_are_the_naive_ones(game, config)


@pytest.mark.seconds(3)
@over(GAMES[2:], CONFIGS)
def test_traversals_are_the_naive_ones_in_games_with_flops(game, config):
    check_that_traversals_are_the_naive_ones(game, config)


def test_runs_of_the_twin_prune_and_reach_the_floor():
    game = leduc_poker()
    for config in CONFIGS[3:]:
        engine = prepare(game, lossless(game), config)
        naive = NaiveBlueprint(engine.layout, config)
        naive.run(100)
        assert naive.untried > 10
    state = iterate(prepare(game, lossless(game), replace(CONFIGS[4], linear_periods=1)), 4000)
    assert state.regret.min() == int(-0.2 * 13 * 2**14)


@pytest.mark.seconds(2)
@over(SEEN, [0, 1])
def test_increments_are_unbiased_over_all_samples(game, player):
    """All samples of the twin's traversal together are the exact regrets against random play."""
    config = BlueprintConfig(clusters=2)
    layout = prepare(game, lossless(game), config).layout
    start = NaiveBlueprint(layout, config)

    def begun(script=None):
        naive = NaiveBlueprint(layout, config, lambda _: script)
        naive.iterations = player
        for row, gains in known.items():
            naive.regret[row] |= gains
        return naive

    known = {}
    everything = every_sample(lambda script: _visited(begun(script)), 200_000)
    rng = np.random.default_rng(3)
    for _, naive in everything:
        for row, gains in (
            (row, gains) for table in (naive.regret, naive.gain) for row, gains in table.items()
        ):
            known.setdefault(row, {a: int(rng.integers(-5, 9)) * 10**6 for a in gains})
    assert len({row[0] for row in known}) == layout.clusters.count + (layout.clusters.count > 1)
    expected, mass, infosets = defaultdict(lambda: defaultdict(float)), 0.0, defaultdict(set)
    for script, naive in every_sample(lambda script: _visited(begun(script)), 200_000):
        mass += float(script.probability)
        for row, before in known.items():
            infosets[row] |= naive.infosets[row]
            for a in before:
                gain = naive.gain[row][a] + naive.regret[row][a] - before[a]
                expected[row][a] += script.probability * gain
    assert mass == pytest.approx(1, abs=1e-9)
    form = number_tree(build_tree(game)).form
    behaviour = [_behaviour(t, known, infosets, start) for t in form.treeplexes]
    gradient = form.gradient(player, form.treeplexes[1 - player].plan(behaviour[1 - player]))
    t = form.treeplexes[player]
    exact = immediate_regrets(t, behaviour[player], gradient)
    checked = 0
    for row, keys in infosets.items():
        mine = [i for i, key in enumerate(t.infosets) if key in keys and t.end[i] - t.begin[i] > 1]
        for i in mine[:1]:
            for s in range(t.begin[i], t.end[i]):
                whole = sum(exact[s - t.begin[i] + t.begin[j]] for j in mine) / layout.unit
                assert expected[row][t.actions[s]] == pytest.approx(whole, abs=0.5)
                checked += abs(whole) > 10**3
    assert checked > 5


def _visited(naive):
    naive.traverse()
    return naive


def _behaviour(t, known, infosets, naive):
    """Return the behaviour that known regrets make at the infosets of rows."""
    behaviour = t.uniform()
    row_of = {key: row for row, keys in infosets.items() for key in keys}
    for key, lo, hi in zip(t.infosets, t.begin, t.end, strict=True):
        if key in row_of:
            gains = np.array([max(known[row_of[key]][a], 0) for a in t.actions[lo:hi]], float)
            behaviour[lo:hi] = gains / gains.sum() if gains.sum() else 1 / (hi - lo)
    return behaviour


@over([*CONFIGS, replace(SMALL, average="snapshots")])
def test_splits_and_workers_change_no_bit(config):
    game = leduc_poker()
    abstraction = lossless(game)
    whole = iterate(prepare(game, abstraction, config), 300)
    for workers, stops in ((1, (1, 2, 7, 90, 200)), (2, (300,)), (3, (35, 5, 260))):
        engine, state = prepare(game, abstraction, config, workers), None
        for n in stops:
            state = iterate(engine, n, state)
            engine.check(state)
        assert same(state, whole)
    assert not same(iterate(prepare(game, abstraction, replace(config, seed=6)), 300), whole)


def test_batches_and_clusters_change_bits():
    game = leduc_poker()
    whole = iterate(prepare(game, lossless(game), SMALL), 300)
    for other in (replace(SMALL, batch=20), replace(SMALL, clusters=2)):
        state = iterate(prepare(game, lossless(game), other), 300)
        assert state.regret.shape != whole.regret.shape or not same(state, whole)


def permuted(abstraction, seed):
    """Return the same buckets with other numbers, and the new number of each."""
    rng = np.random.default_rng(seed)
    streets, numbers = [], []
    for one, index in zip(abstraction.streets, abstraction.indices, strict=True):
        table = np.arange(index.size, dtype=np.uint16) if one.table is None else one.table
        number = rng.permutation(one.count).astype(np.uint16)
        kind = "ehs2" if one.table is None else one.kind
        streets.append(StreetBuckets(kind, one.count, number[table], None))
        numbers.append(number)
    return replace(abstraction, streets=tuple(streets)), numbers


def test_permuted_buckets_give_permuted_strategies():
    game = flop_holdem(4, 2, (1, 1))
    abstraction = coarse(game, 7)
    other, numbers = permuted(abstraction, 4)
    assert other.identity != abstraction.identity
    strategies = [
        (engine := prepare(game, one, SMALL)).strategy(iterate(engine, 2000)) for one in (abstraction, other)
    ]
    first, second = strategies
    for node, actions in enumerate(first.layout.lines.actions):
        if actions:
            number = numbers[first.layout.nodes[node]["street"]]
            np.testing.assert_array_equal(first.at(node), second.at(node)[:, number])


def test_snapshots_are_the_mean_of_current_strategies():
    game, config = leduc_poker(), replace(SMALL, average="snapshots", linear_periods=2)
    engine = prepare(game, lossless(game), config)
    state, expected = engine.start(), 0.0
    for number in (1, 2, 3):
        # a state before the end of a period: its last traversal is what is left
        state = iterate(engine, config.period - 1, state)
        before = replace(state, regret=state.regret.copy(), gain=state.gain.copy(), total=state.total.copy())
        undiscounted = prepare(game, lossless(game), replace(config, linear_periods=1))
        played = iterate(undiscounted, 1, before).regret
        state = iterate(engine, 1, state)
        expected = expected + min(number, 2) * _matched(engine, played)
    np.testing.assert_allclose(state.total, expected, rtol=1e-6)


def _matched(engine, regret):
    """Return the strategies that regrets make, with the layout of tables."""
    shares = np.zeros(regret.shape)
    for node, actions in enumerate(engine.layout.lines.actions):
        record = engine.layout.nodes[node]
        n = len(actions)
        size = engine.layout.abstraction.counts[record["street"]] * n
        part = slice(int(record["base"]), int(record["base"]) + size)
        if n:
            gains = np.maximum(regret[:, part], 0).reshape(len(regret), -1, n).astype(float)
            mass = gains.sum(axis=2, keepdims=True)
            rows = np.where(mass > 0, gains / np.where(mass > 0, mass, 1), 1 / n)
            shares[:, part] = rows.reshape(len(regret), -1)
    return shares


def test_what_is_cut_off_is_counted():
    game = leduc_poker()
    engine = prepare(game, lossless(game), NO_WEIGHTS)
    state = iterate(engine, 50)
    assert state.saturated == 0
    state.regret[:] = LARGEST
    state = iterate(engine, 50, state)
    assert state.saturated > 50
    assert state.regret.max() == LARGEST
    engine.check(state)
    state.total[:] = LARGEST
    assert iterate(engine, 10, state).total.max() == LARGEST


def test_damaged_states_are_refused():
    game = leduc_poker()
    engine = prepare(game, lossless(game), CONFIGS[4])
    state = iterate(engine, 25)
    engine.check(state)
    below = np.full_like(state.regret, engine._floor - 1)
    apart = state.regret.copy()
    apart[1, 0] += 1
    for wrong, message in (
        ({"iterations": -1}, "iterations"),
        ({"saturated": 10**9}, "saturated"),
        ({"regret": below}, "regret of cluster 0"),
        ({"regret": apart}, "the same in all clusters"),
        ({"regret": state.regret[:2]}, "regret must have shape"),
        ({"gain": state.gain + 10**12}, "gain of cluster 0"),
        ({"total": -1 - state.total}, "total of cluster 0"),
        ({"total": state.total.astype(np.float32)}, "total must be int32"),
    ):
        with pytest.raises(ValueError, match=message):
            engine.check(replace(state, **wrong))
    with pytest.raises(ValueError, match="regret must have shape"):
        engine.advance(replace(state, regret=state.regret[:2]), 1)
    with pytest.raises(ValueError, match="iterations must be at least 1"):
        engine.advance(state, 0)
