"""Published values and sizes: the certificate first, then the value."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import each, over
from tests.helpers.reference import CFR_PLUS_KUHN_1000, EXPLOITABILITY_1000, FIRST_BELOW
from treeplex.bench.theorems.theorem import Instance
from treeplex.bench.theorems_on_games.koller_megiddo_stengel_1996 import STRONG_DUALITY
from treeplex.cfr.engine import average, iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS
from treeplex.games.counting.references import REFERENCES, Reference
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import certify, certify_exactly
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.programs.rational_optimum import rational_optimum
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.public_tree import compile_public

SLOW = [reference for reference in REFERENCES if reference.slow]
SMALL = [reference for reference in REFERENCES if not reference.slow]
FEW = 2_000
"""Histories of games whose two programs are held against each other in the default tests."""
MANY = 10_000
"""Histories of games whose value the default tests prove at most."""


def form_for(reference: Reference, *, factored: bool | None = None):
    """Compile by the shortest way: poker through its public tree, other games history by history."""
    game = load_game(reference.spec)
    if isinstance(game, PokerGame):
        return sequence_form(compile_public(game), factored=factored)
    return tree_form(build_tree(game))


def proves_the_reference_value(reference):
    form = form_for(reference)
    solution = solve_lp(form)
    certificate = solution.certificate
    assert solution.status == "optimal"
    assert certificate.nash_conv <= 1e-8
    assert certificate.lower <= certificate.value <= certificate.upper
    assert certificate.contains(reference.value)


@pytest.mark.seconds(2)
def test_the_program_proves_the_reference_value():
    each([one for one in SMALL if one.histories <= MANY], proves_the_reference_value)


@pytest.mark.seconds(15)
def test_the_program_proves_the_reference_value_of_larger_games():
    each([*SLOW, *(one for one in SMALL if one.histories > MANY)], proves_the_reference_value)


@pytest.mark.seconds(15)
@over(SLOW)
def test_the_rational_optimum_is_the_reference_value(reference):
    """Of the games that the theorem of published values leaves out."""
    optimum = rational_optimum(form_for(reference))
    assert optimum.certificate.lower == optimum.certificate.upper
    assert optimum.value == reference.value


def both_players_programs_agree(reference):
    for comparison in STRONG_DUALITY.measure(Instance(reference.spec)):
        assert comparison.slack("==") >= -STRONG_DUALITY.tolerance


def test_both_players_programs_agree():
    each([one for one in SMALL if one.histories <= FEW], both_players_programs_agree)


@pytest.mark.seconds(25)
def test_both_players_programs_agree_in_larger_games():
    each([one for one in SMALL if one.histories > FEW], both_players_programs_agree)


def _row(form, player, behaviour, infoset):
    t = form.treeplexes[player]
    i = t.infosets.index(infoset)
    return behaviour[player][t.begin[i] : t.end[i]].tolist()


@over(
    [
        ("coin_toss", [0.25, 0.75, 0]),
        ("coin_toss(heads=-1/2,tails=1/2)", [0.75, 0.25, 0]),
    ],
)
def test_coin_toss_is_guessed_one_to_three(spec, row, form_of):
    solution = solve_lp(form_of(spec))
    assert _row(form_of(spec), 1, solution.profile.behaviour, "?:Play") == pytest.approx(row, abs=1e-9)


@over(range(5))
def test_coin_toss_exploitability_of_a_guess_is_the_papers(heads, form_of):
    form = form_of("coin_toss")
    quarter = heads / 4
    guess = np.array([1, quarter, 1 - quarter, 0])
    profile = Profile(form.treeplexes, (form.treeplexes[0].uniform(), guess))
    certificate = certify_exactly(form, profile)
    # Selling pays 1/2 on average less 1/2; playing Heads pays 1 - 2 p, Tails 2 p - 1.
    expected = (max(0.5, 1 - 2 * quarter) + max(-0.5, 2 * quarter - 1)) / 2
    assert certificate.upper == Fraction(expected)
    printed = {0: 0.25, 1: 0.0, 3: 0.5, 4: 0.75}
    assert heads not in printed or float(certificate.upper) == printed[heads]


def test_kuhn_equilibria_are_the_known_family(form_of):
    form = form_of("kuhn_poker")
    solution = solve_lp(form)
    at = {
        (p, k): _row(form, p, solution.profile.behaviour, k)
        for p in (0, 1)
        for k in form.treeplexes[p].infosets
    }
    bluff = at[0, "J:"][1]
    assert -1e-9 <= bluff <= 1 / 3 + 1e-9
    assert at[0, "Q:"][1] == pytest.approx(0, abs=1e-9)
    assert at[0, "K:"][1] == pytest.approx(3 * bluff, abs=1e-9)
    assert at[0, "Q:cr"][1] == pytest.approx(bluff + 1 / 3, abs=1e-9)
    assert at[1, "J:c"][1] == pytest.approx(1 / 3, abs=1e-9)
    assert at[1, "Q:r"][1] == pytest.approx(1 / 3, abs=1e-9)
    assert at[1, "Q:c"][1] == pytest.approx(0, abs=1e-9)
    assert at[1, "K:c"][1] == pytest.approx(1, abs=1e-9)
    assert at[1, "K:r"][1] == pytest.approx(1, abs=1e-9)


@over(["dummy_pennies", "dummy_pennies(mover=0)"], ["simplex", "ipm", "hipo"])
def test_dummy_moves_change_nothing_and_every_row_is_normalised(spec, solver, form_of):
    """A known exact solver reports 1/2 here, with rows of zeros at infosets on the path."""
    form = form_of(spec)
    solution = solve_lp(form, solver)
    assert solution.certificate.contains(0)
    assert solution.certificate.nash_conv <= 1e-6
    for t, behaviour in zip(form.treeplexes, solution.profile.behaviour, strict=True):
        assert np.add.reduceat(behaviour, t.begin) == pytest.approx(1)
    optimum = rational_optimum(form)
    assert optimum.value == 0
    for t, plan in zip(form.treeplexes, optimum.plans, strict=True):
        for lo, hi, parent in zip(t.begin, t.end, t.parent, strict=True):
            assert sum(plan.num[lo:hi]) == plan.num[parent]


def test_cfr_plus_reaches_the_known_nash_conv_on_kuhn(form_of):
    form = form_of("kuhn_poker")
    assert certify(
        form, average(full_width.prepare(form, VARIANTS["cfr+"]), 1000)
    ).nash_conv == pytest.approx(CFR_PLUS_KUHN_1000, rel=4e-6)


@over([(spec, name, value) for spec, row in EXPLOITABILITY_1000.items() for name, value in row.items()])
def test_printed_exploitability_after_a_thousand_iterations(spec, name, value):
    found = tp.solve(spec, name, form="tree", iterations=1000, counted="before")
    assert found.nash_conv / 2 == pytest.approx(value, rel=3e-5)


@over(FIRST_BELOW.items())
def test_the_first_iteration_below_a_printed_exploitability(name, printed):
    """Both players' regrets are of the plans that they met, and these are averaged."""
    form = tree_form(build_tree(load_game("matrix_game(payoff=[[1,-2],[-2,4]])")))
    variant = VARIANTS[name]
    engine = full_width.prepare(form, replace(variant, average=replace(variant.average, counted="seen")))
    state, found = None, 1.0
    while found > 1e-3:
        state = iterate(engine, 1, state)
        x, y = engine.strategy(state).plans
        found = (form.best_response(0, y).total + form.best_response(1, x).total) / 2
    assert state.iterations == printed
