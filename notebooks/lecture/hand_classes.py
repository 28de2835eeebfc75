"""Maps of the 169 classes of hold'em hands: pairs on the diagonal, suited above it, offsuit below."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from treeplex.games.cards.cards import RANKS
from treeplex.seqform.forms.treeplex import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = "cividis"
"""Perceived alike by people with and without colour vision deficiency."""
LIGHT = 0.55
"""Above this part of the scale text is dark."""


def class_of(hand: str) -> tuple[int, int]:
    """Return row and column of a hand such as ``AsKd`` in the 13 x 13 map, ace first."""
    first, second = sorted((len(RANKS) - 1 - RANKS.index(hand[0]), len(RANKS) - 1 - RANKS.index(hand[2])))
    return (first, second) if hand[1] == hand[3] else (second, first)


def class_names() -> list[list[str]]:
    """Return the names of the 169 classes, 13 rows of 13, such as AA, AKs, AKo."""
    high = RANKS[::-1]
    return [[_name(high, row, column) for column in range(13)] for row in range(13)]


def class_means(values: Mapping[str, float], weights: Mapping[str, float]) -> Floats:
    """Return the weighted mean of each class's hands, (13, 13), nan where no hand has a weight.

    Parameters
    ----------
    values, weights : mapping of str to float
        By hand, such as ``AsKd``; hands without a weight count as 0.
    """
    total, weight = class_sums({h: v * weights.get(h, 0.0) for h, v in values.items()}), class_sums(weights)
    means = np.full_like(total, np.nan)
    return np.asarray(np.divide(total, weight, out=means, where=weight > 0))


def class_sums(amounts: Mapping[str, float]) -> Floats:
    """Return the sum of each class's hands, (13, 13)."""
    sums = np.zeros((13, 13))
    for hand, amount in amounts.items():
        sums[class_of(hand)] += amount
    return sums


def draw_classes(axes: "Axes", values: Floats, label: str, most: float | None = None) -> None:
    """Draw a number for each class as colours with a bar beside them; nan is left white.

    Parameters
    ----------
    axes : Axes
    values : (13, 13) float64
        At least 0.
    label : str
        What the numbers are and their unit, written at the colour bar.
    most : float, optional
        The end of the scale, the largest value unless given.
    """
    top = float(np.nanmax(values)) if most is None else most
    image = axes.imshow(values, cmap=COLOURS, vmin=0.0, vmax=top)
    for row, names in enumerate(class_names()):
        for column, name in enumerate(names):
            value = values[row, column]
            dark = bool(np.isnan(value)) or value > LIGHT * top
            axes.text(column, row, name, ha="center", va="center", fontsize=7, color="k" if dark else "w")
    axes.set(xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.figure.colorbar(image, ax=axes, label=label, shrink=0.8)


def _name(high: str, row: int, column: int) -> str:
    if row == column:
        return 2 * high[row]
    return f"{high[row]}{high[column]}s" if row < column else f"{high[column]}{high[row]}o"
