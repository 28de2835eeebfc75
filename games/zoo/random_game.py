"""Random games of perfect recall, generated from a seed; for tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import exact, shown

LABELS = "abcdefgh"
CLASSES = "uv"
HIDDEN = "*"
SIGHTS = 3
FULL, CLASS_ONLY = 2, 1
"""How a player observes a move: in full, or its class only; 0 is not at all."""


class RandomState(NamedTuple):
    """A history, and each player's and the public's observations of it: one letter for each move."""

    history: str = ""
    observed: tuple[str, str] = ("", "")
    public: str = ""


@dataclass(frozen=True)
class RandomGame:
    """A random game in which a player's key is the sequence of all that player's observations.

    Each player observes each move in full, only as one of two classes, or not at all; the player who moves
    observes it in full. Keys therefore hold the player's own moves (perfect recall). The public state is the
    part of each move that both observe. Who acts, and where play ends, depends on the public state alone; the
    number of actions on the key of the player who acts; chance and payoffs on the whole history. Every draw
    is a hash of the seed and of what it depends on; the game is the same on every machine and for every order
    in which states are visited.

    Keys are a colon followed by one letter for each move: ``a, b, ...`` a move observed in full, ``u`` or
    ``v`` its class, ``*`` a hidden move.

    Attributes
    ----------
    seed : int
        Which game.
    depth : int
        The largest number of moves in a history; 0 is a game of one leaf.
    max_actions : int
        The largest number of actions or outcomes at a node, 1 to 8.
    """

    seed: int
    depth: int
    max_actions: int

    @property
    def name(self) -> str:
        """The spec of this game."""
        return f"random_game(seed={self.seed},depth={self.depth},actions={self.max_actions})"

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "points"

    def root(self) -> RandomState:
        """Return the state before the first move."""
        return RandomState()

    def player(self, state: RandomState) -> int:
        """Return who acts; in 3 of 16 games one player, or both, never act."""
        moves = len(state.public)
        if moves == self.depth or (moves and self._draw(6, "end", state.public) == 0):
            return TERMINAL
        who = (CHANCE, CHANCE, 0, 0, 0, 1, 1, 1)[self._draw(8, "actor", state.public)]
        mute = {0: (0,), 1: (1,), 2: (0, 1)}.get(self._draw(16, "mute"), ())
        return CHANCE if who in mute else who

    def actions(self, state: RandomState) -> Sequence[str]:
        """Return the labels of the actions, as many as the key of the player who acts says."""
        who = self.player(state)
        return tuple(LABELS[: 1 + self._draw(self.max_actions, f"actions{who}", state.observed[who])])

    def chance(self, state: RandomState) -> Sequence[tuple[str, Fraction]]:
        """Return outcomes with odds of 1 to 5 each."""
        count = 1 + self._draw(self.max_actions, "outcomes", state.history)
        odds = [1 + self._draw(5, "odds", state.history + label) for label in LABELS[:count]]
        return tuple((label, Fraction(odd, sum(odds))) for label, odd in zip(LABELS, odds, strict=False))

    def child(self, state: RandomState, action: str) -> RandomState:
        """Return the state after an action's or an outcome's label."""
        who = self.player(state)
        sights = [FULL if p == who else self._draw(SIGHTS, f"sight{p}", state.public) for p in (0, 1)]
        views = [state.observed[p] + self._view(state.public, action, sights[p]) for p in (0, 1)]
        shared = state.public + self._view(state.public, action, min(sights))
        return RandomState(state.history + action, (views[0], views[1]), shared)

    def infoset(self, state: RandomState, player: int) -> str:
        """Return all observations of ``player``."""
        return ":" + state.observed[player]

    def public(self, state: RandomState) -> str:
        """Return what both players have observed of each move."""
        return ":" + state.public

    def payoff(self, state: RandomState) -> Fraction:
        """Return an integer from -5 to 5."""
        return Fraction(self._draw(11, "payoff", state.history) - 5)

    def _view(self, public: str, action: str, sight: int) -> str:
        """Return an observation of a move: its label, its class in this public state, or ``*``."""
        if sight == FULL:
            return action
        return CLASSES[self._draw(2, "class", public + action)] if sight == CLASS_ONLY else HIDDEN

    def _draw(self, sides: int, what: str, about: str = "") -> int:
        """Return a pseudorandom integer from 0 to ``sides`` - 1: a hash of the seed and the arguments."""
        text = f"{self.seed}/{self.depth}/{self.max_actions}/{what}/{about}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % sides


def random_game(seed: int = 6, depth: int = 4, actions: int = 3) -> RandomGame:
    """Return the random game of a seed.

    With three actions half of the games of depth 4 have more than 20 nodes, of depth 6 more than 50 and of
    depth 8 more than 125; the largest have 5 to 10 times as many.

    Parameters
    ----------
    seed : int
        Any integer of at most 4,000 digits.
    depth : int
        The largest number of moves in a history, 0 to 20.
    actions : int
        The largest number of actions or outcomes at a node, 1 to 8.

    Raises
    ------
    ValueError
        If a parameter is not an integer in its range.
    """
    for key, value in (("seed", seed), ("depth", depth), ("actions", actions)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadInputError(f"random_game: {key} must be an integer, got {shown(value)}")
    exact(seed, "random_game: seed")
    if not 0 <= depth <= 20:
        raise BadInputError(f"random_game: depth must be between 0 and 20, got {shown(depth)}")
    if not 1 <= actions <= len(LABELS):
        raise BadInputError(f"random_game: actions must be between 1 and {len(LABELS)}, got {shown(actions)}")
    return RandomGame(seed, depth, actions)
