"""Game trees as flat arrays, built by a depth-first walk over a game."""

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.games.base.reading import rounded_count
from treeplex.games.base.reporting import Report, quiet
from treeplex.seqform.trees.memory import machine_memory
from treeplex.seqform.trees.tree_arrays import Ints, stakes_of
from treeplex.seqform.trees.walk_watch import (
    LONGEST_PLAY,
    TooManyHistoriesError,
    WalkWatch,
    check_hashable,
    key_texts,
    label_texts,
    menu_of,
    outcomes_of,
    too_long,
)

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, repr=False)
class GameTree(Shown):
    """All histories of a game in preorder.

    Imperfect recall is allowed, as in abstractions; the sequence form requires perfect recall.

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
        What each player knows, as an index into that player's ``keys``, also where the player does not act.
    public : (N,) int32
        Index into ``public_keys``.
    keys : pair of tuples of str
    public_keys : tuple of str
    labels : tuple of tuples of str
        ``labels[p][k]``: the action labels of player p's key k, empty if the player never acts with it.
    outcomes : mapping of int to tuple of str
        The labels of the outcomes at each chance node.
    chance : (N,) exact integers, in units of 1 / chance_den
        The product of the probabilities of chance on the path to this history.
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

    def brief(self) -> str:
        """Return the game and the number of histories."""
        return f"{self.name}: {self.n_nodes:,} histories"

    @property
    def n_nodes(self) -> int:
        """Number of histories."""
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
        """``chance / chance_den``, (N,), each rounded once."""
        return np.array([int(c) / self.chance_den for c in self.chance], dtype=np.float64)

    @cached_property
    def stakes(self) -> tuple[float, float]:
        """The smallest payoff of a leaf that is not zero and the largest, in absolute value."""
        return stakes_of(self.payoff, self.payoff_den)

    @cached_property
    def spread(self) -> float:
        """The largest payoff of a leaf less the smallest."""
        paid = [int(amount) for amount in self.payoff[self.leaves]]
        return (max(paid) - min(paid)) / self.payoff_den

    def move(self, node: int) -> str:
        """Return the label of the move that leads to a history, chance's too; empty at the root."""
        if node == 0:
            return ""
        above, action = int(self.parent[node]), int(self.action[node])
        who = int(self.player[above])
        labels = self.outcomes[above] if who < 0 else self.labels[who][self.infoset[above, who]]
        return str(labels[action])

    def path(self, node: int) -> str:
        """Return the moves to a history, those of chance by number, as ``0/Play``; empty at the root."""
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


def build_tree(
    game: Game[S], *, max_nodes: int = 20_000_000, memory: int | None = None, report: Report = quiet
) -> GameTree:
    """Return the tree of all histories of a game; each history is visited once and checked.

    Labels and keys that a game gives as other objects than texts, such as integers, are in the tree as texts.

    Parameters
    ----------
    game : Game
        If it has ``least_histories``, a number of histories that it has at least, it is refused by that
        alone where there are too many.
    max_nodes : int
        The most histories.
    memory : int, optional
        The most bytes that they may take; three quarters of the machine's memory unless given.
    report : callable, optional
        Told a few times a second how many histories there are so far.

    Raises
    ------
    TooManyHistoriesError
        If there are more than ``max_nodes`` histories, they take more memory, or a play has more than
        ``LONGEST_PLAY`` moves.
    ValueError
        If chance does not sum to exactly one or has a weight that is not positive, an infoset has unequal
        actions, a payoff is not a finite rational, a node has no actions, or a method returns what it should
        not; the message names the history or the infoset.
    """
    least = int(getattr(game, "least_histories", 0))
    if least > max_nodes:
        raise TooManyHistoriesError(
            f"{game.name} has at least {rounded_count(least)} histories, and at most {max_nodes:,} are walked"
        )
    limit = machine_memory() * 3 // 4 if memory is None else memory
    return _TreeWalk(game, max_nodes, limit, report).run()


class _TreeWalk:
    """The columns of a game tree while they are filled, history by history."""

    def __init__(self, game: Game[Any], max_nodes: int, memory: int, report: Report) -> None:
        self.game = game
        self.max_nodes = max_nodes
        self.keys: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.public_keys: dict[str, int] = {}
        self.labels: tuple[dict[int, tuple[str, ...]], dict[int, tuple[str, ...]]] = ({}, {})
        self.menus: dict[tuple[Any, ...], tuple[str, ...]] = {}
        self.outcomes: dict[int, tuple[str, ...]] = {}
        self.parent, self.player, self.action = array("i"), array("b"), array("i")
        self.known, self.public = (array("i"), array("i")), array("i")
        # Few probabilities and payoffs are distinct: histories store indices.
        self.reaches, self.reach = _Numbers([Fraction(1)]), array("i")
        self.payoffs, self.payoff = _Numbers([Fraction(0)]), array("i")
        keys = (*self.keys, self.public_keys)
        self.watch = WalkWatch(game.name, max_nodes, memory, keys, self.outcomes, report)

    def run(self) -> GameTree:
        # Attributes are bound to locals for speed: the loop runs once a history.
        game, first, second, public_keys = self.game, *self.keys, self.public_keys
        stack: list[tuple[Any, int, int, int, int]] = [(game.root(), -1, -1, 0, 0)]
        node, due = -1, 1
        while stack:
            state, parent, action, reach, depth = stack.pop()
            node += 1
            if node >= due:
                due = self.watch.look(node, len(stack))
            player = game.player(state)
            self.parent.append(parent)
            self.action.append(action)
            self.reach.append(reach)
            try:
                self.known[0].append(first.setdefault(game.infoset(state, 0), len(first)))
                self.known[1].append(second.setdefault(game.infoset(state, 1), len(second)))
                self.public.append(public_keys.setdefault(game.public(state), len(public_keys)))
            except TypeError:
                check_hashable(game, state)
                raise
            self.player.append(self._player(player, node))
            if player == TERMINAL:
                self.payoff.append(self._paid(game.payoff(state), node))
                continue
            self.payoff.append(0)
            labels: Sequence[Any]
            if player == CHANCE:
                outcomes = self._outcomes(state, node)
                above = self.reaches.values[reach]
                after = [self.reaches.number(above * weight) for _, weight in outcomes]
                labels = [label for label, _ in outcomes]
            else:
                labels = self._actions(state, player, node)
                after = [reach] * len(labels)
            if node + len(stack) + len(labels) >= self.max_nodes:
                raise TooManyHistoriesError(f"{game.name} has more than {self.max_nodes:,} histories")
            if depth == LONGEST_PLAY:
                raise too_long(game.name)
            for a in range(len(labels) - 1, -1, -1):
                stack.append((game.child(state, labels[a]), node, a, after[a], depth + 1))
        return self._tree()

    def _player(self, player: int, node: int) -> int:
        if player not in (0, 1, CHANCE, TERMINAL):
            raise BadInputError(
                f"a player must be 0, 1, CHANCE or TERMINAL, got {player} at {self._history(node)}"
            )
        return player

    def _paid(self, value: Fraction, node: int) -> int:
        """Return the index of a payoff."""
        if not isinstance(value, (int, Fraction)):  # twice as fast as with a union
            if not isinstance(value, Integral):  # such as numpy's
                raise BadInputError(
                    f"a payoff must be an integer or a Fraction, got {value!r} at {self._history(node)}"
                )
            value = int(value)
        return self.payoffs.number(value)

    def _outcomes(self, state: Any, node: int) -> Sequence[tuple[Any, Fraction | int]]:
        given = self.game.chance(state)
        try:
            outcomes = outcomes_of(given)
            total = sum((Fraction(w) for _, w in outcomes), Fraction(0))
            if total != 1:
                raise BadInputError(f"chance must sum to exactly 1, got {total}")
            labels = [label for label, _ in outcomes]
            self.outcomes[node] = label_texts(labels, "chance outcomes must be distinct")
        except ValueError as error:
            raise self._named(error, node) from None
        return outcomes

    def _actions(self, state: Any, player: int, node: int) -> tuple[Any, ...]:
        """Return the actions as the game labels them; their texts are kept."""
        given = self.game.actions(state)
        try:
            actions = given if type(given) is tuple else menu_of(given)
            texts = self.menus.get(actions)
            if texts is None:
                texts = self.menus[actions] = label_texts(actions, "actions must be distinct and not empty")
        except ValueError as error:
            raise self._named(error, node) from None
        seen = self.labels[player].setdefault(self.known[player][node], texts)
        if seen != texts:
            infoset = self.game.infoset(state, player)
            raise BadInputError(f"player {player}'s infoset {infoset!r} has actions {seen} and also {texts}")
        return actions

    def _named(self, error: ValueError, node: int) -> ValueError:
        """Return an error with the history that it is about."""
        return BadInputError(f"{error} at {self._history(node)}")

    def _history(self, node: int) -> str:
        """Return a text that identifies a history: both players' keys."""
        names = [list(k)[known[node]] for k, known in zip(self.keys, self.known, strict=True)]
        return f"history {node} (player 0 knows {names[0]!r}, player 1 {names[1]!r})"

    def _tree(self) -> GameTree:
        labels = tuple(tuple(self.labels[p].get(k, ()) for k in range(len(self.keys[p]))) for p in (0, 1))
        chance, chance_den = self.reaches.over_one_denominator(self.reach)
        payoff, payoff_den = self.payoffs.over_one_denominator(self.payoff)
        return GameTree(
            self.game.name,
            self.game.unit,
            np.frombuffer(self.parent, dtype=np.int32),
            np.frombuffer(self.player, dtype=np.int8),
            np.frombuffer(self.action, dtype=np.int32),
            np.stack([np.frombuffer(known, dtype=np.int32) for known in self.known], axis=1),
            np.frombuffer(self.public, dtype=np.int32),
            (key_texts(self.keys[0], "infoset"), key_texts(self.keys[1], "infoset")),
            key_texts(self.public_keys, "public"),
            (labels[0], labels[1]),
            self.outcomes,
            chance,
            chance_den,
            payoff,
            payoff_den,
        )


class _Numbers:
    """Distinct fractions, numbered in the order of first appearance."""

    def __init__(self, values: list[Fraction]) -> None:
        self.values = values
        self.numbers = {value.as_integer_ratio(): n for n, value in enumerate(values)}

    def number(self, value: Fraction) -> int:
        ratio = value.as_integer_ratio()
        n = self.numbers.setdefault(ratio, len(self.values))
        if n == len(self.values):
            self.values.append(Fraction(value))
        return n

    def over_one_denominator(self, numbers: "array[int]") -> tuple[Ints, int]:
        """Return the fractions with these numbers, as integers over one denominator."""
        den = lcm(*(value.denominator for value in self.values))
        num = np.array([v.numerator * (den // v.denominator) for v in self.values], dtype=object)
        return num[np.frombuffer(numbers, dtype=np.int32)], den
