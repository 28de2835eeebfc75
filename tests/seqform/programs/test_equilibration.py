"""Programs scaled by rows and columns: the same game, whatever the sizes of its payoffs."""

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.forms import compiled, public_form
from tests.helpers.twins.games import Uneven
from treeplex.games.formats.toml_files import read_toml
from treeplex.games.poker.named import leduc_poker
from treeplex.seqform.certify.certificate import GameScale, Target, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.programs import lp_solution as solve
from treeplex.seqform.programs.highs import run_highs
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.programs.sequence_program import equilibrated_program, plain_program

DEEP_RIVER = """
board = "Ks Th 7s 4d 2c"
pot = 100
stack = 1e9
ranges = ["AA,KK,QQ,JTs", "TT,99,AK,QJs"]
bets = ["a"]
raises = ["a"]
"""


def deep_river(tmp_path):
    path = tmp_path / "river.toml"
    path.write_text(DEEP_RIVER, encoding="utf-8")
    return public_form(read_toml(path))


@over([0, 1])
def test_factors_are_powers_of_two_and_the_largest_entry_of_a_row_is_about_one(player, form_of):
    form = form_of("leduc_poker")
    ours, plain = equilibrated_program(form, player), plain_program(form, player)
    quotient = ours.program.matrix.copy()
    quotient.data = ours.program.matrix.data / plain.program.matrix.data
    mantissa, _ = np.frexp(quotient.data)
    assert set(mantissa.tolist()) == {0.5}
    largest = abs(ours.program.matrix).max(axis=1).toarray()
    assert np.all((largest >= 0.5) & (largest <= 2.0))


@over([0, 1])
def test_plans_duals_and_values_are_those_of_the_game(player, form_of):
    form = form_of("leduc_poker")
    program = equilibrated_program(form, player)
    run = run_highs(program.program, "simplex", tolerance=1e-10)
    plans = program.plan(run.primal), program.other_plan(run.dual)
    assert plans[0][0] == pytest.approx(1.0)
    assert plans[1][0] == pytest.approx(1.0)
    first, second = plans if player == 0 else plans[::-1]
    behaviour = form.treeplexes[0].behaviour(first), form.treeplexes[1].behaviour(second)
    certificate = certify(form, Profile(form.treeplexes, behaviour))
    assert certificate.nash_conv <= 1e-9
    assert program.value(run.objective) == pytest.approx(float(certificate.value), abs=1e-9)


def test_a_deep_stack_behind_a_small_pot_leaves_smaller_quotients(tmp_path):
    form = deep_river(tmp_path)
    plain, scaled = (
        np.ptp(np.log10(np.abs(written(form, 0).program.matrix.data)))
        for written in (plain_program, equilibrated_program)
    )
    assert scaled < plain - 1


def test_it_is_tried_where_the_usual_scaling_is_too_coarse(tmp_path):
    form = deep_river(tmp_path)
    target = Target(1e-6, GameScale(100.0, form.stakes))
    assert solve._best_of(form, ("simplex",), None, target).certificate.nash_conv > 1
    assert solve.narrowest(form, "simplex", target=target).certificate.nash_conv <= 1e-4


def test_ordinary_games_never_meet_it(form_of, monkeypatch):
    monkeypatch.setattr(solve, "equilibrated_program", None)
    assert solve.solve_lp(form_of("leduc_poker")).certificate.nash_conv <= 1e-9


def test_its_basis_is_exact_where_that_of_the_usual_program_is_not(tmp_path):
    form = compiled(Uneven(leduc_poker(raises=1), 5, 1))
    run = run_highs(equilibrated_program(form, 0).program, "simplex", tolerance=1e-10)
    value = rational_optimum(form, run).value
    assert value == rational_optimum(form).value
    deep = deep_river(tmp_path)
    assert solve.narrowest(deep, target=Target(0.0)).certificate.contains(rational_optimum(deep).value)
