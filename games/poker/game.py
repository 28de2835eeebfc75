"""Two-player poker from Kuhn to hold'em as one class of games."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NamedTuple

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.drawn_deals import HandDraws, drawn_street, is_street
from treeplex.games.poker.game_checks import (
    check_cards,
    check_flops,
    check_locks,
    check_ranges,
    check_ranking,
)
from treeplex.games.poker.locks import Play
from treeplex.games.poker.rules import PokerRules


class PokerState(NamedTuple):
    """A history: both private hands (None before they are dealt), the board, the betting line."""

    hands: tuple[Cards, Cards] | None
    board: Cards
    line: str


@dataclass(frozen=True)
class PokerGame(PokerRules):
    """A two-player poker game, or a spot of one; satisfies ``Game``, one state for each pair of hands.

    Its attributes are those of :class:`PokerRules`. The explicit game deals both private hands in one chance
    node (ordered pairs of physical hands) and the board cards of each round in one more. What is locked is
    played by chance.

    Raises
    ------
    ValueError
        If the rules contradict each other; one line that says which, and what is legal.
    """

    def __post_init__(self) -> None:
        check_cards(self)
        check_ranking(self)
        if self.flops is not None:
            check_flops(self, self.flops)
        if self.ranges is not None:
            check_ranges(self, self.ranges)
        check_locks(self)

    def root(self) -> PokerState:
        """Return the state before the private hands are dealt."""
        return PokerState(None, self.board, self.first_line)

    def player(self, state: PokerState) -> int:
        """Return who acts: 0, 1, ``CHANCE`` or ``TERMINAL``; chance where the hand is locked."""
        hands, board, line = state
        point = self.point(line)
        if hands is None or len(board) < point.n_board:
            return CHANCE
        return CHANCE if self.locks and self._play(state) is not None else point.player

    def actions(self, state: PokerState) -> Sequence[str]:
        """Return the labels of the legal actions: fold, check or call, raises; none where nobody acts."""
        return () if self.player(state) < 0 else tuple(self.point(state.line).moves)

    def chance(self, state: PokerState) -> Sequence[tuple[str, Fraction]]:
        """Return the possible deals (physical cards), or the actions of a locked hand, with probabilities."""
        if state.hands is None:
            return self._deals
        if len(state.board) == self.point(state.line).n_board:
            return [*(self._play(state) or {}).items()]
        held, due = {*state.hands[0], *state.hands[1]}, self.point(state.line).n_board - len(state.board)
        streets = [
            (cards, weight) for cards, weight in self.streets(state.board, due) if held.isdisjoint(cards)
        ]
        total = sum(weight for _, weight in streets)
        return [(self.deck.text(cards), Fraction(weight, total)) for cards, weight in streets]

    @property
    def least_histories(self) -> int:
        """The root, and a history for each deal of both hands; 1 where deals cannot be drawn."""
        return 1 + (0 if self.hand_draws is None else self.hand_draws.n_pairs)

    @cached_property
    def hand_draws(self) -> HandDraws | None:
        """Both hands drawn without listing all deals; None for decks of numbered cards."""
        if self.deck.is_numbered:
            return None
        return HandDraws.of(*self.reach, self.flops)

    def drawn(self, state: PokerState, number: float) -> str | None:
        """Return the deal whose share of [0, 1) a number lies in; None where :meth:`chance` must be asked.

        Deals have the order and, up to rounding, the probabilities that :meth:`chance` lists.
        """
        hands, board, line = state
        if hands is None:
            if self.hand_draws is None:
                return None
            return "|".join(map(self.deck.text, self.hand_draws.drawn(number)))
        if (due := self.point(line).n_board - len(board)) <= 0:
            return None
        return self.deck.text(drawn_street(self.deck, self.flops, hands, board, due, number))

    def is_dealt(self, state: PokerState, label: str) -> bool | None:
        """Return whether a label is a deal that may come; None where :meth:`chance` must be asked."""
        hands, board, line = state
        if hands is None:
            if self.hand_draws is None:
                return None
            first, _, second = label.partition("|")
            mine, other = self._hand_of.get(first), self._hand_of.get(second)
            return mine is not None and other is not None and self.hand_draws.has(mine, other)
        if (due := self.point(line).n_board - len(board)) <= 0:
            return None
        return is_street(self.deck, self.flops, hands, board, due, label)

    def child(self, state: PokerState, action: str) -> PokerState:
        """Return the state after an action's or a deal's label."""
        hands, board, line = state
        if hands is None:
            first, _, second = action.partition("|")
            return PokerState((self._hand_of[first], self._hand_of[second]), board, line)
        point = self.point(line)
        if len(board) < point.n_board:
            return PokerState(hands, board + self.deck.parse(action), point.after)
        return PokerState(hands, board, point.moves[action])

    def infoset(self, state: PokerState, player: int) -> str:
        """Return what a player knows: the own hand, the board and the betting."""
        hand = "" if state.hands is None else self._hand_labels[state.hands[player]]
        return f"{hand}{self.joiner}{self.public_key(state.board, state.line)}"

    def public(self, state: PokerState) -> str:
        """Return what both players know, "board:line"; nothing before the hands are dealt."""
        return "" if state.hands is None else self.public_key(state.board, state.line)

    def payoff(self, state: PokerState) -> Fraction:
        """Return what player 0 wins at a leaf."""
        hands, board, line = state
        point = self.point(line)
        if hands is None or point.player != TERMINAL:
            raise BadInputError(f"the hand is not over at {state}")
        if point.betting.folded >= 0:
            return point.wins[0]
        mine, other = self.strength(hands[0], board), self.strength(hands[1], board)
        return point.wins[1 + (mine > other) - (mine < other)]

    def _play(self, state: PokerState) -> Play | None:
        """Return the locked behaviour of the hand that acts; None if it is free."""
        lock = self.locked.get(state.line)
        if lock is None or state.hands is None:
            return None
        return lock.play.get(state.hands[self.point(state.line).player])

    @cached_property
    def _hand_labels(self) -> dict[Cards, str]:
        return {hand: self.hand_label(hand) for one in self.reach for hand in one}

    @cached_property
    def _hand_of(self) -> dict[str, Cards]:
        return {self.deck.text(hand): hand for one in self.reach for hand in one}

    @cached_property
    def _deals(self) -> list[tuple[str, Fraction]]:
        pairs = list(self._pairs())
        total = sum(weight for _, weight in pairs)
        text = self.deck.text
        return [(f"{text(g)}|{text(h)}", weight / total) for (g, h), weight in pairs]

    def _pairs(self) -> Iterator[tuple[tuple[Cards, Cards], Fraction]]:
        for (g, of_g), (h, of_h) in product(self.reach[0].items(), self.reach[1].items()):
            if set(g).isdisjoint(h) and (flops := self._flops_off({*g, *h})):
                yield (g, h), of_g * of_h * flops

    def _flops_off(self, held: set[int]) -> int:
        """Return the total weight of the flops without some cards; 1 where flops are not listed."""
        if self.flops is None:
            return 1
        return sum(weight for cards, weight in self.flops if held.isdisjoint(cards))
