"""Kuhn poker's tree: one deal, and all six around a circle."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from lecture.graphs import Point, draw_edges, draw_nodes, placed
from lecture.style import FILL, STROKE
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.trees.game_tree import GameTree

RADIUS: Mapping[str, float] = {"": 1.3, "c": 2.35, "r": 3.0, "cr": 3.45}
"""Distance of histories from the middle of the circle, by betting line."""
RIM = 4.4
"""Distance of leaves."""
WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
"""Behind texts that lie on edges."""
AROUND = ("JQ", "JK", "QK", "QJ", "KJ", "KQ")
"""Deals in an order in which neighbours share a card."""


def signed(payoff: float) -> str:
    """Return a payoff with its sign, a true minus among them."""
    return f"{payoff:+.0f}".replace("-", "−")


def line_of(tree: GameTree, n: int) -> str:
    """Return the betting line of a history, such as cr."""
    return str(tree.public_keys[tree.public[n]]).removeprefix(":")


def children_of(tree: GameTree) -> dict[int, list[int]]:
    """Return the children of each history that has some."""
    children: dict[int, list[int]] = {}
    for n in range(1, tree.n_nodes):
        children.setdefault(int(tree.parent[n]), []).append(n)
    return children


def texts_of(tree: GameTree, player: int) -> dict[int, str]:
    """Return what is written on the histories of a player: its infoset; on leaves the payoff."""
    nodes = np.flatnonzero(tree.player == player).tolist()
    if player == TERMINAL:
        return {n: signed(tree.payoff[n] / tree.payoff_den) for n in nodes}
    return {n: tree.keys[player][tree.infoset[n, player]] for n in nodes}


def deals_of(tree: GameTree) -> dict[str, int]:
    """Return the history that begins with each deal, by both cards: JQ is jack against queen."""
    starts = children_of(tree)[0]
    return {"".join(tree.keys[p][tree.infoset[n, p]][0] for p in (0, 1)): n for n in starts}


def draw_deal(ax: Axes, tree: GameTree, cards: str) -> None:
    """Draw the part of Kuhn poker's tree below one deal, such as KQ: histories with their infosets."""
    children = children_of(tree)
    places = placed(children, deals_of(tree)[cards])
    edges = [(m, n) for m in places for n in children.get(m, ())]
    draw_edges(ax, places, edges)
    for m, n in edges:
        x, y = np.mean([places[m], places[n]], axis=0).tolist()
        ax.text(x, y, _word(tree, n), ha="center", va="center", fontsize=10, bbox=WHITE)
    for player, colour in ((0, FILL[0]), (1, FILL[1]), (TERMINAL, "white")):
        texts = {n: text for n, text in texts_of(tree, player).items() if n in places}
        draw_nodes(ax, places, texts, colour, shape="s" if player == TERMINAL else "o", size=1500)
    ax.axis("off")
    ax.margins(0.09)


def draw_circle(ax: Axes, tree: GameTree) -> None:
    """Draw all of Kuhn poker's tree around a circle, so that each infoset joins two neighbours by a band."""
    angles = _angles(tree)
    places = {n: _polar(_radius(tree, n), angle) for n, angle in angles.items()}
    for player in (0, 1):
        _draw_bands(ax, tree, player, angles)
        draw_nodes(ax, places, texts_of(tree, player), FILL[player], size=820, font=9)
    draw_edges(ax, places, [(int(tree.parent[n]), n) for n in range(1, tree.n_nodes)])
    draw_nodes(ax, places, {0: "deal"}, FILL[CHANCE], shape="D", size=1100, font=9)
    for n, text in texts_of(tree, TERMINAL).items():
        colour = STROKE[0] if tree.payoff[n] > 0 else STROKE[1]
        ax.text(*places[n], text, ha="center", va="center", color=colour, bbox=WHITE)
    for name, n in deals_of(tree).items():
        ax.text(*_polar(0.68, angles[n]), name, ha="center", va="center", bbox=WHITE)
    ax.set(xlim=(-4.7, 4.7), ylim=(-4.7, 4.7), aspect="equal")
    ax.axis("off")


def _word(tree: GameTree, n: int) -> str:
    """Return the word for the action that leads to a history."""
    line = line_of(tree, n)
    return {"f": "fold", "r": "bet", "c": "call" if "r" in line else "check"}[line[-1]]


def _radius(tree: GameTree, n: int) -> float:
    return RADIUS.get(line_of(tree, n), RIM) if n else 0.0


def _polar(radius: float, angle: float) -> Point:
    return float(radius * np.cos(angle)), float(radius * np.sin(angle))


def _angles(tree: GameTree) -> dict[int, float]:
    """Return the angle of each history: leaves evenly spread, all others in the middle of their children."""
    order = _leaves_around(tree)
    angles = {n: 2 * np.pi * (k + 0.5) / len(order) for k, n in enumerate(order)}
    children = children_of(tree)
    for n in range(tree.n_nodes - 1, 0, -1):  # children are numbered after their parents
        if n in children:
            angles[n] = float(np.mean([angles[child] for child in children[n]]))
    return angles | {0: 0.0}


def _leaves_around(tree: GameTree) -> list[int]:
    """Return the leaves in the order of deals, every second deal turned about so that infosets meet."""
    deals, children = deals_of(tree), children_of(tree)
    around: list[int] = []
    for k, name in enumerate(AROUND):
        leaves = [n for n in placed(children, deals[name]) if n not in children]
        leaves.sort(key=lambda n: ("cr" not in line_of(tree, n), line_of(tree, n)))
        around += leaves if k % 2 else leaves[::-1]
    return around


def _draw_bands(ax: Axes, tree: GameTree, player: int, angles: Mapping[int, float]) -> None:
    """Join the two histories of each of a player's infosets by an arc."""
    infosets: dict[str, list[int]] = {}
    for n, key in texts_of(tree, player).items():
        infosets.setdefault(key, []).append(n)
    for a, b in infosets.values():
        turn = (angles[b] - angles[a] + np.pi) % (2 * np.pi) - np.pi
        arc = [_polar(_radius(tree, a), angles[a] + turn * t) for t in np.linspace(0, 1, 40)]
        ax.plot(*zip(*arc, strict=True), color=FILL[player], lw=13, alpha=0.55, zorder=0)
