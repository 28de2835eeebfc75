"""Figures of subgames solved again: margins as bars, gifts as arrows, promises beside what was kept."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lecture.style import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SKY
from treeplex.gadgets.top_report import TopReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = (ORANGE, BLUE, GREEN, PURPLE)
Tops = Sequence[TopReport]
SMALLEST_DRAWN = 1e-6
"""On logarithmic axes: what is smaller, or zero, is drawn here."""


def draw_margin_bars(axes: "Axes", methods: Mapping[str, Tops]) -> None:
    """Draw the margins at the same tops, a group of bars for each top, a bar for each method."""
    width = 0.8 / len(methods)
    names = [top.top for top in next(iter(methods.values()))]
    at = np.arange(len(names))
    for k, (method, tops) in enumerate(methods.items()):
        heights = [top.margin for top in tops]
        bars = axes.bar(
            at + (k - (len(methods) - 1) / 2) * width, heights, width, color=COLOURS[k], label=method
        )
        axes.bar_label(
            bars, [f"{h + 0.0:.2f}".replace("-0.00", "0.00") for h in heights], fontsize=9, padding=2
        )
    axes.axhline(0, color=INK, lw=0.8)
    axes.set_xticks(at, names)
    axes.set(xlabel="top: the opponent's card, the board, the betting so far", ylabel="margin, chips")
    axes.margins(y=0.12)
    axes.legend(frameon=False, ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0))


def draw_weighted_margins(axes: "Axes", tops: Tops, title: str) -> None:
    """Draw reach times margin of all tops as bars, ascending, those below zero in another colour."""
    heights = np.sort([top.reach * top.margin for top in tops])
    lost = heights < -1e-9
    axes.bar(np.arange(len(heights)), heights, color=np.where(lost, ORANGE, BLUE))
    axes.axhline(0, color=INK, lw=0.8)
    axes.set(xlabel="tops, ascending", ylabel="reach times margin, chips")
    axes.set_title(f"{title}: {lost.sum()} of {len(heights)} below zero", fontsize=11)


def draw_gifts(axes: "Axes", without: Tops, using: Tops) -> None:
    """Draw gifts as arrows from the alternative values, and what strategies without and with them concede.

    Parameters
    ----------
    axes : Axes
    without, using : sequence of TopReport
        The same tops under a method without gifts, and under one with them.
    """
    pairs = [(a, b) for a, b in zip(without, using, strict=True) if b.gift > 1e-9]
    for k, (_, top) in enumerate(pairs):
        arrow = {"arrowstyle": "-|>", "color": INK, "lw": 1.6, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (k, top.gift), (k, 0), arrowprops=arrow)
    at = np.arange(len(pairs))
    axes.plot(at - 0.16, [a.value - a.cbv for a, _ in pairs], "o", color=GREY, label="conceded without gifts")
    axes.plot(at + 0.16, [b.value - b.cbv for _, b in pairs], "s", color=ORANGE, label="conceded with gifts")
    axes.plot([], [], color=INK, marker="$\\uparrow$", ms=12, lw=0, label="gift")
    axes.axhline(0, color=BLUE, lw=1.2, label="what the blueprint conceded")
    axes.set_ylim(top=1.1 * max(top.gift for _, top in pairs))
    axes.set_xticks(at, [b.top for _, b in pairs], rotation=45, ha="right")
    axes.set(xlabel="top", ylabel="chips above the alternative value")
    axes.legend(frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1.0))


def draw_promises(axes: "Axes", promised: Sequence[float], kept: Sequence[float]) -> None:
    """Draw what a theorem promises across and what was gained upwards; the theorem: nothing lies below."""
    least, most = SMALLEST_DRAWN, 1.5 * max(kept)
    axes.plot([least, most], [least, most], color=INK, lw=1, label="promised and no more")
    axes.plot(np.maximum(promised, least), np.maximum(kept, least), "o", color=BLUE, alpha=0.6, ms=6)
    axes.set(xscale="log", yscale="log")
    axes.set(xlabel="reach times margin: the gain that Theorem 1 promises, chips", ylabel="gain, chips")
    axes.legend(frameon=False)


def draw_by_entry(axes: "Axes", tops: Tops) -> None:
    """Draw reach times margin by board within each card and betting of the opponent, and the sum."""
    ways = sorted({way_of(top) for top in tops})
    boards = sorted({top.top[1] for top in tops}, key="JQK".index)
    at = np.arange(len(ways))
    for k, (board, colour) in enumerate(zip(boards, (BLUE, SKY, GREEN), strict=True)):
        there = {way_of(top): top.reach * top.margin for top in tops if top.top[1] == board}
        axes.bar(
            at + (k - 1) * 0.27, [there.get(w, 0.0) for w in ways], 0.27, color=colour, label=f"board {board}"
        )
    axes.plot(at, sums_of(tops, ways), "D", color=ORANGE, ms=6, label="sum over the boards")
    axes.axhline(0, color=INK, lw=0.8)
    axes.set_xticks(at, [f"{card} {line}" for card, line in ways], rotation=45, ha="right")
    axes.set(xlabel="the opponent's card and the betting", ylabel="reach times margin, chips")
    axes.legend(frameon=False, ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0))


def way_of(top: TopReport) -> tuple[str, str]:
    """Return the opponent's card and the betting before the board, of a top of Leduc poker such as JK:cc/."""
    return top.top[0], top.top[3:-1]


def sums_of(tops: Tops, ways: Sequence[tuple[str, str]]) -> list[float]:
    """Return reach times margin, summed over the tops that each way of the opponent leads to."""
    return [sum(top.reach * top.margin for top in tops if way_of(top) == way) for way in ways]
