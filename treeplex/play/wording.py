"""Words: what a player may know where it acts and when a hand is over, as rows of text; never the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import Game
from treeplex.games.base.reading import amount_text, shortened
from treeplex.games.poker.game import PokerGame
from treeplex.play.hand import Hand, View
from treeplex.play.poker_hands import PokerHand, Step, advised, spoken, steps_of

MOST_LISTED = 12
"""Actions of which all are listed; of more the first few and the last."""
FIRST_LISTED = 4
"""How many are listed first of more."""
LONGEST_KEY = 2_000
"""Most characters of an infoset's key that are shown."""
YOU = "you"
"""Who the person at the terminal is."""

Row = tuple[str, str]
"""What is told, and the text."""


def listed(actions: Sequence[str]) -> str:
    """Return labels as one text, the middle left out where there are many."""
    if len(actions) <= MOST_LISTED:
        return ", ".join(actions)
    return f"{', '.join(actions[:FIRST_LISTED])}, ..., {actions[-1]}"


@dataclass(frozen=True)
class Words:
    """What a person at one seat is told of a game against an agent.

    Attributes
    ----------
    game : Game
    other : str
        The agent's name.
    """

    game: Game[Any]
    other: str

    def situation(self, view: View) -> Iterator[Row]:
        """Yield what the player who acts knows: cards, board, betting and pot, or the infoset's key."""
        if not isinstance(self.game, PokerGame):
            yield "you know", shortened(view.infoset, LONGEST_KEY)
            return
        game = self.game
        board, _, line = view.public.partition(":")
        yield "cards", view.infoset.removesuffix(game.joiner + view.public)
        if game.n_board:
            yield "board", board or "none yet"
        if said := self._betting(game, tuple(steps_of(game, line)), view.player):
            yield "betting", said
        put = game.point(line).betting.put
        due = max(put) - put[view.player]
        to_call = f", {amount_text(due)} to call" if due else ""
        yield "pot", f"{amount_text(Fraction(sum(put)))} {game.unit}{to_call}"

    def moves(self, view: View) -> str:
        """Return the legal actions in one line, each with its number and what it means."""
        actions = view.actions
        shown = range(len(actions))
        many = len(actions) > MOST_LISTED
        places = [*shown[:FIRST_LISTED], shown[-1]] if many else [*shown]
        meaning = self.meaning(view)
        texts = []
        for k in places:
            number = "" if numbered(actions) else f"{k + 1}: "
            texts.append(f"{number}{actions[k]}{meaning(actions[k])}")
        if many:
            texts.insert(FIRST_LISTED, "...")
        return "   ".join(texts)

    def meaning(self, view: View) -> Callable[[str], str]:
        """Return what tells an action's meaning, with a space before it; nothing where the label says all."""
        game = self.game
        if not isinstance(game, PokerGame):
            return lambda action: ""
        point = game.point(view.public.partition(":")[2])

        def meaning(action: str) -> str:
            after = game.point(point.moves[action]).betting
            return " " + advised(game.betting, Step(view.player, action, point.betting, after))

        return meaning

    def ending(self, hand: Hand, person: int) -> Iterator[Row]:
        """Yield how a hand went: the betting, and both hands where they were shown down.

        Of a game that is no poker it is what the person knows at the end.
        """
        game = self.game
        if not isinstance(game, PokerGame):
            state = game.root()
            for move in hand.moves:
                state = game.child(state, move)
            yield "you know", shortened(game.infoset(state, person), LONGEST_KEY)
            return
        played = PokerHand.of(game, hand.moves)
        yield "betting", self._betting(game, played.steps, person) or "none"
        if played.is_showdown:
            own, other = (self._cards(game, played.holes[seat]) for seat in (person, 1 - person))
            board = self._board(game, played)
            shown = f" on {board}" if board else ""
            yield "showdown", f"{YOU} {own}, {self.other} {other}{shown}"

    def _cards(self, game: PokerGame, text: str) -> str:
        return game.hand_label(tuple(sorted(game.deck.parse(text))))

    def _board(self, game: PokerGame, played: PokerHand) -> str:
        cards = game.board + game.deck.parse("".join(played.streets))
        return game.public_key(cards, "").removesuffix(":")

    def _betting(self, game: PokerGame, steps: Sequence[Step | None], person: int) -> str:
        """Return a line in words, streets apart; ``you check, uniform bets 1 / you call 1``."""
        streets: list[list[str]] = [[]]
        for step in steps:
            if step is None:
                streets.append([])
            elif step.player == person:
                streets[-1].append(f"{YOU} {advised(game.betting, step)}")
            else:
                streets[-1].append(f"{self.other} {spoken(game.betting, step)}")
        return " / ".join(", ".join(street) for street in streets).strip(" /")


def numbered(actions: Sequence[str]) -> bool:
    """Return whether a label is itself a number, so that numbers in a list would be mistaken for labels."""
    return any(action.isdecimal() for action in actions)


def chosen(text: str, actions: Sequence[str]) -> str:
    """Return the action that a person typed: its label, its number in the list, or the start of one label.

    Raises
    ------
    ValueError
        If it is none, or might be several.
    """
    if text in actions:
        return text
    if not numbered(actions) and text.isdecimal() and 1 <= int(text[:9]) <= len(actions):
        return actions[int(text[:9]) - 1]
    fitting = [action for action in actions if text and action.startswith(text)]
    if len(fitting) == 1:
        return fitting[0]
    got = f"{shortened(text, 40)!r}"
    if fitting:
        raise BadInputError(f"{got} may be any of {listed(fitting)}")
    raise BadInputError(f"legal are {listed(actions)}, got {got}")
