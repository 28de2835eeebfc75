"""The style of the notebooks' figures."""

import matplotlib as mpl

from lecture import style


def test_curves_take_the_colours_in_order():
    with mpl.rc_context():
        style.use_style()
        cycle = [entry["color"] for entry in mpl.rcParams["axes.prop_cycle"]]
    assert cycle[:2] == [style.BLUE, style.ORANGE]
    assert len(set(cycle)) == len(cycle)
