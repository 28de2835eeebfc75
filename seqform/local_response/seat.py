"""One hand of a local best response against a strategy."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from treeplex.games.cards.deck import Cards
from treeplex.games.poker.game import Point, PokerGame
from treeplex.games.protocol import CHANCE, TERMINAL
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.local_response.showdowns import shares_won

FOLD, CALL = "f", "c"


class HandPlay(Protocol):
    """A strategy that says what all hands do at a betting line on a board."""

    def play(self, line: str, board: Cards, hands: Index) -> Floats:
        """Return the probabilities of actions of hands (H, K) that are not on the board, (H, actions)."""


@dataclass
class Seat:
    """A local best responder in one hand; the opponent's range is known, and its hand is not.

    Attributes
    ----------
    game : PokerGame
    strategy : HandPlay
        The opponent's.
    player : int
        The responder.
    mine, other : tuple of int
        Both hands.
    board : tuple of int
        All board cards of the hand.
    first_street : int
        On earlier streets, which are deals of board cards, the responder checks and calls.
    """

    game: PokerGame
    strategy: HandPlay
    player: int
    mine: Cards
    other: Cards
    board: Cards
    first_street: int
    hands: Index = field(init=False)
    weight: Floats = field(init=False)

    def __post_init__(self) -> None:
        range_of = np.array([*self.game.reach[1 - self.player]], dtype=np.int64)
        self.hands = range_of[~np.isin(range_of, self.mine).any(axis=1)]
        self.weight = np.ones(len(self.hands))
        self._shares: dict[int, Floats] = {}

    def winnings(self, rng: np.random.Generator) -> float:
        """Play the hand; return what the responder wins, expected over the opponent's range at the end."""
        game, line, known = self.game, self.game.first_line, 0
        while (point := game.point(line)).player != TERMINAL:
            if point.player == CHANCE:
                known = point.n_board
                self._drop(self.board[:known])
                line = point.after
            elif point.player == self.player:
                line = point.moves[self._choice(point, known)]
            else:
                play = self.strategy.play(line, self.board[:known], self.hands)
                row = play[self._place]
                a = int(np.searchsorted(np.cumsum(row), rng.random() * row.sum(), side="right"))
                a = min(a, int(np.flatnonzero(row)[-1]))
                self.weight = self.weight * play[:, a]
                line = [*point.moves.values()][a]
        return self._end(point, known)

    @property
    def _place(self) -> int:
        """The position of the opponent's hand among those that are left."""
        return int(np.flatnonzero((self.hands == np.array(self.other)).all(axis=1))[0])

    def _drop(self, board: Cards) -> None:
        """Drop hands that a board rules out."""
        live = ~np.isin(self.hands, board).any(axis=1)
        self.hands, self.weight = self.hands[live], self.weight[live]

    def _choice(self, point: Point, known: int) -> str:
        """Return the action that is best if both players only check and call after the answer to it."""
        if self._street(known) < self.first_street:
            return CALL
        worth = {action: self._worth(point, action, known) for action in point.moves}
        return max(worth, key=lambda action: worth[action])

    def _worth(self, point: Point, action: str, known: int) -> float:
        """Return what an action is worth: the opponent answers a bet by its strategy, folding or not."""
        after = self.game.point(point.moves[action])
        put = after.betting.put
        if action == FOLD:
            return -float(put[self.player])
        if action == CALL:
            return float(min(put)) * self._lead(self.weight, known)
        stays, mass = self.weight, float(self.weight.sum())
        answers = [*after.moves]
        if after.player == 1 - self.player and FOLD in answers:
            play = self.strategy.play(point.moves[action], self.board[:known], self.hands)
            stays = self.weight * (1.0 - play[:, answers.index(FOLD)])
        folds = 1.0 - float(stays.sum()) / mass
        called = self.game.point(after.moves[CALL]).betting.put if CALL in answers else put
        return folds * float(put[1 - self.player]) + (1.0 - folds) * float(min(called)) * self._lead(
            stays, known
        )

    def _lead(self, weight: Floats, known: int) -> float:
        """Return P(win) - P(lose) at showdown against a range, 0 against an empty one."""
        if known not in self._shares:
            self._shares[known] = shares_won(self.game, self.mine, self.hands, self.board[:known])
        mass = float(weight.sum())
        return float(weight @ (2.0 * self._shares[known] - 1.0)) / mass if mass > 0 else 0.0

    def _end(self, point: Point, known: int) -> float:
        """Return what the responder wins at an end, expected over the opponent's range."""
        if not point.betting.is_showdown:
            return float(point.wins[0]) * (1 if self.player == 0 else -1)
        return float(point.wins[2]) * self._lead(self.weight, known)

    def _street(self, known: int) -> int:
        return self._streets[known]

    @cached_property
    def _streets(self) -> dict[int, int]:
        """The street of each number of board cards."""
        dealt = np.cumsum([0, *(n for n in self.game.board_cards if n)]).tolist()
        return {n: street for street, n in enumerate(dealt)}
