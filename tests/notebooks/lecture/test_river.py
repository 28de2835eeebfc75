"""Figures of rivers."""

import numpy as np
import pytest

import treeplex as tp
from lecture import river


@pytest.fixture(scope="module")
def trace():
    return tp.solve("kuhn_poker", method="cfr+", iterations=64, traced=True).trace


def test_showdowns_are_drawn_by_sign(axes):
    river.draw_showdowns(axes, np.array([[0.0, -3.0], [2.0, 0.0]]), "two hands")
    assert axes.images[0].get_array().tolist() == [[0, -1], [1, 0]]


def test_nonzeros_are_written_beside_their_bars(axes):
    river.draw_nonzeros(axes, {"large": 22_428_364, "small": 25_210})
    assert [text.get_text() for text in axes.texts] == ["22,428,364", "25,210"]
    assert axes.get_xscale() == "log"


def test_a_band_goes_from_lower_to_upper(axes, trace):
    river.draw_intervals(axes, trace, -1 / 18)
    lower, upper, value = axes.lines
    assert list(lower.get_ydata()) == [point.certificate.lower for point in trace]
    assert list(upper.get_ydata()) == [point.certificate.upper for point in trace]
    assert list(value.get_ydata()) == [-1 / 18] * 2


def test_widths_have_a_curve_a_method_and_a_slope(axes, trace):
    river.draw_widths(axes, {"one": trace, "two": trace[1:]})
    *curves, slope = axes.lines
    assert [curve.get_label() for curve in curves] == ["one", "two"]
    (first, last), times = slope.get_ydata(), slope.get_xdata()
    assert first / last == pytest.approx(np.sqrt(times[1] / times[0]))
