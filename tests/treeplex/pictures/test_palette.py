"""Colours that mean different things look different, to people with colour vision deficiency too."""

from itertools import combinations

import pytest

from tests.helpers.cells import over
from tests.helpers.colour_vision import VISIONS, difference, lab
from treeplex.pictures import palette
from treeplex.pictures.hand_colours import action_styles, hexadecimal, value_colour

APART = 15.0
"""In CIELAB: seen at a glance, also where colours do not touch."""
LIGHT = 49.0
"""Of a ground on which black text can be read, at a contrast of 4.5 to 1."""


def actions_with(raises):
    return ["fold", "call", *(f"raise to {n}" for n in range(raises))]


def least_difference(colours, vision):
    return min(difference(a, b, VISIONS[vision]) for a, b in combinations(colours, 2))


def test_deficiencies_are_simulated():
    """Red and green of one lightness become alike, blue and orange stay apart, grey stays what it is."""
    red, green = "#d64541", "#4ca550"
    assert difference(red, green) > 100
    assert difference(red, green, VISIONS["deuteranopia"]) < difference(red, green) / 2
    for name, seen in VISIONS.items():
        assert difference(palette.FOLD, palette.ONLY_RAISE, seen) > 60
        assert lab("#808080", seen) == pytest.approx([53.585, 0, 0], abs=0.5), name


@over(VISIONS, [1, 2, 3, 4])
def test_actions_look_different(vision, raises):
    colours = [hexadecimal(style.colour) for style in action_styles(actions_with(raises))]
    assert least_difference(colours, vision) > APART


@over(VISIONS)
def test_larger_raises_are_darker(vision):
    colours = [hexadecimal(style.colour) for style in action_styles(actions_with(6))[2:]]
    lightness = [lab(colour, VISIONS[vision])[0] for colour in colours]
    assert lightness == sorted(lightness, reverse=True)


@over(VISIONS)
def test_values_go_one_way(vision):
    """Low, middle and high differ, and no two places far apart on the scale look alike."""
    scale = [hexadecimal(value_colour(n / 10, 0, 1)) for n in range(11)]
    far = [difference(a, b, VISIONS[vision]) for k, a in enumerate(scale) for b in scale[k + 3 :]]
    assert min(far) > APART


@over(VISIONS)
def test_players_and_borders_of_two_subgames_look_different(vision):
    for colours in (palette.FILL.values(), palette.STROKE.values(), palette.SHADE_EDGES[:3]):
        assert least_difference(colours, vision) > APART
    assert least_difference(palette.SHADES, vision) > 5


@over(VISIONS)
def test_neighbouring_curves_look_different(vision):
    """Those further apart in the order differ by their markers at least."""
    pairs = zip(palette.CURVES, palette.CURVES[1:], strict=False)
    assert min(difference(a, b, VISIONS[vision]) for a, b in pairs) > APART


def test_black_text_can_be_read_on_every_ground():
    grounds = [hexadecimal(style.colour) for style in action_styles(actions_with(6))]
    grounds += [*palette.VALUES, *palette.FILL.values(), *palette.SHADES, palette.EMPTY, palette.NOTHING]
    assert min(lab(ground)[0] for ground in grounds) > LIGHT
