"""Figures of matplotlib as files and in notebooks."""

import base64
import io
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treeplex.files.outputs import check_output
from treeplex.files.writing import write_bytes
from treeplex.games.base.reading import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES: Mapping[str, str] = {".png": "png", ".svg": "svg", ".pdf": "pdf"}
"""Formats by suffix."""
DOTS = 150
"""An inch, in PNG."""
CSS_DOTS = 96
"""An inch, as pages count it: the width at which a notebook shows a figure."""
MOST_DOTS = 60_000
"""Across a picture; matplotlib takes a few more."""


class DrawnFigure(ABC):
    """Base of what has a figure: written by :meth:`write`, displayed by notebooks."""

    @property
    @abstractmethod
    def alt(self) -> str:
        """Alternative text of the figure, a word or two."""

    @abstractmethod
    def figure(self) -> "Figure":
        """Draw it with matplotlib."""

    def write(self, path: str | Path, format: str | None = None) -> None:
        """Write the figure; raises what :func:`write_figure` raises."""
        chosen = check_picture(path, format)
        write_figure(self.figure(), path, chosen)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.alt})"

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        # PNG, and not SVG within HTML: code hosts strip the latter from stored notebooks.
        figure = self.figure()
        return figure_bytes(figure, "png"), {"width": round(figure.get_size_inches()[0] * CSS_DOTS)}

    def html(self) -> str:
        """Return the figure as SVG within an image of HTML."""
        data = base64.b64encode(figure_bytes(self.figure(), "svg")).decode("ascii")
        return f'<img alt="{self.alt}" style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'


def check_picture(path: str | Path, format: str | None = None) -> str:
    """Return the format of a picture; raises what :func:`treeplex.files.outputs.check_output` does."""
    return check_output(path, PICTURES, "a picture", format)


def write_figure(figure: "Figure", path: str | Path, format: str | None = None) -> None:
    """Write a figure as PNG, SVG or PDF, whole or not at all; raises what :func:`check_picture` does."""
    drawn = figure_bytes(figure, check_picture(path, format))
    write_bytes(path, lambda file: file.write(drawn))


def figure_bytes(figure: "Figure", kind: str) -> bytes:
    """Return a figure as the content of a file of this kind; one figure is always the same file."""
    # Imported late: pictures are rare, and matplotlib takes half a second.
    from matplotlib import rc_context

    file = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    dpi = min(DOTS, MOST_DOTS / max(figure.get_size_inches()))
    # SVG keeps text as text; a box stands where the font has no sign, no margin at the end of floats.
    with (
        rc_context({"svg.fonttype": "none", "svg.hashsalt": "treeplex"}),
        warnings.catch_warnings(),
        np.errstate(over="ignore"),
    ):
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        _plain(figure)
        figure.savefig(file, format=kind, dpi=dpi, metadata=metadata)
    return file.getvalue()


def _plain(figure: "Figure") -> None:
    """Let the texts of a figure stand as they are: names with dollars are no formulas, but ticks are."""
    from matplotlib.axis import Tick
    from matplotlib.text import Text

    ticks = {label for tick in figure.findobj(Tick) for label in tick.findobj(Text)}
    for text in figure.findobj(Text):
        if text not in ticks:
            text.set_parse_math(False)
            text.set_text(visible(text.get_text()))
