"""Counterfactual regret minimisation as textbooks have it: a recursion over histories, in dictionaries.

Right as it stands, in simultaneous updates with a uniform average (Zinkevich, Johanson, Bowling and Piccione,
Regret minimization in games with incomplete information, 2007). The other files of this folder each override
one method of it, wrongly.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeplex.games.base.protocol import CHANCE, TERMINAL, Game

Key = tuple[int, str]
"""A player and an infoset."""
Row = dict[str, float]
"""A number for each action."""
Reach = tuple[float, float, float]
"""How likely player 0, player 1 and chance play to a history."""


@dataclass(frozen=True)
class Node:
    """A history: who acts, in which infoset, what follows; or what player 0 is paid."""

    player: int
    infoset: str
    children: Mapping[str, "Node"]
    odds: Mapping[str, float]
    payoff: float
    last: int


def tree(game: Game[Any], state: Any, last: int = 0) -> Node:
    """Return the game below a state; ``last`` is the player who moved last."""
    player = game.player(state)
    if player == TERMINAL:
        return Node(player, "", {}, {}, float(game.payoff(state)), last)
    if player == CHANCE:
        odds = {label: float(weight) for label, weight in game.chance(state)}
        return Node(player, "", {a: tree(game, game.child(state, a), last) for a in odds}, odds, 0.0, last)
    below = {a: tree(game, game.child(state, a), player) for a in game.actions(state)}
    return Node(player, game.infoset(state, player), below, {}, 0.0, last)


class TextbookCFR:
    """CFR on one game; a fresh object for every run."""

    def __init__(self, game: Game[Any]) -> None:
        self.root = tree(game, game.root())
        self.regret: dict[Key, Row] = {}
        self.average: dict[Key, Row] = {}
        self.found: dict[Key, Row] = {}

    def run(self, iterations: int) -> dict[Key, Row]:
        """Return the average strategy after so many iterations."""
        for t in range(1, iterations + 1):
            self.iterate(t)
        return {key: self.normalised(row) for key, row in self.average.items()}

    def iterate(self, t: int) -> None:
        """Walk the tree once with the current strategies, then update all regrets."""
        self.found = {}
        self.walk(self.root, (1.0, 1.0, 1.0), t)
        for key, row in self.found.items():
            self.update(key, row)

    def walk(self, node: Node, reach: Reach, t: int) -> float:
        """Return player 0's value of a history, and note its regrets and its part of the average."""
        if node.player == TERMINAL:
            return self.payoff(node)
        if node.player == CHANCE:
            return sum(
                self.weight(node, a) * self.walk(child, self.after(reach, 2, self.weight(node, a)), t)
                for a, child in node.children.items()
            )
        key = self.key(node)
        strategy = self.strategy(key, node)
        values = {
            a: self.walk(child, self.after(reach, node.player, strategy[a]), t)
            for a, child in node.children.items()
        }
        mean = sum(strategy[a] * values[a] for a in values)
        seen = self.found.setdefault(key, dict.fromkeys(values, 0.0))
        total = self.average.setdefault(key, dict.fromkeys(values, 0.0))
        for a, value in values.items():
            seen[a] += self.others_reach(node.player, reach) * self.sign(node.player) * (value - mean)
            total[a] += self.share(node.player, reach, t) * strategy[a]
        return mean

    def after(self, reach: Reach, who: int, odds: float) -> Reach:
        """Return the reach after a move of a player, or of chance as number 2."""
        return (
            reach[0] * (odds if who == 0 else 1.0),
            reach[1] * (odds if who == 1 else 1.0),
            reach[2] * (odds if who == 2 else 1.0),
        )

    def strategy(self, key: Key, node: Node) -> Row:
        """Return the current strategy: in proportion to positive regrets."""
        regret = self.regret.get(key, {})
        return self.normalised({a: max(regret.get(a, 0.0), 0.0) for a in node.children})

    def normalised(self, row: Row) -> Row:
        """Return a row divided by its sum; uniform where that is zero."""
        total = sum(row.values())
        return {a: x / total if total > 0.0 else 1.0 / len(row) for a, x in row.items()}

    def update(self, key: Key, row: Row) -> None:
        """Add an iteration's regrets of an infoset to those before."""
        regret = self.regret.setdefault(key, dict.fromkeys(row, 0.0))
        for a, x in row.items():
            regret[a] += x

    def key(self, node: Node) -> Key:
        """Return what regrets and averages are kept by."""
        return node.player, node.infoset

    def payoff(self, node: Node) -> float:
        """Return what player 0 is paid at a leaf."""
        return node.payoff

    def weight(self, node: Node, outcome: str) -> float:
        """Return how likely chance takes an outcome."""
        return node.odds[outcome]

    def sign(self, player: int) -> float:
        """Return 1 for the player who maximises, -1 for the one who minimises."""
        return 1.0 if player == 0 else -1.0

    def others_reach(self, player: int, reach: Reach) -> float:
        """Return how likely all but the player play to a history, which weighs its regrets."""
        return reach[1 - player] * reach[2]

    def share(self, player: int, reach: Reach, t: int) -> float:
        """Return the weight of the current strategy in the average: the player's own reach."""
        return reach[player] * reach[2]


def solve(game: Game[Any], iterations: int) -> dict[Key, Row]:
    """Return the average strategy of CFR."""
    return TextbookCFR(game).run(iterations)
