"""Normal forms by brute force: every pure strategy as a dictionary, every payoff by a walk over the rules."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from treeplex.games.base.protocol import CHANCE, TERMINAL, Game

Choices = dict[str, str]
"""An action for each infoset."""
Path = tuple[tuple[int, str, str], ...]
"""The moves of players on the way to a leaf: who, at which infoset, which action."""


def leaves(game: Game[Any]) -> Iterator[tuple[Path, Fraction]]:
    """Yield each leaf's path, and its payoff times the probability of chance."""

    def walk(state: Any, path: Path, chance: Fraction) -> Iterator[tuple[Path, Fraction]]:
        player = game.player(state)
        if player == TERMINAL:
            yield path, chance * game.payoff(state)
        elif player == CHANCE:
            for outcome, probability in game.chance(state):
                yield from walk(game.child(state, outcome), path, chance * probability)
        else:
            key = game.infoset(state, player)
            for action in game.actions(state):
                yield from walk(game.child(state, action), (*path, (player, key, action)), chance)

    yield from walk(game.root(), (), Fraction(1))


def pure_strategies(game: Game[Any], player: int) -> list[Choices]:
    """Return every choice of one action at each infoset of a player."""
    actions: dict[str, dict[str, None]] = {}
    for path, _ in leaves(game):
        for who, key, action in path:
            if who == player:
                actions.setdefault(key, {})[action] = None
    return [dict(zip(actions, choice, strict=True)) for choice in product(*actions.values())]


def follows(path: Path, player: int, strategy: Choices) -> bool:
    """Return whether a player's moves on a path are those of its strategy."""
    return all(strategy[key] == action for who, key, action in path if who == player)
