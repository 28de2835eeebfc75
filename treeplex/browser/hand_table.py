"""The table of every hand at a node: weight, equity, value, loss and actions, each with what it says."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from treeplex.browser.solutions import Solution
from treeplex.games.cards.equity import equities
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.hand_colours import MAPS, action_styles, frequency_text, value_text
from treeplex.pictures.hand_grid import ROUNDING, class_cells
from treeplex.pictures.hand_picture import Picture
from treeplex.seqform.forms.treeplex import Floats

MOST_TO_COME = 1
"""Board cards to come with which equities and values of all hands stand on every page of a node."""
WIDTH, NARROW = 8, 6
"""Characters of a value and of a weight."""


@dataclass(frozen=True)
class HandTable:
    """Every hand of the player who acts at a node.

    Attributes
    ----------
    solution : Solution
    picture : Picture
        Of the node, with the map that its page shows.
    line, board : str
        The node, as ``show`` takes it.
    """

    solution: Solution
    picture: Picture
    line: str
    board: str

    def content(self) -> dict[str, Any]:
        """Return what the template writes: columns with their meaning, and the rows, the highest hand first.

        A row has the hand, its class, whether it comes to the node, and its cells as text of the page.
        """
        view, grid = self.picture.view, self.picture.grid
        labels = [label for row in grid.labels for label in row]
        classes = class_cells(view.point.deck, view.hands, ranks_only=view.point.ranks_only)
        text = view.point.deck.rank_text if view.point.ranks_only else view.point.deck.card_text
        columns = [*self._columns()]
        shares = view.behaviour.T.tolist()
        cells = [[value_cell(v, kind, width) for v in values] for _, values, kind, width in columns]
        cells += [[share_cell(share) for share in one] for one in shares]
        rows = [
            (
                "".join(text[card] for card in sorted(hand, reverse=True)),
                labels[place],
                comes,
                Markup("".join(numbers)),
            )
            for hand, place, comes, numbers in zip(
                view.hands.tolist(),
                classes,
                (view.here > ROUNDING).tolist(),
                zip(*cells, strict=True),
                strict=True,
            )
        ]
        names = [name for name, _, _, _ in columns]
        letters = [style.letter for style in action_styles(grid.actions)]
        return {
            "columns": [*((name, "") for name in names), *zip(grid.actions, letters, strict=True)],
            "words": [(name, _meaning(name, view.point.player)) for name in names],
            "rows": rows[::-1],
            "never": sum(not comes for _, _, comes, _ in rows),
        }

    @property
    def maps(self) -> Iterator[str]:
        """The maps that ``show`` has of the node."""
        has = {
            "strategy": True,
            "equity": self.picture.view.point.is_holdem,
            "ev": self.solution.has_values,
        }
        yield from (name for name in MAPS if has[name])

    @property
    def lost(self) -> str:
        """What all hands together lose at the node; empty where that is unknown."""
        if self._losses is None:
            return ""
        return f"{value_text(math.fsum(self._losses), 'ev', WIDTH)} {self.picture.view.point.unit}"

    def _columns(self) -> Iterator[tuple[str, list[float], str, int]]:
        """Yield the columns before the actions: the name, each hand's number, its kind and its width."""
        view = self.picture.view
        yield "weight", view.here.tolist(), "ev", NARROW
        if (equity := self._values("equity")) is not None:
            yield "equity, %", equity.tolist(), "equity", WIDTH
        if (values := self._values("ev")) is not None:
            yield f"value, {view.point.unit}", values.tolist(), "ev", WIDTH
        if self._losses is not None:
            yield f"loss, {view.point.unit}", self._losses, "ev", WIDTH

    def _values(self, map: str) -> Floats | None:
        """Return each hand's equity or expected value; None where they are not shown."""
        view = self.picture.view
        if not self._has(map):
            return None
        if map == "equity":
            return equities(view.point.board, view.hands, view.opponent_hands, view.opponent_weight)
        return self.solution.picture(self.line, self.board, "ev").view.values

    def _has(self, map: str) -> bool:
        """Whether all hands' numbers of a map stand in the table."""
        if map == self.picture.map:
            return True
        view, game = self.picture.view, self.solution.problem.game
        n_board = game.n_board if isinstance(game, PokerGame) else 0
        is_near = n_board - len(view.point.board) <= MOST_TO_COME
        free = map == "ev" and view.values is not None
        return map in self.maps and (is_near or free)

    @cached_property
    def _losses(self) -> list[float] | None:
        """What each hand's behaviour costs, as ``check`` of a table knows it; None elsewhere."""
        view, known, game = self.picture.view, self.solution.losses, self.solution.problem.game
        if known is None or not isinstance(game, PokerGame):
            return None
        keys = (
            f"{game.hand_label(tuple(hand))}{game.joiner}{view.point.key}" for hand in view.hands.tolist()
        )
        return [known.get((view.point.player, key), 0.0) for key in keys]


def value_cell(value: float, kind: str, width: int) -> str:
    """Return the cell of a value as text of the page, all of it written from the number."""
    return f'<td data-v="{exact_text(value)}">{value_text(value, kind, width)}</td>'


def share_cell(share: float) -> str:
    """Return the cell of a frequency as text of the page, all of it written from the number."""
    return f'<td data-v="{exact_text(share)}">{frequency_text(share)}</td>'


def exact_text(value: float) -> str:
    """Return a number as JSON writes it, by which columns are sorted; empty where it is unknown."""
    return "" if math.isnan(value) else repr(value)


def _meaning(column: str, player: int) -> str:
    """Return in plain words what a column of the table of hands says of the player who acts."""
    me, other = f"player {player}", f"player {1 - player}"
    return {
        "weight": f"how much of the hand is here: its part of {me}'s range, times how often {me}'s own "
        "actions lead here with it",
        "equity": f"how often it wins a showdown against what {other} has here, half of the ties counted",
        "value": f"what {me} wins with it on average from here on, if both play this strategy: its share of "
        "the pot less what it still puts in, so that a fold is 0",
        "loss": f"what its actions cost {me} against the best play, times how likely its own "
        "actions lead here",
    }[column.partition(",")[0]]
