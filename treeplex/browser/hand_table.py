"""The table of every hand at a node: weight, equity, value, loss and actions, each with what it says."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from markupsafe import Markup, escape

from treeplex.browser.solutions import Solution
from treeplex.games.base.reading import amount_text
from treeplex.games.cards.equity import equities
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.hand_colours import MAPS, action_styles, frequency_text, value_text
from treeplex.pictures.hand_grid import ROUNDING, class_cells, hand_grid
from treeplex.pictures.hand_picture import Picture
from treeplex.seqform.forms.treeplex import Floats, Index

MOST_TO_COME = 1
"""Board cards to come with which equities and values of all hands stand on every page of a node."""
WIDTH = 8
"""Characters of a value, a loss, an equity."""
LEAST = "0.0001%"
"""``ROUNDING`` in percent, as pages write it."""


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

        A row has the hand, its class, why it counts as not here (``GREYS``; empty of others), and its cells
        as text of the page.
        """
        view, grid = self.picture.view, self.picture.grid
        labels = [label for row in grid.labels for label in row]
        classes = class_cells(view.point.deck, view.hands, ranks_only=view.point.ranks_only)
        text = view.point.deck.rank_text if view.point.ranks_only else view.point.deck.card_text
        columns = [("weight, %", [weight_cell(weight) for weight in view.here.tolist()])]
        for name, values, kind in self._values_known:
            columns.append((name, [value_cell(value, kind, WIDTH) for value in values]))
        cells = [texts for _, texts in columns]
        cells += [[share_cell(share) for share in one] for one in view.behaviour.T.tolist()]
        greys = [*map(grey_of, view.weight.tolist(), view.here.tolist())]
        rows = [
            (
                "".join(text[card] for card in sorted(hand, reverse=True)),
                labels[place],
                grey,
                Markup("".join(numbers)),
            )
            for hand, place, grey, numbers in zip(
                view.hands.tolist(), classes, greys, zip(*cells, strict=True), strict=True
            )
        ]
        names = [name for name, _ in columns]
        counts = [(greys.count(grey), meaning) for grey, meaning in GREYS.items()]
        letters = [style.letter for style in action_styles(grid.actions)]
        return {
            "columns": [*((name, "") for name in names), *zip(grid.actions, letters, strict=True)],
            "words": [(name, self._meaning(name)) for name in names],
            "rows": rows[::-1],
            "totals": [*self._totals(labels, classes)],
            "greys": [(n, meaning.format(me=f"player {view.point.player}")) for n, meaning in counts if n],
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

    def _totals(self, labels: list[str], classes: Index) -> Iterator[tuple[str, Markup]]:
        """Yield each class of several hands with its cells: sum of weights, and means as ``show`` has them.

        Losses have none.
        """
        view, grid = self.picture.view, self.picture.grid
        columns = [[*map(weight_text, grid.weights.ravel().tolist())]]
        for name, values, kind in self._values_known:
            known = None if name.startswith("loss") else hand_grid(view, np.array(values)).values
            means = [math.nan] * len(labels) if known is None else known.ravel().tolist()
            columns.append(["" if known is None else value_text(mean, kind, WIDTH) for mean in means])
        columns += ([*map(frequency_text, column)] for column in grid.frequencies.reshape(len(labels), -1).T)
        counts = np.bincount(classes, minlength=len(labels)).tolist()
        for label, count, texts in zip(labels, counts, zip(*columns, strict=True), strict=True):
            if count > 1:
                yield label, Markup("".join(f"<td>{escape(text)}</td>" for text in texts))

    def _meaning(self, column: str) -> str:
        """Return in plain words what a column says of the player who acts."""
        point = self.picture.view.point
        me, other = f"player {point.player}", f"player {1 - point.player}"
        value = (
            f"what {me} wins with it on average from here on, if both play this strategy: its share of the "
            "pot less what it still puts in, so that a fold is 0"
        )
        result = self.solution.result
        if point.put and result is not None:
            value += "; the value at the top of the page counts as lost what "
            value += f"{me} has put in before, {amount_text(point.put)} {point.unit}"
            value += ", half of the first pot included" if result.pot is not None else ""
        return {
            "weight": f"how much of the hand is here, in percent of the hand of which {me}'s range has most: "
            f"its part of the range, times how often {me}'s own actions lead here with it",
            "equity": f"how often it wins a showdown against what {other} has here, half of the ties counted",
            "value": value,
            "loss": f"what its actions cost {me} against the best play, times how likely its own actions "
            "lead here",
        }[column.partition(",")[0]]

    @cached_property
    def _values_known(self) -> tuple[tuple[str, list[float], str], ...]:
        """The columns between weight and actions: the name, each hand's number, and its kind."""
        view, found = self.picture.view, []
        if (equity := self._values("equity")) is not None:
            found.append(("equity, %", equity.tolist(), "equity"))
        if (values := self._values("ev")) is not None:
            found.append((f"value, {view.point.unit}", values.tolist(), "ev"))
        if self._losses is not None:
            found.append((f"loss, {view.point.unit}", self._losses, "ev"))
        return tuple(found)

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


GREYS = {
    "never comes here": "the strategy never comes here with these hands, as it has played otherwise before: "
    "what it plays with them is no advice",
    "hardly comes here": f"a weight of at most {LEAST} counts as nothing: what is played with so little is "
    "no advice",
    "not in the range": "{me}'s range has none of these hands",
}
"""Why rows are grey, as each row says it, and what stands above the table."""


def grey_of(weight: float, here: float) -> str:
    """Return why a hand counts as not here, from its weight in the range and here; empty if not."""
    if here > ROUNDING:
        return ""
    if weight == 0.0:
        return "not in the range"
    return "never comes here" if here == 0.0 else "hardly comes here"


def weight_cell(weight: float) -> str:
    """Return the cell of a weight, in percent, as text of the page, all of it written from the number."""
    return f'<td data-v="{exact_text(weight)}">{weight_text(weight).replace("<", "&lt;")}</td>'


def weight_text(weight: float) -> str:
    """Return a weight in percent; one that is not 0 never reads as 0.

    >>> [weight_text(weight) for weight in (1.0, 0.01234, 0.00012, 3e-9, 0.0)]
    ['100.0%', '1.2%', '0.012%', '<0.0001%', '0']
    """
    if weight == 0.0:
        return "0"
    if weight < ROUNDING:
        return f"<{LEAST}"
    return f"{100 * weight:.1f}%" if weight >= 1e-2 else f"{100 * weight:.2g}%"


def value_cell(value: float, kind: str, width: int) -> str:
    """Return the cell of a value as text of the page, all of it written from the number."""
    return f'<td data-v="{exact_text(value)}">{value_text(value, kind, width)}</td>'


def share_cell(share: float) -> str:
    """Return the cell of a frequency as text of the page, all of it written from the number."""
    return f'<td data-v="{exact_text(share)}">{frequency_text(share)}</td>'


def exact_text(value: float) -> str:
    """Return a number as JSON writes it, by which columns are sorted; empty where it is unknown."""
    return "" if math.isnan(value) else repr(value)
