"""Curves of runs as a picture: a panel for each unit of payoffs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from treeplex.pictures.curves import Curve, draw_curves
from treeplex.store.figure_file import Drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 7.0, 4.5
"""Inches of a panel."""


@dataclass(frozen=True, repr=False)
class CurvePicture(Drawn):
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
        for axes, curves in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            draw_curves(axes, curves, self.x_label)
        if self.title:
            figure.suptitle(self.title, parse_math=False)
        return figure
