"""Hands: what happened in one play of a game from its root to a leaf, and how it is played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL, Drawing, Game
from treeplex.games.base.reading import shown

MOST_KEPT = 10_000
"""Chance nodes of which a dealer keeps the outcomes."""
SUM_TOLERANCE = 1e-6
"""How far from one the probabilities of a plan may sum."""


@dataclass(frozen=True)
class Hand:
    """One play of a game.

    Attributes
    ----------
    moves : tuple of str
        Labels of chance's outcomes and of both players' actions, from the root to the leaf.
    payoff : Fraction
        Player 0's.
    less_luck : float or None
        The same less luck, where a match estimates it as it plays.
    """

    moves: tuple[str, ...]
    payoff: Fraction
    less_luck: float | None = None


@dataclass(frozen=True)
class View:
    """What a player knows where it acts; never the state.

    Attributes
    ----------
    game : str
        The game's spec.
    player : int
        Who acts, 0 or 1.
    infoset : str
        The key of all that the player knows: its own hand and the public state.
    public : str
        The key of what both players know.
    actions : tuple of str
        The legal actions, in the game's order.
    """

    game: str
    player: int
    infoset: str
    public: str
    actions: tuple[str, ...]

    @staticmethod
    def of(game: Game[Any], state: Hashable) -> View:
        """Return the view of the player who acts at a state."""
        player = game.player(state)
        actions = tuple(game.actions(state))
        return View(game.name, player, game.infoset(state, player), game.public(state), actions)


class Follower(ABC):
    """An agent that is told the states of each hand that it plays: a program of others, which goes along."""

    replays = False
    """Whether the same view and number give the same action, so that hands replay."""

    @abstractmethod
    def follow(self, number: int, player: int) -> Callable[[Any], object]:
        """Begin a hand.

        Parameters
        ----------
        number : int
            Of the hand in the match.
        player : int
            Who the agent is, 0 or 1.

        Returns
        -------
        callable
            Told each state from the root to the leaf, before its move is made.
        """

    @abstractmethod
    def act(self, view: View, draw: float) -> str:
        """Return an action, as an agent does."""

    def close(self) -> None:  # noqa: B027
        """End what the agent started; nothing unless there is something."""


@dataclass(frozen=True)
class Lottery:
    """Labels with probabilities, from which a number in [0, 1) picks one.

    Attributes
    ----------
    labels : tuple of str
        Those of positive probability.
    upper : tuple of float
        Their probabilities added up; the last is taken for any number that is not below another.
    """

    labels: tuple[str, ...]
    upper: tuple[float, ...]

    @staticmethod
    def of(plan: Mapping[str, float]) -> Lottery:
        """Return the lottery of a plan; raises ``ValueError`` if no probability is positive."""
        likely = {label: probability for label, probability in plan.items() if probability > 0}
        if not likely:
            raise BadInputError("a plan must have a positive probability, got none")
        upper = [*accumulate(likely.values())]
        return Lottery(tuple(likely), tuple(one / upper[-1] for one in upper))

    def pick(self, draw: float) -> str:
        """Return the label on whose share of [0, 1) a number lies."""
        return self.labels[min(bisect_right(self.upper, draw), len(self.labels) - 1)]


@dataclass
class Dealer:
    """A game, and the outcomes of the chance nodes that were met.

    Attributes
    ----------
    game : Game
    """

    game: Game[Any]
    _lotteries: dict[Hashable, Lottery] = field(default_factory=dict)

    def deal(
        self,
        chance: Callable[[], float],
        choose: Callable[[View], str],
        seen: Callable[[Any], object] | None = None,
    ) -> Hand:
        """Play one hand.

        Parameters
        ----------
        chance : callable
            Returns numbers in [0, 1), one for each chance node from the root down.
        choose : callable
            Returns the action of the player who acts, one of those of the view.
        seen : callable, optional
            Told each state from the root to the leaf, before its move is made.
        """
        game, moves = self.game, list[str]()
        state = game.root()
        while (player := game.player(state)) != TERMINAL:
            if seen is not None:
                seen(state)
            move = self._drawn(state, chance()) if player == CHANCE else choose(View.of(game, state))
            moves.append(move)
            state = game.child(state, move)
        if seen is not None:
            seen(state)
        hand = Hand(tuple(moves), Fraction(game.payoff(state)))
        if isinstance(game, Drawing):
            game.forget()
        return hand

    def first_view(self) -> View | None:
        """Return the view of who acts first after the first outcomes of chance; None if nobody acts there."""
        game = self.game
        state = game.root()
        while (player := game.player(state)) == CHANCE:
            state = game.child(state, self._drawn(state, 0.0))
        return None if player == TERMINAL else View.of(game, state)

    def payoff(self, moves: tuple[str, ...]) -> Fraction:
        """Return player 0's payoff after moves from the root to a leaf.

        Raises
        ------
        ValueError
            If they are not legal, or lead to no leaf.
        """
        game = self.game
        state, done = game.root(), 0
        while (player := game.player(state)) != TERMINAL and done < len(moves):
            move = moves[done]
            if not (self._is_dealt(state, move) if player == CHANCE else move in game.actions(state)):
                break
            state, done = game.child(state, moves[done]), done + 1
        if player != TERMINAL or done < len(moves):
            raise BadInputError(f"there is no hand {shown('/'.join(moves))} of {game.name}")
        return Fraction(game.payoff(state))

    def _drawn(self, state: Hashable, number: float) -> str:
        drawn = self.game.drawn(state, number) if isinstance(self.game, Drawing) else None
        return self._lottery(state).pick(number) if drawn is None else drawn

    def _is_dealt(self, state: Hashable, label: str) -> bool:
        dealt = self.game.is_dealt(state, label) if isinstance(self.game, Drawing) else None
        return label in self._lottery(state).labels if dealt is None else dealt

    def _lottery(self, state: Hashable) -> Lottery:
        found = self._lotteries.get(state)
        if found is None:
            if len(self._lotteries) >= MOST_KEPT:
                self._lotteries.clear()
            outcomes = self.game.chance(state)
            found = Lottery.of({label: float(probability) for label, probability in outcomes})
            self._lotteries[state] = found
        return found
