"""Games in which a player is of one of some types: instances of errors of abstractions."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from treeplex.bench.theorems.prepared import KEPT, problem
from treeplex.bench.theorems_on_games.partition import Partition
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.trees.game_tree import build_tree

TYPES = "xyz"
MARK = "|"
"""Stands between a type and the rest of a key."""
GUESSES = tuple("abcdefgh")
"""The types of :class:`Guess`."""


class TypedState(NamedTuple):
    """The type drawn, empty before; the moves since, and the state of the game beneath."""

    kind: str
    path: str
    state: Hashable


@dataclass(frozen=True)
class Typed:
    """A game in which chance first draws a type that one player sees; payoffs and odds differ by type.

    All draws are hashes of the seed, the type and the moves; types have odds of 1 to 3.

    Attributes
    ----------
    game : Game
        The game beneath.
    seat : int
        The player who sees the type.
    payoffs : Fraction
        Each leaf's payoff is that of the game beneath and up to this, more or less, by type.
    odds : Fraction
        Each outcome's odds are those beneath times 1, or 1 more or less this, by type; below 1.
    seed : int
    """

    game: Game[Any]
    seat: int
    payoffs: Fraction
    odds: Fraction
    seed: int

    @property
    def name(self) -> str:
        """The name of the game beneath, with types."""
        return f"{self.game.name} with types of player {self.seat}"

    @property
    def unit(self) -> str:
        """The unit beneath."""
        return self.game.unit

    def root(self) -> TypedState:
        """Return the state before the type is drawn."""
        return TypedState("", "", self.game.root())

    def player(self, state: TypedState) -> int:
        """Return chance before the type is drawn, then who acts beneath."""
        return self.game.player(state.state) if state.kind else CHANCE

    def actions(self, state: TypedState) -> Sequence[str]:
        """Return the actions beneath."""
        return self.game.actions(state.state)

    def chance(self, state: TypedState) -> Sequence[tuple[str, Fraction]]:
        """Return the types' odds, or the outcomes beneath with odds that differ by type."""
        if not state.kind:
            return _normalised([(kind, Fraction(2 + self._draw("odds", kind, ""))) for kind in TYPES])
        return _normalised(
            [
                (label, weight * (1 + self.odds * self._draw("outcome", state.kind, f"{state.path}/{label}")))
                for label, weight in self.game.chance(state.state)
            ]
        )

    def child(self, state: TypedState, action: str) -> TypedState:
        """Return the state after a type, an action or an outcome."""
        if not state.kind:
            return TypedState(action, "", state.state)
        return TypedState(state.kind, f"{state.path}/{action}", self.game.child(state.state, action))

    def infoset(self, state: TypedState, player: int) -> str:
        """Return the key beneath, after the type for the player who sees it."""
        key = self.game.infoset(state.state, player)
        return f"{state.kind}{MARK}{key}" if player == self.seat else key

    def public(self, state: TypedState) -> str:
        """Return what is public beneath."""
        return self.game.public(state.state)

    def payoff(self, state: TypedState) -> Fraction:
        """Return the payoff beneath and what the type adds."""
        added = self.payoffs * self._draw("payoff", state.kind, state.path)
        return Fraction(self.game.payoff(state.state)) + added

    def _draw(self, what: str, kind: str, path: str) -> int:
        """Return -1, 0 or 1."""
        text = f"{self.seed}/{self.seat}/{what}/{kind}/{path}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % 3 - 1


def _normalised(odds: list[tuple[str, Fraction]]) -> tuple[tuple[str, Fraction], ...]:
    total = sum((weight for _, weight in odds), Fraction(0))
    return tuple((label, weight / total) for label, weight in odds)


@dataclass(frozen=True)
class Guess:
    """A player of one of eight types, each as likely, names its type; the loser pays the other 1/2.

    With its type in mind the player always wins, without it in one of eight cases. If the other is told, no
    game loses more by errors of that size. States are the moves made.

    Attributes
    ----------
    seat : int
        The player who guesses and sees the type.
    told : bool
        Whether the other player then sees the type and passes: what differs by type are the odds of its
        infosets, and not the payoffs of pairs of sequences.
    """

    seat: int
    told: bool

    name = "guess"
    unit = ""

    def root(self) -> tuple[str, ...]:
        """Return the state before the type is drawn."""
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        """Return chance, then the player who guesses, then the other if told."""
        return (CHANCE, self.seat, 1 - self.seat if self.told else TERMINAL, TERMINAL)[len(state)]

    def actions(self, state: tuple[str, ...]) -> Sequence[str]:
        """Return all types to name, or the pass."""
        return GUESSES if len(state) == 1 else ("pass",)

    def chance(self, state: tuple[str, ...]) -> Sequence[tuple[str, Fraction]]:
        """Return the types, equally likely."""
        return [(kind, Fraction(1, len(GUESSES))) for kind in GUESSES]

    def child(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        """Return the moves and one more."""
        return (*state, action)

    def infoset(self, state: tuple[str, ...], player: int) -> str:
        """Return the type and the player's own moves, or the type once the other is told, or nothing."""
        if player == self.seat:
            return MARK.join((*state[:1], "/".join(state[1:])))
        return state[0] if self.told and len(state) > 1 else ""

    def public(self, state: tuple[str, ...]) -> str:
        """Return the number of moves."""
        return str(len(state))

    def payoff(self, state: tuple[str, ...]) -> Fraction:
        """Return 1/2 to the player who guesses right, else to the other."""
        return Fraction(1 if (state[0] == state[1]) == (self.seat == 0) else -1, 2)


@lru_cache(KEPT)
def typed_game(spec: str, seats: tuple[int, ...], payoffs: str, odds: str, seed: int) -> NumberedTree:
    """Return a game with types of some players, history by history."""
    game: Game[Any] = problem(spec).game
    for seat in seats:
        game = Typed(game, seat, Fraction(payoffs), Fraction(odds), seed)
    return number_tree(build_tree(game))


def without_types(numbered: NumberedTree, seat: int) -> Partition:
    """Return a player's partition that forgets its type; trivial where it has none."""
    return Partition.by(numbered.form.treeplexes[seat], lambda key: key.split(MARK, 1)[-1])
