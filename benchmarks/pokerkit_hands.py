"""Random hands of hold'em beside pokerkit: ``python -m benchmarks.pokerkit_hands --hands 100000``.

pokerkit (Kim 2023) is an engine of its own, in Python. In each hand the deals and uniform actions of our
dealer are made there too, and compared: who acts, whether folds, checks, calls and raises are legal, from and
to how many chips, and what the hand pays. A row is printed for each game; the exit code is 1 if anything
differs. It is no part of the extras: ``pip install pokerkit``.
"""

import sys
import warnings
from typing import Any

from benchmarks.acpc_hands import DifferError, check, main
from treeplex.games.base.protocol import CHANCE
from treeplex.games.cards.cards import cards_text
from treeplex.games.poker.game import PokerGame, PokerState
from treeplex.games.poker.lines import CALL, FOLD
from treeplex.play.hand import Dealer, View
from treeplex.play.schedule import draws

SPECS = (
    "limit_holdem(raises=[4,4,4,4])",
    "no_limit_holdem(stack=200,blinds=[2,1])",
    "no_limit_holdem(stack=41,blinds=[2,1])",
    "no_limit_holdem(stack=25,blinds=[10,5])",
)
"""Games of the whole deck with the same rules in both; pokerkit's limit game has four raises a street."""
DEEP = 10_000
"""Chips in games whose stacks are unlimited."""


class Beside:
    """A game of ours and of pokerkit, played side by side."""

    def __init__(self, game: PokerGame) -> None:
        self.game, self.dealer = game, Dealer(game)
        self.is_limit = game.betting.raise_sizes is not None

    def new(self) -> Any:
        """Return pokerkit's state before any card; player 0 is the big blind in both."""
        import pokerkit

        betting = self.game.betting
        big, small = map(int, betting.invested)
        dealt = {"HOLE_DEALING", "BOARD_DEALING"}
        automations = tuple(one for one in pokerkit.Automation if one.name not in dealt)
        stack = DEEP if betting.cap is None else int(betting.cap[0])
        blinds, stacks = (small, big), (stack, stack)
        if betting.raise_sizes is not None:
            low, high = int(betting.raise_sizes[0]), int(betting.raise_sizes[-1])
            return pokerkit.FixedLimitTexasHoldem.create_state(
                automations, True, 0, blinds, low, high, stacks, 2
            )
        return pokerkit.NoLimitTexasHoldem.create_state(automations, True, 0, blinds, big, stacks, 2)

    def play(self, number: int, seed: int) -> None:
        """Play a hand in both; raise ``DifferError`` if they differ."""
        theirs, last = self.new(), list[PokerState]()
        chance, own = draws(seed, 0, number), draws(seed, 1, number)

        def seen(state: PokerState) -> None:
            if last and self.game.player(last[-1]) == CHANCE:
                self._deal(theirs, last[-1], state)
            last.append(state)

        def choose(view: View) -> str:
            check("who acts", view.player, theirs.actor_index)
            line = last[-1].line
            check("legal actions", self._legal(line, view.actions), self._theirs(theirs, line))
            action = view.actions[int(next(own) * len(view.actions))]
            if action == FOLD:
                theirs.fold()
            elif action == CALL:
                theirs.check_or_call()
            else:
                after = self.game.point(self.game.point(line).moves[action]).betting
                theirs.complete_bet_or_raise_to(int(after.put[view.player]) - self._before(line))
            return action

        hand = self.dealer.deal(chance.__next__, choose, seen)
        check("the end", False, theirs.status)
        check("the payoff", [int(hand.payoff), -int(hand.payoff)], list(theirs.payoffs))

    def _before(self, line: str) -> int:
        """Return each player's chips in the pot before the round of a line; blinds are of the first."""
        return int(self.game.point(line).betting.before)

    def _legal(self, line: str, actions: tuple[str, ...]) -> tuple[Any, ...]:
        """Return whether folding is legal, and the least and largest raise, in chips of the round."""
        point = self.game.point(line)
        raises = [
            int(self.game.point(point.moves[a]).betting.put[point.player]) - self._before(line)
            for a in actions
            if a not in (FOLD, CALL)
        ]
        ends = (min(raises), max(raises)) if raises else None
        if ends is not None and len(raises) != ends[1] - ends[0] + 1 and not self.is_limit:
            raise DifferError(f"raises at {line!r} are not every number of chips")
        return FOLD in actions, CALL in actions, ends

    def _theirs(self, theirs: Any, line: str) -> tuple[Any, ...]:
        ends = None
        if theirs.can_complete_bet_or_raise_to():
            ends = (
                theirs.min_completion_betting_or_raising_to_amount,
                theirs.max_completion_betting_or_raising_to_amount,
            )
        return theirs.can_fold(), theirs.can_check_or_call(), ends

    def _deal(self, theirs: Any, before: PokerState, after: PokerState) -> None:
        """Make a deal of ours in pokerkit's state."""
        if before.hands is None:
            assert after.hands is not None
            for hand in after.hands:
                theirs.deal_hole(cards_text(hand).replace(" ", ""))
            return
        cards = after.board[len(before.board) :]
        while cards:
            n = 3 if not before.board and len(cards) >= 3 and len(cards) == len(after.board) else 1
            check("cards are due", True, theirs.can_deal_board())
            theirs.deal_board(cards_text(cards[:n]).replace(" ", ""))
            cards, before = cards[n:], after


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # cards that pokerkit burns may be ours
    sys.exit(main("pokerkit_hands", Beside, SPECS, (__doc__ or "").splitlines()[0]))
