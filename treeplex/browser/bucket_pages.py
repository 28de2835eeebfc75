"""What the page of a blueprint's buckets shows: which hands of a node are put together, from ``show``."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from treeplex.browser.addresses import Place
from treeplex.browser.hand_table import WIDTH
from treeplex.browser.lines import Lines
from treeplex.browser.nodes import grid_heads
from treeplex.browser.solutions import Solution
from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.bucket_grid import BucketGrid
from treeplex.pictures.bucket_picture import BucketPicture
from treeplex.pictures.hand_colours import action_styles, frequency_text, hexadecimal, value_text
from treeplex.pictures.hand_grid import class_cells
from treeplex.pictures.hand_picture import Picture


@dataclass(frozen=True)
class BucketPage:
    """The buckets of a node of a sampled blueprint.

    Attributes
    ----------
    solution : Solution
    place : Place
        A betting line and its whole board.
    """

    solution: Solution
    place: Place

    def content(self) -> dict[str, Any]:
        """Return all that the template writes; raises ``ValueError`` as :meth:`as_json`."""
        node, found = self._node(), self._buckets()
        styles = action_styles(node.grid.actions)
        heads = [("bucket", ""), ("equity, %", "")]
        heads += [(name, style.letter) for name, style in zip(node.grid.actions, styles, strict=True)]
        return {
            "up": self.place.page(self.solution.name),
            "json": self.place.buckets_json(self.solution.name),
            "title": found.title,
            "legend": found.legend,
            "player": node.view.point.player,
            "heads": grid_heads(found.grid.labels),
            "grid": _cells(found.grid),
            "buckets": _buckets(found.grid),
            "columns": heads,
            "rows": _hands(found, node),
        }

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``show --map buckets --json`` prints of the board.

        Raises
        ------
        ValueError
            If the strategy is no blueprint, the game has no such node, or its buckets are not shown.
        """
        self._node()
        return self._buckets().as_json()

    def _node(self) -> Picture:
        if self.solution.abstraction is None:
            raise BadInputError(f"buckets are of a sampled blueprint of hold'em, got {self.solution.source}")
        if self.place.map != Place.map:
            raise BadInputError(f"the page of buckets has no map, got {self.place.map}")
        game = self.solution.problem.game
        assert isinstance(game, PokerGame)
        line = Lines(game).settled(self.place.line)
        return self.solution.picture(line, self.place.board, self.place.map)

    def _buckets(self) -> BucketPicture:
        return self.solution.buckets(self._node().view.point.board_text)


def _cells(grid: BucketGrid) -> list[list[dict[str, Any]]]:
    """Return the cells of each row: the parts of a class by bucket, and the bucket of most of its hands."""
    return [
        [_cell(grid, row, column, label) for column, label in enumerate(labels)]
        for row, labels in enumerate(grid.labels)
    ]


def _cell(grid: BucketGrid, row: int, column: int, label: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"label": label, "bars": [], "state": "", "letter": grid.text(row, column)}
    hands = grid.parts[row, column]
    if not hands.any():
        return cell | {"state": "gone", "text": "no such hand here"}
    left = 0.0
    for share, colour in grid.split(row, column):
        cell["bars"].append(
            (f"{100 * left:.2f}", "0.00", f"{100 * share:.2f}", "100.00", hexadecimal(colour))
        )
        left += share
    told = [f"{hands[b]} in bucket {grid.buckets[b]}" for b in np.flatnonzero(hands)]
    return cell | {"text": ", ".join(told)}


def _buckets(grid: BucketGrid) -> list[tuple[int, int, str, str]]:
    """Return a row a bucket: its number, hands, and mean equity exactly and as it is read."""
    rows = zip(grid.buckets.tolist(), grid.hands.tolist(), grid.equity.tolist(), strict=True)
    return [(number, hands, repr(mean), value_text(mean, "equity", WIDTH)) for number, hands, mean in rows]


def _hands(found: BucketPicture, node: Picture) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return a row a hand, the highest first: its name, its class, bucket, equity and actions."""
    plays: dict[Cards, list[float]] = dict(
        zip(map(tuple, node.view.hands.tolist()), node.view.behaviour.tolist(), strict=True)
    )
    labels = [label for row in found.grid.labels for label in row]
    cells = class_cells(found.deck, found.hands, ranks_only=False)
    rows = []
    for place in reversed(range(len(found.hands))):
        hand = tuple(found.hands[place].tolist())
        bucket, equity = int(found.bucket[place]), float(found.equity[place])
        numbers = [(str(bucket), str(bucket)), (repr(equity), value_text(equity, "equity", WIDTH))]
        numbers += [(repr(p), frequency_text(p)) for p in plays[hand]]
        name = "".join(found.deck.card_text[card] for card in reversed(hand))
        rows.append((name, labels[cells[place]], numbers))
    return rows
