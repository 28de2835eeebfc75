"""The rational optimum: judged by best responses straight from the rules, and what it does when it fails."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.forms import compiled, public_form
from tests.helpers.spoilt_bases import spoil
from tests.helpers.twins.games import Scaled, Uneven, best_response, leaves
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker, leduc_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.programs import rational_optimum as module
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.programs.rational_optimum import NotExactError, rational_optimum
from treeplex.seqform.programs.sequence_program import sequence_program

RANDOM = st.builds(random_game, st.integers(0, 10**6), st.integers(0, 6), st.integers(1, 4))


def exact_rows(treeplex, plan):
    """Return {(infoset, action): probability} of an exact plan; the first action where it does not reach."""
    table = {}
    for key, lo, hi, parent in zip(
        treeplex.infosets, treeplex.begin, treeplex.end, treeplex.parent, strict=True
    ):
        for s in range(lo, hi):
            reach = plan.num[parent]
            table[key, treeplex.actions[s]] = (
                Fraction(plan.num[s], reach) if reach else Fraction(int(s == lo))
            )
    return table


def check_optimum(game, form, optimum):
    """Both plans guarantee the value in exact arithmetic, by the rules of the game alone."""
    ends = leaves(game)
    for t, plan in zip(form.treeplexes, optimum.plans, strict=True):
        assert plan.den > 0
        assert plan.num[0] == plan.den
        assert all(n >= 0 for n in plan.num)
        for lo, hi, parent in zip(t.begin, t.end, t.parent, strict=True):
            assert sum(plan.num[lo:hi]) == plan.num[parent]
    tables = [exact_rows(t, plan) for t, plan in zip(form.treeplexes, optimum.plans, strict=True)]
    assert best_response(ends, 0, tables[1])[0] == optimum.value
    assert -best_response(ends, 1, tables[0])[0] == optimum.value
    certificate = optimum.certificate
    assert certificate.lower == certificate.upper == certificate.value == optimum.value
    assert certificate.nash_conv == certificate.rounding == 0


@given(RANDOM)
def test_random_games(game):
    form = compiled(game)
    optimum = rational_optimum(form)
    check_optimum(game, form, optimum)
    assert solve_lp(form).certificate.contains(optimum.value)


@given(RANDOM, st.sampled_from([1, 3]))
def test_random_games_with_payoffs_of_different_size(game, reach):
    game = Uneven(game, reach, 11)
    form = compiled(game)
    check_optimum(game, form, rational_optimum(form))


@over(
    [
        kuhn_poker(),
        kuhn_poker(7),
        leduc_poker(raises=1),
        load_game("coin_toss(heads=1/7,tails=-3/11)"),
        load_game("dummy_pennies"),
        matrix_game([[0, 0], [0, 0]]),
        matrix_game([[Fraction(1, 3)]]),
        random_game(0, 0, 1),
        Scaled(kuhn_poker(), Fraction(1, 10**40)),
        Scaled(kuhn_poker(), Fraction(10**40, 7)),
    ]
)
def test_named_games(game):
    form = compiled(game)
    check_optimum(game, form, rational_optimum(form))


@over([3, 13])
def test_running_sums(ranks):
    game = kuhn_poker(ranks)
    form = public_form(game, factored=True)
    assert len(form.payoff.link) > 0
    check_optimum(game, form, rational_optimum(form))


def test_payoffs_in_machine_integers_do_not_overflow(form_of):
    """A form whose exact numbers are int64, as the contract allows, over a denominator beyond them."""
    base = form_of("kuhn_poker").payoff.base
    narrow = ExactMatrix(
        base.rows, base.cols, base.num.astype(np.int64) * 2**58, base.den * 2**58, base.shape
    )
    right = ExactMatrix.of(np.array([1]), np.array([0]), np.array([0]), 1, (base.shape[1], 1))
    left = ExactMatrix(np.array([1]), np.array([0]), np.array([1]), 10**30, (base.shape[0], 1))
    payoff = Payoff(narrow, left, np.array([False]), right)
    form = replace(form_of("kuhn_poker"), payoff=payoff)
    assert rational_optimum(form).value == Fraction(-1, 18)


# Bases


@over(["simplex", "ipm", "hipo"])
def test_the_basis_of_any_run_will_do(solver, form_of):
    form = form_of("leduc_poker(raises=1)")
    run = run_highs(sequence_program(form, 0).program, solver)
    assert rational_optimum(form, run).value == Fraction(-69926057354269, 895267328620270)


@over(["ipm", "hipo"])
def test_runs_without_a_basis_are_passed_over(solver, form_of):
    form = form_of("kuhn_poker")
    run = run_highs(sequence_program(form, 0).program, solver, crossover=False)
    assert rational_optimum(form, run).value == Fraction(-1, 18)


@over([("leduc_poker", 0), ("coin_toss", 0), ("kuhn_poker", 1)])
def test_a_run_on_another_program_is_passed_over(other, player, form_of):
    """Also the other player's, which has the same shape here, and a basis that means nothing."""
    run = run_highs(sequence_program(form_of(other), player).program, "simplex")
    assert rational_optimum(form_of("kuhn_poker"), run).value == Fraction(-1, 18)


@over(["kuhn_poker", "leduc_poker(ranks=2,raises=1)"])
def test_an_exact_simplex_goes_on_from_a_basis_that_is_not_optimal(spec, form_of, monkeypatch):
    right = rational_optimum(form_of(spec)).value
    monkeypatch.setattr(module, "run_highs", spoil("first columns"))
    assert rational_optimum(form_of(spec)).value == right


@over(["slack", "none", "other end"], ["kuhn_poker", "leduc_poker(raises=1)"])
def test_bases_that_determine_no_plans_end_in_an_error(kind, spec, form_of, monkeypatch):
    monkeypatch.setattr(module, "run_highs", spoil(kind))
    with pytest.raises(NotExactError, match=rf"{spec.split('(')[0]}.*no final basis"):
        rational_optimum(form_of(spec))


def test_the_next_basis_is_tried_after_one_that_fails(form_of, monkeypatch):
    solvers = []

    def only_the_last(program, solver, **options):
        solvers.append((solver, options["tolerance"]))
        return (spoil("other end") if len(solvers) < 3 else run_highs)(program, solver, **options)

    monkeypatch.setattr(module, "run_highs", only_the_last)
    bad = spoil("slack")(sequence_program(form_of("kuhn_poker"), 0).program, "simplex")
    assert rational_optimum(form_of("kuhn_poker"), bad).value == Fraction(-1, 18)
    assert len(solvers) == 3
