"""Figures of margins and gifts show the reports that they are given."""

import pytest

from lecture import margins
from treeplex.gadgets.top_report import TopReport


def top(name="JK:cc/", margin=0.5, reach=0.1, gift=0.0, value=1.0):
    return TopReport(name[1:], name, reach, value + margin - gift, value + margin - gift, gift, value, margin)


def test_a_bar_for_each_method_at_each_top(axes):
    margins.draw_margin_bars(axes, {"resolve": [top(margin=0.0)], "maxmargin": [top(margin=0.25)]})
    assert [bar.get_height() for bar in axes.patches] == [0.0, 0.25]
    assert [label.get_text() for label in axes.texts] == ["0.00", "0.25"]


def test_weighted_margins_ascend_and_tell_losses(axes):
    margins.draw_weighted_margins(axes, [top(margin=2.0), top(margin=-1.0)], "unsafe")
    assert [round(bar.get_height(), 9) for bar in axes.patches] == [-0.1, 0.2]
    assert axes.get_title() == "unsafe: 1 of 2 below zero"


def test_gifts_point_from_the_alternative_value_upwards(axes):
    without = [top(value=1.0), top("QK:cc/")]
    margins.draw_gifts(axes, without, [top(gift=2.0, value=3.0), top("QK:cc/")])
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["JK:cc/"]
    (arrow,) = [text for text in axes.texts if text.arrow_patch]
    assert (arrow.xy, arrow.xyann) == ((0, 2.0), (0, 0))
    assert axes.get_ylim()[1] > 2


def test_promises_below_what_can_be_drawn_stand_at_the_corner(axes):
    margins.draw_promises(axes, [0.0, 0.1], [0.0, 0.2])
    x, y = axes.lines[1].get_data()
    assert (list(x), list(y)) == ([margins.SMALLEST_DRAWN, 0.1], [margins.SMALLEST_DRAWN, 0.2])


def test_ways_to_come_are_summed_over_the_boards(axes):
    tops = [top("JK:cc/", 1.0), top("JQ:cc/", -0.5), top("QJ:rrc/", 3.0)]
    assert margins.sums_of(tops, [("J", "cc"), ("Q", "rrc")]) == pytest.approx([0.05, 0.3])
    margins.draw_by_entry(axes, tops)
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["J cc", "Q rrc"]
