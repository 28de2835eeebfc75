"""Limit hold'em: sizes of games, lifetimes of play, and exploitability by iterations."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import StrMethodFormatter
from numpy.typing import NDArray

from lecture.style import BLUE, GREY, INK, ORANGE, SKY

ESSENTIALLY_SOLVED = 1.0
"""Thousandths of a big blind a hand: the threshold of Bowling, Burch, Johanson and Tammelin 2015."""
Curve = Sequence[tuple[int, float]]
"""Iterations, and the exploitability after them."""


def draw_sizes(ax: Axes, sizes: Mapping[str, tuple[int, int]]) -> None:
    """Draw games by their infosets, all and up to suits, on a logarithmic axis.

    Parameters
    ----------
    sizes : mapping of str to pair of int
        From top to bottom, by name.
    """
    for k, (every, canonical) in enumerate(sizes.values()):
        ax.barh(k - 0.2, every, 0.36, color=BLUE, label="all infosets" if k == 0 else None)
        ax.barh(k + 0.2, canonical, 0.36, color=SKY, label="up to suits" if k == 0 else None)
        ax.text(every * 1.4, k - 0.2, f"{every:,}", va="center", fontsize=9)
        ax.text(canonical * 1.4, k + 0.2, f"{canonical:,}", va="center", fontsize=9)
    ax.set(xscale="log", xlim=(1, 10 * max(every for every, _ in sizes.values()) ** 1.15))
    ax.set_yticks(range(len(sizes)), list(sizes))
    ax.invert_yaxis()


def draw_lifetimes(ax: Axes, hands: NDArray[np.float64], won: NDArray[np.float64], expected: float) -> None:
    """Draw what perfect opponents win in their lives, and what they win on average.

    Parameters
    ----------
    hands : (T,) f64
        Hands played so far.
    won : (N, T) f64
        Big blinds that each of N opponents has won by then.
    expected : float
        Big blinds a hand that they win on average.
    """
    for course in won:
        lost = course[-1] < 0
        ax.plot(hands / 1e6, course / 1000, color=ORANGE if lost else GREY, lw=1.2 if lost else 0.7)
    ax.plot(hands / 1e6, hands * expected / 1000, color=BLUE, lw=2.5)
    ax.axhline(0, color=INK, lw=1)
    ax.set(xlabel="million hands", ylabel="thousand big blinds won", xlim=(0, hands[-1] / 1e6))


def draw_convergence(ax: Axes, curves: Mapping[str, Curve], paper: tuple[int, float]) -> None:
    """Draw exploitability by iterations, logarithmically, and where limit hold'em ended.

    Parameters
    ----------
    curves : mapping of str to Curve
        In thousandths of a big blind a hand, by game; a short one is drawn as points.
    paper : pair of int and float
        The iterations and the exploitability that were printed for limit hold'em.
    """
    for (name, curve), marker in zip(curves.items(), "os^Dv", strict=False):
        x, y = zip(*curve, strict=True)
        ax.loglog(x, y, marker + "-", ms=5 if len(curve) > 3 else 8, lw=1.4, label=name)
    ax.plot(*paper, "*", color=INK, ms=15, label="limit hold'em, as printed")
    ax.axhline(ESSENTIALLY_SOLVED, color=INK, ls=":", lw=1.2)
    ax.text(1.1, 1.1 * ESSENTIALLY_SOLVED, "essentially solved")
    ax.set(xlabel="iterations", ylabel="exploitability, mbb a hand")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(StrMethodFormatter("{x:,g}"))
