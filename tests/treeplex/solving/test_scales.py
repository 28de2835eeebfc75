"""Games whose payoffs differ by many orders of magnitude: solved as narrow as asked, exactly, or refused."""

import json
import random
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.commands import printed, rows_of
from tests.helpers.twins.exact_matrix import exact_matrix_value
from tests.helpers.twins.games import Scaled, Uneven
from treeplex.cli.app import FAILED
from treeplex.cli.main import run
from treeplex.core.problem import Problem
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import kuhn_poker
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import matrix_game
from treeplex.seqform.programs.rational_optimum import NotExactError
from treeplex.solving import linear_program as programs
from treeplex.solving.crosscheck import crosscheck
from treeplex.solving.form import Form

EXTREME = "matrix_game(payoff=[[1e150,1e-150],[1e-150,1]])"
PENNIES = [[1, -1], [-1, 2]]


def river(tmp_path, stack, bets='"a"', raises='"a"', pot="100"):
    path = tmp_path / f"river{stack}.toml"
    path.write_text(
        f'board = "Ks Th 7s 4d 2c"\npot = {pot}\nstack = {stack}\n'
        f'ranges = ["AA,KK,QQ,JTs", "TT,99,AK,QJs"]\nbets = [{bets}]\nraises = [{raises}]\n',
        encoding="utf-8",
    )
    return str(path)


def power(exponent):
    return Fraction(10) ** exponent


def mixed(seed, reach):
    """Return a matrix of 2 to 4 rows and columns, each entry with a power of ten of its own."""
    rng = random.Random(f"{seed}/{reach}")
    rows, columns = rng.randint(2, 4), rng.randint(2, 4)
    return [
        [rng.randint(-9, 9) * power(rng.randint(-reach, reach)) for _ in range(columns)] for _ in range(rows)
    ]


def check_proof(result, value):
    """Hold a result to a value, to the width that was asked for, and to its status."""
    assert result.certificate.contains(value)
    assert result.nash_conv <= result.target
    if result.nash_conv == 0:
        assert result.status.startswith("exact")
    else:
        assert re.fullmatch(r"proved to \S+ \w+", result.status)


# what was reported


def test_a_stack_of_1e15_behind_a_pot_of_100_is_proved(tmp_path):
    result = tp.solve(river(tmp_path, "1e15"))
    assert result.nash_conv <= 1e-4
    assert re.fullmatch(r"exact; its floats are proved to \S+ chips", result.status)
    assert tp.check(result.game, result.strategy).nash_conv > 1e-4


@pytest.mark.seconds(8)
@over(["1e9", "1e12", "1e15", "1e20"])
def test_deep_stacks_with_many_raises_are_proved(stack, tmp_path):
    result = tp.solve(river(tmp_path, stack, '0.5,1,"a"', '1,"a"'))
    assert result.nash_conv <= 1e-4
    assert float(result.value) == pytest.approx(16.36116, abs=1e-4)


@pytest.mark.seconds(6)
@over(["[1e9,2e9]", "[1e12,2e12]", "[1e15,3e15]"])
def test_bets_far_above_the_ante_are_proved(bets):
    """Exact pivots lead from the basis of a float program to the optimal one."""
    result = tp.solve(f"leduc_poker(bets={bets})")
    assert result.nash_conv <= result.target
    assert abs(result.value) < 0.1


def test_payoffs_from_1e150_to_1e_minus_150_are_proved():
    result = tp.solve(EXTREME)
    a, b = power(150), power(-150)
    check_proof(result, (a - b * b) / (a + 1 - 2 * b))


@over(["solve", "crosscheck"], ["1e-310", "1e299"])
def test_payoffs_at_the_ends_of_the_range_of_floats_print_no_warnings(command, size, capsys):
    """Warnings are errors in tests."""
    game = f"matrix_game(payoff=[[{size},0],[0,{size}]])"
    found = json.loads(printed(capsys, command, game, "--json"))
    for row in found.get("rows", [found]):
        assert row["status"].startswith(("exact", "proved to"))
        assert row["lower"] <= float(size) / 2 <= row["upper"]


# systematically


@pytest.mark.seconds(3)
@over([3, 10, 30, 80, 150, 290], range(2))
def test_matrices_of_mixed_sizes_have_the_value_of_rational_arithmetic(reach, seed):
    payoff = mixed(seed, reach)
    check_proof(tp.solve(matrix_game(payoff)), exact_matrix_value(payoff))


@settings(max_examples=12)
@given(
    st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=3),
    st.integers(-300, 298),
)
def test_the_value_of_a_scaled_game_is_the_scaled_value(payoff, exponent):
    factor = power(exponent)
    game = Scaled(matrix_game(payoff), factor)
    check_proof(tp.solve(game), exact_matrix_value(payoff) * factor)


@over([-320, -300, -200, -30, 30, 200, 290])
def test_trees_of_any_scale_are_proved(exponent):
    for inner in (kuhn_poker(), random_game(5, 6, 3)):
        value = tp.solve(inner, exact=True).exact_value
        check_proof(tp.solve(Scaled(inner, power(exponent))), value * power(exponent))


@pytest.mark.seconds(3)
@over([5, 15, 40], ["kuhn_poker", "goofspiel(cards=3)", "random_game(seed=9,depth=6)"])
def test_trees_of_mixed_payoffs_are_proved(reach, spec):
    problem = Problem(Uneven(load_game(spec), reach, 1))
    result = tp.solve(problem)
    check_proof(result, tp.solve(problem, exact=True).exact_value)


@over(["1e6", "1e12", "1e15"])
def test_a_large_common_offset_costs_digits_and_is_exact_where_a_target_asks_for_them(offset):
    payoff = [[a + Fraction(offset) for a in row] for row in PENNIES]
    value = exact_matrix_value(PENNIES) + Fraction(offset)
    check_proof(tp.solve(matrix_game(payoff)), value)
    asked = tp.solve(matrix_game(payoff), target=1e-9)
    assert asked.nash_conv <= asked.target == 1e-9
    assert asked.certificate.contains(value)


@over([("1e3", "100"), ("200", "1e-15"), ("200", "1e15"), ("1e30", "100")])
def test_rivers_of_any_stack_and_pot_are_proved_to_a_part_of_the_pot(stack, pot, tmp_path):
    result = tp.solve(river(tmp_path, stack, pot=pot))
    assert result.nash_conv <= result.target == pytest.approx(1e-6 * float(pot))


@over(["1e-4", "1e-8", "1e-16"])
def test_hands_that_are_hardly_ever_held_are_no_obstacle(weight, tmp_path):
    path = river(tmp_path, "1e6")
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("AA,", f"AA:{weight},").replace("99,", f"99:{weight},")
    (tmp_path / "light.toml").write_text(text, encoding="utf-8")
    result = tp.solve(str(tmp_path / "light.toml"))
    assert result.nash_conv <= result.target == pytest.approx(1e-4)


@over([[[0, 0], [0, 0]], [[0]]])
def test_games_in_which_nothing_is_paid_have_the_value_zero(payoff):
    for result in (tp.solve(matrix_game(payoff)), tp.solve(matrix_game(payoff), "cfr")):
        assert (result.lower, result.value, result.upper) == (0, 0, 0)
    assert tp.solve(matrix_game(payoff)).status == "exact"


def test_a_game_of_one_history():
    check_proof(tp.solve("random_game(seed=0,depth=0)"), Fraction(-2))


# what was asked for, and what is missed


def test_a_proof_that_is_too_wide_ends_in_one_line_with_its_scale(capsys, tmp_path, monkeypatch):
    def none(form, given):
        raise NotExactError(form.name)

    monkeypatch.setattr(programs, "rational_optimum", none)
    assert run(["solve", river(tmp_path, "1e15")]) == FAILED
    out, err = capsys.readouterr()
    assert out == ""
    wide = r"the certificate's width \S+ chips is above 0\.0001 \(1e-06 of the pot 100\)"
    assert re.fullmatch(rf"treeplex: \S+: {wide}; no exact optimum was found either\n", err)
    assert run(["solve", EXTREME]) == FAILED
    err = capsys.readouterr().err
    assert re.search(r"points is above \S+ \(1e-06 of the value's bound \S+\); no exact", err)
    assert run(["solve", "kuhn_poker", "--target", "1e-30"]) == FAILED
    assert re.search(r"width \S+ chips is above 1e-30; no exact", capsys.readouterr().err)


def test_progress_tells_of_the_ways_that_follow_a_proof_too_wide():
    stages = []
    tp.solve(EXTREME, progress=lambda stage, width: stages.append(stage))
    assert "exact optimum" in stages
    stages.clear()
    tp.solve("kuhn_poker", progress=lambda stage, width: stages.append(stage))
    assert stages == []


def test_a_minimiser_that_misses_its_own_width_says_so_and_fails(capsys, monkeypatch):
    monkeypatch.setattr(Form, "iterations", 20)
    rows = rows_of(printed(capsys, "solve", "kuhn_poker", "--method", "cfr", code=FAILED))
    assert rows["status"] == "iterations done, target missed"
    assert re.fullmatch(r"0\.0001: missed", rows["target"])
    asked = rows_of(printed(capsys, "solve", "kuhn_poker", "--method", "cfr", "--iterations", "20"))
    assert asked["status"] == "iterations done"
    assert "target" not in asked


def test_minimisers_measure_by_the_same_scale():
    result = tp.solve("kuhn_poker", "cfr+")
    assert result.status == "target reached"
    assert result.nash_conv <= result.target == pytest.approx(1e-4)
    doubled = tp.solve(Scaled(kuhn_poker(), power(60)), "cfr+")
    assert doubled.target == pytest.approx(1e56)
    assert doubled.nash_conv <= 1e56


@pytest.mark.seconds(3)
def test_other_methods_of_a_crosscheck_say_what_they_proved():
    rows = {row.method: row.status for row in tp.crosscheck("kuhn_poker").rows}
    assert rows["lp"] == "exact"
    for method in {"lp-explicit", "clarabel"} & rows.keys():
        assert re.fullmatch(r"proved to \S+ chips", rows[method])
    assert rows["cfr+"] == "target reached"


@pytest.mark.seconds(3)
def test_methods_converge_whatever_is_added_to_all_payoffs():
    """Samples are divided by how likely they were: what they are worth is noisy by what was added."""
    assert tp.crosscheck("matrix_game(payoff=[[1001,1000],[1000,1003]])").stuck == ()


def test_a_second_stack_that_proves_nothing_has_given_up():
    pytest.importorskip("clarabel", reason="treeplex[cvxpy] is not installed")
    comparison = crosscheck(tp.load("matrix_game(payoff=[[1e150,1e-150],[1e-150,1]])"))
    assert comparison.passed
    assert "clarabel" not in {row.method for row in comparison.rows}
    assert "of the value's bound" in comparison.gave_up["clarabel"]
