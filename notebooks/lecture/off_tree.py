"""Figures of bets that a strategy's menus lack: how they are read, what they gain, what answers cost."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lecture.style import BLUE, GREEN, GREY, INK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUNDING = 1e-9
"""Chips up to this are rounding."""


def draw_reading(axes: "Axes", known: Sequence[float], bet: float, chances: Sequence[float]) -> None:
    """Draw bet sizes along a line, and an unknown bet with an arrow to each known one.

    Parameters
    ----------
    axes : Axes
    known : sequence of float
        The sizes that the blueprint knows, in pots.
    bet : float
        The size that it does not know.
    chances : sequence of float
        How likely the bet is taken for each known size.
    """
    axes.axhline(0, color=GREY, lw=1, zorder=0)
    axes.plot(known, np.zeros(len(known)), "o", ms=13, color=BLUE)
    axes.plot([bet], [0], "D", ms=12, color=ORANGE)
    axes.text(bet, -0.2, f"bets {bet:g}", color=ORANGE, ha="center", va="top")
    for size, chance in zip(known, chances, strict=True):
        axes.text(size, -0.2, f"knows {size:g}", color=BLUE, ha="center", va="top")
        bend = "arc3,rad=0.4" if size < bet else "arc3,rad=-0.4"
        arrow = {"arrowstyle": "-|>", "connectionstyle": bend, "color": INK, "lw": 1 + 2 * chance}
        axes.annotate("", (size, 0.08), (bet, 0.08), arrowprops=arrow)
        axes.text((size + bet) / 2, 0.75, f"with probability {chance:.3f}", ha="center")
    axes.margins(x=0.1)
    axes.set(ylim=(-0.6, 1.0), yticks=[], xlabel="size of the bet, pots")
    axes.spines["left"].set_visible(False)


def draw_curves(
    axes: "Axes", sizes: Sequence[float], curves: Mapping[str, Sequence[float]], known: Sequence[float]
) -> None:
    """Draw quantities against the size of a bet, the known sizes as dotted lines.

    Parameters
    ----------
    axes : Axes
    sizes : sequence of N float
        In the unit of the axis.
    curves : mapping of str to sequence of N float
        From the name of each curve to its values; each gets its own line style.
    known : sequence of float
        The sizes that the blueprint knows, in the same unit.
    """
    for size in known:
        axes.axvline(size, color=GREY, lw=1, ls=":", zorder=0)
    for (name, values), style in zip(curves.items(), ("-", "--", "-.", ":"), strict=False):
        axes.plot(sizes, values, style, lw=2, label=name)
    axes.legend(frameon=False)


def draw_margins(axes: "Axes", margins: Mapping[str, float]) -> None:
    """Draw margins of off-tree moves as bars: to the left, orange, what the opponent gains.

    Parameters
    ----------
    axes : Axes
    margins : mapping of str to float
        From what the opponent knows after the move to the margin, in chips; the first at the top.
    """
    shown = np.array([margin if abs(margin) > ROUNDING else 0.0 for margin in margins.values()])
    axes.barh(range(len(shown)), shown, color=[ORANGE if margin < 0 else BLUE for margin in shown])
    axes.axvline(0, color=INK, lw=1)
    axes.set_yticks(range(len(shown)), list(margins), fontsize=9)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlabel("margin, chips")


def draw_distances(axes: "Axes", distances: Mapping[str, tuple[float, float]], unit: str = "chips") -> None:
    """Draw both players' distances from the value as pairs of bars, one pair a method, numbers beside them.

    Parameters
    ----------
    axes : Axes
    distances : mapping of str to pair of float
        From the name of a method to the distances of player 0 and player 1 as the defender.
    unit : str
    """
    rows = np.arange(len(distances))
    longest = max(max(pair) for pair in distances.values())
    for player, colour in ((0, BLUE), (1, ORANGE)):
        values = np.array([max(pair[player], 0.0) for pair in distances.values()])
        places = rows + (0.2 if player else -0.2)
        axes.barh(places, values, height=0.36, color=colour, label=f"player {player} defends")
        for place, value in zip(places, values, strict=True):
            text = f"{value:.4f}" if value > ROUNDING else "0"
            axes.text(value + 0.015 * longest, place, text, va="center", fontsize=9)
    axes.set_yticks(rows, list(distances))
    axes.set_xlim(0, 1.18 * longest)
    axes.set_ylim(len(distances) - 0.4, -0.6)
    axes.set_xlabel(f"exploitability, {unit}")


def draw_promises(axes: "Axes", promised: Mapping[str, float], conceded: Mapping[str, float]) -> None:
    """Draw what small games promise the opponent and what it really gets, a row for each game.

    Parameters
    ----------
    axes : Axes
    promised, conceded : mapping of str to float
        From the name of a way to the opponent's payoff in the small game and in the whole one, in chips.
    """
    rows = np.arange(len(promised))
    for row, name in enumerate(promised):
        axes.plot([promised[name], conceded[name]], [row, row], color=GREY, lw=2, zorder=0)
    axes.plot(list(conceded.values()), rows, "D", ms=10, color=ORANGE, label="what the opponent gets")
    axes.plot(list(promised.values()), rows, "o", ms=7, color=GREEN, label="what the small game says")
    axes.set_yticks(rows, list(promised))
    axes.set_ylim(len(promised) - 0.5, -0.5)
    axes.set_xlabel("opponent's payoff, chips")
