"""Distributional with all draws on boards, beside sequence form, linear programs and refusals."""

from dataclasses import replace

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.cells import over
from treeplex.bench.theorems_on_subgames.board_cases import LEDUC, RIVER
from treeplex.bench.theorems_on_subgames.board_pieces import board_subgames, enumerated_subgame, places_in
from treeplex.bench.theorems_on_subgames.drawn_averages import learn_drawn
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig
from treeplex.cfr.engine import iterate
from treeplex.cfr.variant import variant_named
from treeplex.gadgets.alternatives import BlueprintAlternatives, LowerBoundGifts, PlayedAlternatives
from treeplex.gadgets.boards.gadget_program import GadgetProgram
from treeplex.gadgets.boards.gadget_proof import prove, reach_unit
from treeplex.gadgets.distributional import BlueprintGap, Distributional, Normal, SameDeviation
from treeplex.gadgets.drawn_distributional import DrawnDistributional
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.gadgets.own_gadgets import OwnGadget
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.tops import RootDecisions

VARIANT = variant_named("dcfr", counted="before")


def solved(piece, gadget, iterations, storage="float64"):
    root, own = gadget.root(piece), RootDecisions.fixed(piece.comes)
    roots = (own, root) if piece.defender == 0 else (root, own)
    engine = factored_cfr.prepare(piece.subtree.tree, FactoredConfig(VARIANT, storage=storage), roots=roots)
    state = iterate(engine, iterations)
    engine.check(state)
    plan = engine.root_behaviour(state, piece.opponent)
    return plan, prove(piece, root, plan, engine.strategy(state))


@pytest.mark.seconds(3)
@over([(0, True), (1, True), (1, False)])
def test_iterations_are_those_in_sequence_form(seat, by_hedge):
    """Every top's choices and values after some iterations; without ties on Leduc with a random blueprint."""
    gadget = DrawnDistributional(BlueprintAlternatives(LowerBoundGifts()), SameDeviation(0.5), by_hedge)
    for piece in board_subgames(LEDUC, seat, "random:1")[:2]:
        same = enumerated_subgame(LEDUC, seat, "random:1", piece.name)
        twin = learn_drawn(same, gadget.root(same), VARIANT, 20)
        plan, proof = solved(piece, gadget, 20)
        place = places_in(piece, same)
        live = np.flatnonzero(piece.live & (place >= 0))
        assert len(live) > 2
        unit = reach_unit(piece, gadget.root(piece)) / reach_unit(same, gadget.root(same))
        np.testing.assert_allclose(plan[:, live], twin.plan[:, place[live]], atol=1e-9)
        assert abs(proof.lower / unit - twin.lower) < 1e-9
        assert abs(proof.upper / unit - twin.upper) < 1e-9


def test_draws_are_worth_what_many_atoms_are():
    """Of means and deviations times reach, whatever tops are worth; nobody's reach is 1."""
    piece, rng = board_subgames(RIVER, 1, "cfr+:3")[0], np.random.default_rng(3)
    means, gaps = BlueprintAlternatives(), SameDeviation(2.0)
    drawn = DrawnDistributional(means, gaps).root(piece)
    gadget = Distributional(Normal(means, gaps, 256))
    atoms, reach = gadget.root(piece), np.where(piece.live, piece.reach, 0.0)
    assert not np.isclose(reach[piece.live], 1.0).any()
    short = gadget.error(piece) * reach.sum()
    for _ in range(3):
        values = reach * rng.normal(np.nan_to_num(piece.cbv), 1.0)
        best = atoms.best(values)
        assert best - 1e-9 <= drawn.best(values) <= best + short
    assert short < 1e-3 * abs(best)


@pytest.mark.seconds(3)
def test_the_interval_on_a_river_meets_that_of_the_program():
    """As many as 24 values for each draw leave the program short by little."""
    piece = board_subgames(RIVER, 1, "cfr+:3")[0]
    alternatives = PlayedAlternatives()
    drawn, atoms = DrawnDistributional(alternatives), Distributional(Normal(alternatives, BlueprintGap(), 24))
    program = GadgetProgram.of(piece, atoms.root(piece), "distributional")
    value = float(solve_lp(program.form).certificate.value) * program.unit
    value = value if piece.opponent == 0 else -value
    short = atoms.error(piece) * float(piece.reach[piece.live].sum())
    _, proof = solved(piece, drawn, 300, "float32")
    assert proof.lower <= value + short
    assert value <= proof.upper
    assert proof.upper - proof.lower < 0.01 * program.unit
    assert short < 0.01 * program.unit


@pytest.mark.seconds(3)
def test_the_command_solves_by_each_way_of_entering():
    found = {}
    for way in ("atoms", "hedge", "at-most"):
        options = GadgetOptions(estimates="blueprint", entering=way)
        solved = tp.resolve(
            LEDUC,
            1,
            "Kh:cc/",
            "estimated-distributional",
            blueprint="cfr+:10",
            options=options,
            form="boards",
        )
        (one,) = solved.solved
        found[way] = one.gadget_value
        assert solved.parameters["options"].entering == way
    lows, highs = zip(*found.values(), strict=True)
    assert max(lows) <= min(highs) + 1e-3
    assert max(high - low for low, high in found.values()) < 0.01
    assert len({*lows}) == 3


def test_a_gadget_of_your_own_may_draw():
    """As an object it is solved like the method of its name."""
    options = GadgetOptions(deviation=0.5, entering="hedge")
    given = DrawnDistributional(BlueprintAlternatives(), SameDeviation(0.5))
    found = [
        tp.resolve(LEDUC, 1, "Kh:cc/", method, blueprint="uniform", options=one, form="boards")
        for method, one in (("distributional", options), (given, None))
    ]
    assert found[0].solved[0].gadget_value == found[1].solved[0].gadget_value
    assert found[0].exploitability_after == found[1].exploitability_after


class Negative(DrawnDistributional):
    def root(self, tops):
        return replace(super().root(tops), deviation=-np.ones(len(tops.reach)))


class Listed(DrawnDistributional):
    def root(self, tops):
        root = super().root(tops)
        parts = {name: getattr(root, name).tolist() for name in ("mean", "deviation", "live")}
        return replace(root, **parts)


def test_draws_may_be_lists():
    piece = board_subgames(LEDUC, 1, "uniform")[0]
    arrays, lists = (
        OwnGadget(gadget(BlueprintAlternatives(), SameDeviation(0.5))).root(piece)
        for gadget in (DrawnDistributional, Listed)
    )
    for name in ("mean", "deviation", "live"):
        assert np.array_equal(getattr(arrays, name), getattr(lists, name))
        assert getattr(lists, name).dtype == getattr(arrays, name).dtype


def test_refusals():
    hedge = GadgetOptions(entering="hedge")
    with pytest.raises(BadInputError, match="for enumerated games entering must be atoms, got hedge"):
        tp.resolve("leduc_poker", 1, "K:cc/", "distributional", blueprint="uniform", options=hedge)
    with pytest.raises(BadInputError, match="entering is not for the method resolve, got hedge"):
        tp.resolve("leduc_poker", 1, "K:cc/", "resolve", blueprint="uniform", options=hedge)
    with pytest.raises(BadInputError, match="entering must be one of atoms, hedge, at-most, got 'all'"):
        GadgetOptions(entering="all")
    with pytest.raises(BadInputError, match="deviation of draws must be 5 numbers from 0 to"):
        tp.resolve(LEDUC, 1, "Kh:cc/", Negative(BlueprintAlternatives()), blueprint="uniform", form="boards")
    piece = board_subgames(LEDUC, 1, "uniform")[0]
    drawn = DrawnDistributional(BlueprintAlternatives(), SameDeviation(0.5))
    with pytest.raises(BadInputError, match="the program of distributional needs a number of atoms"):
        GadgetProgram.of(piece, drawn.root(piece), drawn.name)
    same = enumerated_subgame(LEDUC, 1, "uniform", piece.name)
    with pytest.raises(BadInputError, match="distributional with all draws has no sequence form"):
        drawn.apply(same)
    both = GadgetOptions(entering="hedge", atoms=4)
    with pytest.raises(BadInputError, match="atoms are for entering atoms, got 4 with hedge"):
        tp.resolve(LEDUC, 1, "Kh:cc/", "distributional", options=both, form="boards")
