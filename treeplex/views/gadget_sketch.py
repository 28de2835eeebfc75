"""Sketches of gadget games: the subgame below the moves that the gadget adds."""

from fractions import Fraction

import numpy as np

from treeplex.gadgets.core.gadget import Gadget
from treeplex.gadgets.methods.maxmargin import Maxmargin
from treeplex.gadgets.methods.resolve import Resolve
from treeplex.gadgets.methods.unsafe import Unsafe
from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.pictures.sketch import Node, Sketch, move_text, node_text
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.subgames.subgame import Subgame

DRAWN = (Unsafe, Resolve, Maxmargin)
"""The gadgets whose games are drawn."""


def gadget_sketch(gadget: Gadget, subgame: Subgame) -> Sketch:
    """Sketch the game of Unsafe, Resolve or Maxmargin on a subgame (Brown and Sandholm 2017, Figure 3).

    Chance deals the starts in proportion to their reach, normalised here for the eye. Before Resolve's
    subgame the opponent may stay at each top for its alternative value; before Maxmargin's it chooses a top,
    below which it gets its payoff less the alternative value. Inside, payoffs are exact; what comes from
    the blueprint is rounded to four digits.

    Raises
    ------
    ValueError
        If the gadget is another, or the blueprint never comes to the subgame.
    """
    if not isinstance(gadget, DRAWN):
        raise ValueError(
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
    less = ", the alternative value taken off" if isinstance(gadget, Maxmargin) else ""
    title = (
        f"{gadget.name} on {subgame.cut.name} of {tree.name}",
        f"leaves: what player 0 gets{less}, in {tree.unit}",
    )
    return Sketch(title, tuple(drawing.nodes), (subgame.cut.name,))


class _Drawing:
    """A list of nodes that grows move by move."""

    def __init__(self, subgame: Subgame) -> None:
        self.subgame = subgame
        self.tree = subgame.cut.game.tree
        self.nodes: list[Node] = []

    def start_weights(self) -> Floats:
        """Return the probability, (R,), that chance and the defender's blueprint play to each root."""
        cut = self.subgame.cut
        return self.tree.chance_floats[cut.roots] * cut.entry_reach(self.subgame.plan)

    def resolve(self, alternatives: Floats) -> None:
        cut, reach = self.subgame.cut, self.subgame.reach
        live = np.flatnonzero(self.subgame.live).tolist()
        self.nodes.append(Node(-1, CHANCE, "", ""))
        for t in live:
            odds = f"{cut.tops[t]}\n({reach[t] / reach[live].sum():.4g})"
            choice = self._add(0, cut.opponent, f"enter {cut.tops[t]}", odds)
            self._add(choice, TERMINAL, self._rounded(float(alternatives[t])), "stay")
            self.enter(choice, t, "enter", None)

    def maxmargin(self, alternatives: Floats) -> None:
        cut = self.subgame.cut
        self.nodes.append(Node(-1, cut.opponent, "choose a top", ""))
        for t in np.flatnonzero(self.subgame.live).tolist():
            self.enter(0, t, cut.tops[t], float(alternatives[t]))

    def enter(self, above: int, top: int, move: str, less: float | None) -> None:
        """Add what follows when a top is entered."""
        weight = self.start_weights()
        roots = np.flatnonzero((self.subgame.cut.root_top == top) & (weight > 0))
        self.deal(above, move, roots, weight, less)

    def deal(self, above: int, move: str, roots: Index, weight: Floats, less: float | None = None) -> None:
        """Let chance deal some roots by weight; a single one needs no chance."""
        starts = self.subgame.cut.roots
        if len(roots) == 1:
            self._copy(int(starts[roots[0]]), above, move, less)
            return
        chance = self._add(above, CHANCE, "", move)
        for r in roots.tolist():
            root = int(starts[r])
            odds = f"{self._path(root)}\n({weight[r] / weight[roots].sum():.4g})"
            self._copy(root, chance, odds, less)

    def _path(self, history: int) -> str:
        """Return the moves to a history, chance's too."""
        moves: list[str] = []
        while history > 0:
            moves.append(move_text(self.tree, history).split("\n")[0])
            history = int(self.tree.parent[history])
        return "/".join(reversed(moves))

    def _copy(self, root: int, above: int, move: str, less: float | None) -> None:
        number: dict[int, int] = {}
        for history in range(root, int(self.tree.end[root])):
            player = int(self.tree.player[history])
            text = node_text(self.tree, history)
            if player == TERMINAL and less is not None:
                paid = float(Fraction(int(self.tree.payoff[history]), self.tree.payoff_den))
                text = f"{paid - self._sign * less + 0.0:.4g}"
            parent = above if history == root else number[int(self.tree.parent[history])]
            leads = move if history == root else move_text(self.tree, history)
            number[history] = self._add(parent, player, text, leads, 0)

    def _add(self, parent: int, player: int, text: str, move: str, shade: int = -1) -> int:
        self.nodes.append(Node(parent, player, text, move, shade))
        return len(self.nodes) - 1

    @property
    def _sign(self) -> int:
        """The factor from the opponent's payoff to player 0's, 1 or -1."""
        return 1 if self.subgame.cut.opponent == 0 else -1

    def _rounded(self, value: float) -> str:
        return f"{self._sign * value + 0.0:.4g}"
