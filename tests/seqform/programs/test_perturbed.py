"""Quasi-perfect equilibria: the perturbed game solved again in other ways, and what infosets do off path."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import count, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import csc_array

from tests.helpers.cells import over
from tests.helpers.forms import compiled, public_form
from tests.helpers.spoilt_bases import spoil
from tests.helpers.twins.games import (
    Scaled,
    Swapped,
    Uneven,
    flow_matrix,
    moves_of,
    payoff_matrix,
    random_behaviour,
)
from treeplex.bench.theorems_on_games.written import guess_the_ace, slips
from treeplex.games.counting.references import LEDUC, LEDUC_1
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import ExactPlan, certify, exact_plan
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.programs import quasi_perfect as module
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.pivots import SingularBasisError, optimum
from treeplex.seqform.programs.quasi_perfect import (
    EPSILON,
    LexicographicTableau,
    lower_bounds,
    perturbed_best_response,
    perturbed_plans,
    perturbed_program,
    perturbed_tableau,
    proved_value,
    quasi_perfect,
)
from treeplex.seqform.programs.rational_optimum import NotExactError, rational_optimum
from treeplex.seqform.programs.sequence_program import scale_of, sequence_program

RANDOM = st.builds(random_game, st.integers(0, 10**6), st.integers(0, 8), st.integers(1, 4))


# What must hold of every result.


def bounds_of(treeplex, epsilon):
    """Return epsilon to the length of each sequence, counted by walking up; 0 for the empty one."""
    bounds = [Fraction(0)]
    for s in range(1, treeplex.n_sequences):
        length, at = 0, s
        while at:
            length, at = length + 1, treeplex.parent_of[at]
        bounds.append(epsilon**length)
    return bounds


def exact_plan_of(plan):
    return [Fraction(int(n), plan.den) for n in plan.num]


def gradients(game, form, plans):
    """Return what each sequence of either player earns that player by itself, in fractions."""
    matrix = payoff_matrix(game, form)
    x, y = (np.array(exact_plan_of(p), dtype=object) for p in plans)
    return matrix @ y, -(x @ matrix)


def worth(treeplex, gradient, sequence):
    """Return what a sequence earns when all that follows is played best."""
    below = [i for i in range(treeplex.n_infosets) if treeplex.parent[i] == sequence]
    spans = [range(treeplex.begin[i], treeplex.end[i]) for i in below]
    return gradient[sequence] + sum(max(worth(treeplex, gradient, s) for s in span) for span in spans)


def check(game, form, result):
    """The plans keep their bounds and every action that loses anything is played at its bound."""
    assert result.epsilon == EPSILON
    assert result.certificate.lower <= result.certificate.upper
    for t, plan, gradient, behaviour in zip(
        form.treeplexes,
        result.plans,
        gradients(game, form, result.plans),
        result.profile.behaviour,
        strict=True,
    ):
        x, bounds = exact_plan_of(plan), bounds_of(t, EPSILON)
        assert x[0] == 1
        assert abs(sum(g * v for g, v in zip(gradient, x, strict=True))) == abs(result.value)
        for lo, hi, parent in zip(t.begin, t.end, t.parent, strict=True):
            assert sum(x[lo:hi]) == x[parent]
            values = [worth(t, gradient, s) for s in range(lo, hi)]
            for s, value in zip(range(lo, hi), values, strict=True):
                assert x[s] >= bounds[s]
                assert behaviour[s] == float(x[s] / x[parent])
                if value < max(values):
                    assert x[s] == bounds[s]
                    assert behaviour[s] < 1e-6


def stakes(game, form):
    return float(max((abs(a) for a in payoff_matrix(game, form).flat), default=0)) or 1.0


@pytest.mark.seconds(3)
@given(RANDOM)
def test_random_games(game):
    form = compiled(game)
    result = quasi_perfect(form)
    check(game, form, result)
    assert result.certificate.contains(rational_optimum(form).value)
    assert result.certificate.nash_conv <= 1e-9 * stakes(game, form)


@given(RANDOM, st.sampled_from([1, 3]))
def test_random_games_with_payoffs_of_different_size(game, reach):
    game = Uneven(game, reach, 11)
    form = compiled(game)
    check(game, form, quasi_perfect(form))


@given(RANDOM)
def test_the_value_is_the_same_from_the_other_seat(game):
    assert quasi_perfect(compiled(Swapped(game))).value == -quasi_perfect(compiled(game)).value


@over([Fraction(1, 10**40), Fraction(10**40, 7)])
def test_the_value_does_not_depend_on_the_unit(factor, form_of):
    scaled = quasi_perfect(compiled(Scaled(kuhn_poker(), factor)))
    assert scaled.value == factor * quasi_perfect(form_of("kuhn_poker")).value


@over(
    [
        ("kuhn_poker", Fraction(-1, 18)),
        ("kuhn_poker(ranks=13)", Fraction(-5, 78)),
        ("leduc_poker(raises=1)", LEDUC_1),
        ("leduc_poker", LEDUC),
        ("coin_toss", Fraction(0)),
        ("dummy_pennies", Fraction(0)),
        ("matrix_game(payoff=[[7]])", Fraction(7)),
        ("matrix_game(payoff=[[0,0],[0,0]])", Fraction(0)),
    ]
)
def test_games_of_known_value(spec, value, form_of):
    result = quasi_perfect(form_of(spec))
    assert result.attempts == 1
    assert result.certificate.contains(value)
    assert result.certificate.nash_conv <= 1e-9
    assert abs(result.value - value) <= 1e-9
    assert proved_value(form_of(spec), result.plans, EPSILON) == result.value
    for behaviour in result.profile.behaviour:
        assert behaviour.min() > 0


def test_every_action_of_leduc_that_loses_is_hardly_played(form_of):
    form = form_of("leduc_poker(raises=1)")
    check(leduc_poker(raises=1), form, quasi_perfect(form))


def test_players_without_infosets(form_of):
    specs = (f"random_game(seed={seed},depth={depth})" for seed in count() for depth in (0, 1))
    for who in ((False, False), (False, True), (True, False)):
        some = (s for s in specs if tuple(n > 0 for n in form_of(s).n_infosets) == who)
        for spec in islice(some, 5):
            result = quasi_perfect(form_of(spec))
            check(load_game(spec), form_of(spec), result)
            assert result.certificate.contains(rational_optimum(form_of(spec)).value)


# Sensible where an equilibrium need not be.


@over([3, 52, 10**6])
def test_guess_the_ace(cards):
    form = compiled(guess_the_ace(cards))
    result = quasi_perfect(form)
    check(guess_the_ace(cards), form, result)
    at = moves_of(form.treeplexes[1])
    assert result.profile.behaviour[1][at["guess", "not ace"]] > 1 - 1e-11
    # Both tremble: player 0 by playing, player 1 by guessing that the card is the ace.
    right = Fraction(cards - 1, cards) * (1 - EPSILON) + Fraction(1, cards) * EPSILON
    assert result.value == -1000 * EPSILON * right


def test_an_equilibrium_may_guess_that_the_card_is_the_ace():
    form = compiled(guess_the_ace(52))
    at = [moves_of(t) for t in form.treeplexes]
    absurd = [np.ones(t.n_sequences) for t in form.treeplexes]
    absurd[0][at[0]["start", "play"]] = absurd[1][at[1]["guess", "not ace"]] = 0
    assert certify(form, Profile(form.treeplexes, tuple(absurd))).nash_conv < 1e-9
    plans = tuple(exact_plan(t, b) for t, b in zip(form.treeplexes, absurd, strict=True))
    assert proved_value(form, plans, EPSILON) is None


@over([(Fraction(1, 100), -9.71154), (Fraction(1, 10**4), -0.0980673)])
def test_the_value_of_guess_the_ace_at_larger_perturbations(epsilon, value):
    form = compiled(guess_the_ace(52))
    assert float(solved_at(form, epsilon)[0]) == pytest.approx(value, rel=1e-6)


@over([2, 10**3, 10**9])
def test_one_slip_is_likelier_than_two_whatever_can_be_won(prize):
    """The prize is large enough to decide at the perturbation of the float program, which starts it all."""
    form = compiled(slips(prize))
    result = quasi_perfect(form)
    check(slips(prize), form, result)
    at = moves_of(form.treeplexes[1])
    assert result.profile.behaviour[1][at["asked", "left"]] > 1 - 1e-11


def test_at_a_larger_perturbation_two_slips_do_decide():
    form = compiled(slips(10**3))
    _, plans, _ = solved_at(form, Fraction(1, 50))
    at = moves_of(form.treeplexes[1])
    assert exact_plan_of(plans[1])[at["asked", "right"]] == Fraction(49, 50)


# The perturbed game solved again.


def solved_at(form, epsilon):
    """Return the perturbed game's value if proved, both plans, and the number of exact pivots to them."""
    run = run_highs(perturbed_program(form, sequence_program(form, 0), float(epsilon)), "simplex")
    point, pivots = optimum(perturbed_tableau(form, epsilon), basis_of(run), 1000)
    plans = perturbed_plans(point, form, epsilon)
    return proved_value(form, plans, epsilon), plans, pivots


def basis_of(run):
    return np.flatnonzero(np.concatenate((run.basic_cols, run.basic_rows)))


def dense(game, form, epsilon):
    matrix = payoff_matrix(game, form).astype(np.float64)
    flows = [flow_matrix(t) for t in form.treeplexes]
    lower = [np.array(bounds_of(t, epsilon), dtype=np.float64) for t in form.treeplexes]
    return matrix, flows, lower


def first(n):
    return np.eye(n)[0]


def program_0(game, form, epsilon):
    """Solve max f'q + l2'(A'x - F'q) subject to Ex = e, F'q <= A'x, x >= l1."""
    A, (E, F), (l1, l2) = dense(game, form, epsilon)
    n, k = A.shape[0], F.shape[0]
    cost = np.concatenate((A @ l2, first(k) - F @ l2))
    flow = np.hstack((E, np.zeros((E.shape[0], k))))
    ranges = [(low, None) for low in l1] + [(None, None)] * k
    values = np.hstack((-A.T, F.T))
    found = linprog(-cost, values, np.zeros(A.shape[1]), flow, first(len(E)), ranges, method="highs")
    assert len(found.x) == n + k
    return -found.fun


def program_1(game, form, epsilon):
    """Solve min e'p + l1'(A y - E'p) subject to Fy = f, E'p >= A y, y >= l2."""
    A, (E, F), (l1, l2) = dense(game, form, epsilon)
    k = E.shape[0]
    cost = np.concatenate((A.T @ l1, first(k) - E @ l1))
    flow = np.hstack((F, np.zeros((F.shape[0], k))))
    ranges = [(low, None) for low in l2] + [(None, None)] * k
    values = np.hstack((A, -E.T))
    return linprog(cost, values, np.zeros(A.shape[0]), flow, first(len(F)), ranges, method="highs").fun


@pytest.mark.seconds(3)
@given(st.builds(random_game, st.integers(0, 10**6), st.integers(0, 8), st.just(3)), st.integers(4, 40))
def test_both_programs_written_out_have_the_proved_value(game, inverse):
    form, epsilon = compiled(game), Fraction(1, inverse)
    value, _, _ = solved_at(form, epsilon)
    assert value is not None
    near = pytest.approx(float(value), abs=1e-7 * stakes(game, form))
    assert program_0(game, form, epsilon) == near
    assert program_1(game, form, epsilon) == near
    for scale in (scale_of(form), scale_of(form).softened()):
        program = sequence_program(form, 0, scale)
        run = run_highs(perturbed_program(form, program, float(epsilon)), "simplex")
        assert run.status == "optimal"
        assert program.value(run.objective) == near


@given(st.builds(random_game, st.integers(0, 10**6), st.integers(0, 8), st.just(3)), st.integers(4, 40))
def test_the_best_response_within_bounds(game, inverse):
    """Against any plan, by the program max g'x subject to Ex = e, x >= l."""
    form, epsilon = compiled(game), Fraction(1, inverse)
    rng = np.random.default_rng(inverse)
    plans = [exact_plan(t, random_behaviour(t, rng)) for t in form.treeplexes]
    for player, gradient in enumerate(gradients(game, form, plans)):
        t = form.treeplexes[player]
        flow = flow_matrix(t)
        ranges = [(float(low), None) for low in bounds_of(t, epsilon)]
        g = np.array(gradient, dtype=np.float64)
        naive = linprog(-g, None, None, flow, first(len(flow)), ranges, method="highs")
        best = perturbed_best_response(form, player, plans[1 - player], epsilon)
        assert float(best) == pytest.approx(-naive.fun, abs=1e-8 * stakes(game, form))


def test_bounds():
    t = compiled(slips(2)).treeplexes[0]
    epsilon = Fraction(2, 7)
    num, den = lower_bounds(t, epsilon)
    assert [Fraction(n, den) for n in num] == bounds_of(t, epsilon)


@over([Fraction(1, 3), Fraction(2, 5), Fraction(0), Fraction(-1, 9)])
def test_bounds_that_leave_no_room_are_refused(epsilon):
    with pytest.raises(ValueError, match=r"epsilon must be above 0 and below 1/3, got"):
        lower_bounds(compiled(slips(2)).treeplexes[0], epsilon)


# Bases.


@over(["kuhn_poker", "leduc_poker(raises=1)"])
def test_exact_pivots_alone_lead_there_too(spec, form_of):
    """From the basis of an unperturbed program, far from that at the tiny perturbation."""
    form = form_of(spec)
    start = basis_of(run_highs(sequence_program(form, 0).program, "simplex"))
    point, pivots = optimum(perturbed_tableau(form, EPSILON), start, 1000)
    assert pivots > 0
    assert proved_value(form, perturbed_plans(point, form, EPSILON), EPSILON) == quasi_perfect(form).value


@over(range(20))
def test_the_simplex_on_any_small_program(seed):
    """Of variables some free, in a box, tied by an equality; right-hand side and cost move with eps."""
    rng = np.random.default_rng(seed)
    n, eps = 4, 1e-5
    free = np.arange(n) >= 2
    rows = np.vstack((rng.integers(-3, 4, n), np.eye(n), -np.eye(n)))
    inside = rng.integers(0, 5, n) * (seed % 2)
    rhs = np.concatenate(([rows[0] @ inside], np.full(2 * n, 9)))[:, np.newaxis]
    rhs = np.hstack((rhs, rng.integers(-3, 4, rhs.shape) * (seed % 2))).astype(float)
    cost = np.vstack((rng.integers(-3, 4, (n, 3)), np.zeros((len(rows), 3))))
    m = len(rows)
    matrix = csc_array(np.hstack((rows, np.eye(m))))
    tableau = LexicographicTableau(
        matrix, rhs, cost, np.append(free, np.zeros(m, bool)), np.arange(n + m) == n
    )
    b, c = rhs @ [1, eps], cost[:n] @ [1, eps, eps**2]
    ranges = [(None if f else 0, None) for f in free]
    best = -linprog(-c, rows[1:], b[1:], rows[:1], b[:1], ranges, method="highs").fun
    for basic in (np.arange(n, n + m), *regular_bases(matrix, rng, 5)):
        point, _ = optimum(tableau, basic, 100)
        gain = cost[point.basic] @ [1, eps, eps**2] @ (point.values @ [1, eps])
        assert gain == pytest.approx(best, abs=1e-9)


def regular_bases(matrix, rng, some):
    m, n = matrix.shape
    while some:
        basic = rng.choice(n, m, replace=False)
        if np.linalg.matrix_rank(matrix[:, basic].toarray()) == m:
            some -= 1
            yield basic


def test_few_pivots_in_floats_and_none_exactly_lead_there_in_leduc(form_of):
    form = form_of("leduc_poker")
    program = sequence_program(form, 0, scale_of(form).softened())
    run = run_highs(perturbed_program(form, program, 0.03), "simplex", tolerance=1e-9)
    stable, pivots = optimum(LexicographicTableau.of(form, program), basis_of(run), 1000)
    assert 0 < pivots < 200
    _, more = optimum(perturbed_tableau(form, EPSILON), stable.basic, 1000)
    assert more == 0


def test_the_perturbed_basis_of_the_float_program_does_not_serve_in_leduc(form_of):
    """What the pivots are for: at the perturbation that floats can see another basis is optimal."""
    form = form_of("leduc_poker")
    run = run_highs(perturbed_program(form, sequence_program(form, 0), 0.03), "simplex", tolerance=1e-9)
    plans = perturbed_plans(perturbed_tableau(form, EPSILON).at(basis_of(run)), form, EPSILON)
    assert proved_value(form, plans, EPSILON) is None


def test_no_neighbour_of_the_right_basis_is_accepted_with_another_value(form_of):
    form = form_of("kuhn_poker")
    tableau = perturbed_tableau(form, EPSILON)
    right = basis_of(run_highs(perturbed_program(form, sequence_program(form, 0), 0.03), "simplex"))
    value = proved_value(form, perturbed_plans(tableau.at(right), form, EPSILON), EPSILON)
    assert value == quasi_perfect(form).value
    verdicts = defaultdict(int)
    for leaving in range(len(right)):
        for entering in np.setdiff1d(np.arange(tableau.matrix.shape[1]), right):
            basic = right.copy()
            basic[leaving] = entering
            try:
                plans = perturbed_plans(tableau.at(basic), form, EPSILON)
            except SingularBasisError:
                verdicts["singular"] += 1
            else:
                verdicts[proved_value(form, plans, EPSILON)] += 1
    assert set(verdicts) <= {"singular", None, value}
    assert verdicts["singular"] > 50
    assert verdicts[None] > 50


def test_plans_that_are_no_equilibrium_within_bounds_are_refused(form_of):
    form = form_of("kuhn_poker")
    right = quasi_perfect(form).plans
    uniform = tuple(exact_plan(t, t.uniform()) for t in form.treeplexes)
    unbounded = rational_optimum(form).plans
    short = ExactPlan(right[0].num, right[0].den * 2)
    moved = right[0].num.copy()
    moved[1] += 1
    assert proved_value(form, right, EPSILON) is not None
    for x, y in (
        uniform,
        unbounded,
        (uniform[0], right[1]),
        (right[0], uniform[1]),
        (right[0], unbounded[1]),
        (short, right[1]),
        (ExactPlan(moved, right[0].den), right[1]),
    ):
        assert proved_value(form, (x, y), EPSILON) is None


def stay(tableau, basic, most):
    """Stand in for ``optimum`` without pivoting."""
    return tableau.at(basic), 0


@over(["leduc_poker(raises=1)", "leduc_poker"])
def test_bases_that_are_not_optimal_end_in_an_error(spec, form_of, monkeypatch):
    monkeypatch.setattr(module, "optimum", stay)
    with pytest.raises(NotExactError, match=r"leduc_poker.*no basis was optimal"):
        quasi_perfect(form_of(spec))


@over(["slack", "last", "first columns"], ["kuhn_poker", "coin_toss"])
def test_any_regular_basis_is_enough_to_start_from(kind, spec, form_of, monkeypatch):
    value = quasi_perfect(form_of(spec)).value
    monkeypatch.setattr(module, "run_highs", spoil(kind))
    result = quasi_perfect(form_of(spec))
    assert result.value == value
    assert result.pivots > 0


@over(["singular", "none"])
def test_runs_that_end_without_a_regular_basis_end_in_an_error(kind, form_of, monkeypatch):
    monkeypatch.setattr(module, "run_highs", spoil(kind))
    with pytest.raises(NotExactError, match=r"kuhn_poker.*no basis was optimal"):
        quasi_perfect(form_of("kuhn_poker"))


def test_the_next_program_is_tried_after_one_that_fails(form_of, monkeypatch):
    solvers = []

    def only_the_last(program, solver, **options):
        solvers.append(solver)
        return (spoil("none") if len(solvers) < 4 else run_highs)(program, solver, **options)

    monkeypatch.setattr(module, "run_highs", only_the_last)
    result = quasi_perfect(form_of("kuhn_poker"))
    assert (result.attempts, result.solver, solvers) == (4, "ipm", ["simplex"] * 3 + ["ipm"])
    check(kuhn_poker(), form_of("kuhn_poker"), result)


@over([0, 4, 9])
def test_hands_that_are_held_with_odds_of_many_digits(span, form_of):
    """As in gadget games: each private hand weighted by a product of probabilities, down to 10 ** -span."""
    form = form_of("leduc_poker(raises=1)")
    weights = [weights_of(t, span, seed) for seed, t in enumerate(form.treeplexes)]
    base = form.payoff.base
    num = base.num * weights[0][base.rows] * weights[1][base.cols]
    weighted = ExactMatrix(base.rows, base.cols, num, base.den << 300, base.shape)
    form = replace(form, payoff=Payoff.sparse(weighted))
    result = quasi_perfect(form)
    assert proved_value(form, result.plans, EPSILON) == result.value
    assert result.certificate.contains(rational_optimum(form).value)


def weights_of(treeplex, span, seed):
    """Return one integer of up to 150 bits a sequence, the same for all that follow one first infoset."""
    rng = np.random.default_rng(seed)
    weights = np.empty(treeplex.n_sequences, dtype=object)
    weights[0] = 1 << 150
    for lo, hi, parent in zip(treeplex.begin, treeplex.end, treeplex.parent, strict=True):
        digits = int(rng.integers(1 << 62)) | 1
        weights[lo:hi] = weights[parent] if parent else (digits << 88) // 10 ** int(rng.integers(span + 1))
    return weights


def test_running_sums_are_refused():
    form = public_form(kuhn_poker(), factored=True)
    with pytest.raises(ValueError, match=r"must be one sparse matrix, got \d+ running sums"):
        quasi_perfect(form)
