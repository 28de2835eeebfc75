"""Best responses on a treeplex, what profiles prove and lose, and both sides of a trade."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from matplotlib.axes import Axes

from lecture.style import BLUE, FILL, GREY, INK, ORANGE, STROKE
from lecture.treeplexes import Element, draw_treeplex
from treeplex.seqform.certify.losses import Loss
from treeplex.seqform.forms.treeplex import Treeplex


def fraction_text(number: Fraction) -> str:
    """Return a fraction as it is written on a node, a true minus among them."""
    return str(number).replace("-", "−")


def draw_earned(ax: Axes, treeplex: Treeplex, player: int, gradient: Sequence[Fraction]) -> None:
    """Draw a treeplex with what each sequence pays by itself."""
    notes: dict[Element, str] = {("s", s): fraction_text(g) for s, g in enumerate(gradient)}
    draw_treeplex(ax, treeplex, player, notes=notes)


def draw_response(
    ax: Axes, treeplex: Treeplex, player: int, totals: Sequence[Fraction], choice: Sequence[int]
) -> None:
    """Draw a best response: what each sequence and infoset is worth, and the choices as thick edges.

    Parameters
    ----------
    totals : (S,) Fractions
        What each sequence pays together with what follows.
    choice : (I,) int
        The best sequence of each infoset.
    """
    notes: dict[Element, str] = {("s", s): fraction_text(total) for s, total in enumerate(totals)}
    notes |= {("i", i): fraction_text(totals[s]) for i, s in enumerate(choice)}
    places = draw_treeplex(ax, treeplex, player, notes=notes)
    for i, s in enumerate(choice):
        (x0, y0), (x1, y1) = places["i", i], places["s", int(s)]
        ax.plot([x0, x1], [y0, y1], color=STROKE[player], lw=5, zorder=1.5)


def draw_interval(ax: Axes, lower: float, value: float, upper: float, value_of_game: float) -> None:
    """Draw a profile's interval: its payoff, each player's gain by deviating, and the value of the game."""
    ax.plot([lower, upper], [0, 0], color=GREY, lw=2, zorder=0)
    for x, text, colour in (
        (lower, "guaranteed by player 0's plan\n", STROKE[0]),
        (value, "when both play on\n", INK),
        (upper, "conceded by player 1's plan\n", STROKE[1]),
    ):
        ax.plot(x, 0, "o", color=colour, ms=9)
        ax.annotate(f"{text}{x:+.4f}".replace("-", "−"), (x, 0.16), ha="center", color=colour)
    for a, b, who in ((lower, value, 1), (value, upper, 0)):
        ax.annotate("", (b, -0.22), (a, -0.22), arrowprops={"arrowstyle": "<->", "color": STROKE[who]})
        text = f"player {who} gains {b - a:.4f}"
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        ax.text((a + b) / 2, -0.5, text, ha="center", color=STROKE[who], bbox=box)
    ax.axvline(value_of_game, ymin=0.17, ymax=0.62, color=INK, ls=":", lw=1.5, zorder=0)
    ax.text(value_of_game, -0.88, "value of the game", ha="center")
    ax.set(ylim=(-1, 0.75), yticks=[])
    ax.spines["left"].set_visible(False)
    ax.margins(x=0.18)


def draw_losses(ax: Axes, losses: Sequence[Loss]) -> None:
    """Draw what each infoset's behaviour costs its player, the largest first."""
    names = [f"{loss.infoset} ({loss.best})" for loss in losses]
    ax.barh(names, [loss.loss for loss in losses], color=[FILL[loss.player] for loss in losses])
    for k, loss in enumerate(losses):
        ax.text(loss.loss, k, f" {loss.loss:.3f}", va="center", fontsize=9)
    ax.invert_yaxis()
    ax.margins(x=0.1)


def draw_trade(
    ax: Axes, weights: Sequence[float], curves: Mapping[str, Sequence[float]], value: float
) -> None:
    """Draw payoffs against a mixing weight, and the value of the game as a dotted line."""
    for (name, curve), colour in zip(curves.items(), (BLUE, ORANGE), strict=True):
        ax.plot(weights, curve, color=colour, lw=2, label=name)
    ax.axhline(value, color=INK, ls=":", lw=1.2)
    ax.text(weights[-1], value, "value of the game ", ha="right", va="bottom")
    low, high = min(map(min, curves.values())), max(map(max, curves.values()))
    ax.set_ylim(low - 0.05, float(high + 0.35 * np.abs(high - low)))
