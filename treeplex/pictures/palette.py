"""Colours of every picture, different to the colour-blind too: players, curves, subgames, actions, values."""

from collections.abc import Mapping

from treeplex.games.base.protocol import CHANCE

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
SHADES = ("#e6f0dc", "#efe0f5", "#fff3b0", "#b9d6ee", "#d6d6d6", "#f9d2bb")
"""The ground under subgames."""
SHADE_EDGES = ("#6b9a4e", "#6a2f7d", "#b89500", "#2f77a8", "#303030", "#c4541a")
"""The borders of these grounds, in the same order."""
FOLD, CALL = "#6b9bd2", "#c3def2"
"""Of folds, checks and calls: two blues, light enough for dark text."""
RAISES = ("#fef0d5", "#efac5c", "#c4551b")
"""From the smallest raise over the middle to the largest: one hue, darker and darker."""
ONLY_RAISE = "#f0963e"
VALUES = (FOLD, "#f0e6c0", "#dd7a28")
"""From the least value over the middle to the largest."""
NOTHING = "#d8d8d8"
"""Of cells without hands."""
EMPTY = "#f6f6f6"
"""Of the part of a cell that does not come to a node."""
