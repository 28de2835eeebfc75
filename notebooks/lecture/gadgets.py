"""Figures of a gadget of one's own: exploitability before and after, margins by the opponent's reach."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lecture.style import BLUE, GREY, INK, ORANGE
from treeplex.gadgets.top_report import TopReport
from treeplex.subgames.resolution import Resolution

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_before_after(axes: "Axes", runs: Mapping[str, Resolution]) -> None:
    """Draw the exploitability of blueprints before and after subgames were solved again, on a log axis."""
    at = np.arange(len(runs))
    before = [run.exploitability_before for run in runs.values()]
    after = [run.exploitability_after for run in runs.values()]
    unit = next(iter(runs.values())).unit
    axes.barh(at - 0.2, before, 0.38, color=GREY, label="blueprint")
    axes.barh(at + 0.2, after, 0.38, color=BLUE, label="after solving again")
    axes.set_yticks(at, list(runs))
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel=f"exploitability, {unit}")
    axes.legend(frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1.0))


def draw_by_reach(axes: "Axes", tops: Sequence[TopReport], reaches: Sequence[float]) -> None:
    """Draw the margin at each top by how often the opponent's blueprint comes there.

    Parameters
    ----------
    axes : Axes
    tops : sequence of TopReport
    reaches : sequence of float
        The opponent's own reach of each top.
    """
    margins = np.array([top.margin for top in tops])
    lost = margins < -1e-9
    axes.axhline(0, color=INK, lw=0.8)
    for chosen, colour, label in ((~lost, BLUE, "no worse than before"), (lost, ORANGE, "worse than before")):
        axes.plot(np.asarray(reaches)[chosen], margins[chosen], "o", color=colour, alpha=0.7, label=label)
    axes.set(xlabel="the opponent's own reach of the top", ylabel="margin, chips")
    axes.legend(frameon=False)
