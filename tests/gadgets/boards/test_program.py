"""Gadgets on boards as linear programs, held against regret minimisers, the judge and enumerated games."""

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.board_subgames import board_tree, enumerated, on_boards, random_blueprint
from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from treeplex.gadgets.alternatives import BlueprintAlternatives, LowerBoundGifts
from treeplex.gadgets.boards.gadget_program import GadgetProgram
from treeplex.gadgets.boards.gadget_proof import prove
from treeplex.gadgets.distributional import Distributional, Normal, SameDeviation
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.tops import nothing
from treeplex.subgames.program_on_boards import solve_by_program
from treeplex.subgames.solve_on_boards import BoardLimits, solve_on_boards

REACH = BlueprintAlternatives(LowerBoundGifts())
GADGETS = (
    Unsafe(),
    Resolve(),
    Maxmargin(),
    Resolve(REACH),
    Maxmargin(REACH),
    Distributional(Normal(BlueprintAlternatives(), SameDeviation(0.5), 3)),
)
LEDUC = "no_limit_leduc"
TURN = 'small_holdem(board="As Kh Qs Jh",ranks=5)'
WHOLE = "turn_holdem(ranks=4,suits=2,raises=[1,1,1])"
DEEP = 'small_holdem(board="As Kh Qs Jh",ranks=5,stack=4,bets=[0.5])'
FEW = 'small_holdem(ranges=["AK:0.5,AQ,JT:0.25,T9","all"],bets=[0.5,"a"],raises=["a"])'
CASES = (
    (LEDUC, "cc/", 0, 0),
    (LEDUC, "r2c/", 0, 1),
    (LEDUC, "cr1c/c", 1, 2),
    (TURN, "", 0, 0),
    (TURN, "c", 1, 0),
    (DEEP, "r1c/", 0, 1),
    (DEEP, "cr1c/r3", 1, 2),
    (FEW, "r1", 0, 0),
    (FEW, "c", 1, 0),
)
"""A game, a line, the defender, and which board of the line's street."""


def unit_of(root, reach):
    """The largest reach with which the opponent can enter."""
    return float(root.header.best_response(replace(root, stay=nothing()).paid(reach)).total)


def enumerated_value(gadget, subgame):
    """The value of an enumerated gadget's game to the opponent, per unit of reach, and its width."""
    certificate = solve_lp(gadget.apply(subgame)).certificate
    sign = 1.0 if subgame.cut.opponent == 0 else -1.0
    unit = unit_of(gadget.root(subgame), subgame.reach)
    return sign * float(certificate.value) / unit, certificate.nash_conv / unit


def with_gifts(case, seed):
    """The subgame on boards and the enumerated one; gifts are the enumerated subgame's."""
    spec, line, defender, which = case
    blueprint = random_blueprint(board_tree(spec, isomorphism=False), seed)
    plain = on_boards(blueprint, defender, line, which)
    whole = enumerated(spec, blueprint, defender, plain.name)
    labels = [top.split("|")[0] for top in whole.tops]
    assert {*labels} == {*plain.tops}
    order = [labels.index(top) for top in plain.tops]
    gifts = whole.lower_bound_gifts[order], whole.estimated_gifts[order]
    return on_boards(blueprint, defender, line, which, gifts), whole


def three_ways(case, seed, gadgets):
    subgame, whole = with_gifts(case, seed)
    for gadget in gadgets:
        program = solve_by_program(subgame, gadget)
        unit = unit_of(program.root, subgame.reach)
        lower, upper = program.proof.lower / unit, program.proof.upper / unit
        value, width = enumerated_value(gadget, whole)
        assert value == pytest.approx((lower + upper) / 2, abs=upper - lower + width + 1e-9), gadget.name
        assert upper - lower <= 1e-6, gadget.name
        engine = solve_on_boards(subgame, gadget, BoardLimits(iterations=400)).proof
        assert engine.lower / unit - 1e-9 <= value <= engine.upper / unit + 1e-9, gadget.name
        assert engine.upper - engine.lower <= 0.05 * unit, gadget.name


@two_tiers(
    (*CASES[::5], CASES[2]),
    [case for case in CASES if case not in (*CASES[::5], CASES[2])],
    seconds=(3, 3),
)
def test_three_ways_to_solve_a_gadget_have_one_value(*case):
    three_ways(case, 1, GADGETS)


def test_some_gifts_are_positive():
    given = [with_gifts(case, 1)[0].lower_bound_gifts.max() for case in CASES]
    assert max(given) > 0.1


@pytest.mark.seconds(6)
@over(["cc/", "crc/cc/", "crc/r"], [0, 1])
def test_three_ways_on_a_whole_four_rank_game(line, defender):
    three_ways((WHOLE, line, defender, 3), 2, GADGETS)


@over(GADGETS, [0, 1])
def test_payoffs_of_the_program_are_those_of_the_judge(gadget, defender):
    """A random profile of the gadget's game earns what the judge finds, in both best responses."""
    subgame, _ = with_gifts((TURN, "c", defender, 0), 3)
    program = GadgetProgram.of(subgame, gadget.root(subgame), gadget.name)
    form, rng = program.form, np.random.default_rng(5)
    first, second = (t.behaviour(rng.random(t.n_sequences)) for t in form.treeplexes)
    profile = solve_lp(form).profile.exchanged(0, first).exchanged(1, second)
    proof = prove(subgame, program.root, program.plan(profile), program.strategy(profile))
    upper = form.best_response(subgame.opponent, profile.plans[defender]).total
    lower = -form.best_response(defender, profile.plans[subgame.opponent]).total
    # The judge's interval is widened by what rounding may have done, here less than 1e-10.
    assert upper <= proof.upper / program.unit <= upper + 1e-10
    assert lower - 1e-10 <= proof.lower / program.unit <= lower


def test_hands_that_nobody_holds_take_no_part():
    """The defender's hands without reach have no decisions in the program."""
    tree = board_tree(TURN, isomorphism=False)
    blueprint = random_blueprint(tree, 4)
    start, n_actions, width = tree.rows(0, 0, 0)
    rows = blueprint.weight[0][start : start + n_actions * width].reshape(n_actions, width)
    rows[0, :4] = 0.0  # these never check
    rows[1, :4] = 1.0
    subgame = on_boards(blueprint, 0, "c")
    form = GadgetProgram.of(subgame, Resolve().root(subgame), "resolve").form
    gone = [label for label, reach in zip(_labels(subgame), subgame.own_reach, strict=True) if reach == 0.0]
    assert len(gone) >= 4
    assert not [key for key in form.treeplexes[0].infosets if key.split("|")[0] in gone]


def _labels(subgame):
    cards = subgame.subtree.tree.boards.hands[subgame.defender].cards
    return [subgame.game.hand_label(tuple(hand)) for hand in cards.tolist()]


def test_a_program_is_for_boards_that_are_not_merged():
    blueprint = random_blueprint(board_tree('small_holdem(board="As Ks Qs Js",ranks=5,suits=3)'), 1)
    subgame = on_boards(blueprint, 0, "c")
    with pytest.raises(ValueError, match="not merged"):
        solve_by_program(subgame, Resolve())
