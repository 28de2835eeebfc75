"""Figures of a game of one's own: play by days, losses by infosets, values of variants."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lecture.style import BLUE, GREEN, INK, ORANGE, STROKE
from treeplex.seqform.certify.losses import Loss

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.axes import Axes

DRAWN = 1e-9
"""Probabilities below this are rounding errors, and named 0."""


def draw_days(axes: "Axes", chances: Mapping[str, Sequence[float]]) -> None:
    """Draw probabilities by days as groups of bars, a colour for each series.

    Parameters
    ----------
    axes : Axes
    chances : mapping of str to sequence of float
        From what is done to its probability on day 1, 2, ...; up to four series of one length.
    """
    width = 0.8 / len(chances)
    for k, (name, values) in enumerate(chances.items()):
        days = np.arange(1, len(values) + 1) + (k - (len(chances) - 1) / 2) * width
        bars = axes.bar(days, values, 0.9 * width, color=(BLUE, GREEN, ORANGE, INK)[k], label=name)
        texts = [f"{value:.2f}" if value > DRAWN else "0" for value in values]
        axes.bar_label(bars, texts, color=(BLUE, GREEN, ORANGE, INK)[k], fontsize=9)
    n_days = max(map(len, chances.values()))
    axes.set(xlabel="day", ylabel="probability", ylim=(0, 1.1), xticks=range(1, n_days + 1))
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def draw_losses(axes: "Axes", losses: Sequence[Loss], unit: str) -> None:
    """Draw what infosets lose as bars, the largest at the top, in their players' colours.

    Parameters
    ----------
    axes : Axes
    losses : sequence of Loss
    unit : str
    """
    bars = axes.barh(range(len(losses)), [loss.loss for loss in losses])
    for bar, loss in zip(bars, losses, strict=True):
        bar.set_color(STROKE[loss.player])
    axes.set_yticks(range(len(losses)), [f"player {loss.player} at {loss.infoset}" for loss in losses])
    axes.set_ylim(len(losses) - 0.4, -0.6)
    axes.set_xlabel(f"loss, {unit}")


def draw_values(axes: "Axes", values: Mapping[str, Mapping[int, "Fraction"]], unit: str) -> None:
    """Draw values of games of rising size, a curve for each variant, exact fractions at the points.

    Parameters
    ----------
    axes : Axes
    values : mapping of str to mapping of int to Fraction
        From the name of a variant to its values by size; the first is written above its points, others below.
    unit : str
    """
    for k, ((name, curve), colour) in enumerate(zip(values.items(), (BLUE, ORANGE, GREEN), strict=False)):
        heights = [float(value) for value in curve.values()]
        axes.plot(list(curve), heights, "os^"[k] + "-", color=colour, label=name)
        for (size, value), height in zip(curve.items(), heights, strict=True):
            axes.annotate(
                str(value),
                (size, height),
                xytext=(0, 9 if k == 0 else -16),
                textcoords="offset points",
                color=colour,
                ha="center",
                fontsize=9,
            )
    axes.margins(y=0.18)
    axes.set_ylabel(f"value for player 0, {unit}")
    axes.legend(frameon=False, loc="lower right")
