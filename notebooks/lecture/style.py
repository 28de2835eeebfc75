"""Style of the notebooks' figures: the colours of all pictures, and matplotlib's defaults."""

from treeplex.pictures.palette import (
    BLUE,
    CURVES,
    FILL,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    STROKE,
    YELLOW,
)

__all__ = [
    "BLUE",
    "CURVES",
    "FILL",
    "GREEN",
    "GREY",
    "INK",
    "ORANGE",
    "PURPLE",
    "SKY",
    "STROKE",
    "YELLOW",
    "use_style",
]


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
            "axes.prop_cycle": cycler(color=CURVES),
        }
    )
