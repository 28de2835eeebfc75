"""Figures of Coin Toss: what guesses concede, and where methods that solve its subgame again end."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from lecture.style import BLUE, GREY, INK, ORANGE
from treeplex.seqform.forms.treeplex import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Guess = tuple[float, float]
"""Player 1's probabilities of guessing heads and tails; forfeit takes the rest."""
Wins = Callable[[Floats, Floats], Floats]
"""What player 0 wins in all, in dollars, from the two probabilities of a guess or of a pair of guesses."""
COINS = (("heads", BLUE), ("tails", ORANGE))
GUESSES = np.linspace(0.0, 1.0, 201)


def draw_playing(axes: "Axes", sell: tuple[float, float]) -> None:
    """Draw what playing wins after either side of the coin, by the guess, beside what selling wins there."""
    for (coin, colour), price, plays in zip(COINS, sell, (1 - 2 * GUESSES, 2 * GUESSES - 1), strict=True):
        axes.plot(GUESSES, plays, color=colour, label=f"play after {coin}")
        axes.axhline(price, color=colour, ls="--", lw=1.2, label=f"sell after {coin}")
    axes.set(xlabel="probability that player 1 guesses heads", ylabel="player 0 wins, dollars")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2, frameon=False)


def draw_landings(axes: "Axes", wins: Wins, points: Mapping[str, float]) -> None:
    """Draw what player 0's best response wins by the guess, with named guesses on the curve.

    Parameters
    ----------
    axes : Axes
    wins : callable
        Of the probabilities of heads and tails, which sum to one here.
    points : mapping
        From names to probabilities of heads.
    """
    axes.plot(GUESSES, wins(GUESSES, 1 - GUESSES), color=INK, lw=1.5, zorder=1)
    for name, heads in points.items():
        height = float(wins(np.array(heads), np.array(1 - heads)))
        axes.plot([heads], [height], "o", color=ORANGE, zorder=2)
        axes.annotate(name, (heads, height), textcoords="offset points", xytext=(9, -9), fontsize=10)
    axes.set(xlabel="probability that player 1 guesses heads", ylabel="exploitability, dollars")
    axes.set(xlim=(-0.03, 1.35), ylim=(-0.06, 0.82))
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])


def draw_guesses(
    axes: "Axes", wins: Wins, points: Mapping[str, Guess], allowed: Mapping[str, tuple[float, float]]
) -> None:
    """Draw all guesses as a triangle, coloured by exploitability, with what alternative values allow.

    Parameters
    ----------
    axes : Axes
    wins : callable
    points : mapping
        From names to guesses.
    allowed : mapping
        From names to what player 0 may win by playing after heads and after tails; the guesses that concede
        no more are outlined.
    """
    from matplotlib.patches import Polygon

    heads, tails = np.meshgrid(GUESSES, GUESSES)
    inside = heads + tails <= 1 + 1e-9
    shown = np.where(inside, wins(heads, tails), np.nan)
    filled = axes.contourf(
        heads, tails, shown, levels=np.arange(0, 1.01, 0.125), cmap="cividis_r", alpha=0.75
    )
    axes.figure.colorbar(filled, ax=axes, label="exploitability, dollars")
    for (name, (after_heads, after_tails)), style in zip(allowed.items(), ("-", "--", ":"), strict=False):
        h, t = (1 - after_heads) / 2, (1 - after_tails) / 2
        corners = [(h, t), (1 - t, t), (h, 1 - h)]
        axes.add_patch(Polygon(corners, fill=False, ec=INK, lw=2, ls=style, label=name))
    for name, (h, t) in points.items():
        axes.plot([h], [t], "o", color=ORANGE, mec="white", ms=9, zorder=3)
        axes.annotate(name, (h, t), textcoords="offset points", xytext=(8, 5), fontsize=10)
    axes.set(
        xlabel="probability of heads", ylabel="probability of tails", xlim=(-0.02, 1.3), ylim=(-0.02, 1.02)
    )
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.legend(loc="upper right", frameon=False)


def draw_margins(axes: "Axes", alternatives: tuple[float, float], best: float) -> None:
    """Draw the margin at each top by the guess, the smaller one thick, its maximum marked."""
    margins = [alternatives[0] - (1 - 2 * GUESSES), alternatives[1] - (2 * GUESSES - 1)]
    for (coin, colour), margin in zip(COINS, margins, strict=True):
        axes.plot(GUESSES, margin, color=colour, label=f"margin after {coin}")
    least = np.minimum(*margins)
    axes.plot(GUESSES, least, color=INK, lw=5, alpha=0.25, label="the smaller of the two")
    axes.axvline(best, color=GREY, ls=":")
    axes.plot([best], [np.interp(best, GUESSES, least)], "o", color=INK)
    axes.axhline(0, color=INK, lw=0.8)
    axes.set(xlabel="probability that player 1 guesses heads", ylabel="margin, dollars", ylim=(-1.05, 2.05))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=1, frameon=False)


def draw_shares(axes: "Axes", wins: Wins, points: Mapping[str, Guess], boxes: Mapping[str, float]) -> None:
    """Draw exploitability by the probabilities of tails in two subgames, with what gifts allow in each.

    Parameters
    ----------
    axes : Axes
    wins : callable
        Of the probabilities of tails in the first and in the second subgame.
    points : mapping
        From names to such pairs.
    boxes : mapping
        From names to the largest probability of tails that is allowed in either subgame.
    """
    from matplotlib.patches import Rectangle

    first, second = np.meshgrid(GUESSES, GUESSES)
    levels = np.arange(0, 0.76, 0.125)
    filled = axes.contourf(first, second, wins(first, second), levels=levels, cmap="cividis_r", alpha=0.75)
    axes.figure.colorbar(filled, ax=axes, label="exploitability, dollars")
    for (name, most), style in zip(boxes.items(), ("-", "--", ":"), strict=False):
        axes.add_patch(Rectangle((0.5, 0.5), most - 0.5, most - 0.5, fill=False, lw=2, ls=style, label=name))
    for name, (x, y) in points.items():
        axes.plot([x], [y], "o", color=ORANGE, mec="white", ms=9, zorder=3, clip_on=False)
        axes.annotate(name, (x, y), textcoords="offset points", xytext=(-8, -14), ha="right", fontsize=10)
    axes.set(xlabel="probability of tails in S1", ylabel="probability of tails in S2")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=1, frameon=False)
