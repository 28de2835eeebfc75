"""Figures of bets that menus lack."""

from lecture import off_tree


def test_a_reading_has_an_arrow_for_each_known_size(axes):
    off_tree.draw_reading(axes, [0.5, 1], 0.75, [3 / 7, 4 / 7])
    texts = {text.get_text() for text in axes.texts}
    assert {"with probability 0.429", "with probability 0.571", "bets 0.75"} <= texts


def test_curves_differ_in_style_and_known_sizes_are_marked(axes):
    off_tree.draw_curves(axes, [0, 1, 2], {"a": [0, 1, 2], "b": [2, 1, 0]}, known=[1])
    marked, *curves = axes.lines
    assert marked.get_xdata() == [1, 1]
    assert len({curve.get_linestyle() for curve in curves}) == 2


def test_gains_of_the_opponent_are_orange_and_rounding_is_nothing(axes):
    off_tree.draw_margins(axes, {"gains": -0.1, "loses": 0.2, "neither": -1e-15})
    assert [bar.get_width() for bar in axes.patches] == [-0.1, 0.2, 0.0]
    assert axes.patches[0].get_facecolor() != axes.patches[1].get_facecolor()
    assert axes.patches[1].get_facecolor() == axes.patches[2].get_facecolor()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["gains", "loses", "neither"]


def test_distances_are_written_beside_their_bars(axes):
    off_tree.draw_distances(axes, {"one": (0.25, 0.5), "two": (0.0, 1e-12)})
    assert [text.get_text() for text in axes.texts] == ["0.2500", "0", "0.5000", "0"]
    assert axes.get_xlim()[1] > 0.5


def test_promises_lie_beside_what_is_conceded(axes):
    off_tree.draw_promises(axes, {"a": 0.1, "b": 0.1}, {"a": 0.8, "b": 0.1})
    conceded, promised = axes.lines[-2:]
    assert list(conceded.get_xdata()) == [0.8, 0.1]
    assert list(promised.get_xdata()) == [0.1, 0.1]
