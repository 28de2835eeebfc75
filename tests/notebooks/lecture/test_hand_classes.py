"""Maps of the 169 classes of hands."""

import numpy as np
from matplotlib.figure import Figure

from lecture.hand_classes import class_means, class_names, class_of, class_sums, draw_classes
from tests.helpers.cells import over


@over([("AsAd", "AA"), ("KsAs", "AKs"), ("AdKs", "AKo"), ("2c3c", "32s"), ("2c3d", "32o")])
def test_hands_lie_in_the_cell_of_their_class(hand, name):
    row, column = class_of(hand)
    assert class_names()[row][column] == name


def test_names_are_169_classes():
    assert len({name for row in class_names() for name in row}) == 169


def test_means_are_weighted_and_unknown_without_weight():
    means = class_means({"AsAd": 1.0, "AsAh": 0.0, "KsKd": 1.0}, {"AsAd": 3.0, "AsAh": 1.0})
    assert means[0, 0] == 0.75
    assert np.isnan(means[1, 1])


def test_sums_add_up():
    assert class_sums({"AsAd": 1.0, "AhAd": 0.5})[0, 0] == 1.5


def test_every_class_is_named_in_the_map():
    axes = Figure().subplots()
    draw_classes(axes, np.full((13, 13), np.nan), "nothing", most=1.0)
    assert len(axes.texts) == 169
