"""A game's leaves straight from its rules, in fractions: what both sides of theorems are compared with."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, NamedTuple, TypeVar

from treeplex.bench.theorems.prepared import problem
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.seqform.forms.treeplex import Floats, Treeplex

S = TypeVar("S", bound=Hashable)
Move = tuple[str, str]
"""An infoset's key and an action's label."""
Past = tuple[Move, ...]
"""A player's own moves, in order."""
Odds = dict[Move, Fraction]


class Leaf(NamedTuple):
    """The end of a history.

    Attributes
    ----------
    weight : Fraction
        The product of chance's probabilities.
    payoff : Fraction
        Player 0's.
    past : pair of Past
    """

    weight: Fraction
    payoff: Fraction
    past: tuple[Past, Past]


@lru_cache(64)
def leaves(spec: str) -> tuple[Leaf, ...]:
    """Return all leaves of a game."""
    game = problem(spec).game
    return tuple(_below(game, game.root(), Fraction(1), ((), ())))


def _below(game: Game[S], state: S, weight: Fraction, past: tuple[Past, Past]) -> Iterator[Leaf]:
    player = game.player(state)
    if player == TERMINAL:
        yield Leaf(weight, Fraction(game.payoff(state)), past)
    elif player == CHANCE:
        for label, probability in game.chance(state):
            yield from _below(game, game.child(state, label), weight * probability, past)
    else:
        for action in game.actions(state):
            own = (*past[player], (game.infoset(state, player), action))
            pasts = (own, past[1]) if player == 0 else (past[0], own)
            yield from _below(game, game.child(state, action), weight, pasts)


def numbers(treeplex: Treeplex) -> dict[Move, int]:
    """Return the sequence that ends in each move."""
    return {
        (treeplex.infosets[i], treeplex.actions[s]): s
        for s, i in enumerate(treeplex.infoset_of.tolist())
        if s
    }


def odds(treeplex: Treeplex, behaviour: Floats) -> Odds:
    """Return the probability of each move: the floats as they are, divided exactly by their infoset's sum."""
    parts = [Fraction(b) for b in behaviour.tolist()]
    return {
        move: parts[s] / sum(parts[treeplex.begin[i] : treeplex.end[i]])
        for move, s in numbers(treeplex).items()
        for i in [treeplex.infoset_of[s]]
    }


def own_states(spec: str, player: int) -> Iterator[tuple[str, str, Past]]:
    """Yield the player's infoset, the public state and the own past at each history where a player acts."""
    game: Game[Any] = problem(spec).game
    todo: list[tuple[Any, Past]] = [(game.root(), ())]
    while todo:
        state, past = todo.pop()
        who = game.player(state)
        if who == CHANCE:
            todo += [(game.child(state, label), past) for label, _ in game.chance(state)]
        elif who != TERMINAL:
            key = game.infoset(state, player)
            if who == player:
                yield key, game.public(state), past
            for action in game.actions(state):
                longer = (*past, (key, action)) if who == player else past
                todo.append((game.child(state, action), longer))


@dataclass(frozen=True)
class Choices:
    """What a player's sequences earn against one strategy, and which infosets come right after each.

    Attributes
    ----------
    gain : mapping from Past to Fraction
        The player's payoff at leaves right after a sequence, times their probability without the own moves.
    below : mapping from Past to mapping from infosets' keys to lists of actions
    """

    gain: defaultdict[Past, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    below: defaultdict[Past, dict[str, list[str]]] = field(default_factory=lambda: defaultdict(dict))

    @staticmethod
    def of(spec: str, player: int, opponent: Odds) -> "Choices":
        """Return the choices of a player against the other's probabilities."""
        choices, sign = Choices(), 1 if player == 0 else -1
        for leaf in leaves(spec):
            own, other = leaf.past[player], leaf.past[1 - player]
            reach = leaf.weight * prod((opponent[move] for move in other), start=Fraction(1))
            choices.gain[own] += sign * reach * leaf.payoff
            for depth, (key, action) in enumerate(own):
                actions = choices.below[own[:depth]].setdefault(key, [])
                if action not in actions:
                    actions.append(action)
        return choices

    def value(self, past: Past, found: dict[str, Fraction]) -> Fraction:
        """Return the most that can be earned from a sequence on; writes the value of each infoset below."""
        total = self.gain[past]
        for key, actions in self.below[past].items():
            found[key] = max(self.value((*past, (key, action)), found) for action in actions)
            total += found[key]
        return total

    def pure(self, past: Past) -> list[Fraction]:
        """Return what each reduced pure strategy earns from a sequence on."""
        parts = [
            [total for action in actions for total in self.pure((*past, (key, action)))]
            for key, actions in self.below[past].items()
        ]
        return [self.gain[past] + sum(chosen) for chosen in product(*parts)]

    def n_pure(self, past: Past) -> int:
        """Return the number of reduced pure strategies from a sequence on."""
        return prod(
            sum(self.n_pure((*past, (key, action))) for action in actions)
            for key, actions in self.below[past].items()
        )
