"""A public node from a betting line and a board as users write them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.base.reading import amount_text
from treeplex.games.cards.cards import N_CARDS, Cards, Deck
from treeplex.games.poker.betting import Betting, BettingState
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rules import Point

MOST_NAMED = 8
"""Most continuations that an error names."""


@dataclass(frozen=True)
class Chips:
    """The pot and the stacks at a line of the betting, in the game's unit.

    Attributes
    ----------
    pot : Fraction
        What both players have put in, the starting pot included.
    to_call : Fraction, or None
        What whoever acts has put in less than the other player; None where nobody acts.
    behind : pair of Fraction, or None
        What each player has left; None where stacks are unlimited.
    """

    pot: Fraction
    to_call: Fraction | None
    behind: tuple[Fraction, Fraction] | None

    @staticmethod
    def of(betting: Betting, state: BettingState) -> "Chips":
        """Return the chips at a state of the betting."""
        first, second = state.put
        due = Fraction(max(first, second) - state.put[state.player]) if state.player >= 0 else None
        behind = None if betting.cap is None else (betting.cap[0] - first, betting.cap[1] - second)
        return Chips(Fraction(first + second), due, behind)

    def text(self, unit: str) -> str:
        """Return all in one line.

        >>> Chips(Fraction(150), Fraction(50), (Fraction(150), Fraction(200))).text("chips")
        'pot 150 chips, 50 to call; behind: player 0 150, player 1 200'
        """
        told = f"pot {amount_text(self.pot)} {unit}"
        if self.to_call is not None:
            told += f", {amount_text(self.to_call) if self.to_call else 'nothing'} to call"
        if self.behind is None:
            return f"{told}; stacks are unlimited"
        first, second = map(amount_text, self.behind)
        return f"{told}; behind: player 0 {first}, player 1 {second}"

    def as_json(self) -> dict[str, Any]:
        """Return the keys that objects of a node have; what there is not is null."""
        to_call = None if self.to_call is None else float(self.to_call)
        behind = None if self.behind is None else [float(stack) for stack in self.behind]
        return {"pot": float(self.pot), "to_call": to_call, "behind": behind}


@dataclass(frozen=True)
class PublicPoint:
    """A public state at which a player acts.

    Attributes
    ----------
    game : str
        The spec.
    unit : str
        What payoffs are counted in.
    deck : Deck
    ranks_only : bool
        Whether hands are told apart by rank alone; one card then stands for all of its rank.
    is_holdem : bool
        Whether showdowns are hold'em's: two cards and five of the board, out of the whole deck.
    board : tuple of card ids
        In the order of dealing.
    key : str
        The public state, board and betting line: ``KsTh7s4d2c:cr50``.
    player : int
        Who acts, 0 or 1.
    put : Fraction
        What this player has put in since the start of the hand, half of a spot's pot counted.
    chips : Chips
        The pot and the stacks.
    actions, action_names : tuples of A str
        The labels of the legal actions, and the same in words, such as ``raise to 150``.
    """

    game: str
    unit: str
    deck: Deck
    ranks_only: bool
    is_holdem: bool
    board: Cards
    key: str
    player: int
    put: Fraction
    chips: Chips
    actions: tuple[str, ...]
    action_names: tuple[str, ...]

    @property
    def board_text(self) -> str:
        """The board as keys write it."""
        return self.key.partition(":")[0]

    @property
    def line(self) -> str:
        """The betting line."""
        return self.key.partition(":")[2]


def find_point(game: PokerGame, line: str, board: str) -> PublicPoint:
    """Return the point at a betting line on a board.

    Parameters
    ----------
    game : PokerGame
    line : str
        Such as ``cr50`` or ``rc/``, as in the game's public keys.
    board : str
        Its cards in the order of dealing, the starting board's included or all left out.

    Raises
    ------
    ValueError
        If the betting cannot go that way, nobody acts there, or the board is none of that point; or flops are
        listed and none is dealt yet, as pairs of hands then weigh what each flop leaves.
    """
    point = _follow(game, line)
    if point.player < 0:
        says = "cards come" if point.player == CHANCE else "the hand is over"
        nexts = f"; the line goes on as {point.after!r}" if point.player == CHANCE else ""
        raise BadInputError(f"nobody acts at the betting line {line!r}: {says}{nexts}")
    cards = shown_board(game, board, line, point.n_board)
    return PublicPoint(
        game=game.name,
        unit=game.unit,
        deck=game.deck,
        ranks_only=game.sees_ranks_only,
        is_holdem=(game.ranking, game.hole_cards, game.n_board) == ("holdem", 2, 5)
        and len(game.deck.cards) == N_CARDS,
        board=cards,
        key=game.public_key(cards, line),
        player=point.player,
        put=point.betting.put[point.player],
        chips=Chips.of(game.betting, point.betting),
        actions=tuple(point.moves),
        action_names=action_names(point),
    )


def action_names(point: Point) -> tuple[str, ...]:
    """Return the legal actions of a point in words, such as ``raise to 150``."""
    put = point.betting.put
    facing = put[point.player] < put[1 - point.player]
    fixed = {"f": "fold", "c": "call" if facing else "check", "r": "raise" if facing else "bet"}
    raising = "raise to" if facing else "bet"
    return tuple(fixed.get(action, f"{raising} {action[1:]}") for action in point.moves)


def _follow(game: PokerGame, line: str) -> Point:
    """Walk a line from the start; name what fits where it leaves the game."""
    here = game.longest_line(line)
    point = game.point(here)
    if here != line:
        comes = (
            f"after {here!r} it goes on as {_listed(point.nexts)}"
            if point.nexts
            else f"{here!r} ends the hand"
        )
        raise BadInputError(f"{game.name} has no betting line {line!r}: {comes}")
    return point


def _listed(lines: Sequence[str]) -> str:
    named = ", ".join(map(repr, lines[:MOST_NAMED]))
    more = len(lines) - MOST_NAMED
    return f"{named} and {more:,} more" if more > 0 else named


def lines_to(game: PokerGame, line: str) -> list[str]:
    """Return the lines from the first of a game to one of its lines, both included."""
    lines = [game.first_line]
    while lines[-1] != line:
        # the longest match is right ("r50", not "r5"): no label starts with a digit
        lines.append(max((one for one in game.point(lines[-1]).nexts if line.startswith(one)), key=len))
    return lines


def shown_board(game: PokerGame, text: str, line: str, n_board: int) -> Cards:
    """Return the board that a text gives at a line whose hands are shown.

    Raises
    ------
    ValueError
        As :func:`board_of`, and if flops are listed and none is dealt yet.
    """
    if game.flops is not None and n_board == 0:
        raise BadInputError(
            f"hands of {game.name} are shown after the flop, which was drawn first, got {line!r}"
        )
    return board_of(game, text, line, n_board)


def board_of(game: PokerGame, text: str, line: str, n_board: int) -> Cards:
    """Return the board that a text gives, the starting board put first where it was left out.

    Raises
    ------
    ValueError
        If it does not have so many cards of the deck, or begins otherwise than the game.
    """
    cards = cards_of(game, text)
    if len(cards) != n_board:
        count = "1 card" if n_board == 1 else f"{n_board} cards"
        raise BadInputError(
            f"the board at the betting line {line!r} must have {count}, got {len(cards)}"
            + (f" in {text!r}" if text else "; say which by --board")
        )
    return cards


def cards_of(game: PokerGame, text: str) -> Cards:
    """Return the cards that a text gives, however many, the starting board put first where it was left out.

    Raises
    ------
    ValueError
        If they are not different cards of the deck, or begin otherwise than the game.
    """
    cards = _parsed(game, text)
    start = len(game.board)
    if not set(cards) & set(game.board):
        cards = game.board + cards
    if set(cards[:start]) != set(game.board):
        begin = game.public_key(game.board, "")[:-1]
        raise BadInputError(f"the board of {game.name} must begin with {begin}, got {text!r}")
    return game.board + cards[start:]


def _parsed(game: PokerGame, text: str) -> Cards:
    """Return the cards of a text; where only ranks are seen, the first cards of each rank."""
    words, deck = "".join(text.split()), game.deck
    if not game.sees_ranks_only:
        try:
            cards = deck.parse(words)
        except ValueError as error:
            raise BadInputError(f"{error} of {game.name}, in the board {text!r}") from None
        deck.require("the board", cards)
        return cards
    of_rank: dict[str, list[int]] = {}
    for card in deck.cards:
        of_rank.setdefault(deck.rank_text[card], []).append(card)
    pieces = [words] if deck.is_numbered and words else list(words)
    try:
        return tuple(of_rank[piece].pop(0) for piece in pieces)
    except (KeyError, IndexError):
        ranks = ", ".join(of_rank)
        raise BadInputError(
            f"the board must be ranks out of {ranks}, each at most {deck.suits} times, got {text!r}"
        ) from None
