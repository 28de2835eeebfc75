"""Figures of regret matching: what is drawn where."""

import numpy as np
from matplotlib.figure import Figure

from lecture.regret_matching import CORNERS, falls, infoset_values, triangle


def axes():
    return Figure().add_subplot()


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_pure_strategies_lie_in_the_corners():
    ax = axes()
    triangle(ax, np.eye(3), np.full((3, 3), 1 / 3), (1 / 3, 1 / 3, 1 / 3), ("a", "b", "c"))
    _, played, averages, star = (line.get_xydata() for line in ax.lines)
    np.testing.assert_allclose(played, CORNERS)
    np.testing.assert_allclose(averages, np.tile(CORNERS.mean(axis=0), (3, 1)))
    np.testing.assert_allclose(star, CORNERS.mean(axis=0)[None])


def test_the_current_behaviour_lies_between_the_actions():
    ax = axes()
    infoset_values(ax, ("J:", "Q:"), np.array([[0.0, 1.0], [3.0, 2.0]]), np.array([0.5, 2.25]), ("c", "r"))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["J:", "Q:"]
    np.testing.assert_allclose(ax.lines[0].get_xdata(), [0.0, 3.0])
    np.testing.assert_allclose(ax.lines[3].get_xdata(), [0.5, 0.5])
    assert texts(ax) == ["c", "r", "current behaviour"]


def test_a_bound_has_the_colour_of_its_method():
    ax = axes()
    bounds = {"b": [4.0, 2.0], "prior": [8.0, 4.0]}
    falls(ax, {"a": [1.0, 0.5], "b": [1.0, 0.25]}, [1, 4], bounds)
    a, b, bound, prior = ax.lines
    assert bound.get_color() == b.get_color() != a.get_color()
    assert (bound.get_linestyle(), prior.get_linestyle()) == ("--", ":")
    assert texts(ax) == ["a", "b", "b: bound", "prior"]
