"""Figures of Monte Carlo CFR: what is drawn where."""

import numpy as np
from matplotlib.figure import Figure

import treeplex as tp
from lecture.sampling import by_cost, placed, scatter_of, seeds_apart, visited_tree


def axes():
    return Figure().add_subplot()


def test_every_history_has_a_place_of_its_own():
    places, above = placed(tp.load("kuhn_poker").game)
    assert len(places) == len(set(places.values())) == 55
    assert len(above) == 54
    leaves = sorted(place[0] for state, place in places.items() if state not in set(above.values()))
    assert leaves == list(range(30))
    assert all(places[state][1] == places[parent][1] - 1 for state, parent in above.items())


def test_visited_histories_are_drawn_apart():
    game, ax = tp.load("kuhn_poker").game, axes()
    visited_tree(ax, game, {game.root()})
    left_out, visited = ax.lines[-2:]
    assert (len(left_out.get_xdata()), len(visited.get_xdata())) == (54, 1)


def test_equal_values_share_a_bar():
    ax = axes()
    scatter_of(ax, [0.0, 2.0, 0.0], [0.25, 0.5, 0.25], 1.0)
    (bars,) = ax.collections
    np.testing.assert_allclose(np.array(bars.get_segments())[:, 1], [[0.0, 0.5], [2.0, 0.5]])
    np.testing.assert_allclose(ax.lines[0].get_xdata(), 1.0)


def test_sampled_methods_are_dashed():
    ax, row = axes(), np.array([1.0, 10.0])
    by_cost(ax, {"CFR": (row, row), "MCCFR, outcome": (row, row)}, "seconds")
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--"]
    assert ax.get_xlabel() == "seconds"


def test_bars_are_medians():
    ax = axes()
    seeds_apart(ax, {"a": [1.0, 2.0, 9.0], "b": [3.0]})
    assert [ax.lines[k].get_xdata()[0] for k in (1, 3)] == [2.0, 3.0]
