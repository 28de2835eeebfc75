"""Average-strategy sampling, pruning, streams side by side, and bounds that hold with high probability."""

import math
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.running import ran
from tests.helpers.twins.sampled import (
    WORD,
    Generic,
    Naive,
    Stream,
    alone,
    check_samples,
    expectation,
    numbered,
    played,
    regrets,
    same,
    some_profile,
    table,
)
from treeplex.bench.theorems_on_learning.samples import every_sample, some_state
from treeplex.cfr.engine import iterate
from treeplex.cfr.sampling.draws import averaged_rate, pruned_rate
from treeplex.cfr.sampling.history_sampling import SamplingState, prepare, shares, start_stream, stream_seeds
from treeplex.cfr.sampling.sampled_tree import EXTERNAL, Averaged, needs, sampled_tree
from treeplex.cfr.sampling.sampling_config import Pruning, Sampling
from treeplex.cfr.theory.regret_log import regrets_of
from treeplex.cfr.theory.sampling_bounds import (
    log_pure_plans,
    sampled_bounds,
    sampled_regret_log,
    sampled_span,
)
from treeplex.games.counting.references import LEDUC
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.trees.game_tree import build_tree

EAGER = Pruning(-0.5, 1.0, 0.1)
GAMES = [
    kuhn_poker(),
    kuhn_poker(5),
    leduc_poker(raises=1),
    load_game("coin_toss(forfeit=false,subgames=2)"),
    matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]),
]
METHODS = [
    Sampling("average", epsilon=0.2, tau=1.0, beta=0.0),
    Sampling("average", epsilon=0.05, tau=2.0, beta=3.0),
    Sampling("average", 0.6, -2.5, 1.0, 1.0, epsilon=0.3, tau=1.0, beta=5.0),
    Sampling(pruning=EAGER),
    Sampling(pruning=replace(EAGER, increments="as is", start=4)),
    Sampling("external", 0.6, -4.0, 0.5, 1.0, pruning=replace(EAGER, floor=0.3)),
]


def states(enumerated, sampling, iterations, seed):
    """Return the states after each iteration."""
    found = [start_stream(enumerated.form)]
    for _ in range(iterations):
        found.append(alone(prepare(enumerated, replace(sampling, seed=seed)), 1, found[-1]))
    return found[1:]


@over([(game, numbered(game)) for game in map(Generic, GAMES)], METHODS)
def test_each_iteration_is_the_naive_one(game, enumerated, sampling):
    naive = Naive(game, sampling, Stream(7))
    for state in states(enumerated, sampling, 20, 7):
        naive.iterate()
        naive.compare(enumerated.form, state)
    assert naive.untried > 0


@given(st.integers(0, 10**6), st.sampled_from(METHODS))
def test_random_games_iterate_as_the_naive_one(seed, sampling):
    game = Generic(random_game(seed, 5, 3))
    enumerated = numbered(game)
    naive = Naive(game, sampling, Stream(seed))
    for state in states(enumerated, sampling, 8, seed):
        naive.iterate()
        naive.compare(enumerated.form, state)


UNBIASED = [
    Sampling("average", epsilon=0.1, tau=1.0, beta=0.0),
    Sampling("average", epsilon=0.3, tau=1.5, beta=0.2),
    Sampling(pruning=EAGER),
    Sampling(pruning=Pruning(-2.0, 3.0, 0.6)),
]


def from_seed(seed):
    return lambda form: some_state(form, seed)


@over([GAMES[0], GAMES[4], load_game("coin_toss")], UNBIASED, range(2))
def test_all_samples_are_the_naive_ones_and_unbiased(game, sampling, seed):
    check_samples(game, sampling, from_seed(seed))


@given(st.integers(0, 10**6), st.sampled_from(UNBIASED))
def test_sampled_regrets_of_random_games_are_unbiased(seed, sampling):
    game = random_game(seed, 4, 2)
    assume(build_tree(game).n_nodes <= 40)
    check_samples(game, sampling, from_seed(seed))


@over([kuhn_poker(), load_game("coin_toss")])
def test_how_many_draws_a_traversal_needs(game):
    """With a coin for each own action the bound is met by some sample: loops check no bounds."""
    enumerated = numbered(game)
    sampling, tree = UNBIASED[0], sampled_tree(enumerated)
    naive, state = Naive(game, sampling, None), some_state(enumerated.form, 0)
    for p, t in enumerate(enumerated.form.treeplexes):
        for s in range(1, t.n_sequences):
            naive.total[p][t.infosets[t.infoset_of[s]]][t.actions[s]] = state.total[p][s]
    for player in (0, 1):

        def run(script, player=player):
            naive.source, naive.total[1 - player] = script, table()[0]
            return naive.traverse(player)

        totals = naive.total[1 - player]
        most = max(len(script.draws) for script, _ in every_sample(run))
        naive.total[1 - player] = totals
        assert most == needs(tree, EXTERNAL, 1, player)[1]


def test_increments_as_they_are_are_biased_by_their_probability():
    """One choice against a fixed opponent: the regret of a pruned action is scaled, the other's exact."""
    game = matrix_game([[0, 1], [2, -5]])
    enumerated = numbered(game)
    state = replace(start_stream(enumerated.form), regret=(np.array([0, 1.0, -7.0]), np.array([0, 1.0, 3.0])))
    exact = regrets(enumerated.form, played(enumerated.form, state), 0)
    pruning = Pruning(-2.0, 3.0, 0.01, increments="as is")
    found = expectation(game, enumerated, Sampling(pruning=pruning), state, 0)[0]
    assert exact[2] == pytest.approx(-4.0)
    assert found == pytest.approx(exact * [1, 1, 3 / (3 - 2 + 7)])


def test_what_is_not_tried_keeps_its_regret_and_all_below_it():
    """Kuhn's player 0 never bets when pruned; the infosets of player 1 that follow a bet average nothing."""
    enumerated = numbered(kuhn_poker())
    first, second = enumerated.form.treeplexes
    opening = [i for i in range(first.n_infosets) if first.parent[i] == 0]
    regret = np.zeros(first.n_sequences)
    for i in opening:
        regret[first.begin[i]], regret[first.begin[i] + 1] = 1.0, -1e6
    state = replace(start_stream(enumerated.form), regret=(regret, np.zeros(second.n_sequences)))
    pruned = Sampling(pruning=Pruning(-1.0, 1.0, 1e-9))
    after = alone(prepare(enumerated, replace(pruned, seed=3)), 30, state)
    plain = alone(prepare(enumerated, Sampling(seed=3)), 30, state)
    bets = [first.begin[i] + 1 for i in opening]
    assert (after.regret[0][bets] == -1e6).all()
    assert (plain.regret[0][bets] != -1e6).any()
    assert 0 < after.total[1].sum() < plain.total[1].sum()
    assert after.visited < plain.visited


def test_how_often_a_pruned_action_is_tried():
    """K / (K + C - R): surely at C, half at C - K, ever less often below, at least the floor."""
    numbers = Pruning(-300.0, 100.0, 0.05).numbers
    assert [pruned_rate(numbers, r) for r in (5.0, 0.0, -299.0, -300.0)] == [1.0] * 4
    assert pruned_rate(numbers, -400.0) == 0.5
    assert pruned_rate(numbers, -600.0) == 0.25
    rates = [pruned_rate(numbers, r) for r in np.linspace(-300, -2200, 50)]
    assert rates[0] == 1.0
    assert (np.diff(rates) < 0).all()
    assert rates[-1] == pytest.approx(0.05)
    assert pruned_rate(numbers, -1e12) == 0.05


def test_how_often_averaged_actions_are_tried():
    """(beta + tau s) / (beta + sum): by hand, for sums 1 and 19."""
    plain, bonus = Averaged(0.1, 4.0, 0.0), Averaged(0.1, 4.0, 20.0)
    assert [averaged_rate(plain, s, 20.0) for s in (0.0, 1.0, 19.0)] == [0.1, 0.2, 1.0]
    assert [averaged_rate(bonus, s, 20.0) for s in (0.0, 1.0, 19.0)] == [0.5, 0.6, 1.0]
    assert averaged_rate(plain, 0.0, 0.0) == 1.0


def test_pruning_begins_after_its_start_to_the_iteration():
    enumerated, later = numbered(kuhn_poker()), Sampling(pruning=replace(EAGER, start=50))
    plain, pruned = (states(enumerated, s, 60, 1) for s in (Sampling(), later))
    assert all(same(a, b) for a, b in zip(plain[:50], pruned[:50], strict=True))
    assert not any(same(a, b) for a, b in zip(plain[55:], pruned[55:], strict=True))
    # The 51st prunes: going on from there with pruning from the beginning is the same.
    begun = alone(prepare(enumerated, Sampling(pruning=EAGER, seed=1)), 1, plain[49])
    assert same(begun, pruned[50])
    assert same(alone(prepare(enumerated, replace(later, seed=1)), 60), pruned[59])


def test_limits_are_external_sampling_to_the_bit():
    enumerated = numbered(leduc_poker(ranks=2, raises=1))
    plain = alone(prepare(enumerated, Sampling(seed=5)), 2000)
    for sampling in (
        Sampling("average", epsilon=1.0),
        Sampling("average", tau=1e300, beta=1e300),
        Sampling(pruning=Pruning(threshold=-1e300)),
        Sampling(pruning=replace(EAGER, floor=1.0)),
        Sampling(pruning=replace(EAGER, start=2000)),
    ):
        assert same(alone(prepare(enumerated, replace(sampling, seed=5)), 2000), plain)


@over(
    [
        *zip(METHODS, cycle([[7, 8, 701], [1, 2, 3, 700]]), strict=False),
        (Sampling(pruning=replace(EAGER, start=700)), [1, 700]),
    ]
)
def test_going_on_is_the_same_to_the_last_bit(sampling, stops):
    enumerated = numbered(leduc_poker(raises=1))
    engine, state, done = prepare(enumerated, replace(sampling, seed=5)), None, 0
    whole = alone(engine, 1000)
    for stop in [*stops, 1000]:
        state, done = alone(engine, stop - done, state), stop
    assert same(state, whole)


@pytest.mark.seconds(20)
@over(
    [
        (Sampling(pruning=Pruning()), 0.92),
        (Sampling("average", beta=1e4, tau=10.0), 0.87),
        (Sampling("average"), 1.01),
    ]
)
def test_leduc_converges_with_fewer_histories(sampling, histories):
    """Beside external sampling after a million iterations, on average over three seeds."""
    enumerated, seeds, widths = numbered(leduc_poker()), (0, 1, 2), []
    for method in (Sampling(), sampling):
        runs = [ran(prepare(enumerated, replace(method, seed=seed)), 1_000_000) for seed in seeds]
        certificates = [certify(enumerated.form, run.average) for run in runs]
        assert all(c.contains(LEDUC) for c in certificates)
        widths.append(np.mean([c.nash_conv for c in certificates]))
        visited = [run.state.streams[0].visited for run in runs]
        if method == Sampling():
            plain = visited
    assert max(v / w for v, w in zip(visited, plain, strict=True)) < histories
    assert widths[1] < 1.5 * widths[0]


# Streams side by side.


def same_streams(a, b):
    return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))


@over([Sampling(), *METHODS])
def test_streams_are_runs_with_their_own_seeds(sampling):
    enumerated = numbered(leduc_poker(raises=1))
    run, again = (ran(prepare(enumerated, replace(sampling, seed=4, streams=3)), 1001) for _ in range(2))
    assert same_streams(run.state.streams, again.state.streams)
    seeds = stream_seeds(4, 3)
    single = [
        alone(prepare(enumerated, replace(sampling, seed=s)), n)
        for n, s in zip((334, 334, 333), seeds, strict=True)
    ]
    assert same_streams(run.state.streams, single)
    for p, t in enumerate(enumerated.form.treeplexes):
        sums = sum(s.total[p] for s in single)
        assert run.average.behaviour[p] == pytest.approx(t.behaviour(sums), abs=1e-15)


@over([[1], [2, 4, 700], [999]])
def test_streams_go_on_to_the_last_bit(stops):
    enumerated, states, done = numbered(kuhn_poker()), None, 0
    whole = ran(prepare(enumerated, Sampling(seed=4, streams=3)), 1000)
    for stop in [*stops, 1000]:
        run = ran(prepare(enumerated, Sampling(seed=4, streams=3)), stop - done, states)
        states, done = run.state, stop
    assert same_streams(run.state.streams, whole.state.streams)
    for a, b in zip(run.average.behaviour, whole.average.behaviour, strict=True):
        assert a.tobytes() == b.tobytes()


@given(st.integers(0, 10**9), st.integers(1, 40))
def test_shares_are_even_and_complete(iterations, streams):
    parts = shares(iterations, streams)
    assert sum(parts) == iterations
    assert max(parts) - min(parts) <= 1
    assert parts == sorted(parts, reverse=True)
    assert all(b - a in (0, 1) for a, b in zip(parts, shares(iterations + 1, streams), strict=True))


def test_stream_seeds_are_splitmix64():
    """The first outputs for seed 1234567, as published with the generator's reference code."""
    words = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
    assert stream_seeds(1234567, 5) == (1234567, *words)
    assert len(set(stream_seeds(WORD - 1, 100))) == 100


# Bounds that hold with high probability.


def played_plans(enumerated, sampling, iterations, seed):
    """Return the plans of players 0 and 1 before each iteration and after the last."""
    profiles = [played(enumerated.form, s) for s in states(enumerated, sampling, iterations, seed)]
    uniform = Profile(enumerated.form.treeplexes, tuple(t.uniform() for t in enumerated.form.treeplexes))
    x, y = zip(*(p.plans for p in (uniform, *profiles)), strict=True)
    return list(x), list(y)


@over([kuhn_poker(), leduc_poker(ranks=2, raises=1)], [Sampling(), Sampling("outcome"), METHODS[0]])
def test_the_regret_log_is_exact(game, sampling):
    """Beside the regrets of the plans played, by the full-width regret log."""
    enumerated, count = numbered(game), 30
    log = sampled_regret_log(enumerated, replace(sampling, seed=2), count)
    assert same(log.state, alone(prepare(enumerated, replace(sampling, seed=2)), count))
    x, y = played_plans(enumerated, sampling, count, 2)
    exact = regrets_of(enumerated.form, x, y[:count], [1.0] * count, "alternating")
    fixed = some_profile(enumerated.form, 0)
    for p, regret in enumerate((exact.regret_0, exact.regret_1)):
        t = enumerated.form.treeplexes[p]
        best = t.best_response(log.gradient[p])
        assert best.total - log.earned[p] == pytest.approx(regret, abs=1e-10)
        assert log.regret(p, fixed.plans[p]) <= regret + 1e-10
        seen = t.best_response(log.state.regret[p]).total
        assert log.sampled_regret(p, fixed.plans[p]) <= seen + 1e-10


def test_bounds_are_what_they_say():
    """Kuhn: 27 pure plans of player 0, 64 of player 1; payoffs from -2 to 2; T = 25 and p = 0.02."""
    enumerated, against = numbered(kuhn_poker()), some_profile(numbered(kuhn_poker()).form, 0)
    first, second = enumerated.form.treeplexes
    assert log_pure_plans(first) == pytest.approx(math.log(27))
    assert log_pure_plans(second) == pytest.approx(math.log(64))
    assert enumerated.tree.spread == 4.0
    log = sampled_regret_log(enumerated, Sampling(), 25)
    found = {b.name: b for b in sampled_bounds(enumerated, log, 0.02, against)}
    seen, most = log.sampled_regret(0, against.plans[0]), first.best_response(log.state.regret[0]).total
    fixed, best = found["player 0: a plan fixed beforehand"], found["player 0: the best plan"]
    assert fixed.right - seen == pytest.approx(8 * math.sqrt(50 * math.log(50)))
    assert best.right - most == pytest.approx(8 * math.sqrt(50 * math.log(50 * 27)))
    assert found["player 1: the best plan, a priori"].right == pytest.approx(11 * 6 * 4 * math.sqrt(2 * 25))
    assert best.left >= fixed.left
    outcome = sampled_regret_log(enumerated, Sampling("outcome"), 25)
    assert len(sampled_bounds(enumerated, outcome, 0.02, against)) == 4


def test_how_far_samples_may_spread():
    """Where own actions are not surely tried, payoffs are divided: twice on a path of Kuhn's player 0."""
    enumerated = numbered(kuhn_poker())
    assert [sampled_span(enumerated, Sampling(s), 0) for s in ("external", "chance")] == [4.0, 4.0]
    assert sampled_span(enumerated, Sampling("outcome"), 0) == pytest.approx(4 / 0.3**2)
    assert sampled_span(enumerated, Sampling("outcome"), 1) == pytest.approx(4 / 0.3)
    assert sampled_span(enumerated, Sampling("average", epsilon=0.1), 0) == pytest.approx(4 / 0.1**2)


@over(
    [
        ({"threshold": 0.0}, "threshold must be below 0 and finite, got 0.0"),
        ({"threshold": -math.inf}, "threshold"),
        ({"threshold": math.nan}, "threshold"),
        ({"constant": 0.0}, "constant must be above 0 and finite, got 0.0"),
        ({"floor": 0.0}, "floor must be above 0 and at most 1, got 0.0"),
        ({"floor": 1.1}, "floor"),
        ({"start": -1}, "start must be at least 0, got -1"),
        ({"increments": "both"}, "increments must be one of as is, weighted, got 'both'"),
    ]
)
def test_bad_prunings_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Pruning(**given)


@over(
    [
        ({"epsilon": 0.0}, "epsilon must be above 0 and at most 1, got 0.0"),
        ({"tau": 0.5}, "tau must be at least 1 and finite, got 0.5"),
        ({"beta": -1.0}, "beta must be at least 0 and finite, got -1.0"),
        ({"beta": math.inf}, "beta"),
        ({"scheme": "outcome", "pruning": Pruning()}, "pruning is for external sampling, got outcome"),
    ]
)
def test_bad_options_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Sampling(**given)


def test_bad_streams_and_logs_are_refused():
    enumerated = numbered(kuhn_poker())
    for streams in (0, -1, 1025):
        with pytest.raises(ValueError, match=f"streams must be between 1 and 1024, got {streams}"):
            Sampling(streams=streams)
    with pytest.raises(ValueError, match="seed must be between"):
        Sampling(seed=WORD, streams=2)
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        ran(prepare(enumerated, Sampling(seed=0, streams=2)), 0)
    state = iterate(prepare(enumerated, Sampling(seed=0, streams=2)), 5)
    with pytest.raises(ValueError, match=r"3 streams in step, got iterations \[3, 2\]"):
        ran(prepare(enumerated, Sampling(seed=0, streams=3)), 5, state)
    with pytest.raises(ValueError, match=r"in step, got iterations \[2, 3\]"):
        ran(prepare(enumerated, Sampling(seed=0, streams=2)), 5, SamplingState(state.streams[::-1]))
    for sampling in (Sampling(floor=0.0), Sampling(regret_exponent=1.0), Sampling(pruning=Pruning())):
        with pytest.raises(ValueError, match="as they were sampled"):
            sampled_regret_log(enumerated, sampling, 5)
    with pytest.raises(ValueError, match="iterations must be at least 1, got 0"):
        sampled_regret_log(enumerated, Sampling(), 0)
    for p in (0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="p must be above 0 and below 1"):
            sampled_bounds(
                enumerated, sampled_regret_log(enumerated, Sampling(), 1), p, some_profile(enumerated.form, 0)
            )
