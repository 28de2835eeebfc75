"""The programs against matrices assembled by loops and another solver's interface; scale; symmetry."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tests.helpers.cells import over
from tests.helpers.forms import compiled, public_form
from tests.helpers.twins.games import Relabelled, Scaled, Swapped, Uneven, flow_matrix, payoff_matrix
from treeplex.games.cards.cards import parse_cards
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.certify.certificate import Target
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.lp_solution import narrowest, solve_lp
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.programs.sequence_program import scale_of, sequence_program
from treeplex.seqform.trees.public_tree import compile_public

SMALL = [
    "coin_toss",
    "coin_toss(forfeit=false,subgames=2)",
    "dummy_pennies",
    "kuhn_poker",
    "kuhn_poker(ranks=5)",
]
RANDOM = st.builds(random_game, st.integers(0, 10**6), st.integers(0, 6), st.integers(1, 4))


def naive_program(game, form, player):
    """Return (equality matrix, inequality matrix) of max q[root]: E x = e, F'q - A'x <= 0, dense."""
    a = payoff_matrix(game, form).astype(np.float64)
    e, f = flow_matrix(form.treeplexes[player]), flow_matrix(form.treeplexes[1 - player])
    inside = -a.T if player == 0 else a
    return np.hstack([e, np.zeros((len(e), len(f)))]), np.hstack([inside, f.T])


def naive_value(game, form, player):
    equal, below = naive_program(game, form, player)
    n = form.treeplexes[player].n_sequences
    cost = np.zeros(equal.shape[1])
    cost[n] = -1
    result = linprog(
        cost,
        below,
        np.zeros(len(below)),
        equal,
        np.eye(len(equal))[0],
        [(0, None)] * n + [(None, None)] * (equal.shape[1] - n),
    )
    assert result.status == 0
    return -result.fun if player == 0 else result.fun


def unscaled(form, player):
    """Undo the scale of a program's matrix: rows and columns in the game's own plans and values."""
    program = sequence_program(form, player)
    own, other = form.treeplexes[player], form.treeplexes[1 - player]
    d_own, d_other = program.scale.sequence[player], program.scale.sequence[1 - player]

    def sizes(t, d):
        return np.array([1.0, *(d[lo:hi].max() for lo, hi in zip(t.begin, t.end, strict=True))])

    rows = np.concatenate([1 / sizes(own, d_own), program.scale.unit * d_other])
    cols = np.concatenate([d_own, 1 / (program.scale.unit * sizes(other, d_other))])
    return program, rows[:, None] * program.program.matrix.toarray() * cols


def check_matrix(game, form, player):
    equal, below = naive_program(game, form, player)
    program, matrix = unscaled(form, player)
    assert matrix == pytest.approx(np.vstack([equal, below]), rel=1e-15, abs=0)
    lp, n_own = program.program, form.treeplexes[player].n_sequences
    assert lp.cost.tolist() == [float(c == n_own) for c in range(lp.n_cols)]
    first = [1.0] + [0.0] * (len(equal) - 1)
    assert lp.row_upper.tolist() == first + [0.0] * len(below)
    assert lp.row_lower.tolist() == first + [-np.inf] * len(below)
    assert lp.col_lower.tolist() == [0.0] * n_own + [-np.inf] * (lp.n_cols - n_own)
    assert (lp.col_upper == np.inf).all()


@over(SMALL, [0, 1])
def test_the_matrix_without_scale_is_the_naive_one(spec, player, form_of):
    check_matrix(load_game(spec), form_of(spec), player)


@given(RANDOM, st.sampled_from([0, 3, 8]))
def test_the_matrix_of_random_games_is_the_naive_one(game, reach):
    game = Uneven(game, reach, 7)
    form = compiled(game)
    for player in (0, 1):
        check_matrix(game, form, player)


@given(RANDOM)
def test_scales_are_powers_of_two_and_entries_of_order_one(game):
    form = compiled(Uneven(game, 6, 1))
    scale = scale_of(form)
    for t, d in zip(form.treeplexes, scale.sequence, strict=True):
        assert (np.frexp(d)[0] == 0.5).all()
        assert d[0] == 1
        assert (d[1:] <= d[t.parent_of[1:]]).all()
    assert np.frexp(scale.unit)[0] == 0.5
    scaled = abs(form.payoff.base.csr.toarray()) / np.outer(*scale.sequence) / scale.unit
    assert scaled.max(initial=0) <= 2


@given(RANDOM)
def test_both_players_programs_and_the_naive_ones_agree(game):
    form = compiled(game)
    values = [naive_value(game, form, player) for player in (0, 1)]
    for player in (0, 1):
        program = sequence_program(form, player)
        run = run_highs(program.program, "simplex")
        assert run.status == "optimal"
        values.append(program.value(run.objective))
    assert values == pytest.approx([values[0]] * 4, abs=1e-7)
    assert solve_lp(form).certificate.lower - 1e-7 <= values[0] <= solve_lp(form).certificate.upper + 1e-7


@pytest.mark.seconds(3)
@given(RANDOM)
def test_swapped_seats_turn_the_value_around(game):
    value = rational_optimum(compiled(game)).value
    assert rational_optimum(compiled(Swapped(game))).value == -value


@pytest.mark.seconds(3)
@given(RANDOM, st.integers(0, 10**6))
def test_other_names_and_orders_change_no_value(game, seed):
    other = compiled(Relabelled(game, seed))
    assert rational_optimum(other).value == rational_optimum(compiled(game)).value
    assert other.n_infosets == compiled(game).n_infosets


@over([*product([-30, -6, 6, 30], [kuhn_poker()]), *product([-12, 12], [leduc_poker(raises=1)])])
def test_the_unit_of_payoffs_does_not_matter(power, game):
    factor = Fraction(10) ** power
    form = compiled(Scaled(game, factor))
    solution = solve_lp(form)
    exact = rational_optimum(compiled(game)).value * factor
    assert solution.certificate.contains(exact)
    assert solution.certificate.nash_conv <= 1e-9 * float(factor)
    assert rational_optimum(form, solution.runs[0]).value == exact


def kuhn_with_weights(*weights):
    hands = [parse_cards(c) for c in ("Js", "Qs", "Ks")]
    one = dict(zip(hands, map(Fraction, weights), strict=True))
    return replace(kuhn_poker(), ranges=(one, one))


@over(["1e-3", "1e-6", "1e-9", "1e-12", "1e-16", "1e-30"], [0, 1, 2])
def test_hands_of_tiny_probability_are_solved(tiny, place):
    """What goes wrong with a hand below HiGHS's resolution costs no more than that hand's own stakes."""
    weights = ["1"] * 3
    weights[place] = tiny
    game = kuhn_with_weights(*weights)
    for form in (compiled(game), public_form(game, factored=True)):
        solution = solve_lp(form)
        assert solution.certificate.nash_conv <= (4 * float(tiny) if float(tiny) < 1e-7 else 0) + 1e-12


@over(["1e-3", "1e-6", "1e-9"], [0, 1, 2])
def test_hands_of_tiny_probability_are_solved_exactly(tiny, place):
    weights = ["1"] * 3
    weights[place] = tiny
    form = compiled(kuhn_with_weights(*weights))
    solution = solve_lp(form)
    assert solution.certificate.contains(rational_optimum(form, solution.runs[0]).value)


@over(
    [
        [[1, -1], [Fraction(-1, 10**18), Fraction(1, 10**18)]],
        [[10**18, -1], [-1, 1]],
        [[10**30, 0], [0, Fraction(1, 10**30)]],
        [[-(10**20), 1], [10**20, -1]],
    ]
)
def test_payoffs_of_very_different_size_in_one_infoset(payoff):
    """HiGHS refuses entries above 1e15, so the rows of a program must not hold quotients of such payoffs."""
    form = compiled(matrix_game(payoff))
    solution = narrowest(form, target=Target(0.0))
    largest = max(abs(a) for line in payoff for a in line)
    assert solution.certificate.nash_conv <= 1e-6 * float(largest)


@pytest.mark.seconds(3)
@settings(max_examples=20)
@given(RANDOM, st.sampled_from([1, 3, 5]), st.integers(0, 10**6))
def test_random_games_with_payoffs_of_different_size(game, reach, seed):
    form = compiled(Uneven(game, reach, seed))
    solution = narrowest(form, target=Target(0.0))
    largest = abs(form.payoff.base.csr).max() if form.payoff.nnz else 0.0
    assert solution.certificate.nash_conv <= 1e-6 * largest + 1e-300


def test_a_game_without_any_payoff():
    form = compiled(matrix_game([[0, 0], [0, 0]]))
    assert form.payoff.nnz == 0
    solution = solve_lp(form)
    assert solution.certificate.contains(0)
    assert solution.certificate.nash_conv <= 1e-300
    assert rational_optimum(form).value == 0


@over([3, 7])
def test_factored_programs_have_rows_for_running_sums_and_the_same_value(ranks):
    tree = compile_public(kuhn_poker(ranks))
    pairs, factored = (sequence_form(tree, factored=f) for f in (False, True))
    k = len(factored.payoff.link)
    assert k > 0
    for player in (0, 1):
        one, two = sequence_program(pairs, player), sequence_program(factored, player)
        assert two.program.n_rows == one.program.n_rows + k
        assert two.program.n_cols == one.program.n_cols + k
        values = [p.value(run_highs(p.program, "simplex").objective) for p in (one, two)]
        assert values[0] == pytest.approx(values[1], abs=1e-9)
    assert rational_optimum(pairs).value == rational_optimum(factored).value
