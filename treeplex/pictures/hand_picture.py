"""A hand grid with its title and legend, as terminal text, figure or JSON."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console, RenderableType

from treeplex.files.figure_file import DrawnFigure
from treeplex.games.base.display import shown_width
from treeplex.games.base.number_texts import LONGEST
from treeplex.games.base.reading import shortened
from treeplex.pictures.hand_colours import frequency_text, value_text
from treeplex.pictures.hand_figure import grid_figure
from treeplex.pictures.hand_grid import HandGrid
from treeplex.pictures.hand_text import GridText
from treeplex.pictures.node_view import NodeView
from treeplex.seqform.forms.treeplex import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Picture(DrawnFigure):
    """One node of a game under a strategy; rich prints it, notebooks draw it.

    Attributes
    ----------
    view : NodeView
        Hand by hand.
    grid : HandGrid
        By classes.
    map : str
        ``strategy``, ``equity`` or ``ev``.
    source : str
        Where the strategy comes from.
    nash_conv : float or None
        Of the profile, where it was solved for the picture.
    seconds : float or None
        What solving took.
    """

    view: NodeView
    grid: HandGrid
    map: str
    source: str
    nash_conv: float | None = None
    seconds: float | None = None

    @property
    def title(self) -> tuple[str, ...]:
        """The game; where this is and who acts; where the strategy comes from."""
        point = self.view.point
        board = f"board {point.board_text}, " if point.board else ""
        line = f"after {point.line}" if point.line else "at the start"
        source = self.source
        if self.nash_conv is not None:
            source += f", NashConv {self.nash_conv:.2g} {point.unit}"
        if self.map == "equity" and point.line:
            source = f"against what player {1 - point.player} has here; {source}"
        return shortened(point.game, LONGEST), f"{board}{line}: player {point.player} acts", source

    @property
    def legend(self) -> tuple[str, ...]:
        """The actions with how often each is taken, or the mean value."""
        grid, point = self.grid, self.view.point
        if grid.values is None:
            return tuple(
                f"{action} {frequency_text(frequency)}"
                for action, frequency in zip(grid.actions, grid.overall, strict=True)
            )
        mean = grid.overall_value
        text = "?" if mean is None else value_text(mean, self.map, 8)
        if self.map == "equity":
            return (f"equity in percent, {text} on average",)
        return (f"expected value from here on in {point.unit}, a fold 0; {text} on average",)

    @property
    def alt(self) -> str:
        """Alternative text of the figure."""
        return self.map

    def __str__(self) -> str:
        return plain_text(self)

    def __rich__(self) -> RenderableType:
        """Return what a terminal shows."""
        game, where, source = self.title
        title = (game, where, self.view.point.chips.text(self.view.point.unit), source)
        return GridText(self.grid, self.map, title, self.legend)

    def figure(self) -> "Figure":
        """Draw the picture with matplotlib."""
        return grid_figure(self.grid, self.map, self.title, self.legend)

    def as_json(self) -> dict[str, Any]:
        """Return the picture as the object that ``--json`` prints; what is unknown is null."""
        grid, point = self.grid, self.view.point
        return {
            "game": point.game,
            "board": point.board_text,
            "line": point.line,
            "player": point.player,
            **point.chips.as_json(),
            "actions": list(point.actions),
            "action_names": list(point.action_names),
            "overall": _jsonable(grid.overall),
            "source": self.source,
            "nash_conv": self.nash_conv,
            "seconds": self.seconds,
            "map": self.map,
            "mean": None if grid.overall_value is None else _jsonable(np.array(grid.overall_value)),
            "unit": point.unit,
            "classes": [
                {
                    "hand": label,
                    "weight": float(grid.weights[cell]),
                    "share": _jsonable(grid.shares[cell]),
                    "frequencies": _jsonable(grid.frequencies[cell]),
                    "value": None if grid.values is None else _jsonable(grid.values[cell]),
                }
                for row, labels in enumerate(grid.labels)
                for column, label in enumerate(labels)
                if not math.isnan(grid.shares[cell := (row, column)])
            ],
        }


def plain_text(picture: RenderableType) -> str:
    """Return what a terminal without colours shows."""
    console = Console(width=shown_width(), color_system=None, markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(picture, crop=False)
    return captured.get().rstrip("\n")


def _jsonable(values: Floats) -> Any:
    """Return numbers as lists with None for nan."""
    if np.ndim(values):
        return [_jsonable(value) for value in values]
    return None if math.isnan(values) else float(values)
