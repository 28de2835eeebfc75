"""Sampled regret minimisation: a recursive twin on one stream, all samples enumerated, bounds, resumption."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import cycle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.running import ran
from tests.helpers.sampled_games import GAMES, METHODS, SCHEMES
from tests.helpers.twins.sampled import (
    WORD,
    Generic,
    Naive,
    Stream,
    alone,
    check_samples,
    numbered,
    regrets,
    same,
    some_profile,
)
from treeplex.cfr.engine import average
from treeplex.cfr.sampling.draws import explored, fill
from treeplex.cfr.sampling.history_kernels import opponent_child
from treeplex.cfr.sampling.history_sampling import prepare, start_stream, traverse
from treeplex.cfr.sampling.sampled_tree import LEAF, MEMORY, memory_of, sampled_tree
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.cfr.theory.sampling_bounds import sampled_regret_log
from treeplex.games.counting.references import LEDUC
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.trees.game_tree import build_tree


@over([(game, numbered(game)) for game in map(Generic, GAMES)], METHODS)
def test_each_iteration_is_the_naive_one(game, enumerated, sampling):
    naive, state = Naive(game, sampling, Stream(7)), None
    for _ in range(4):
        naive.iterate()
        state = alone(prepare(enumerated, replace(sampling, seed=7)), 1, state)
        naive.compare(enumerated.form, state)


@given(st.integers(0, 10**6), st.sampled_from(METHODS))
def test_random_games_iterate_as_the_naive_one(seed, sampling):
    game = Generic(random_game(seed, 5, 3))
    enumerated = numbered(game)
    naive, state = Naive(game, sampling, Stream(seed)), None
    for _ in range(6):
        naive.iterate()
        state = alone(prepare(enumerated, replace(sampling, seed=seed)), 1, state)
        naive.compare(enumerated.form, state)


@over([("external", 1100), ("outcome", 1100), ("chance", 2100)])
def test_long_runs_go_on_as_the_naive_one(scheme, iterations):
    """Numbers are laid out 4,096 at a time; none is used twice or left out where one lot follows another."""
    game, sampling = Generic(kuhn_poker()), Sampling(scheme)
    enumerated, naive = numbered(game), Naive(game, sampling, Stream(11))
    for _ in range(iterations):
        naive.iterate()
    state = alone(prepare(enumerated, replace(sampling, seed=11)), iterations)
    assert state.drawn > 4096
    naive.compare(enumerated.form, state)


def test_the_stream_is_splitmix64():
    """The first outputs for seed 1234567, as published with the generator's reference code."""
    words = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    draws = np.empty(4)
    fill(np.uint64(1234567), 0, draws)
    assert draws.tolist() == [(w >> 11) / 2**53 for w in words]
    fill(np.uint64(1234567), 2, draws)
    assert draws[:2].tolist() == [(w >> 11) / 2**53 for w in words[2:]]


def test_rounding_picks_nothing_that_is_never_played():
    """Probabilities may add up to less than the largest draw; then the last that is played is picked."""
    memory, rng, largest, fell_short = np.zeros(6, dtype=MEMORY), np.random.default_rng(0), 1 - 2**-53, 0
    for _ in range(300):
        memory["regret"] = np.append(rng.random(5), 0)
        mass = sum(memory["regret"].tolist())
        rest = largest
        for r in memory["regret"].tolist():
            rest -= r / mass
        fell_short += rest >= 0
        assert explored(memory, 0, 6, 0.0, largest)[0] == 4
    assert fell_short > 10


def test_rounding_answers_nothing_that_is_never_played():
    """The same where the other player answers: player 1's six columns lie below player 0's two rows."""
    enumerated = numbered(matrix_game([[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]]))
    tree, rng = sampled_tree(enumerated), np.random.default_rng(0)
    for _ in range(300):
        regret = np.zeros(3), np.concatenate(([0], rng.random(5), [0]))
        memory = memory_of(regret, (np.zeros(3), np.zeros(7)))
        assert opponent_child(tree, memory, 1, 1.0, 1 - 2**-53) == tree.nodes["first"][1] + 4
        assert memory["total"][4:] == pytest.approx(regret[1][1:] / regret[1].sum())


def playing(form, profile):
    """Return a state whose regrets are a profile's behaviour, so that regret matching plays the profile."""
    return replace(start_stream(form), regret=profile.behaviour)


def played_from(seed):
    """Return a function from forms to states in which a random profile is played."""
    return lambda form: playing(form, some_profile(form, seed))


@over(
    ["coin_toss", "kuhn_poker", "matrix_game(payoff=[[0,-1,2],[1,0,-1],[-2,1,0]])"],
    [Sampling(s) for s in SCHEMES] + [Sampling("outcome", 0.05)],
)
def test_all_samples_are_the_naive_ones_and_unbiased(spec, sampling):
    for profile_seed in range(3):
        check_samples(load_game(spec), sampling, played_from(profile_seed))


@given(st.integers(0, 10**6), st.sampled_from(SCHEMES))
def test_sampled_regrets_of_random_games_are_unbiased(seed, scheme):
    game = random_game(seed, 4, 2)
    assume(build_tree(game).n_nodes <= 60)
    check_samples(game, Sampling(scheme), played_from(seed))


@pytest.mark.seconds(3)
@over(["external", "chance"])
def test_sampled_regrets_of_a_small_leduc_are_unbiased(scheme):
    check_samples(leduc_poker(ranks=2, raises=1), Sampling(scheme), played_from(5))


@pytest.mark.seconds(3)
@over(SCHEMES)
def test_first_regrets_over_seeds_are_exact_on_average(scheme):
    """A z-test of the streams that seeds begin: player 0's first regrets, which are against uniform play."""
    enumerated, runs = numbered(kuhn_poker()), 800
    uniform = Profile(enumerated.form.treeplexes, tuple(t.uniform() for t in enumerated.form.treeplexes))
    found = np.array(
        [alone(prepare(enumerated, Sampling(scheme, seed=seed)), 1).regret[0] for seed in range(runs)]
    )
    error = found.std(axis=0, ddof=1) / math.sqrt(runs)
    exact = regrets(enumerated.form, uniform, 0)
    z = (found.mean(axis=0) - exact)[1:] / error[1:]
    assert np.abs(z).max() < 4
    assert np.abs(exact[1:] / error[1:]).max() > 8


@over([*zip(METHODS, cycle([[1, 2, 3, 4], [7, 8, 300]]), strict=False)])
def test_going_on_is_the_same_to_the_last_bit(sampling, stops):
    enumerated = numbered(leduc_poker(raises=1))
    whole = ran(prepare(enumerated, replace(sampling, seed=5)), 400)
    state, done = None, 0
    for stop in [*stops, 400]:
        run = ran(prepare(enumerated, replace(sampling, seed=5)), stop - done, state)
        state, done = run.state, stop
    assert state.iterations == whole.state.iterations == 400
    assert same(state.streams[0], whole.state.streams[0])
    for a, b in zip(run.average.behaviour, whole.average.behaviour, strict=True):
        assert a.tobytes() == b.tobytes()


def test_the_state_handed_in_is_not_changed():
    enumerated = numbered(kuhn_poker())
    state = alone(prepare(enumerated, Sampling()), 5)
    before = replace(
        state, regret=tuple(a.copy() for a in state.regret), total=tuple(a.copy() for a in state.total)
    )
    alone(prepare(enumerated, Sampling()), 50, state)
    assert same(state, before)
    assert state.iterations == 5


def comparators(treeplex):
    """Return three plans: always the first action, always the last, and uniform play."""
    first, last = np.zeros(treeplex.n_sequences), np.zeros(treeplex.n_sequences)
    first[treeplex.begin] = last[treeplex.end - 1] = 1
    return [treeplex.plan(b) for b in (first, last, treeplex.uniform())]


@pytest.mark.seconds(11)
@over(SCHEMES)
def test_regret_against_a_fixed_plan_is_sampled_without_bias(scheme):
    """A z-test over 1,000 runs on Kuhn of R(z) - S(z), the exact and the sampled regret against a plan z."""
    enumerated, runs = numbered(kuhn_poker()), 1000
    plans = [comparators(t) for t in enumerated.form.treeplexes]
    gaps = np.zeros((runs, 2, 3))
    for run in range(runs):
        log = sampled_regret_log(enumerated, Sampling(scheme, seed=10**6 + run), 20)
        gaps[run] = [[log.regret(p, z) - log.sampled_regret(p, z) for z in plans[p]] for p in (0, 1)]
    error = gaps.std(axis=0, ddof=1) / math.sqrt(runs)
    assert np.abs(gaps.mean(axis=0) / error).max() < 4


@over(SCHEMES)
def test_kuhns_certificate_narrows(scheme):
    enumerated, state, widths = numbered(kuhn_poker()), None, []
    for n in (100, 9_900, 490_000):
        run = ran(prepare(enumerated, Sampling(scheme, seed=1)), n, state)
        state = run.state
        certificate = certify(enumerated.form, run.average)
        assert certificate.contains(Fraction(-1, 18))
        widths.append(certificate.nash_conv)
    assert widths[2] < widths[1] < widths[0]
    assert widths[2] < 0.01


@pytest.mark.seconds(20)
@over(["external", "chance"])
def test_leduc_comes_within_two_hundredths_in_two_million_iterations(scheme):
    """On average over three seeds; single ones of external sampling end between 0.015 and 0.021."""
    enumerated, widths = numbered(leduc_poker()), []
    for seed in (0, 1, 2):
        certificate = certify(
            enumerated.form, average(prepare(enumerated, Sampling(scheme, seed=seed)), 2_000_000)
        )
        assert certificate.contains(LEDUC)
        widths.append(certificate.nash_conv)
    assert np.mean(widths) < 0.02


def test_what_leaves_no_choice_is_passed_over():
    """Chance that follows chance is one draw, and each infoset's records say where its sequences are."""
    game = random_game(3, 6, 3)
    enumerated = numbered(game)
    tree = sampled_tree(enumerated)
    inner = tree.nodes["kind"] != LEAF
    assert (tree.nodes["count"][inner] >= 2).all()
    naive = Naive(game, Sampling(), None)

    def size(node):
        return 1 + sum(size(child) for _, _, child in node[2])

    assert len(tree.nodes) == size(naive.root)


@over(range(12), SCHEMES)
def test_players_without_decisions_and_odd_games(seed, scheme):
    for depth in (0, 1, 3):
        enumerated = numbered(random_game(seed, depth, 2))
        run = ran(prepare(enumerated, Sampling(scheme, seed=seed)), 300)
        certificate = certify(enumerated.form, run.average)
        assert certificate.nash_conv < 10
        if enumerated.form.n_infosets == (0, 0):
            assert certificate.nash_conv <= 1e-12


@over(
    [
        ({"scheme": "robust"}, "scheme must be one of external, outcome, chance, average, got 'robust'"),
        ({"exploration": 0.0}, "above 0 and at most 1, got 0.0"),
        ({"exploration": 1.5}, "above 0 and at most 1, got 1.5"),
        ({"exploration": math.nan}, "exploration"),
        ({"floor": 1.0}, "floor must be at most 0, got 1.0"),
        ({"floor": math.nan}, "floor"),
        ({"exponent": -1.0}, "^exponent must be at least 0 and finite, got -1.0"),
        ({"regret_exponent": math.inf}, "^regret_exponent must be at least 0 and finite, got inf"),
    ]
)
def test_bad_methods_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Sampling(**given)


def test_bad_runs_are_refused():
    enumerated = numbered(kuhn_poker())
    with pytest.raises(ValueError, match="at least 1, got 0"):
        ran(prepare(enumerated, Sampling()), 0)
    for seed in (-1, WORD):
        with pytest.raises(ValueError, match=f"seed must be between 0 and 2\\*\\*64 - 1, got {seed}"):
            Sampling(seed=seed)
    state = alone(prepare(enumerated, Sampling()), 1)
    with pytest.raises(ValueError, match=r"player 0's regret and total must have shape \(5,\), got \(13,\)"):
        alone(prepare(numbered(load_game("coin_toss")), Sampling()), 1, state)


def test_bad_traversals_are_refused():
    enumerated = numbered(kuhn_poker())
    state, draws = playing(enumerated.form, some_profile(enumerated.form, 0)), np.zeros(50)
    with pytest.raises(ValueError, match="player must be 0 or 1, got 2"):
        traverse(enumerated, Sampling(), state, 2, draws)
    with pytest.raises(ValueError, match=r"at least 3 numbers in one row, got shape \(2,\)"):
        traverse(enumerated, Sampling(), state, 0, draws[:2])
    with pytest.raises(ValueError, match=r"below 1, got 0\.0 to 1\.0"):
        traverse(enumerated, Sampling(), state, 0, np.append(draws, 1.0))
    other = numbered(load_game("coin_toss"))
    with pytest.raises(ValueError, match=r"must have shape \(5,\), got \(13,\)"):
        traverse(other, Sampling(), state, 0, draws)
