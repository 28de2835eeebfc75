"""Colours of every picture, different to the colour-blind too: players, curves, subgames, actions, values."""

from collections.abc import Mapping

from treeplex.games.protocol import CHANCE

BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW, INK, GREY = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#aa4499",
    "#56b4e9",
    "#e69f00",
    "#222222",
    "#999999",
)
"""Of lines and points (Okabe and Ito, *Color universal design*, 2008, the purple darker)."""
CURVES = (BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW, INK, GREY)
"""The order in which the curves of a plot take them."""
FILL: Mapping[int, str] = {0: "#9ecae9", 1: "#ffbf79", CHANCE: "#d9d9d9"}
"""Light colours of player 0, player 1 and chance (-1), behind dark text; different in grey too."""
STROKE: Mapping[int, str] = {0: "#1f5f8b", 1: "#b35900"}
"""Dark colours of the players, for lines and text."""
SHADES = ("#e4ecdc", "#f3e6f5", "#fbf3c8", "#dcebf5", "#ececec", "#f6e3d6")
"""The ground under subgames."""
SHADE_EDGES = ("#6b8a4e", "#93579c", "#a68a1c", "#4f86a8", "#7a7a7a", "#b06f45")
"""The borders of these grounds, in the same order."""
FOLD, CALL = "#6b9bd2", "#c3def2"
"""Of folds, checks and calls: two blues, light enough for dark text."""
RAISES = ("#fdeccb", "#f6b45f", "#d9732b")
"""From the smallest raise over the middle to the largest: one hue, darker and darker."""
ONLY_RAISE = "#f0963e"
VALUES = (FOLD, "#f2ead2", "#e07f2d")
"""From the least value over the middle to the largest."""
NOTHING = "#e2e2e2"
"""Of cells without hands."""
EMPTY = "#fcfcfc"
"""Of the part of a cell that does not come to a node."""
