"""The rules of two-player poker: deck, deals, betting and ranking."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import Cards, Deck, Range, held
from treeplex.games.poker.bet_sizes import Sizes
from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting, BettingState, follow
from treeplex.games.poker.locks import Lock
from treeplex.games.poker.rankings import RANKINGS, SUITLESS_RANKINGS

MOST_REMEMBERED = 100_000
"""Betting lines, boards and strengths that are kept from hand to hand: about 80 MB."""


class Point(NamedTuple):
    """A node of the betting: who acts, the board cards due, and the lines that follow."""

    betting: BettingState
    player: int
    """Who acts once the board cards are dealt: 0, 1, ``CHANCE`` or ``TERMINAL``."""
    n_board: int
    """Number of board cards that must be dealt first."""
    after: str
    """The line after they are dealt."""
    moves: dict[str, str]
    """The line after each legal action, in order."""
    wins: tuple[Fraction, Fraction, Fraction]
    """Player 0's payoff if the hand ends here, with the weaker, an equal and the stronger hand."""

    @property
    def nexts(self) -> list[str]:
        """The lines that may follow: one where cards are dealt, none where the hand is over."""
        return [self.after] if self.player == CHANCE else [*self.moves.values()]


class _Caches(NamedTuple):
    """Points, betting states, labels of boards and strengths computed so far."""

    points: dict[str, Point]
    bettings: dict[str, BettingState]
    board_labels: dict[Cards, str]
    strengths: dict[tuple[Cards, Cards], int]


@dataclass(frozen=True)
class PokerRules:
    """Deck, deals, betting and ranking of a two-player poker game; ``PokerGame`` plays it by histories.

    Infosets are keyed "K:cr" or "KQ:crc/r" (hand, board, betting) where only ranks are seen,
    "AsKd|KsTh7s4d2c:cr50" elsewhere: the hand from high to low, the board in the order of dealing with each
    street from high to low.

    Attributes
    ----------
    name : str
        The spec of this game.
    ranks, suits : int
        The deck: the highest ranks up to the king with the rankings of Kuhn and Leduc, up to the ace
        with those of Rhode Island and hold'em. More than 13 ranks, numbered from 1, may be had with one
        hole card whose suit is not seen.
    hole_cards : int
        Private cards of each player.
    board_cards : tuple of int
        Board cards dealt before each round.
    betting : Betting
    ranking : str
        Who wins a showdown, a key of ``treeplex.games.poker.rankings.RANKINGS``.
    suits_visible : bool
        Whether the players see suits; without them hands of one rank are one infoset.
    board : tuple of int
        The board before the first action, as in a spot.
    ranges : pair of mappings from hands to weights, or None
        The weight of each hand before the deal, up to a factor; absent hands and hands that share a card
        with the board have probability 0. None gives all hands equal weight.
    unit : str
        The unit of payoffs.
    locks : tuple of Lock
        Fixed behaviour of some hands at some lines.
    flops : tuple of pairs of cards and int, or None
        The possible first deals of board cards with their weights, high to low. The deal is drawn first and
        lies face down until it is due, then hands from the other cards: two hands g, h and a flop f that
        share no card have probability proportional to weight(g) weight(h) weight(f). A hand that ends before
        is paid once it is turned up, so that flops can be taken one by one. None: all sets of cards.
    """

    name: str
    ranks: int
    suits: int
    hole_cards: int
    board_cards: tuple[int, ...]
    betting: Betting
    ranking: str
    suits_visible: bool = True
    board: Cards = ()
    ranges: tuple[Range, Range] | None = None
    unit: str = "chips"
    locks: tuple[Lock, ...] = ()
    flops: tuple[tuple[Cards, int], ...] | None = None

    @cached_property
    def deck(self) -> Deck:
        """The cards of the game."""
        return Deck(self.ranks, self.suits, self.ranking in SUITLESS_RANKINGS)

    @property
    def sees_ranks_only(self) -> bool:
        """Whether players see the ranks of cards only."""
        return self.hole_cards == 1 and (self.suits == 1 or not self.suits_visible)

    @property
    def n_board(self) -> int:
        """Number of cards of a full board."""
        return len(self.board) + sum(self.board_cards)

    @cached_property
    def joiner(self) -> str:
        """The separator of a hand's label and the public key."""
        ambiguous = self.deck.is_numbered and self.n_board > 0
        return "" if self.sees_ranks_only and not ambiguous else "|"

    @cached_property
    def reach(self) -> tuple[Range, Range]:
        """The weight of each hand that a player can hold on the starting board, for both players."""
        if self.ranges is None:
            live = [card for card in self.deck.cards if card not in self.board]
            every_hand = dict.fromkeys(combinations(live, self.hole_cards), Fraction(1))
            return every_hand, every_hand
        return held(self.ranges[0], self.board), held(self.ranges[1], self.board)

    def streets(self, board: Cards, n_cards: int) -> Iterator[tuple[Cards, int]]:
        """Yield the sets of cards that may be dealt after a board, high to low, each with its weight."""
        if self.flops is not None and not board:
            yield from self.flops
            return
        live = [card for card in reversed(self.deck.cards) if card not in board]
        yield from ((cards, 1) for cards in combinations(live, n_cards))

    def hand_label(self, hand: Cards) -> str:
        """Return the text of a hand in an infoset's key."""
        return self.deck.key_text(hand, (len(hand),), self.sees_ranks_only)

    def public_key(self, board: Cards, line: str) -> str:
        """Return the key of a public state, "board:line"."""
        label = self._caches.board_labels.get(board)
        if label is None:
            label = self.deck.key_text(board, self._streets, self.sees_ranks_only)
            self._caches.board_labels[board] = label
        return f"{label}:{line}"

    def point(self, line: str) -> Point:
        """Return the node of the betting at a line."""
        point = self._caches.points.get(line)
        if point is None:
            point = self._caches.points[line] = self._look_up(line)
        return point

    def longest_line(self, line: str) -> str:
        """Return the longest betting line of the game that is a prefix of a text."""
        return follow(line, self.first_line, lambda here: self.point(here).nexts, str)

    def strength(self, hand: Cards, board: Cards) -> int:
        """Return the strength of a hand on a full board; larger wins."""
        strength = self._caches.strengths.get((hand, board))
        if strength is None:
            strength = self._caches.strengths[hand, board] = RANKINGS[self.ranking](hand, board)
        return strength

    def forget(self) -> None:
        """Drop lines, boards and strengths that were looked up if they are more than ``MOST_REMEMBERED``."""
        caches: tuple[dict[Any, Any], ...] = self._caches
        if sum(map(len, caches)) > MOST_REMEMBERED:
            for cache in caches:
                cache.clear()

    @cached_property
    def locked(self) -> dict[str, Lock]:
        """The lock of each betting line that has one."""
        return {lock.line: lock for lock in self.locks}

    @cached_property
    def first_line(self) -> str:
        """The betting line at which play starts: empty, unless nobody has chips to bet."""
        return self.start().line

    @cached_property
    def _streets(self) -> tuple[int, ...]:
        return (*map(len, self.starting_streets), *self.board_cards)

    @cached_property
    def starting_streets(self) -> tuple[Cards, ...]:
        """The cards of the starting board by the street on which they were dealt."""
        start = len(self.board)
        flop = 3 if self.ranking == "holdem" and start >= 3 else min(start, 1)
        return (self.board[:flop], *((card,) for card in self.board[flop:]))

    @cached_property
    def _caches(self) -> _Caches:
        return _Caches({}, {}, {}, {})

    def _look_up(self, line: str) -> Point:
        betting = self._caches.bettings.get(line) or self.betting.at(line)
        moves = {}
        for label, after in self.moves(betting):
            self._caches.bettings[after.line] = after
            moves[label] = after.line
        n_board, dealt = self.dealt(betting)
        self._caches.bettings[dealt.line] = dealt
        player = {HAND_OVER: TERMINAL, ROUND_OVER: CHANCE}.get(betting.player, betting.player)
        return Point(betting, player, n_board, dealt.line, moves, _wins(betting))

    def start(self) -> BettingState:
        """Return the betting before the first action."""
        return self._skip(self.betting.root())

    def moves(self, betting: BettingState, menu: Sizes | None = None) -> list[tuple[str, BettingState]]:
        """Return the labels of the legal actions and the betting after each, raises by a menu if given."""
        return [(label, self._skip(after)) for label, after in self.betting.moves(betting, menu)]

    def dealt(self, betting: BettingState) -> tuple[int, BettingState]:
        """Return the number of board cards that must be dealt first, and the betting after they are.

        Listed flops are turned up before a hand that has ended is paid.
        """
        over = betting.player == ROUND_OVER
        n_board = len(self.board) + sum(self.board_cards[: betting.round + 1 + over])
        if self.flops is not None and betting.player == HAND_OVER:
            n_board = max(n_board, len(self.flops[0][0]))
        return n_board, self._skip(self.betting.next_round(betting)) if over else betting

    def _skip(self, betting: BettingState) -> BettingState:
        """Return the betting at the next round while no board card is dealt between rounds."""
        while betting.player == ROUND_OVER and self.board_cards[betting.round + 1] == 0:
            betting = self.betting.next_round(betting)
        return betting


def _wins(betting: BettingState) -> tuple[Fraction, Fraction, Fraction]:
    """Return player 0's payoff if the hand ends here, with the weaker, an equal and the stronger hand."""
    stake = betting.stake
    return (stake, stake, stake) if betting.folded >= 0 else (-stake, Fraction(0), stake)
