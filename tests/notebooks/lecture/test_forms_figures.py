"""Figures of trees, matrices and intervals show what they are given."""

from fractions import Fraction

import numpy as np
import pytest

import treeplex as tp
from lecture.graphs import placed
from lecture.holdem import draw_convergence, draw_lifetimes, draw_sizes
from lecture.intervals import draw_intervals
from lecture.kuhn import deals_of, draw_circle, draw_deal
from lecture.matrices import draw_matrix
from lecture.normal_forms import draw_columns, draw_growth, draw_payoffs, draw_slackness, program_size
from lecture.responses import draw_earned, draw_interval, draw_losses, draw_response, draw_trade
from lecture.treeplexes import draw_treeplex, sequence_names
from treeplex.games.poker.named import kuhn_poker
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.trees.game_tree import build_tree

VALUE = Fraction(-1, 18)


@pytest.fixture(scope="module")
def kuhn():
    return build_tree(kuhn_poker())


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_leaves_lie_side_by_side_and_parents_above_their_middle():
    places = placed({"root": ["a", "b"], "a": ["c", "d"]}, "root")
    assert places == {"c": (0, -2), "d": (1, -2), "a": (0.5, -1), "b": (2, -1), "root": (1.25, 0)}


def test_a_deal_shows_its_infosets_moves_and_payoffs(axes, kuhn):
    draw_deal(axes, kuhn, "KQ")
    shown = texts(axes)
    assert sorted(t for t in shown if ":" in t) == ["K:", "K:cr", "Q:c", "Q:r"]
    assert sorted(t for t in shown if t[0] in "+−") == ["+1", "+1", "+2", "+2", "−1"]
    assert sorted(t for t in shown if t.isalpha()) == [
        "bet",
        "bet",
        "call",
        "call",
        "check",
        "check",
        "fold",
        "fold",
    ]


def test_the_circle_shows_every_history(axes, kuhn):
    draw_circle(axes, kuhn)
    assert len(texts(axes)) == kuhn.n_nodes + len(deals_of(kuhn))


def test_a_treeplex_shows_infosets_and_sequences_with_their_notes(axes, kuhn):
    own = tree_form(kuhn).treeplexes[0]
    elements = {("i", i) for i in range(6)} | {("s", s) for s in range(13)}
    places = draw_treeplex(axes, own, 0, notes=dict.fromkeys(elements, "1/2"))
    assert set(places) == elements
    assert set(texts(axes)) == {f"{name}\n1/2" for name in (*own.infosets, *sequence_names(own))}


def test_the_program_of_kuhn_poker_has_68_nonzeros():
    assert program_size(tp.load("kuhn_poker").form) == 68


def test_a_matrix_shows_entries_that_are_not_zero(axes):
    draw_matrix(axes, np.array([[1, 0], [-2, 3]]), ["a", "b"], ["c", "d"])
    assert texts(axes) == ["+1", "−2", "+3"]


def test_intervals_reach_from_lower_to_upper_around_the_value(axes):
    certificate = tp.solve("kuhn_poker", method="cfr+", iterations=3).certificate
    draw_intervals(axes, {"3 iterations": certificate}, VALUE)
    low, high = axes.lines[0].get_xdata()
    assert low < 0 < high
    assert high - low == pytest.approx(certificate.nash_conv)
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["3 iterations"]


def test_a_payoff_matrix_is_drawn_an_entry_a_pixel_and_the_colours_are_even(axes):
    draw_payoffs(axes, tp.normal_form("kuhn_poker"))
    (image,) = axes.images
    assert image.get_array().shape == (27, 64)
    assert image.get_clim() == (-1.5, 1.5)


def test_the_guarantee_is_the_lowest_line_and_its_top_is_marked(axes):
    draw_columns(axes, [[3, -1, 1], [-2, 2, 1]])
    *columns, guarantee, top = (line.get_xydata() for line in axes.lines)
    assert np.allclose(guarantee[:, 1], np.min([line[:, 1] for line in columns], axis=0))
    assert np.allclose(top, [[0.5, 0.5]])


def test_slackness_has_weights_above_and_slacks_below(axes):
    draw_slackness(axes, ["a", "b"], np.array([0.5, 0]), np.array([0, 0.25]), 0.5)
    assert [bar.get_height() for bar in axes.patches] == [0.5, 0, 0, -0.5]
    ticks = [tick.get_text() for tick in axes.get_yticklabels()]
    assert ticks == ["0.500", "0.250", "0", "0.5", "1"]


def test_growth_names_each_game_at_its_sizes(axes):
    draw_growth(axes, {"Kuhn": (68, 3.2), "Leduc": (1928, 40.7)})
    assert [(text.get_text(), *text.xy) for text in axes.texts] == [("Kuhn", 68, 3.2), ("Leduc", 1928, 40.7)]


def test_a_response_shows_what_everything_is_worth_and_a_thick_edge_an_infoset(axes, kuhn):
    own = tree_form(kuhn).treeplexes[0]
    totals = [Fraction(-s, 6) for s in range(own.n_sequences)]
    draw_response(axes, own, 0, totals, own.begin)
    assert "J:\n−1/6" in texts(axes)  # infosets are worth what their first sequence is
    assert sum(line.get_linewidth() == 5 for line in axes.lines) == own.n_infosets


def test_what_sequences_earn_is_written_on_them_alone(axes, kuhn):
    own = tree_form(kuhn).treeplexes[0]
    draw_earned(axes, own, 0, [Fraction(1, 2)] * own.n_sequences)
    assert {text for text in texts(axes) if "1/2" not in text} == set(own.infosets)


def test_an_interval_tells_its_ends_and_both_gains(axes):
    draw_interval(axes, -0.5, 0.125, 0.5, -0.0625)
    shown = " ".join(texts(axes))
    assert all(number in shown for number in ("−0.5000", "+0.1250", "+0.5000"))
    assert "player 1 gains 0.6250" in shown
    assert "player 0 gains 0.3750" in shown


def test_losses_are_bars_with_the_best_action(axes, kuhn):
    form = tree_form(kuhn)
    even = tp.Profile(form.treeplexes, tuple(t.uniform() for t in form.treeplexes))
    losses = tp.losses("kuhn_poker", even)
    draw_losses(axes, losses)
    assert [bar.get_width() for bar in axes.patches] == [loss.loss for loss in losses]
    assert axes.get_yticklabels()[0].get_text() == "K:r (c)"


def test_a_trade_keeps_room_above_its_curves(axes):
    draw_trade(axes, [0, 1], {"earned": [0, 1], "guaranteed": [0, -1]}, -0.5)
    assert axes.get_ylim() == (-1.05, pytest.approx(1.7))


def test_sizes_are_written_beside_their_bars(axes):
    draw_sizes(axes, {"Kuhn": (12, 12), "Rhode Island": (52_128_128, 3_937_128)})
    assert texts(axes) == ["12", "12", "52,128,128", "3,937,128"]
    assert max(bar.get_width() for bar in axes.patches) < axes.get_xlim()[1]


def test_lives_that_end_below_zero_have_a_colour_of_their_own(axes):
    draw_lifetimes(axes, np.array([1e6, 2e6]), np.array([[1.0, 5.0], [2.0, -1.0], [-3.0, 4.0]]), 0.001)
    colours = [line.get_color() for line in axes.lines[:3]]
    assert colours[0] == colours[2] != colours[1]
    assert np.allclose(axes.lines[3].get_ydata(), [1, 2])


def test_convergence_shows_each_game_and_the_printed_end(axes):
    draw_convergence(axes, {"small": [(1, 10.0), (10, 1.0)]}, (1579, 0.986))
    drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert drawn["small"] == [[1, 10], [10, 1]]
    assert drawn["limit hold'em, as printed"] == [[1579, 0.986]]
