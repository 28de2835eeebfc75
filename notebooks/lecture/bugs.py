"""Figures of solvers that are examined: where they lose, and when they leave a solver that is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lecture.style import STROKE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treeplex.seqform.certify.losses import Loss

ROUNDING = 1e-9
"""Differences up to this size are rounding errors, and shown as 0."""
BRIGHT = 0.6
"""Numbers on cells brighter than this part of the colour scale are dark."""


def loss_bars(axes: Axes, losses: Sequence[Loss], unit: str) -> None:
    """Draw what the behaviour at each infoset costs, a bar each, in the colour of the player.

    Parameters
    ----------
    axes : Axes
    losses : sequence of Loss
        From :func:`treeplex.losses`, the largest first.
    unit : str
        The game's.
    """
    named: set[int] = set()
    for k, loss in enumerate(losses):
        label = None if loss.player in named else f"player {loss.player}"
        axes.barh(k, loss.loss, color=STROKE[loss.player], label=label)
        named.add(loss.player)
    axes.set_yticks(range(len(losses)), [loss.infoset for loss in losses])
    axes.set(xlabel=f"loss, {unit}", ylabel="infoset", ylim=(len(losses) - 0.5, -0.5))
    axes.legend(frameon=False, loc="lower right")


def departures(axes: Axes, rows: Mapping[str, Sequence[float]]) -> None:
    """Draw how far solvers are from one that is right after 1, 2, 3, ... iterations, as numbered cells.

    Parameters
    ----------
    axes : Axes
    rows : mapping of str to T floats
        For each solver the largest difference of probabilities after each number of iterations.
    """
    table = np.array(list(rows.values()))
    cells = axes.imshow(table, cmap="cividis", vmin=0.0, vmax=1.0, aspect="auto")
    for (k, t), far in np.ndenumerate(table):
        text = f"{far:.2f}" if far > ROUNDING else "0"
        axes.text(
            t, k, text, ha="center", va="center", color="black" if far > BRIGHT else "white", fontsize=9
        )
    axes.set_xticks(range(table.shape[1]), [str(t) for t in range(1, table.shape[1] + 1)])
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set(xlabel="iterations")
    axes.figure.colorbar(cells, ax=axes, label="largest difference of a probability")
