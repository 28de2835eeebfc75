"""Betting lines as pages walk them: the steps to a line, the moves that follow, the cards that may come."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, Game
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.push_fold import PushFold
from treeplex.pictures.profile_view import PLAYERS
from treeplex.pictures.public_node import cards_of

PUSH_FOLD = {"": {"push": "push"}, "push": {}}
"""The line after each action of push or fold that does not end the hand."""


@dataclass(frozen=True)
class Step:
    """A step on the way to a line: a player's action, or cards.

    Attributes
    ----------
    line : str
        Where the action was chosen, or the cards were due.
    cards : Cards
        The board there; with the new cards where cards came.
    player : int
        Who acted, or ``CHANCE``.
    action : str
        The label of the action; empty where cards came.
    """

    line: str
    cards: Cards
    player: int
    action: str


@dataclass(frozen=True)
class Lines:
    """The betting of a game that is shown hand by hand."""

    game: PokerGame | PushFold

    def cards(self, board: str) -> Cards:
        """Return the cards that a text gives, however many; raises ``ValueError`` if they are none."""
        if isinstance(self.game, PokerGame):
            return cards_of(self.game, board)
        if board:
            raise BadInputError(f"nothing is decided on a board in {self.game.name}, got {board!r}")
        return ()

    def text(self, cards: Cards) -> str:
        """Return cards as addresses write them."""
        if not isinstance(self.game, PokerGame):
            return ""
        return "".join(map(self.card, cards))

    def card(self, card: int) -> str:
        """Return a card as it is seen: its rank, and its suit unless nobody sees suits."""
        game = self.game
        assert isinstance(game, PokerGame)
        return game.deck.rank_text[card] if game.sees_ranks_only else game.deck.card_text[card]

    def settled(self, line: str) -> str:
        """Return where the betting goes on at a line: after the cards that are due there, if any."""
        if not isinstance(self.game, PokerGame) or self.game.longest_line(line) != line:
            return line
        while (point := self.game.point(line)).player == CHANCE:
            line = point.after
        return line

    def due(self, line: str, cards: Cards) -> int:
        """Return how many board cards are still to come before somebody acts at a line."""
        if not isinstance(self.game, PokerGame) or self.game.longest_line(line) != line:
            return 0
        point = self.game.point(line)
        return max(point.n_board - len(cards), 0) if point.player >= 0 else 0

    def moves(self, line: str) -> dict[str, str | None]:
        """Return where each action at a line leads; None where it ends the hand or all that is decided."""
        if not isinstance(self.game, PokerGame):
            actions = ("fold", "push") if PLAYERS[line] == PLAYERS[""] else ("fold", "call")
            return {action: PUSH_FOLD[line].get(action) for action in actions}
        after = {action: self.settled(to) for action, to in self.game.point(line).moves.items()}
        return {action: to if self.game.point(to).player >= 0 else None for action, to in after.items()}

    def steps(self, line: str, cards: Cards) -> Iterator[Step]:
        """Yield the steps from the first line to a line of the game, on as much of the board as has come."""
        game = self.game
        if not isinstance(game, PokerGame):
            if line:
                yield Step("", (), PLAYERS[""], line)
            return
        for here, after in pairwise(_lines_to(game, line)):
            point = game.point(here)
            if point.player == CHANCE:
                yield Step(after, cards[: game.point(after).n_board], CHANCE, "")
            else:
                action = next(action for action, to in point.moves.items() if to == after)
                yield Step(here, cards[: point.n_board], point.player, action)

    def next_cards(self, cards: Cards) -> tuple[Cards, ...]:
        """Return what may come next: a card, high to low, one of each rank where nobody sees suits.

        Where flops are listed, and none has come, it is one of them.
        """
        game = self.game
        assert isinstance(game, PokerGame)
        if game.flops is not None and not cards:
            return tuple(flop for flop, _ in game.flops)
        seen: dict[str, Cards] = {}
        for card in reversed(game.deck.cards):
            if card not in cards:
                seen.setdefault(self.card(card), (card,))
        return tuple(seen.values())


def is_hidden(game: Game[Any], line: str) -> bool:
    """Return whether hands are not shown at a line: listed flops are drawn, and none has come yet."""
    return isinstance(game, PokerGame) and game.flops is not None and game.point(line).n_board == 0


def _lines_to(game: PokerGame, line: str) -> list[str]:
    """Return the lines from the first of a game to one of its lines."""
    lines = [game.first_line]
    while lines[-1] != line:
        fitting = [one for one in game.point(lines[-1]).nexts if line.startswith(one)]
        if not fitting:
            raise BadInputError(f"{game.name} has no betting line {line!r}")
        lines.append(max(fitting, key=len))
    return lines
