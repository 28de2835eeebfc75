"""A game unrolled for solvers in plain Python: histories, infosets, sequences; with planted mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from treeplex.games.base.protocol import CHANCE, TERMINAL, Game

Row = dict[str, float]
Table = dict[tuple[int, str], Row]


def true_odds(odds: list[float]) -> list[float]:
    """Return the odds of chance's outcomes as they are."""
    return odds


@dataclass(frozen=True)
class Mistakes:
    """How a game is misread: each function returns what its argument is taken for.

    Attributes
    ----------
    odds : callable
        Of chance's outcomes.
    paid : callable
        Player 0's payoff at a leaf, given how many moves led there.
    key : callable
        Under which key a player's infoset is kept.
    most_actions : int
        Actions after so many are never played.
    memory : int
        A player's reach counts so many of its own moves, the last ones.
    """

    odds: Callable[[list[float]], list[float]] = true_odds
    paid: Callable[[float, int], float] = lambda payoff, _moves: payoff
    key: Callable[[int, str], tuple[Any, str]] = lambda player, infoset: (player, infoset)
    most_actions: int = 1_000
    memory: int = 1_000


@dataclass
class Infoset:
    """Who acts in an infoset, its actions, the sequence before it, its own, and where its numbers are."""

    player: int
    actions: list[str]
    parent: int
    sequences: list[int]
    slots: list[int]


@dataclass
class Node:
    """A history: who acts, its infoset, what follows at which odds; or what player 0 is paid."""

    player: int
    infoset: int = -1
    children: list[Node] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)
    payoff: float = 0.0


class Unrolled:
    """A game as lists.

    Attributes
    ----------
    root : Node
    infosets : list of Infoset
        Those that a player's own moves lead to come after them.
    parents : list of int
        The sequence before each sequence, -1 for the two empty ones, 0 and 1, of players 0 and 1.
    leaves : list of (int, int, float)
        Both players' last sequences, and the payoff times the odds of chance.
    n_slots : int
        How many numbers are kept, one an action; infosets with the same key share theirs.
    """

    def __init__(self, game: Game[Any], mistakes: Mistakes | None = None) -> None:
        self.mistakes = mistakes or Mistakes()
        self.infosets: list[Infoset] = []
        self.parents = [-1, -1]
        self.leaves: list[tuple[int, int, float]] = []
        self.n_slots = 0
        self._slots: dict[Any, list[int]] = {}
        self._numbers: dict[tuple[int, str], int] = {}
        self.labels: dict[tuple[int, str], list[str]] = {}
        self.root = self._unrolled(game, game.root(), [0, 1], 1.0, 0)

    def _unrolled(self, game: Game[Any], state: Any, last: list[int], odds: float, moves: int) -> Node:
        player = game.player(state)
        if player == TERMINAL:
            payoff = self.mistakes.paid(float(game.payoff(state)), moves)
            self.leaves.append((last[0], last[1], odds * payoff))
            return Node(player, payoff=payoff)
        if player == CHANCE:
            outcomes = list(game.chance(state))
            weights = self.mistakes.odds([float(p) for _, p in outcomes])
            below = [
                self._unrolled(game, game.child(state, label), last, odds * p, moves + 1)
                for (label, _), p in zip(outcomes, weights, strict=True)
            ]
            return Node(player, -1, below, weights)
        name = (player, game.infoset(state, player))
        labels = list(game.actions(state))
        i = self._numbered(name, labels, last[player])
        actions = self.infosets[i].actions
        node = Node(player, i)
        for label, sequence in zip(labels[: len(actions)], self.infosets[i].sequences, strict=False):
            after = list(last)
            after[player] = sequence
            node.children.append(self._unrolled(game, game.child(state, label), after, odds, moves + 1))
        for label in labels[len(actions) :]:  # their infosets are numbered, and nothing counts there
            self._unrolled(game, game.child(state, label), last, 0.0, moves + 1)
        return node

    def _numbered(self, name: tuple[int, str], labels: list[str], parent: int) -> int:
        if name not in self._numbers:
            kept = labels[: self.mistakes.most_actions]
            place = (self.mistakes.key(*name), len(kept))
            if place not in self._slots:
                self._slots[place] = list(range(self.n_slots, self.n_slots + len(kept)))
                self.n_slots += len(kept)
            first = len(self.parents)
            self.parents += [parent] * len(kept)
            own = list(range(first, len(self.parents)))
            self._numbers[name], self.labels[name] = len(self.infosets), labels
            self.infosets.append(Infoset(name[0], kept, parent, own, self._slots[place]))
        return self._numbers[name]

    def plan(self, play: list[float]) -> list[float]:
        """Return each sequence's probability as far as its own player decides."""
        plan = [1.0] * len(play)
        for s in range(2, len(play)):
            plan[s] = play[s]
            before, counted = self.parents[s], 1
            if self.mistakes.memory >= 1_000:
                plan[s] *= plan[before]
                continue
            while before > 1 and counted < self.mistakes.memory:
                plan[s] *= play[before]
                before, counted = self.parents[before], counted + 1
        return plan

    def gradient(self, plan: list[float], player: int) -> list[float]:
        """Return what each of a player's sequences is paid at its leaves against the other's plan."""
        paid = [0.0] * len(plan)
        if player == 0:
            for first, second, payoff in self.leaves:
                paid[first] += plan[second] * payoff
        else:
            for first, second, payoff in self.leaves:
                paid[second] -= plan[first] * payoff
        return paid

    def mean(self, sums: list[float]) -> Table:
        """Return the behaviour that sums by slot stand for, each infoset's divided by their own sum."""
        table: Table = {}
        for name, i in self._numbers.items():
            row = share([sums[slot] for slot in self.infosets[i].slots])
            labels = self.labels[name]
            table[name] = dict(zip(labels, row + [0.0] * (len(labels) - len(row)), strict=True))
        return table


def share(numbers: list[float]) -> list[float]:
    """Return what is positive divided by its sum; uniform where nothing is."""
    positive = [max(x, 0.0) for x in numbers]
    total = sum(positive)
    return [x / total for x in positive] if total > 0.0 else [1.0 / len(numbers)] * len(numbers)
