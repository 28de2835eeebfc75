"""The game tree as flat arrays, by one walk over a game."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.protocol import CHANCE, TERMINAL, Game
from seqform.deal import Ints

S = TypeVar("S", bound=Hashable)


class TooManyHistoriesError(ValueError):
    """A game has more histories than the walk was allowed to enumerate."""


@dataclass(frozen=True)
class GameTree:
    """Every history of a game, parents before children, each subtree contiguous.

    Imperfect recall is allowed here (abstractions forget); the sequence form refuses it.

    Attributes
    ----------
    name, unit : str
    parent : (N,) int32
        -1 at the root.
    player : (N,) int8
        Who acts: 0, 1, ``CHANCE`` or ``TERMINAL``.
    action : (N,) int32
        Which of the parent's actions or outcomes leads here, -1 at the root.
    infoset : (N, 2) int32
        What each player knows, as an index into that player's ``keys``, also where idle.
    public : (N,) int32
        Index into ``public_keys``.
    keys : pair of tuples of str
    public_keys : tuple of str
    labels : tuple of tuples of str
        The action labels of each of both players' keys, empty where the player never acts with it;
        ``labels[p][k]``.
    outcomes : mapping of int to tuple of str
        The labels of the outcomes at each chance node.
    chance : (N,) exact integers, in units of 1 / chance_den
        The probability that chance plays to this history.
    chance_den : int
    payoff : (N,) exact integers, in units of 1 / payoff_den
        Player 0's payoff at leaves, zero elsewhere.
    payoff_den : int
    """

    name: str
    unit: str
    parent: NDArray[np.int32]
    player: NDArray[np.int8]
    action: NDArray[np.int32]
    infoset: NDArray[np.int32]
    public: NDArray[np.int32]
    keys: tuple[tuple[str, ...], tuple[str, ...]]
    public_keys: tuple[str, ...]
    labels: tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]
    outcomes: Mapping[int, tuple[str, ...]]
    chance: Ints
    chance_den: int
    payoff: Ints
    payoff_den: int

    @property
    def n_nodes(self) -> int:
        """How many histories there are."""
        return len(self.parent)

    @cached_property
    def end(self) -> NDArray[np.int64]:
        """One past the last history of each history's subtree, (N,)."""
        end = np.arange(1, self.n_nodes + 1).tolist()
        up = self.parent.tolist()
        for n in range(self.n_nodes - 1, 0, -1):
            end[up[n]] = max(end[up[n]], end[n])
        return np.array(end, dtype=np.int64)

    @cached_property
    def chance_floats(self) -> NDArray[np.float64]:
        """The probability that chance plays to each history, (N,), each rounded once."""
        return np.array([int(c) / self.chance_den for c in self.chance], dtype=np.float64)

    @cached_property
    def stakes(self) -> float:
        """The largest absolute payoff of a leaf."""
        return int(max(abs(int(u)) for u in self.payoff)) / self.payoff_den

    def path(self, node: int) -> str:
        """Return the moves to a history, chance's by number, as ``0/Play``; empty at the root."""
        moves: list[str] = []
        while node > 0:
            above = int(self.parent[node])
            who, action = int(self.player[above]), int(self.action[node])
            moves.append(str(action) if who < 0 else self.labels[who][self.infoset[above, who]][action])
            node = above
        return "/".join(reversed(moves))

    @property
    def leaves(self) -> NDArray[np.int64]:
        """The terminal histories, in order."""
        return np.flatnonzero(self.player == TERMINAL)


def build_tree(game: Game[S], *, max_nodes: int = 20_000_000) -> GameTree:
    """Walk a game once, depth first, and check it on the way.

    Raises
    ------
    ValueError
        If chance does not sum to exactly one or has a weight that is not positive, an infoset has unequal
        actions, a payoff is not a finite rational, a node has no actions, or there are more than
        ``max_nodes`` histories; the message names the history or the infoset.
    """
    return _Walk(game, max_nodes).run()


class _Walk:
    """The state of one walk."""

    def __init__(self, game: Game[Any], max_nodes: int) -> None:
        self.game = game
        self.max_nodes = max_nodes
        self.keys: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.public_keys: dict[str, int] = {}
        self.labels: tuple[dict[int, tuple[str, ...]], dict[int, tuple[str, ...]]] = ({}, {})
        self.outcomes: dict[int, tuple[str, ...]] = {}
        self.rows: list[tuple[int, int, int, int, int, int]] = []
        self.chance: list[Fraction] = []
        self.payoff: list[Fraction] = []

    def run(self) -> GameTree:
        stack: list[tuple[Any, int, int, Fraction]] = [(self.game.root(), -1, -1, Fraction(1))]
        while stack:
            state, parent, action, reach = stack.pop()
            node = len(self.rows)
            if node >= self.max_nodes:
                raise TooManyHistoriesError(f"{self.game.name} has more than {self.max_nodes:,} histories")
            player = self.game.player(state)
            self._record(state, parent, player, action, reach)
            if player == CHANCE:
                outcomes = self._outcomes(state, node)
                self.outcomes[node] = tuple(label for label, _ in outcomes)
                for a in range(len(outcomes) - 1, -1, -1):
                    label, weight = outcomes[a]
                    stack.append((self.game.child(state, label), node, a, reach * weight))
            elif player != TERMINAL:
                actions = self._actions(state, player, node)
                for a in range(len(actions) - 1, -1, -1):
                    stack.append((self.game.child(state, actions[a]), node, a, reach))
        return self._tree()

    def _record(self, state: Any, parent: int, player: int, action: int, reach: Fraction) -> None:
        known = [self.keys[p].setdefault(self.game.infoset(state, p), len(self.keys[p])) for p in (0, 1)]
        public = self.public_keys.setdefault(self.game.public(state), len(self.public_keys))
        self.rows.append((parent, player, action, known[0], known[1], public))
        self.chance.append(reach)
        self.payoff.append(self._payoff(state) if player == TERMINAL else Fraction(0))

    def _payoff(self, state: Any) -> Fraction:
        value = self.game.payoff(state)
        if not isinstance(value, int | Fraction):
            raise ValueError(
                f"a payoff must be an int or a Fraction, got {value!r} at {self._history(len(self.rows) - 1)}"
            )
        return Fraction(value)

    def _outcomes(self, state: Any, node: int) -> Sequence[tuple[str, Fraction]]:
        outcomes = self.game.chance(state)
        for label, weight in outcomes:
            if not isinstance(weight, int | Fraction) or weight <= 0:
                raise ValueError(
                    f"chance weights must be positive exact rationals, got {weight!r} for {label!r} at "
                    f"{self._history(node)}"
                )
        labels = [label for label, _ in outcomes]
        if len(set(labels)) != len(labels):
            raise ValueError(f"chance outcomes must be distinct, got {labels} at {self._history(node)}")
        total = sum((Fraction(w) for _, w in outcomes), Fraction(0))
        if total != 1:
            raise ValueError(f"chance must sum to exactly 1, got {total} at {self._history(node)}")
        return outcomes

    def _actions(self, state: Any, player: int, node: int) -> tuple[str, ...]:
        if player not in (0, 1):
            raise ValueError(
                f"a player must be 0, 1, CHANCE or TERMINAL, got {player} at {self._history(node)}"
            )
        actions = tuple(self.game.actions(state))
        if not actions or len(set(actions)) != len(actions):
            raise ValueError(
                f"actions must be distinct and not empty, got {actions} at {self._history(node)}"
            )
        key = self.rows[node][3 + player]
        seen = self.labels[player].setdefault(key, actions)
        if seen != actions:
            infoset = self.game.infoset(state, player)
            raise ValueError(f"player {player}'s infoset {infoset!r} has actions {seen} and also {actions}")
        return actions

    def _history(self, node: int) -> str:
        """Name a history by what both players know there."""
        names = [list(k) for k in self.keys]
        row = self.rows[node]
        return f"history {node} (player 0 knows {names[0][row[3]]!r}, player 1 {names[1][row[4]]!r})"

    def _tree(self) -> GameTree:
        rows = np.array(self.rows, dtype=np.int32)
        chance, chance_den = _common(self.chance)
        payoff, payoff_den = _common(self.payoff)
        labels = tuple(tuple(self.labels[p].get(k, ()) for k in range(len(self.keys[p]))) for p in (0, 1))
        return GameTree(
            self.game.name,
            self.game.unit,
            rows[:, 0].copy(),
            rows[:, 1].astype(np.int8),
            rows[:, 2].copy(),
            rows[:, 3:5].copy(),
            rows[:, 5].copy(),
            (tuple(self.keys[0]), tuple(self.keys[1])),
            tuple(self.public_keys),
            (labels[0], labels[1]),
            self.outcomes,
            chance,
            chance_den,
            payoff,
            payoff_den,
        )


def _common(values: list[Fraction]) -> tuple[Ints, int]:
    """Write fractions as integers over one denominator."""
    den = lcm(*{v.denominator for v in values})
    return np.array([v.numerator * (den // v.denominator) for v in values], dtype=object), den
