"""Figures of a gadget of one's own show the runs that they are given."""

import treeplex as tp
from lecture import gadgets
from treeplex.gadgets.top_report import TopReport


def test_before_stands_beside_after(axes):
    run = tp.resolve("coin_toss", 1, ":Play", "maxmargin", blueprint="uniform")
    gadgets.draw_before_after(axes, {"uniform": run})
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == [run.exploitability_before, run.exploitability_after]
    assert axes.get_xlabel() == "exploitability, dollars"


def test_tops_that_got_worse_have_their_own_colour(axes):
    tops = [
        TopReport("S", name, 0.5, 0.0, None, 0.0, -margin, margin) for name, margin in (("a", 1), ("b", -1))
    ]
    gadgets.draw_by_reach(axes, tops, [0.25, 0.0])
    shown = {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines[1:]}
    assert shown == {"no worse than before": ([0.25], [1]), "worse than before": ([0.0], [-1])}
