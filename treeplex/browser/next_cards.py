"""What is played after each card that may come: shares of actions, and mean values, from ``show``."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treeplex.browser.hand_table import WIDTH, exact_text
from treeplex.browser.lines import Lines, is_hidden
from treeplex.browser.solutions import Solution
from treeplex.files.split_store import RecordedRun
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.hand_colours import frequency_text, value_text
from treeplex.pictures.hand_grid import HandGrid

MOST_AT_ONCE = 8_000
"""Hands times cards with which actions and values stand on the page of the line itself."""


@dataclass(frozen=True)
class NextCards:
    """The cards that may come next at a line, one of which leads to a node.

    Attributes
    ----------
    solution : Solution
    line : str
    cards : Cards
        The board as far as it has come.
    """

    solution: Solution
    line: str
    cards: Cards

    @property
    def can_be_shown(self) -> bool:
        """Whether a node follows each card, and none reads the folder of a split run."""
        lines = self._lines
        if isinstance(self.solution.strategy, RecordedRun) or is_hidden(lines.game, self.line):
            return False
        return lines.due(self.line, (*self.cards, *lines.next_cards(self.cards)[0])) == 0

    @property
    def is_quick(self) -> bool:
        """Whether actions and values of all cards take less than a second or so."""
        new = self._lines.next_cards(self.cards)
        view = self.solution.picture(self.line, self._text(new[0]), "strategy").view
        return len(view.hands) * len(new) <= MOST_AT_ONCE

    def table(self, to: Callable[[Cards], str]) -> dict[str, Any]:
        """Return the headings, and a row a card: where it leads, how often each action is taken, the value.

        Values are there if nothing is to come after the card, or the strategy is a table; none of blueprints.
        """
        game = self._lines.game
        assert isinstance(game, PokerGame)
        heads: list[str] = []
        rows = []
        for new in self._lines.next_cards(self.cards):
            board = self._text(new)
            picture = self.solution.picture(self.line, board, "strategy")
            shares = picture.grid.overall.tolist()
            numbers = [(exact_text(share), frequency_text(share)) for share in shares]
            heads = [*picture.grid.actions]
            is_last = len(picture.view.point.board) == game.n_board and self.solution.has_values
            if picture.view.values is not None or is_last:
                mean = _mean(self.solution.picture(self.line, board, "ev").grid)
                numbers.append((exact_text(mean), value_text(mean, "ev", WIDTH)))
                heads.append(f"value, {game.unit}")
            rows.append((self._lines.text(new), to(new), numbers))
        return {"heads": heads, "rows": rows, "player": picture.view.point.player}

    @property
    def _lines(self) -> Lines:
        game = self.solution.problem.game
        assert isinstance(game, PokerGame)
        return Lines(game)

    def _text(self, new: Cards) -> str:
        return self._lines.text((*self.cards, *new))


def _mean(grid: HandGrid) -> float:
    return float("nan") if grid.overall_value is None else grid.overall_value
