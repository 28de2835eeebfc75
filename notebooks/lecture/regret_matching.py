"""Figures of regret matching and CFR: orbits in a triangle, values at infosets, NashConv by iterations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lecture.style import BLUE, GREEN, GREY, INK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
"""Where the first, second and third action lie in the triangle of mixed strategies."""


def triangle(
    axes: Axes,
    played: NDArray[np.float64],
    averages: NDArray[np.float64],
    goal: Sequence[float],
    actions: Sequence[str],
) -> None:
    """Draw mixed strategies over three actions in a triangle, their running averages, and the equilibrium.

    Parameters
    ----------
    axes : Axes
    played, averages : (T, 3) f64
    goal : three floats
        The equilibrium, marked by a star.
    actions : three str
        For the corners.
    """
    axes.plot(*np.vstack((CORNERS, CORNERS[:1])).T, color=GREY, lw=1, zorder=0)
    axes.plot(*(played @ CORNERS).T, "o", color=BLUE, ms=5, alpha=0.5, label="played, round by round")
    axes.plot(*(averages @ CORNERS).T, color=ORANGE, lw=1.5, label="average so far")
    axes.plot(*(np.asarray(goal) @ CORNERS), "*", color=INK, ms=13, label="equilibrium", ls="")
    for (x, y), action, side in zip(CORNERS, actions, ("right", "left", "center"), strict=True):
        axes.text(x, y + 0.03 * (y > 0), f"  {action}  ", ha=side, va="bottom" if y else "center")
    axes.set(aspect="equal", xlim=(-0.35, 1.6), ylim=(-0.05, 1.0))
    axes.axis("off")
    axes.legend(loc="upper right", frameon=False)


def infoset_values(
    axes: Axes,
    names: Sequence[str],
    values: NDArray[np.float64],
    means: NDArray[np.float64],
    actions: Sequence[str],
) -> None:
    """Draw the counterfactual value of each action at each infoset, and that of the current behaviour.

    Parameters
    ----------
    axes : Axes
    names : sequence of I str
        The infosets.
    values : (I, A) f64
        Of the actions, in the game's unit times probability.
    means : (I,) f64
        Of the behaviour.
    actions : sequence of A str
    """
    for a, (action, colour, marker) in enumerate(zip(actions, (BLUE, ORANGE, GREEN), "osD", strict=False)):
        axes.plot(values[:, a], range(len(names)), marker, ms=9, color=colour, label=action)
    for k, (row, mean) in enumerate(zip(values, means, strict=True)):
        axes.plot([row.min(), row.max()], [k, k], color=GREY, lw=1.5, zorder=0)
        label = None if k else "current behaviour"
        axes.plot([mean, mean], [k - 0.25, k + 0.25], color=INK, lw=2, label=label)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def falls(
    axes: Axes,
    measured: Mapping[str, Sequence[float]],
    iterations: Sequence[int],
    bounds: Mapping[str, Sequence[float]] | None = None,
    unit: str = "chips",
) -> None:
    """Draw NashConv by iterations on logarithmic axes, and what is proved for the same runs dashed.

    Parameters
    ----------
    axes : Axes
        Curves take their order of colours.
    measured : mapping of str to K floats
        NashConv of each method after each number of iterations.
    iterations : sequence of K int
    bounds : mapping of str to K floats, optional
        Of methods that were measured: dashed, in their colours; of others: dotted and grey.
    unit : str
        Of NashConv.
    """
    for name, row in measured.items():
        axes.loglog(iterations, row, "o-", ms=3.5, label=name)
    colours = {line.get_label(): line.get_color() for line in axes.lines}
    for name, row in (bounds or {}).items():
        if name in colours:
            axes.loglog(iterations, row, "--", color=colours[name], lw=1.4, label=f"{name}: bound")
        else:
            axes.loglog(iterations, row, ":", color=GREY, lw=2.0, label=name)
    axes.set(xlabel="iterations", ylabel=f"NashConv, {unit}")
    axes.grid(alpha=0.25)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
