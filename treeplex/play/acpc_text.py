"""Match states and log lines of the Annual Computer Poker Competition, to and from states of a poker game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL, Game
from treeplex.games.base.reading import amount_text, shown
from treeplex.games.cards.cards import RANKS, SUITS, Cards
from treeplex.games.poker.bet_sizes import Chips, Geometric, Multiple, Size
from treeplex.games.poker.betting import Betting
from treeplex.games.poker.game import PokerGame, PokerState
from treeplex.games.poker.lines import line_steps

END = "\r\n"
"""The end of a line that is sent."""
COMMENTS = ("#", ";")
"""First letters of lines that are ignored."""
MOVE = re.compile(r"[fc]|r\d{0,40}(?:\.\d{1,40})?")
"""An action; a raise of a limit game has no amount."""
SIZED = re.compile(r"r(\d+(?:\.\d+)?)")
"""A raise with its amount, in the betting of a state."""
MATCH_STATE = re.compile(r"MATCHSTATE:([01]):(\d{1,10}):([^:]*):([^:]*)")
"""Position, number of the hand, betting, cards."""
LOG_LINE = re.compile(r"STATE:(\d{1,10}):([^:]*):([^:]*):([^:|]+)\|([^:|]+):([^:|]+)\|([^:|]+)")
"""Number of the hand, betting, cards, values and names by position."""
HIDDEN: Cards = ()
"""The hand of a player whose cards are not seen."""
DECIMALS = 6
"""Of values in logs."""


@dataclass(frozen=True)
class MatchState:
    """What a player is told after an event.

    Attributes
    ----------
    position : int
        The player who is told: 0 or 1 of the game, where the game has them.
    hand : int
        The number of the hand in its match, from 0.
    state : PokerState
        What is seen of the state; a hand that is not is ``HIDDEN``.
    """

    position: int
    hand: int
    state: PokerState


@dataclass(frozen=True)
class LoggedHand:
    """A line of a log: one hand that is over, all cards seen.

    Attributes
    ----------
    hand : int
        Its number in the match, from 0.
    state : PokerState
    values : pair of Fraction
        What each player won, by position.
    names : pair of str
        Who played, by position.
    """

    hand: int
    state: PokerState
    values: tuple[Fraction, Fraction]
    names: tuple[str, str]


@dataclass(frozen=True)
class AcpcText:
    """How the protocol writes the states of a game.

    Positions are the game's players: player 0 of an ACPC ``.game`` file is position 0, the big blind of the
    competition's two-player hold'em. Amounts of raises are a player's chips in the pot over the whole hand,
    blinds and antes included. Cards are those of the competition's decks, which end with the ace and with
    spades: the king of a deck that ends with the king is written as the ace, the queen as the king.

    Attributes
    ----------
    game : PokerGame
        A whole hand, from the deal on.

    Raises
    ------
    ValueError
        If the protocol cannot tell of the game.
    """

    game: PokerGame

    def __post_init__(self) -> None:
        check_whole_hand(self.game)

    @staticmethod
    def of(game: Game[object]) -> AcpcText:
        """Return the texts of a game; raises ``ValueError`` if it is no poker of two hands."""
        if not isinstance(game, PokerGame):
            raise BadInputError(f"the protocol is of poker games, got {shown(game.name)}")
        return AcpcText(game)

    def match_state(self, state: PokerState, position: int, hand: int) -> str:
        """Return the line of a state for a player, without its end.

        The other's cards are seen after a showdown, and never after a fold.
        """
        betting = self.game.point(state.line).betting
        seen = [position == p or betting.is_showdown for p in (0, 1)]
        return f"MATCHSTATE:{position}:{hand}:{self.betting(state.line)}:{self._cards(state, seen)}"

    def log_line(self, state: PokerState, hand: int, names: Sequence[str]) -> str:
        """Return the log's line of a hand that is over, without its end; names are by position."""
        payoff = self.game.payoff(state)
        values = f"{value_text(payoff)}|{value_text(-payoff)}"
        cards = self._cards(state, (True, True))
        return f"STATE:{hand}:{self.betting(state.line)}:{cards}:{values}:{'|'.join(names)}"

    def betting(self, line: str) -> str:
        """Return how the protocol writes a betting line or an action: a raise has the antes in its amount."""
        dead = self.game.betting.dead_money
        if not dead:
            return line
        return SIZED.sub(lambda found: f"r{amount_text(Fraction(found[1]) + dead)}", line)

    def label(self, line: str, text: str) -> str | None:
        """Return the game's label of an action at a betting line; None if it is not legal there."""
        if not MOVE.fullmatch(text):
            return None
        label = text
        if text[0] == "r" and len(text) > 1:
            label = f"r{amount_text(Fraction(text[1:]) - self.game.betting.dead_money)}"
        return label if label in self.game.point(line).moves else None

    def read_match_state(self, text: str) -> MatchState:
        """Return what a player is told by a line without its end.

        Raises
        ------
        ValueError
            If it is no match state, or none of the game.
        """
        found = MATCH_STATE.fullmatch(text)
        if not found:
            raise BadInputError(f"a match state must be MATCHSTATE:0|1:HAND:BETTING:CARDS, got {shown(text)}")
        position, hand = int(found[1]), int(found[2])
        try:
            state = self._state(found[3], found[4])
            if state.hands is None or state.hands[position] == HIDDEN:
                raise BadInputError(f"position {position} must see its own cards, got {found[4]!r}")
        except BadInputError as error:
            raise BadInputError(f"{shown(text)}: {error}") from None
        return MatchState(position, hand, state)

    def read_log_line(self, text: str) -> LoggedHand:
        """Return the hand that a line of a log, without its end, tells of.

        Raises
        ------
        ValueError
            If it is no such line, the hand is not over, or it is worth something else.
        """
        found = LOG_LINE.fullmatch(text)
        if not found:
            raise BadInputError(f"a log has lines STATE:HAND:BETTING:CARDS:VALUES:NAMES, got {shown(text)}")
        try:
            state = self._state(found[2], found[3])
            if state.hands is None or HIDDEN in state.hands:
                raise BadInputError(f"a log must have both hands, got {found[3]!r}")
            if self.game.player(state) != TERMINAL:
                raise BadInputError(f"the hand is not over after {found[2]!r}")
            payoff = self.game.payoff(state)
            worth = value_text(payoff), value_text(-payoff)
            if worth != (found[4], found[5]):
                raise BadInputError(f"the hand is worth {'|'.join(worth)}, got {found[4]}|{found[5]}")
        except BadInputError as error:
            raise BadInputError(f"{shown(text)}: {error}") from None
        return LoggedHand(int(found[1]), state, (payoff, -payoff), (found[6], found[7]))

    def moves(self, state: PokerState) -> tuple[str, ...]:
        """Return the labels of all deals and actions from the root to a state in which all cards are seen."""
        assert state.hands is not None
        game, text = self.game, self.game.deck.text
        moves, dealt = [f"{text(state.hands[0])}|{text(state.hands[1])}"], 0
        for before, label, _ in line_steps(game, state.line):
            due = game.point(before).n_board
            moves.append(text(state.board[dealt:due]) if label is None else label)
            dealt = due
        return tuple(moves)

    def _cards(self, state: PokerState, seen: Sequence[bool]) -> str:
        """Return the cards of a state: those hands that are seen, and the board of the rounds that began."""
        assert state.hands is not None
        hands = "|".join(
            self.cards_text(hand) if is_seen else "" for hand, is_seen in zip(state.hands, seen, strict=True)
        )
        return "/".join((hands, *map(self.cards_text, self._streets(state.board, state.line.count("/"))[1:])))

    def _streets(self, board: Cards, round: int) -> list[Cards]:
        """Return the board's cards of each round until one."""
        streets, start = [], 0
        for count in self.game.board_cards[: round + 1]:
            streets.append(board[start : start + count])
            start += count
        return streets

    def cards_text(self, cards: Cards) -> str:
        """Return how the protocol writes cards, from high to low."""
        return "".join(self._names[card] for card in sorted(cards, reverse=True))

    @cached_property
    def _names(self) -> dict[int, str]:
        """The two letters of each card in the competition's decks, which end with the ace."""
        top = max(self.game.deck.cards) // len(SUITS)
        return {
            card: RANKS[card // len(SUITS) + len(RANKS) - 1 - top] + SUITS[card % len(SUITS)]
            for card in self.game.deck.cards
        }

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {text: card for card, text in self._names.items()}

    def _state(self, betting: str, cards: str) -> PokerState:
        """Return the state after a betting text, with the cards of a text."""
        line = self._line(betting)
        first, *streets = cards.split("/")
        hands = first.split("|")
        due = self.game.board_cards[1 : 1 + line.count("/")]
        if len(hands) != 2 or len(streets) != len(due):
            raise BadInputError(f"cards must be two hands and {len(due)} deals of the board, got {cards!r}")
        game = self.game
        mine = [HIDDEN if not hand else self._parse(hand, game.hole_cards)[::-1] for hand in hands]
        board = [self._parse(street, n) for street, n in zip(streets, due, strict=True)]
        dealt = [card for part in (*mine, *board) for card in part]
        if len({*dealt}) < len(dealt):
            raise BadInputError(f"cards must differ, got {cards!r}")
        for position, (hand, text) in enumerate(zip(mine, hands, strict=True)):
            if hand != HIDDEN and hand not in game.reach[position]:
                raise BadInputError(f"position {position} is never dealt {text}")
        return PokerState((mine[0], mine[1]), tuple(card for street in board for card in street), line)

    def _parse(self, text: str, count: int) -> Cards:
        """Return so many cards from high to low."""
        pieces = [text[k : k + 2] for k in range(0, len(text), 2)]
        if len(pieces) != count or not {*pieces} <= {*self._ids}:
            raise BadInputError(f"{count} cards of the deck must stand there, got {text!r}")
        return tuple(sorted((self._ids[piece] for piece in pieces), reverse=True))

    def _line(self, betting: str) -> str:
        """Return the game's betting line of a text; the deals that follow its last action are made."""
        game, line = self.game, self._dealt(self.game.first_line)
        for text in MOVE.findall(betting):
            label = self.label(line, text)
            if label is None:
                legal = ", ".join([*map(self.betting, game.point(line).moves)][:8]) or "nothing"
                raise BadInputError(f"{text} is not legal after {self.betting(line)!r}; legal is {legal}")
            line = self._dealt(game.point(line).moves[label])
        if self.betting(line) != betting:
            raise BadInputError(f"betting must be {self.betting(line)!r}, got {betting!r}")
        return line

    def _dealt(self, line: str) -> str:
        while (point := self.game.point(line)).player == CHANCE:
            line = point.after
        return line


def check_whole_hand(game: PokerGame) -> None:
    """Raise ValueError unless the protocol can tell of a game: a whole hand whose cards are of one deck."""
    why = ""
    if game.board or game.betting.start is not None:
        why = "it begins after the deal"
    elif game.board_cards[0]:
        why = "it has board cards before the first round"
    elif game.locks:
        why = "hands of it are locked"
    elif game.flops is not None:
        why = "its flops are listed"
    elif game.deck.is_numbered:
        why = f"its deck has more than {len(RANKS)} ranks"
    elif not _has_decimals(game.betting):
        why = "not all of its amounts and bet sizes are finite decimals"
    if why:
        raise BadInputError(f"the protocol is of whole hands of poker; {shown(game.name)} is none: {why}")


def _has_decimals(betting: Betting) -> bool:
    """Return whether all amounts that can come up are finite decimals, as sums and products of such are."""
    amounts = [*betting.invested, betting.min_bet, *(to for _, to in betting.added)]
    amounts += [*(betting.stacks or ()), *(betting.raise_sizes or ())]
    menus = [menu for pair in betting.sizes or () for menu in pair]
    sizes = [_factor(size) for menu in menus for size in menu.all_sizes]
    amounts += sizes if betting.chip is None else [betting.chip]
    return all(
        10 ** Fraction(amount).denominator.bit_length() % Fraction(amount).denominator == 0
        for amount in amounts
    )


def _factor(size: Size) -> Fraction:
    """Return what a size multiplies or adds chips by."""
    if isinstance(size, Multiple):
        return size.times
    if isinstance(size, Chips):
        return size.amount
    if isinstance(size, Geometric):
        return size.cap or Fraction(0)  # its roots are rounded
    return Fraction(0) if isinstance(size, str) else size


def value_text(value: Fraction) -> str:
    """Return what somebody won as logs write it: six decimals at most, no zeros at their end.

    >>> value_text(Fraction(-21, 2))
    '-10.5'
    """
    rounded = round(value * 10**DECIMALS)
    return amount_text(Fraction(rounded, 10**DECIMALS))
