"""Colours and sizes that all figures of the notebooks share, told apart by the colour-blind too."""

from collections.abc import Mapping

from treeplex.pictures.sketch import LINE_COLOURS, PLAYER_COLOURS

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
"""The palette of Okabe and Ito, *Color universal design*, 2008, its purple darker; curves take this order."""
FILL: Mapping[int, str] = PLAYER_COLOURS
"""Light colours of player 0, player 1 and chance (-1), behind dark text."""
STROKE: Mapping[int, str] = LINE_COLOURS
"""Dark colours of the players, for lines and text."""


def use_style() -> None:
    """Set matplotlib's defaults for the notebooks: size, resolution and the order of colours."""
    import matplotlib.pyplot as plt
    from cycler import cycler

    plt.rcParams.update(
        {
            "figure.dpi": 90,
            "figure.figsize": (8, 4.2),
            "figure.constrained_layout.use": True,
            "font.size": 11,
            "axes.titlesize": 12,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycler(color=[BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW, INK, GREY]),
        }
    )
