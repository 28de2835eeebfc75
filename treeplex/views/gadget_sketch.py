"""Sketches of gadget games: the subgame below the moves that the gadget adds."""

from dataclasses import replace

import numpy as np

from treeplex.gadgets.gadget import Gadget
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.pictures.history_texts import near_fraction, path_of
from treeplex.pictures.sketch import Sketch, SketchNode, leaves_of, node_of
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.subgames.subgame import Subgame

DRAWN = (Unsafe, Resolve, Maxmargin)
"""The gadgets whose games are drawn."""


def gadget_sketch(gadget: Gadget, subgame: Subgame) -> Sketch:
    """Sketch the game of Unsafe, Resolve or Maxmargin on a subgame (Brown and Sandholm 2017, Figure 3).

    Chance deals the starts in proportion to their reach, normalised here for the eye. Before Resolve's
    subgame the opponent may stay at each top for its alternative value; before Maxmargin's it chooses a top,
    below which it gets its payoff less the alternative value. Payoffs of the game are exact; what comes from
    the blueprint is a float, or the short fraction that it is the rounding of.

    Raises
    ------
    ValueError
        If the gadget is another, or the blueprint never comes to the subgame.
    """
    if not isinstance(gadget, DRAWN):
        raise BadInputError(
            f"gadget games are drawn of unsafe, and of resolve and maxmargin with or without reach- and "
            f"estimated-, got {gadget.name}"
        )
    drawing = _Drawing(subgame)
    if isinstance(gadget, Unsafe):
        gadget.apply(subgame)  # which refuses where it has no meaning
        weight = drawing.start_weights() * subgame.opponent_reach[subgame.cut.root_top]
        drawing.deal(-1, "", np.flatnonzero(weight > 0), weight)
    elif isinstance(gadget, Resolve):
        drawing.resolve(gadget.alternative_values(subgame).total)
    else:
        drawing.maxmargin(gadget.alternative_values(subgame).total)
    tree = subgame.cut.game.tree
    less = ", less the alternative value" if isinstance(gadget, Maxmargin) else ""
    title = (f"{gadget.name} on {subgame.cut.name} of {tree.name}",)
    return Sketch(title, f"{leaves_of(tree)}{less}", tuple(drawing.nodes), (subgame.cut.name,))


class _Drawing:
    """A list of nodes that grows move by move."""

    def __init__(self, subgame: Subgame) -> None:
        self.subgame = subgame
        self.tree = subgame.cut.game.tree
        self.nodes: list[SketchNode] = []

    def start_weights(self) -> Floats:
        """Return the probability, (R,), that chance and the defender's blueprint play to each root."""
        cut = self.subgame.cut
        return self.tree.chance_floats[cut.roots] * cut.entry_reach(self.subgame.plan)

    def resolve(self, alternatives: Floats) -> None:
        cut, reach = self.subgame.cut, self.subgame.reach
        live = np.flatnonzero(self.subgame.live).tolist()
        self._add(SketchNode(-1, CHANCE, "", ""))
        for t in live:
            odds = near_fraction(float(reach[t] / reach[live].sum()))
            top = cut.tops[t]
            choice = self._add(SketchNode(0, cut.opponent, f"enter {top}", top, odds=odds))
            stays = near_fraction(self._sign * float(alternatives[t]))
            self._add(SketchNode(choice, TERMINAL, "", "stay", payoff=stays))
            self.enter(choice, t, "enter", 0.0)

    def maxmargin(self, alternatives: Floats) -> None:
        cut = self.subgame.cut
        self._add(SketchNode(-1, cut.opponent, "choose a top", ""))
        for t in np.flatnonzero(self.subgame.live).tolist():
            self.enter(0, t, cut.tops[t], float(alternatives[t]))

    def enter(self, above: int, top: int, move: str, less: float) -> None:
        """Add what follows when a top is entered."""
        weight = self.start_weights()
        roots = np.flatnonzero((self.subgame.cut.root_top == top) & (weight > 0))
        self.deal(above, move, roots, weight, less)

    def deal(self, above: int, move: str, roots: Index, weight: Floats, less: float = 0.0) -> None:
        """Let chance deal some roots by weight; a single one needs no chance."""
        starts = self.subgame.cut.roots
        if len(roots) == 1:
            self._copy(int(starts[roots[0]]), SketchNode(above, CHANCE, "", move), less)
            return
        chance = self._add(SketchNode(above, CHANCE, "", move))
        for r in roots.tolist():
            root = int(starts[r])
            odds = near_fraction(float(weight[r] / weight[roots].sum()))
            self._copy(
                root, SketchNode(chance, CHANCE, "", "/".join(path_of(self.tree, root)), odds=odds), less
            )

    def _copy(self, root: int, start: SketchNode, less: float) -> None:
        """Copy the game below a root, which takes its parent, move and odds from ``start``."""
        number: dict[int, int] = {}
        for history in range(root, int(self.tree.end[root])):
            node = replace(node_of(self.tree, history), shade=0)
            if node.payoff is not None and less:
                node = replace(node, payoff=node.payoff - near_fraction(self._sign * less))
            if history == root:
                node = replace(node, parent=start.parent, move=start.move, odds=start.odds)
            else:
                node = replace(node, parent=number[int(self.tree.parent[history])])
            number[history] = self._add(node)

    def _add(self, node: SketchNode) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    @property
    def _sign(self) -> int:
        """The factor from the opponent's payoff to player 0's, 1 or -1."""
        return 1 if self.subgame.cut.opponent == 0 else -1
