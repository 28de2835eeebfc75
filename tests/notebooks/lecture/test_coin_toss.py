"""Figures of Coin Toss show the numbers that they are given."""

import numpy as np
import pytest

from lecture import coin_toss


def wins(h, t):
    return (np.maximum(0.5, 1 - 2 * h) + np.maximum(-0.5, 1 - 2 * t)) / 2


def test_playing_and_selling_cross_at_a_quarter(axes):
    coin_toss.draw_playing(axes, (0.5, -0.5))
    lines = {line.get_label(): line for line in axes.lines}
    for coin in ("heads", "tails"):
        plays, sells = (
            np.interp(0.25, *lines[f"{move} after {coin}"].get_data()) for move in ("play", "sell")
        )
        assert plays == pytest.approx(sells)


def test_landings_stand_on_the_curve(axes):
    coin_toss.draw_landings(axes, wins, {"Maxmargin": 5 / 8})
    (mark,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (5 / 8, 3 / 8)
    assert [text.get_text() for text in axes.texts] == ["Maxmargin"]


def test_what_is_allowed_is_a_triangle_of_guesses(axes):
    coin_toss.draw_guesses(axes, wins, {"blueprint": (0.5, 0.25)}, {"Resolve": (0, 0.5)})
    (outline,) = axes.patches
    assert outline.get_xy()[:3].tolist() == [[0.5, 0.25], [0.75, 0.25], [0.5, 0.5]]


def test_margins_meet_where_the_smaller_is_largest(axes):
    coin_toss.draw_margins(axes, (0, 0.5), 5 / 8)
    (mark,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert mark.get_ydata()[0] == pytest.approx(1 / 4)


def test_boxes_begin_at_the_blueprint(axes):
    coin_toss.draw_shares(axes, lambda x, y: x + y, {"blueprint": (0.5, 0.5)}, {"half": 0.75})
    (box,) = axes.patches
    assert (*box.get_xy(), box.get_width()) == (0.5, 0.5, 0.25)
