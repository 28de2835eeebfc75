"""Public-chance sampling: all boards added up, one board, resumption, convergence, work."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.running import gains_after, ran
from tests.helpers.twins.public_tree import NaiveTree, public_tree
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.public import vector_cfr
from treeplex.cfr.sampling import board_sampling
from treeplex.cfr.sampling.board_sampling import BoardSampling, paths_of
from treeplex.cfr.variant import PLUS, Average, Matching, Variant
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.counting.references import LEDUC
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker, small_holdem
from treeplex.seqform.trees.public_tree import compile_public
from treeplex.seqform.trees.tree_arrays import TreeDeal

FULL = Variant((Matching(), Matching()), "simultaneous", Average(0.0, "before"))
GAMES = {
    "leduc": leduc_poker(),
    "leduc-visible": load_game("leduc_poker(suits_visible=true)"),
    "turn": small_holdem("As Kh Qs Jh", 5, ranges=("AA,KK:0.5,QJ,JT", "all")),
    "flop": small_holdem("As Kh Qs", 5, ranges=("AA,AQ,JTo", "KK,AJ,QT:0.3")),
}


@pytest.fixture(scope="module", params=GAMES)
def tree(request):
    return compile_public(GAMES[request.param])


@pytest.fixture(scope="module")
def leduc():
    return compile_public(leduc_poker())


def same_bits(one, other):
    pairs = zip(one.memories, other.memories, strict=True)
    return all(a.tobytes() == b.tobytes() for m, n in pairs for a, b in zip(m, n, strict=True))


# What is drawn


def test_boards_are_as_likely_as_the_pairs_of_hands_on_them(tree):
    paths = paths_of(tree)
    weight = [sum(map(sum, d.matrix().tolist())) * Fraction(1, d.den) for d in tree.deals]
    ends = [int(paths.board[end - 1]) for end in paths.start[1:]]
    assert sum(weight[d] for d in ends) == 1
    np.testing.assert_allclose(np.diff(paths.cumulative, prepend=0), [float(weight[d]) for d in ends])
    np.testing.assert_allclose(paths.likely, np.array(weight, dtype=float), rtol=1e-12)
    assert paths.cumulative[-1] == 1.0


def test_paths_go_down_the_tree(tree):
    paths = paths_of(tree)
    follows = {(tree.deal[tree.parent[n]], tree.deal[n]) for n in range(1, tree.n_nodes)}
    for lo, hi in pairwise(paths.start):
        path = paths.board[lo:hi].tolist()
        assert path[0] == 0
        assert all(pair in follows for pair in pairwise(path))


def certain(weight=1, den=1):
    one, none = np.full(1, weight, dtype=np.int64), np.zeros((1, 0), dtype=np.int32)
    mate = np.full(1, -1, dtype=np.int32)
    return TreeDeal((one, one), (none, none), (none, none), mate, one * 0, (one, one), den)


def test_trees_whose_boards_cannot_be_drawn_are_refused():
    rows = [(-1, CHANCE, 0, False, 0), (0, CHANCE, 1, False, 0), (1, TERMINAL, 2, False, 1)]
    twice = public_tree([*rows, (0, TERMINAL, 2, False, 1)], [certain()] * 3)
    with pytest.raises(ValueError, match="a board must follow one board, got 2 after 0 and 1"):
        ran(board_sampling.prepare(twice, BoardSampling()), 1)
    nothing = public_tree([(-1, CHANCE, 0, False, 0), (0, TERMINAL, 1, False, 1)], [certain(), certain(0)])
    with pytest.raises(ValueError, match="must weigh at least 0"):
        ran(board_sampling.prepare(nothing, BoardSampling()), 1)


def test_other_boards_are_left_alone(leduc):
    state = iterate(board_sampling.prepare(leduc, BoardSampling(seed=1)), 50)
    after = iterate(board_sampling.prepare(leduc, BoardSampling(seed=1)), 1, state)
    for m, n in zip(state.memories, after.memories, strict=True):
        changed = np.count_nonzero(m.regret != n.regret)
        assert 0 < changed < 0.5 * np.count_nonzero(n.regret)


@over([kuhn_poker(), small_holdem(bets=(0.5, 1))], [-math.inf, 0.0], [0.0, 1.0])
def test_without_public_chance_it_is_the_full_width_run(game, floor, exponent):
    tree = compile_public(game)
    minimiser = PLUS if floor == 0.0 else Matching()
    variant = Variant((minimiser, minimiser), "simultaneous", Average(exponent, "before"))
    sampled = ran(board_sampling.prepare(tree, BoardSampling(floor=floor, exponent=exponent, seed=3)), 60)
    full = ran(vector_cfr.prepare(tree, variant), 60)
    for m, n in zip(sampled.state.memories, full.state.memories, strict=True):
        assert all(map(np.array_equal, m, n))
    for p in (0, 1):
        assert all(map(np.array_equal, sampled.average[p], full.average[p]))


def test_regrets_of_late_iterations_count_more():
    tree = compile_public(kuhn_poker())
    plain, linear = (
        iterate(board_sampling.prepare(tree, BoardSampling(regret_exponent=e)), 1) for e in (0.0, 1.0)
    )
    assert same_bits(plain, linear)
    second = iterate(board_sampling.prepare(tree, BoardSampling(regret_exponent=1.0)), 1, linear)
    once = iterate(board_sampling.prepare(tree, BoardSampling()), 1, linear)
    for m, n, o in zip(linear.memories, second.memories, once.memories, strict=True):
        np.testing.assert_allclose(n.regret - m.regret, 2 * (o.regret - m.regret), atol=1e-14)


# Runs


@over([[1, 1, 298], [299, 1], [100, 100, 100]])
def test_going_on_is_the_same_to_the_last_bit(slices, tree):
    sampling, state = BoardSampling(0.0, 0.5, 1.0), None
    for n in slices:
        run = ran(board_sampling.prepare(tree, replace(sampling, seed=5)), n, state)
        state = run.state
    whole = ran(board_sampling.prepare(tree, replace(sampling, seed=5)), 300)
    assert same_bits(run.state, whole.state)
    assert run.state.iterations == whole.state.iterations == 300


def test_a_long_run_lays_out_its_random_numbers_more_than_once(leduc):
    state = iterate(board_sampling.prepare(leduc, BoardSampling(seed=2)), 4095)
    for n in (2, 4097):
        state = iterate(board_sampling.prepare(leduc, BoardSampling(seed=2)), n, state)
    assert same_bits(state, iterate(board_sampling.prepare(leduc, BoardSampling(seed=2)), 8194))


def test_seeds_decide(leduc):
    one, same, other = (
        iterate(board_sampling.prepare(leduc, BoardSampling(seed=seed)), 20) for seed in (1, 1, 2)
    )
    assert same_bits(one, same)
    assert not same_bits(one, other)


def test_the_state_handed_in_is_not_changed(leduc):
    state = iterate(board_sampling.prepare(leduc, BoardSampling()), 5)
    kept = [a.copy() for m in state.memories for a in m]
    ran(board_sampling.prepare(leduc, BoardSampling()), 20, state)
    assert all(map(np.array_equal, kept, (a for m in state.memories for a in m)))


@over(
    [
        (BoardSampling(), 0.05),
        (BoardSampling(floor=0.0, exponent=1.0), 0.05),
        (BoardSampling(regret_exponent=1.0, exponent=1.0), 0.07),
    ]
)
def test_leduc_converges(sampling, width, leduc):
    gains = [gains_after(board_sampling.prepare(leduc, sampling), n) for n in (200, 20_000)]
    assert gains[1].nash_conv < width < gains[0].nash_conv
    strategies = average(board_sampling.prepare(leduc, sampling), 200)
    assert tuple(gains[0]) == pytest.approx(NaiveTree(leduc).gains(strategies), abs=1e-12)
    assert all(g.lower <= LEDUC <= g.upper for g in gains)


def test_work_does_not_grow_with_the_number_of_boards():
    """On a flop with 156 ways for the cards to fall an iteration takes a small part of the steps."""
    engine = board_sampling.prepare(compile_public(small_holdem("As Kh Qs", 8)), BoardSampling())
    assert len(engine.paths.start) - 1 == 156
    for steps in engine.steps:
        on_board = np.diff(steps.start)
        for lo, hi in pairwise(engine.paths.start):
            assert on_board[engine.paths.board[lo:hi]].sum() < len(steps.step) / 10


# The border


@over(
    [
        ({"floor": 1.0}, "floor must be at most 0, got 1.0"),
        ({"floor": math.nan}, "floor must be at most 0, got nan"),
        ({"exponent": -1.0}, "exponent must be at least 0 and finite, got -1.0"),
        ({"regret_exponent": math.inf}, "regret_exponent must be at least 0 and finite, got inf"),
    ]
)
def test_options_out_of_range_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        BoardSampling(**wrong)


def test_wrong_states_and_numbers_are_refused(leduc):
    state = iterate(board_sampling.prepare(leduc, BoardSampling()), 1)
    with pytest.raises(ValueError, match="player 0's regret must have shape"):
        ran(board_sampling.prepare(compile_public(kuhn_poker()), BoardSampling()), 1, state)
    with pytest.raises(ValueError, match="iterations must not be negative, got -1"):
        ran(board_sampling.prepare(leduc, BoardSampling()), 1, replace(state, iterations=-1))
    with pytest.raises(ValueError, match="at least 1, got 0"):
        ran(board_sampling.prepare(leduc, BoardSampling()), 0)
    with pytest.raises(ValueError, match=r"seed must be between 0 and 2\*\*64 - 1, got -1"):
        BoardSampling(seed=-1)


def test_the_command_line_has_it():
    result = tp.solve("leduc_poker", "mccfr-public", iterations=3000, seed=4, average="linear")
    assert result.certificate.contains(LEDUC)
    config = BoardSampling(regret_exponent=1.0, exponent=1.0, seed=4)
    direct = gains_after(board_sampling.prepare(compile_public(leduc_poker()), config), 3000)
    assert result.nash_conv == pytest.approx(direct.nash_conv, abs=5e-12)
    with pytest.raises(ValueError, match="mccfr-public on public needs a poker game, got coin_toss"):
        tp.solve("coin_toss", "mccfr-public", iterations=1)
