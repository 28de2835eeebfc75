"""What an estimator of strength is given: a game, the strategies that are known, and values of histories."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.play.hand import Hand
from treeplex.play.without_luck import Moves, moves_of
from treeplex.seqform.certify.aivat import HandEstimates, Plans, aivat, history_values, reaches
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats, Index

Estimate: TypeAlias = float | Sequence[float]
Estimator: TypeAlias = Callable[["Setting", Sequence[Hand]], Sequence[Estimate]]
"""Returns a number for each hand, or its parts: the payoff that it starts from, a correction for each move.

The number, or the sum of the parts, estimates player 0's payoff.
"""

ROUNDING = 1e-9
"""Largest difference that counts as rounding, in parts of the largest payoff or value."""


@dataclass(frozen=True)
class Setting:
    """What an estimator may use.

    Attributes
    ----------
    game : Game
        The rules.
    known : tuple of int
        The players whose strategies are known; chance always is.
    """

    game: Game[Any]
    known: tuple[int, ...]
    _profile: Profile
    _values: Mapping[Moves, float]

    def strategy(self, player: int, infoset: str) -> Mapping[str, float]:
        """Return how likely a player whose strategy is known takes each action at an infoset.

        Raises
        ------
        ValueError
            If the player's strategy is not known, or there is no such infoset.
        """
        if player not in self.known:
            raise BadInputError(f"player {player}'s strategy is not known here; known are {list(self.known)}")
        return self._profile.action_probabilities(player, infoset)

    def value(self, moves: Sequence[str]) -> float:
        """Return what a history, given by its moves from the root, is thought to be worth to player 0.

        These values were chosen before any hand was played. They may be far from the truth.

        Raises
        ------
        ValueError
            If there is no such history.
        """
        if tuple(moves) not in self._values:
            raise BadInputError(f"there is no history {'/'.join(moves)!r}")
        return self._values[tuple(moves)]


@dataclass(frozen=True)
class Trial:
    """A setting together with what is hidden from the estimator: how hands come about.

    Attributes
    ----------
    name : str
    game : NumberedTree
    rules : Game
    profile : Profile
        What both players play.
    known : pair of bool
    values : (N,) float64
        Of each history, as the estimator sees them.
    exact : bool
        Whether they are what histories are worth under the profile.
    """

    name: str
    game: NumberedTree
    rules: Game[Any]
    profile: Profile
    known: tuple[bool, bool]
    values: Floats
    exact: bool

    @property
    def tolerance(self) -> float:
        """The largest difference that counts as rounding."""
        return ROUNDING * max(float(np.abs(self.payoff).max()), float(np.abs(self.values).max()), 1e-300)

    @cached_property
    def plans(self) -> tuple[Floats, Floats]:
        """Both players' realization plans."""
        x, y = self.profile.plans
        return x, y

    @cached_property
    def moves(self) -> tuple[Moves, ...]:
        """The moves to each history."""
        return moves_of(self.game)

    @cached_property
    def leaves(self) -> Index:
        """The leaves at which hands can end, (L,)."""
        leaves = self.game.tree.leaves
        return np.asarray(leaves[reaches(self.game, self.plans)[leaves] > 0.0])

    @cached_property
    def probability(self) -> Floats:
        """How likely a hand ends at each leaf, (L,)."""
        return np.asarray(reaches(self.game, self.plans)[self.leaves])

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The hand that ends at each leaf."""
        tree = self.game.tree
        return tuple(
            Hand(self.moves[n], Fraction(int(tree.payoff[n]), tree.payoff_den)) for n in self.leaves.tolist()
        )

    @cached_property
    def payoff(self) -> Floats:
        """Player 0's payoff at each leaf, (L,)."""
        return np.array([float(hand.payoff) for hand in self.hands])

    @cached_property
    def value(self) -> float:
        """What player 0 wins in the mean."""
        return float(history_values(self.game, self.plans)[0])

    @property
    def known_plans(self) -> Plans:
        """Realization plans of the players whose strategies are known."""
        x, y = (plan if known else None for plan, known in zip(self.plans, self.known, strict=True))
        return x, y

    @cached_property
    def reference(self) -> HandEstimates:
        """What AIVAT estimates here."""
        return aivat(self.game, self.known_plans, self.values)

    def setting(self) -> Setting:
        """Return what the estimator is given."""
        values = dict(zip(self.moves, self.values.tolist(), strict=True))
        known = tuple(p for p in (0, 1) if self.known[p])
        return Setting(self.rules, known, self.profile, values)
