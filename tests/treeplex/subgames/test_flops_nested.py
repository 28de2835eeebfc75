"""Nested answers on short decks: judged flop by flop as in the tree of the full game."""

from itertools import product

import numpy as np
import pytest

from tests.helpers.cells import over
from tests.helpers.two_tiers import two_tiers
from tests.treeplex.subgames.games import COARSE, DCFR, FULL, Recorder, blueprint, composed, flop_game
from treeplex.core.problem import Problem
from treeplex.gadgets.off_tree.off_tree import OffTree, off_tree_method
from treeplex.gadgets.off_tree.translation_on_boards import translated
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.seqform.certify.board_certificate import certify_factored
from treeplex.subgames.flop_by_flop import Store
from treeplex.subgames.nested_value import nested_value, stored_value, translated_value
from treeplex.subgames.over_all_flops import NestedSeat
from treeplex.subgames.street_answers import WHOLE, Nested, rounded
from treeplex.subgames.street_betting import Menus

ANSWERS = [
    Nested(off_tree_method("reach-maxmargin"), 40),
    Nested(OffTree(Resolve), 40),
    Nested(off_tree_method("unsafe", "expensive"), 40),
]


def seat_of(defender, ranks=4, suits=2, raises=1, threads=1):
    coarse, full = flop_game(COARSE, ranks, suits, raises), flop_game(FULL, ranks, suits, raises)
    return NestedSeat.of(Menus(full, coarse, defender), blueprint(coarse), DCFR, threads)


@two_tiers([(0, 1, ANSWERS[0])], product([0, 1], [2], ANSWERS), seconds=(3, 20))
def test_best_response_is_that_of_the_whole_tree(defender, raises, answers):
    seat, recorder = seat_of(defender, raises=raises), Recorder(answers)
    value = nested_value(seat, recorder, recorder)
    proved = certify_factored(seat.menus.full, composed(seat, recorder))
    exact = proved.upper if seat.menus.defender == 1 else -proved.lower
    assert value.best_response == pytest.approx(exact, abs=2 * proved.rounding)
    assert value.best_response > value.within_menu


@pytest.mark.seconds(3)
@over([0, 1])
def test_within_the_menu_it_is_that_of_the_coarse_game(defender):
    seat = seat_of(defender)
    proved = certify_factored(seat.menus.coarse, seat.base.strategy)
    value = nested_value(seat, Nested(OffTree(Maxmargin), 1))
    exact = proved.upper if defender == 1 else -proved.lower
    assert value.within_menu == pytest.approx(exact, abs=2 * proved.rounding)


def test_without_off_tree_bets_nothing_is_solved():
    coarse = flop_game(COARSE, raises=1)
    seat = NestedSeat.of(Menus(coarse, coarse, 0), blueprint(coarse), DCFR)
    recorder = Recorder(Nested(OffTree(Maxmargin), 1))
    value = nested_value(seat, recorder, recorder)
    assert value.best_response == value.within_menu
    assert not any(recorder.by_flop.values())
    assert not recorder.early_answers


@pytest.mark.seconds(3)
def test_threads_change_nothing_and_a_store_is_judged_without_solving(tmp_path):
    answers = Nested(off_tree_method("reach-maxmargin"), 20)
    alone = nested_value(seat_of(1), answers)
    store = Store.open(tmp_path / "run", {"row": "reach-maxmargin"}, plans=True)
    assert nested_value(seat_of(1, threads=2), answers, store) == alone
    assert stored_value(seat_of(1), store) == alone


def test_a_run_goes_on_where_it_ended(tmp_path):
    store = Store.open(tmp_path, {"row": "resolve"}, plans=False)
    answers = Nested(OffTree(Resolve), 20)
    value = nested_value(seat_of(0), answers, store)
    (tmp_path / "flop0003.npz").unlink()
    again = Recorder(answers)
    assert nested_value(seat_of(0), again, store) == value
    assert 0 < len(again.lines) < 20
    with pytest.raises(ValueError, match="holds another run"):
        Store.open(tmp_path, {"row": "maxmargin"}, plans=False)


@pytest.mark.seconds(3)
@over([0, 1])
def test_translation_is_that_of_the_whole_tree_and_goes_on_where_it_ended(defender, tmp_path):
    seat, store = seat_of(defender), Store.open(tmp_path, {"row": "translation"}, plans=False)
    value = translated_value(seat, store)
    whole = translated(seat.base.strategy, Problem(seat.menus.full).boards())
    proved = certify_factored(seat.menus.full, whole)
    exact = proved.upper if defender == 1 else -proved.lower
    assert value.best_response == pytest.approx(exact, abs=2 * proved.rounding)
    (tmp_path / "flop0001.npz").unlink()
    assert translated_value(seat, store) == translated_value(seat) == value


@pytest.mark.seconds(3)
def test_more_iterations_of_a_safe_answer_leave_less():
    few, many = (nested_value(seat_of(0), Nested(OffTree(Resolve), n)).best_response for n in (5, 100))
    assert many < few


def test_a_blueprint_of_another_game_is_refused():
    coarse, full = flop_game(COARSE, raises=1), flop_game(FULL, raises=1)
    with pytest.raises(ValueError, match="the blueprint must be of"):
        NestedSeat.of(Menus(full, coarse, 0), blueprint(full), DCFR)


def test_what_is_rounded_once_stays_as_it_is():
    seat = seat_of(0, raises=2)
    layout = seat.base.forest.bets[0].below.layout
    n_actions, n_hands = layout.street.n_actions[0], 500
    table = np.random.default_rng(3).random((n_actions, n_hands)) ** 8
    table[:, 0] = 0.0
    plan = rounded(layout.street, 0, table)
    assert np.array_equal(plan, rounded(layout.street, 0, plan))
    for _, first, count in layout.street.decisions[0].tolist():
        rows, parts = table[first : first + count, 1:], plan[first : first + count].astype(int)
        assert (parts.sum(axis=0) == WHOLE).all()
        assert np.abs(parts[:, 1:] / WHOLE - rows / rows.sum(axis=0)).max() < 1 / WHOLE
