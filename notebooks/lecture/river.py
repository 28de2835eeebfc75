"""Figures of rivers: showdowns as a matrix, sizes of programs, and proved intervals that close in."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import ListedColormap

from lecture.style import BLUE, GREY, INK, ORANGE
from treeplex.core.trace import TracePoint
from treeplex.seqform.forms.treeplex import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NARROWEST = 1e-12
"""Widths below this are drawn as this on logarithmic axes."""


def draw_showdowns(axes: "Axes", payoff: Floats, title: str) -> None:
    """Draw the signs of a matrix as an image: blue where player 0 wins, orange where it loses, else white.

    Parameters
    ----------
    axes : Axes
    payoff : (H, H) float64
        Player 0's hands down, player 1's across.
    title : str
    """
    colours = ListedColormap([ORANGE, "white", BLUE])
    axes.imshow(np.sign(payoff), cmap=colours, vmin=-1, vmax=1, interpolation="nearest")
    axes.set(xlabel="player 1's hand", ylabel="player 0's hand", title=title)
    for spine in axes.spines.values():
        spine.set_visible(True)


def draw_nonzeros(axes: "Axes", counts: Mapping[str, int]) -> None:
    """Draw numbers of nonzeros as bars on a logarithmic axis, the numbers beside them.

    Parameters
    ----------
    axes : Axes
    counts : mapping of str to int
        From how a program is written to its nonzeros.
    """
    axes.barh(range(len(counts)), list(counts.values()), color=BLUE, height=0.6)
    for row, count in enumerate(counts.values()):
        axes.text(1.15 * count, row, f"{count:,}", va="center")
    axes.set(xscale="log", xlim=(1e3, 20 * max(counts.values())), xlabel="nonzeros of the program")
    axes.set_yticks(range(len(counts)), list(counts))
    axes.set_ylim(len(counts) - 0.4, -0.6)


def draw_intervals(axes: "Axes", trace: Sequence[TracePoint], value: float, unit: str = "chips") -> None:
    """Draw the proved interval after each number of iterations as a band around the exact value.

    Parameters
    ----------
    axes : Axes
    trace : sequence of TracePoint
    value : float
        The game's value, drawn as a line.
    unit : str
    """
    at = [point.iterations for point in trace]
    lower = [float(point.certificate.lower) for point in trace]
    upper = [float(point.certificate.upper) for point in trace]
    axes.fill_between(at, lower, upper, color=BLUE, alpha=0.25, lw=0, label="proved interval")
    axes.plot(at, lower, color=BLUE, lw=1)
    axes.plot(at, upper, color=BLUE, lw=1)
    axes.axhline(value, color=ORANGE, lw=1.5, label="exact value")
    axes.set(xscale="log", xlabel="iterations", ylabel=f"player 0's payoff, {unit}")
    axes.legend(frameon=False)


def draw_widths(axes: "Axes", traces: Mapping[str, Sequence[TracePoint]], unit: str = "chips") -> None:
    """Draw NashConv against iterations, both logarithmic, with the slope of one over the root of iterations.

    Parameters
    ----------
    axes : Axes
    traces : mapping of str to sequence of TracePoint
        From the name of a method to its course.
    unit : str
    """
    for (name, trace), style in zip(traces.items(), ("-", "--", "-."), strict=False):
        widths = [max(point.certificate.nash_conv, NARROWEST) for point in trace]
        axes.loglog([point.iterations for point in trace], widths, style, lw=2, label=name)
    first, last = next(iter(traces.values()))[0], next(iter(traces.values()))[-1]
    ends = np.array([first.iterations, last.iterations])
    start = first.certificate.nash_conv * np.sqrt(first.iterations)
    axes.loglog(ends, start / np.sqrt(ends), color=GREY, lw=1, label=r"slope of $1/\sqrt{T}$")
    axes.set(xlabel="iterations T", ylabel=f"NashConv, {unit}")
    axes.grid(visible=True, which="major", color=INK, alpha=0.1)
    axes.legend(frameon=False)
