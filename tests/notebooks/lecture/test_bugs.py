"""Figures of examined solvers: what is drawn where."""

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from lecture.bugs import departures, loss_bars
from lecture.style import STROKE
from treeplex.seqform.certify.losses import Loss


def test_bars_have_the_player_s_colour():
    ax = Figure().add_subplot()
    loss_bars(ax, [Loss(1, "Q:r", 0.5, {"f": 1.0}, "c"), Loss(0, "J:", 0.25, {"c": 1.0}, "r")], "chips")
    assert [bar.get_width() for bar in ax.patches] == [0.5, 0.25]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Q:r", "J:"]
    assert [bar.get_facecolor() for bar in ax.patches] == [to_rgba(STROKE[1]), to_rgba(STROKE[0])]


def test_rounding_is_shown_as_zero():
    ax = Figure().add_subplot()
    departures(ax, {"a": [1e-16, 0.001], "b": [0.0, 0.75]})
    assert [text.get_text() for text in ax.texts] == ["0", "0.00", "0", "0.75"]
    np.testing.assert_allclose(ax.images[0].get_array(), [[1e-16, 0.001], [0.0, 0.75]])
