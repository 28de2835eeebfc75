"""AIVAT for hold'em of any size: what a hand was worth less luck, from the plans of all hands at once.

Burch, Schmid, Moravcik, Morrill and Bowling, AIVAT: a new variance reduction technique for agent evaluation
in imperfect information games (2018). Histories are public: cards that are dealt face up, and actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import shown
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.betting import BettingState
from treeplex.games.poker.game import PokerGame, PokerState
from treeplex.seqform.certify.local_response import HandPlay
from treeplex.seqform.certify.range_leads import Pair, RangeLeads

MOST_ENDS = 2_000
"""Ways to complete a board up to which leads are computed and deals corrected; flops of a deck have more."""


def can_be_estimated(game: PokerGame) -> bool:
    """Return whether a game is one of those: hold'em, whose flop is none of a list, no hands locked."""
    return game.ranking == "holdem" and game.hole_cards == 2 and game.flops is None and not game.locks


@dataclass(frozen=True)
class PublicAivat:
    """Estimates of hands in which one plan or both are known.

    A player whose plan is known holds all hands that the plan brings along the public line, weighted; the
    other holds the hand that was dealt. At the end the payoff is the mean over these hands. At each action
    of a known plan, and at each deal but the flop's of a whole deck, the mean of a value over what could come
    is added and the value of what came taken away. Each difference is zero in the mean whatever the values
    are. They are what is won if both check to the showdown, without chips that are not called; nothing before
    the flop of short decks, unless there are few boards.

    Attributes
    ----------
    leads : RangeLeads
    plans : pair of HandPlay or None
        What both players do with all hands; None where that is not known, in one seat at most.
    """

    leads: RangeLeads
    plans: tuple[HandPlay | None, HandPlay | None]

    @staticmethod
    def of(game: PokerGame, plans: tuple[HandPlay | None, HandPlay | None]) -> "PublicAivat":
        """Return the estimates of a game's hands.

        Raises
        ------
        ValueError
            If it is no such game, or no plan is known.
        """
        if not can_be_estimated(game):
            raise BadInputError(f"such estimates are of hold'em with all flops and no locks, got {game.name}")
        if plans == (None, None):
            raise BadInputError("the plan of one player at least must be known, got none")
        return PublicAivat(RangeLeads(game), plans)

    def estimate(self, moves: Sequence[str]) -> float:
        """Return what player 0 won in a hand, less luck.

        Parameters
        ----------
        moves : sequence of str
            Labels from the root to the end of the hand.

        Raises
        ------
        ValueError
            If a known plan never plays the hand.
        """
        game = self.leads.game
        state = game.child(game.root(), moves[0])
        ranges, total = self._dealt(state), 0.0
        for move in moves[1:]:
            after = game.child(state, move)
            if game.player(state) == CHANCE:
                ranges, luck = self._card(state, after, ranges)
            else:
                ranges, luck = self._action(state, move, ranges)
            if self.leads.mass(ranges) <= 0:
                raise BadInputError(f"a plan never plays {shown(move)} at {game.public(state)!r}")
            total, state = total + luck, after
        assert game.player(state) == TERMINAL
        return total + self._value(game.point(state.line).betting, state.board, ranges)

    def _dealt(self, state: PokerState) -> Pair:
        """Return both ranges when hands were dealt, their largest weight 1."""
        assert state.hands is not None
        found = []
        for player, plan in enumerate(self.plans):
            mine = self.leads.dealt(player)
            if plan is None:
                mine = np.zeros(len(self.leads.hands))
                mine[self._place(state.hands[player])] = 1.0
            found.append(mine / mine.max())
        return found[0], found[1]

    def _place(self, hand: Cards) -> int:
        return int(np.flatnonzero((self.leads.hands == sorted(hand)).all(axis=1))[0])

    def _action(self, state: PokerState, move: str, ranges: Pair) -> tuple[Pair, float]:
        """Return the ranges after an action, and the mean value of all actions less its own."""
        point = self.leads.game.point(state.line)
        plan = self.plans[point.player]
        if plan is None:
            return ranges, 0.0
        after = self.leads.after_actions(plan, state.line, state.board, ranges)
        mass, value = [self.leads.mass(pair) for pair in after], list[float]()
        for pair, likely, line in zip(after, mass, point.moves.values(), strict=True):
            betting = self.leads.game.point(line).betting
            value.append(self._value(betting, state.board, pair) if likely > 0 else 0.0)
        taken = [*point.moves].index(move)
        return after[taken], float(np.dot(mass, value) / sum(mass)) - value[taken]

    def _card(self, state: PokerState, after: PokerState, ranges: Pair) -> tuple[Pair, float]:
        """Return the ranges after cards are dealt, and the mean value of all deals less theirs."""
        leads, board, new = self.leads, state.board, after.board[len(state.board) :]
        off = leads.off(new)
        left = ranges[0] * off, ranges[1] * off
        if leads.n_ends(board) > MOST_ENDS:
            return left, 0.0
        betting = leads.game.point(after.line).betting
        # Each pair of hands leaves as many cards, so the mean of leads over deals is the lead before them.
        mean = self._stake(betting) * leads.lead(board, ranges) / leads.mass(ranges)
        return left, mean - self._value(betting, after.board, left)

    def _value(self, betting: BettingState, board: Cards, ranges: Pair) -> float:
        """Return what player 0 wins at the end of a hand, or a guess at it."""
        if betting.folded >= 0:
            return float(betting.stake)
        if self.leads.n_ends(board) > MOST_ENDS and not self.leads.is_tabled(board):
            return 0.0
        return self._stake(betting) * self.leads.lead(board, ranges) / self.leads.mass(ranges)

    def _stake(self, betting: BettingState) -> float:
        """Return what the better hand wins at a showdown, chips that are not called left aside."""
        return float(betting.stake if betting.is_showdown else min(betting.put))
