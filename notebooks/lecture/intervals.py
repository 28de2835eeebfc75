"""Proved intervals around a known value, on logarithmic axes."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter

from lecture.style import BLUE, INK
from treeplex.seqform.certify.certificate import Certificate

SMALLEST = 1e-17
"""Distances below this are drawn in the middle, where a logarithm has no place for zero."""


def draw_intervals(
    ax: Axes, certificates: Mapping[str, Certificate], value: Fraction, *, smallest: float = SMALLEST
) -> None:
    """Draw certificates as bars around a value: to the left how far lower, to the right how far upper is.

    Both directions are logarithmic, so that a bar a hundred times shorter is still seen.

    Parameters
    ----------
    certificates : mapping of str to Certificate
        From top to bottom, by name.
    value : Fraction
        The game's value, in which all bars meet.
    smallest : float
        The distance at which the axis begins to be linear.
    """
    for k, c in enumerate(certificates.values()):
        ends = float(Fraction(c.lower) - value), float(Fraction(c.upper) - value)
        ax.plot(ends, [k, k], "|-", color=BLUE, lw=3, ms=12)
    ax.axvline(0, color=INK, lw=1, zorder=0)
    ax.set_xscale("symlog", linthresh=smallest)
    ticks = 10.0 ** np.arange(-3, np.floor(np.log10(smallest)), -4)[::-1]
    ax.xaxis.set_major_locator(FixedLocator([*-ticks[::-1], 0, *ticks]))
    ax.xaxis.set_major_formatter(FuncFormatter(_power))
    ax.set_yticks(range(len(certificates)), list(certificates))
    ax.invert_yaxis()


def _power(distance: float, _position: int) -> str:
    if distance == 0:
        return "0"
    sign = "-" if distance < 0 else "+"
    return rf"${sign}10^{{{round(np.log10(abs(distance)))}}}$"
