"""Every way to solve: solvers, crossover, and what happens when nothing works."""

from dataclasses import replace
from fractions import Fraction

import highspy
import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.games.base.errors import NotSolvedError
from treeplex.games.counting.references import LEDUC
from treeplex.games.poker.named import kuhn_poker
from treeplex.seqform.certify.certificate import Target, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.programs import lp_solution as solve
from treeplex.seqform.programs.highs import SOLVERS, STATUS, run_highs
from treeplex.seqform.programs.lp_solution import narrowest, solve_lp
from treeplex.seqform.programs.sequence_program import LinearProgram, sequence_program
from treeplex.seqform.trees.public_tree import compile_public

EVERY_WAY = [(s, c) for s in ("auto", *SOLVERS) for c in (True, False, None)]
VALUES = {
    "leduc_poker": LEDUC,
    "coin_toss": Fraction(0),
    "kuhn_poker(ranks=4)": Fraction(-1, 24),
    "matrix_game(payoff=[[2,-1],[-1,1]])": Fraction(1, 5),
    "random_game(seed=0,depth=0)": Fraction(-2),
}


@pytest.fixture(scope="module")
def kuhn_21():
    """Kuhn poker with 21 ranks in both forms: pairs written out, and running sums."""
    tree = compile_public(kuhn_poker(21))
    return sequence_form(tree, factored=False), sequence_form(tree, factored=True)


@pytest.mark.seconds(3)
@over(VALUES, EVERY_WAY)
def test_every_solver_proves_the_value(spec, solver, crossover, form_of):
    form = form_of(spec)
    solution = solve_lp(form, solver, crossover=crossover)
    certificate = solution.certificate
    assert certificate.contains(VALUES[spec])
    assert certificate.nash_conv <= 2e-6
    assert solution.solver in SOLVERS
    assert solver in ("auto", solution.solver)
    assert solution.status in STATUS.values()
    assert certify(form, solution.profile).nash_conv == pytest.approx(certificate.nash_conv)
    assert solution.iterations == sum(r.iterations for r in solution.runs)
    assert solution.seconds > 0
    assert 1 <= len(solution.runs) <= 2


@over(EVERY_WAY)
def test_every_solver_solves_running_sums(solver, crossover, kuhn_21):
    certificates = [solve_lp(form, solver, crossover=crossover).certificate for form in kuhn_21]
    assert max(c.nash_conv for c in certificates) <= 2e-6
    assert not certificates[0].disjoint(certificates[1])


@over(["ipm", "hipo"])
def test_interior_points_have_a_basis_after_crossover_only(solver, form_of):
    program = sequence_program(form_of("leduc_poker"), 0).program
    assert run_highs(program, solver, crossover=True).has_basis
    run = run_highs(program, solver, crossover=False)
    assert not run.has_basis
    assert not run.basic_cols.any()
    # Without a basis the other player's plan comes from that player's own program.
    assert len(solve_lp(form_of("leduc_poker"), solver, crossover=False).runs) == 2


@over([0, 1])
def test_duals_of_a_basis_are_the_other_players_plan(player, form_of):
    form = form_of("leduc_poker")
    program = sequence_program(form, player)
    run = run_highs(program.program, "simplex")
    assert run.has_basis
    plans = [program.plan(run.primal), program.other_plan(run.dual)]
    first, second = (plans[0], plans[1]) if player == 0 else (plans[1], plans[0])
    behaviour = form.treeplexes[0].behaviour(first), form.treeplexes[1].behaviour(second)
    certificate = certify(form, Profile(form.treeplexes, behaviour))
    assert certificate.contains(LEDUC)
    assert certificate.nash_conv <= 1e-9
    assert program.value(run.objective) == pytest.approx(float(LEDUC), abs=1e-9)


def test_every_status_of_highs_has_a_word():
    members = set(highspy.HighsModelStatus.__members__.values())
    assert members <= set(STATUS)
    assert [k for k, word in STATUS.items() if word == "optimal"] == [highspy.HighsModelStatus.kOptimal]


def one_variable(cost, *, lower=0.0, upper=np.inf, row=(-np.inf, 1.0)):
    from scipy.sparse import csc_array

    return LinearProgram(
        np.array([cost]),
        csc_array(np.array([[1.0]])),
        np.array([row[0]]),
        np.array([row[1]]),
        np.array([lower]),
        np.array([upper]),
    )


@over(SOLVERS)
def test_statuses_of_small_programs(solver):
    assert run_highs(one_variable(1.0), solver).status == "optimal"
    assert run_highs(one_variable(1.0), solver).objective == pytest.approx(1.0)
    infeasible = run_highs(one_variable(1.0, row=(2.0, 1.0)), solver).status
    assert infeasible in ("infeasible", "unbounded or infeasible")
    unbounded = run_highs(one_variable(1.0, row=(-np.inf, np.inf)), solver).status
    assert unbounded in ("unbounded", "unbounded or infeasible")


def test_duals_say_how_much_the_maximum_rises_with_the_row():
    run = run_highs(one_variable(3.0), "simplex")
    assert run.dual.tolist() == [3.0]
    assert run.primal.tolist() == [1.0]


@over(["gurobi", "", "IPM"])
def test_unknown_solvers_are_refused(solver, form_of):
    with pytest.raises(ValueError, match="solver must be one of"):
        solve_lp(form_of("kuhn_poker"), solver)
    with pytest.raises(ValueError, match="solver must be one of"):
        run_highs(one_variable(1.0), solver)


# When nothing works


def garbage(kind, *, status):
    """Return a stand-in for run_highs that claims a status and returns numbers of no use."""

    def run(program, solver, **options):
        true = run_highs(program, solver, **options)
        rng = np.random.default_rng(0)
        arrays = {
            "noise": (rng.normal(size=program.n_cols), rng.normal(size=program.n_rows)),
            "zeros": (np.zeros(program.n_cols), np.zeros(program.n_rows)),
            "nan": (np.full(program.n_cols, np.nan), np.full(program.n_rows, np.nan)),
            "infinite": (np.full(program.n_cols, np.inf), np.full(program.n_rows, -np.inf)),
        }[kind]
        return replace(true, primal=arrays[0], dual=arrays[1], status=status)

    return run


@over(["noise", "zeros", "nan", "infinite"], ["auto", "simplex", "hipo"], ["imprecise", "optimal"])
def test_garbage_does_not_get_out_whatever_its_status(kind, solver, status, form_of, monkeypatch):
    monkeypatch.setattr(solve, "run_highs", garbage(kind, status=status))
    with pytest.raises(NotSolvedError, match=r"kuhn_poker: the certificate's width .* chips is above .* of "):
        solve_lp(form_of("kuhn_poker"), solver)


def test_the_narrowest_solution_has_an_honest_certificate(form_of, monkeypatch):
    monkeypatch.setattr(solve, "run_highs", garbage("noise", status="optimal"))
    solution = narrowest(form_of("kuhn_poker"), target=Target(1e-6))
    assert solution.certificate.contains(Fraction(-1, 18))
    assert solution.certificate.nash_conv > 0.1


def test_a_good_point_gets_out_whatever_its_status(form_of, monkeypatch):
    def modest(program, solver, **options):
        return replace(run_highs(program, solver, **options), status="time limit")

    monkeypatch.setattr(solve, "run_highs", modest)
    solution = solve_lp(form_of("kuhn_poker"))
    assert solution.status == "time limit"
    assert solution.certificate.nash_conv <= 1e-9


def test_auto_goes_on_to_the_next_solver(form_of, monkeypatch):
    tried = []

    def only_ipm(program, solver, **options):
        tried.append(solver)
        return (run_highs if solver == "ipm" else garbage("nan", status="solve error"))(
            program, solver, **options
        )

    monkeypatch.setattr(solve, "run_highs", only_ipm)
    solution = solve_lp(form_of("kuhn_poker"))
    assert solution.solver == "ipm"
    assert tried[0] == "simplex"
    assert solution.certificate.nash_conv <= 1e-9


def test_a_wide_target_accepts_what_is_within_it(form_of, monkeypatch):
    monkeypatch.setattr(solve, "run_highs", garbage("zeros", status="imprecise"))
    solution = solve_lp(form_of("kuhn_poker"), target=Target(1.0))
    assert solution.certificate.nash_conv == pytest.approx(11 / 12)
    with pytest.raises(NotSolvedError, match=r"0\.917 chips is above 0\.9$"):
        solve_lp(form_of("kuhn_poker"), target=Target(0.9))


def test_the_simplex_that_comes_first_gives_up_in_time(form_of, monkeypatch):
    """Where others are to come it gets so many pivots; alone or at the end as many as it takes."""
    asked = []

    def counted(program, solver, **options):
        asked.append((solver, options["pivots"]))
        return run_highs(program, solver, **options)

    monkeypatch.setattr(solve, "run_highs", counted)
    monkeypatch.setattr(solve, "LEAST_PIVOTS", 20)
    monkeypatch.setattr(solve, "PATIENCE", 0.01)
    form = form_of("leduc_poker")
    solution = solve_lp(form)
    assert asked == [("simplex", 20), ("ipm", None)]
    assert solution.solver == "ipm"
    assert solution.certificate.contains(LEDUC)
    assert run_highs(sequence_program(form, 0).program, "simplex", pivots=20).status == "iteration limit"
    assert solve_lp(form, "simplex").certificate.nash_conv <= 1e-9
    assert asked[2] == ("simplex", None)


def test_a_simplex_that_gave_up_goes_on_where_all_others_fail(form_of, monkeypatch):
    asked = []

    def only_simplex(program, solver, **options):
        asked.append((solver, options.get("pivots")))
        run = run_highs if solver == "simplex" else garbage("nan", status="solve error")
        return run(program, solver, **options)

    monkeypatch.setattr(solve, "run_highs", only_simplex)
    monkeypatch.setattr(solve, "LEAST_PIVOTS", 20)
    monkeypatch.setattr(solve, "PATIENCE", 0.01)
    solution = solve_lp(form_of("leduc_poker"))
    assert (asked[0], asked[-1]) == (("simplex", 20), ("simplex", None))
    assert solution.certificate.contains(LEDUC)
    assert solution.certificate.nash_conv <= 1e-9
    asked.clear()
    solve_lp(form_of("kuhn_poker"), target=Target(0.0))
    assert [solver for solver, _ in asked].count("simplex") == 2  # it had not given up: both programs, once
