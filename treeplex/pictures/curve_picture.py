"""Curves of NashConv by iterations, seconds or touched nodes, with proved bounds, as a picture.

A panel for each unit of payoffs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treeplex.files.figure_file import DrawnFigure
from treeplex.pictures.palette import CURVES, GREY
from treeplex.seqform.forms.treeplex import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MARKERS = "os^DvPX*"
"""Of the curves, in the order of their colours."""
ALL_MARKED, MOST_MARKERS = 100, 14
"""Up to so many points of a curve have a marker each; of more, so many, apart by equal factors."""
DASHES = ("--", ":", "-.")
"""Of a curve's bounds, from the first to the third."""


@dataclass(frozen=True)
class Bound:
    """What a theorem allows a curve at most.

    Attributes
    ----------
    label : str
        The kind of bound, the same for all curves that have it.
    x, y : (K,) float64
    """

    label: str
    x: Floats
    y: Floats


@dataclass(frozen=True)
class Curve:
    """NashConv in the course of a run.

    Attributes
    ----------
    label : str
    x : (K,) float64
        Iterations, seconds or touched nodes.
    y : (K,) float64
        NashConv; what is 0 is not drawn, and the legend says so.
    unit : str
        Of NashConv; empty if unknown.
    bounds : tuple of Bound
    """

    label: str
    x: Floats
    y: Floats
    unit: str = ""
    bounds: tuple[Bound, ...] = ()


def draw_curves(axes: "Axes", curves: Sequence[Curve], x_label: str = "iterations") -> None:
    """Draw curves and their bounds on logarithmic axes, with a legend.

    A curve and its bounds share a colour; curves differ by their markers too, and bounds by their dashes,
    which the legend names once for all curves.

    Parameters
    ----------
    axes : Axes
    curves : sequence of Curve
        Of one unit or none, which the axis of NashConv names.
    x_label : str
    """
    for i, curve in enumerate(curves):
        look: dict[str, Any] = {"color": CURVES[i % len(CURVES)], "linewidth": 1.5}
        marks: dict[str, Any] = {
            "marker": MARKERS[(i + i // len(CURVES)) % len(MARKERS)],  # no two of 64 curves look alike
            "markersize": 4.5,
            "markevery": _marked(len(curve.x)),
        }
        axes.plot(*_positive(curve.x, curve.y), label=_named(curve), **look, **marks)
        for bound, dashes in zip(curve.bounds, DASHES, strict=False):
            axes.plot(*_positive(bound.x, bound.y), linestyle=dashes, **look)
    axes.set(xscale="log", yscale="log", xlabel=x_label, ylabel=_y_label(curves))
    axes.grid(visible=True, which="major", alpha=0.3)
    named = {
        bound.label: dashes for curve in curves for bound, dashes in zip(curve.bounds, DASHES, strict=False)
    }
    for label, dashes in named.items():
        axes.plot([], [], linestyle=dashes, color=GREY, linewidth=1.5, label=label)
    axes.legend(fontsize="small")


def _named(curve: Curve) -> str:
    """Return a curve's label, and how many of its points logarithmic axes do not show."""
    hidden = len(curve.y) - np.count_nonzero((curve.x > 0) & (curve.y > 0))
    return f"{curve.label} ({hidden:,} of {len(curve.y):,} points are 0)" if hidden else curve.label


def _y_label(curves: Sequence[Curve]) -> str:
    """Return what the axis of NashConv says: the unit, and whether some run names none."""
    unit = next((curve.unit for curve in curves if curve.unit), "")
    if not unit:
        return "NashConv"
    return f"NashConv, {unit}" + (
        "" if all(curve.unit for curve in curves) else " where a run names its unit"
    )


def _positive(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the points that logarithmic axes can show, nan for the others so that lines break there."""
    shown = (x > 0) & (y > 0)
    return np.where(shown, x, np.nan), np.where(shown, y, np.nan)


def _marked(count: int) -> list[int]:
    """Return which of some points carry markers."""
    if count <= ALL_MARKED:
        return list(range(count))
    places = np.geomspace(1, count, MOST_MARKERS).round().astype(int) - 1
    return sorted({int(place) for place in places})


WIDTH, HEIGHT = 7.0, 4.5
"""Inches of a panel."""


@dataclass(frozen=True, repr=False)
class CurvePicture(DrawnFigure):
    """The course of runs: a file by :meth:`write`, shown by notebooks.

    Attributes
    ----------
    title : str
    x_label : str
    curves : tuple of Curve
    """

    title: str
    x_label: str
    curves: tuple[Curve, ...]

    @property
    def alt(self) -> str:
        """Alternative text of the figure."""
        return f"NashConv by {self.x_label}"

    @property
    def panels(self) -> list[list[Curve]]:
        """The curves by unit: NashConv in chips and in points do not go on one axis.

        Curves without a unit go with the others where these have only one.
        """
        units = list(dict.fromkeys(curve.unit for curve in self.curves if curve.unit))
        if len(units) <= 1:
            return [list(self.curves)]
        if any(not curve.unit for curve in self.curves):
            units.append("")
        return [[curve for curve in self.curves if curve.unit == unit] for unit in units]

    def figure(self) -> "Figure":
        """Draw the panels side by side with matplotlib."""
        # Imported late: pictures are rare, and matplotlib takes half a second.
        from matplotlib.figure import Figure

        panels = self.panels
        figure = Figure(figsize=(WIDTH * len(panels), HEIGHT), layout="constrained")
        with np.errstate(over="ignore"):  # margins beyond the range of floats
            for axes, curves in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
                draw_curves(axes, curves, self.x_label)
        if self.title:
            figure.suptitle(self.title, parse_math=False)
        return figure
