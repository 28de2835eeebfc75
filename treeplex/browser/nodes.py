"""What the page of a poker node shows: line, actions, grid and every hand, from the views of ``show``."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from treeplex.browser.addresses import Place
from treeplex.browser.hand_table import WIDTH, HandTable, exact_text
from treeplex.browser.lines import Lines, Step, is_hidden
from treeplex.browser.next_cards import NextCards
from treeplex.browser.solutions import Solution
from treeplex.games.base.protocol import CHANCE
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.push_fold import PushFold
from treeplex.pictures.hand_colours import (
    ActionStyle,
    action_styles,
    frequency_text,
    hexadecimal,
    scale_of,
    value_colour,
    value_text,
)
from treeplex.pictures.hand_grid import ROUNDING, class_cells, class_labels
from treeplex.pictures.hand_picture import Picture
from treeplex.pictures.node_view import NodeView
from treeplex.pictures.public_node import Chips, action_names, find_point
from treeplex.seqform.forms.treeplex import Floats

NARROW = 5
"""Characters of a value in cells of the grid."""
NEVER, HARDLY = "never comes here", "at most a millionth of it comes here"
"""What cells of the grid say of classes whose hands are not here."""
MOST_NAMED = 8
"""Classes that a sentence names."""
MAP_NAMES = {"strategy": "actions", "equity": "equity", "ev": "expected value"}
"""What links to maps say."""


@dataclass(frozen=True)
class NodePage:
    """A node of a game that is shown hand by hand.

    Attributes
    ----------
    solution : Solution
    place : Place
        With the whole board that was given.
    page : callable, optional
        The address of the page to which a link to a place leads; the node's own unless given.
    with_cards : bool
        Whether what is played after each next card is told although it takes seconds.
    """

    solution: Solution
    place: Place
    page: Callable[[Place], str] | None = None
    with_cards: bool = False

    def content(self) -> dict[str, Any]:
        """Return all that the template writes.

        Raises
        ------
        ValueError
            If the game has no such line, the board is none of it, or ``show`` cannot show it.
        """
        lines = self._lines
        cards, line = lines.cards(self.place.board), lines.settled(self.place.line)
        content: dict[str, Any] = {"line": line, "board": lines.text(cards), "due": [], "message": ""}
        due = lines.due(line, cards)
        if due or (isinstance(lines.game, PokerGame) and not self._is_shown(line, cards)):
            content |= self._unshown(line, cards, due)
        else:
            content |= self._shown(
                self.solution.picture(line, lines.text(cards), self.place.map), line, cards
            )
        steps = [*lines.steps(line, cards)]
        if due and steps and steps[-1].player == CHANCE and not self._new(steps[-1]):
            steps.pop()  # none of its cards has come
        told = [self._step(step) for step in steps]
        return {**content, "steps": told, "words": _words(told)}

    @property
    def _lines(self) -> Lines:
        game = self.solution.problem.game
        assert isinstance(game, PokerGame | PushFold)
        return Lines(game)

    def _is_shown(self, line: str, cards: Cards) -> bool:
        """Whether hands are shown at a line with all its cards; raises what ``show`` raises of a bad one."""
        lines = self._lines
        assert isinstance(lines.game, PokerGame)
        if lines.game.longest_line(line) != line or lines.game.point(line).player < 0:
            find_point(lines.game, line, lines.text(cards))  # which says what is wrong
        return not is_hidden(lines.game, line)

    def _unshown(self, line: str, cards: Cards, due: int) -> dict[str, Any]:
        """Return what stands where cards are due, or hands are not shown: links alone."""
        lines = self._lines
        assert isinstance(lines.game, PokerGame)
        point = lines.game.point(line)
        chips = Chips.of(lines.game.betting, point.betting)
        chips = replace(chips, to_call=None) if due else chips
        if due:
            links = [
                {"text": lines.text(new), "href": self._to(line, (*cards, *new))}
                for new in lines.next_cards(cards)
            ]
            told = {
                "player": None,
                "chips": chips.text(lines.game.unit),
                "due": links,
                "n_due": due,
                "actions": [],
            }
            return told | {"after": self._after(line, cards)}
        actions = [
            {"name": name, "href": self._href(action, line, cards), "share": "", "letter": "", "colour": ""}
            for action, name in zip(point.moves, action_names(point), strict=True)
        ]
        message = "Hands are shown after the flop, which was drawn first."
        return {
            "player": point.player,
            "chips": chips.text(lines.game.unit),
            "actions": actions,
            "message": message,
        }

    def _after(self, line: str, cards: Cards) -> dict[str, Any] | str | None:
        """Return what is played after each next card, or where that is told, or nothing."""
        after = NextCards(self.solution, line, cards)
        if not after.can_be_shown:
            return None
        if not self.with_cards and not after.is_quick:
            return self.place.cards(self.solution.name)
        return after.table(lambda new: self._to(line, (*cards, *new)))

    def _shown(self, picture: Picture, line: str, cards: Cards) -> dict[str, Any]:
        """Return what stands where hands are shown."""
        view, grid = picture.view, picture.grid
        styles = action_styles(grid.actions)
        possible = _classes_on(view)
        table = HandTable(self.solution, picture, line, self._lines.text(cards))
        actions = [
            {
                "name": name,
                "href": self._href(action, line, cards),
                "share": frequency_text(float(share)),
                "exact": exact_text(float(share)),
                "letter": style.letter,
                "colour": hexadecimal(style.colour),
            }
            for action, name, share, style in zip(
                view.point.actions, grid.actions, grid.overall, styles, strict=True
            )
        ]
        mean = grid.overall_value
        legend = "" if mean is None else picture.legend[0]
        return {
            "player": view.point.player,
            "chips": view.point.chips.text(view.point.unit),
            "board": view.point.board_text,
            "actions": actions,
            "legend": legend,
            "maps": [(name, MAP_NAMES[name], self._with(name)) for name in table.maps],
            "heads": grid_heads(grid.labels),
            "grid": [*self._rows(picture, styles, possible)],
            "greys": _greys(picture, possible),
            "is_partial": grid.is_partial,
            "lost": table.lost,
            "comes": bool(view.joint.sum() > 0.0),
            "buckets": None if self.solution.abstraction is None else self.place.buckets(self.solution.name),
        } | ({"table": table.content()} if self.page is None else {})

    def _to(self, line: str, cards: Cards) -> str:
        return self._address(self.place.at(line, self._lines.text(cards)))

    def _with(self, map: str) -> str:
        return self._address(Place(self.place.line, self.place.board, map))

    def _address(self, place: Place) -> str:
        return place.page(self.solution.name) if self.page is None else self.page(place)

    def _href(self, action: str, line: str, cards: Cards) -> str | None:
        after = self._lines.moves(line)[action]
        return None if after is None else self._to(after, cards)

    def _step(self, step: Step) -> dict[str, Any]:
        """Return a step of the strip: cards, or all actions of a player with the one that was taken."""
        lines, solution = self._lines, self.solution
        if step.player == CHANCE:
            new = self._new(step)
            before = step.cards[: len(step.cards) - len(new)]
            return {"cards": lines.text(new), "href": self._to(step.line, before), "player": None}
        told: dict[str, Any] = {
            "player": step.player,
            "href": self._to(step.line, step.cards),
            "cards": None,
            "value": "",
        }
        moves = [*lines.moves(step.line)]
        if isinstance(lines.game, PokerGame) and is_hidden(lines.game, step.line):
            names, shares = [*action_names(lines.game.point(step.line))], [""] * len(moves)
        else:
            picture = solution.picture(step.line, lines.text(step.cards), "strategy")
            names = [*picture.grid.actions]
            shares = [frequency_text(float(share)) for share in picture.grid.overall]
            if picture.view.values is not None:
                mean = solution.picture(step.line, lines.text(step.cards), "ev").grid.overall_value
                told["value"] = "" if mean is None else value_text(mean, "ev", WIDTH)
        told["actions"] = [
            {
                "name": name,
                "share": share,
                "taken": action == step.action,
                "href": self._href(action, step.line, step.cards),
            }
            for action, name, share in zip(moves, names, shares, strict=True)
        ]
        return told

    def _new(self, step: Step) -> Cards:
        """Return the cards that came at a step of chance."""
        game = self._lines.game
        assert isinstance(game, PokerGame)
        due = game.point(step.line).n_board
        return step.cards[max(n for n in _streets(game) if n < due) :]

    def _rows(
        self, picture: Picture, styles: tuple[ActionStyle, ...], possible: frozenset[str]
    ) -> Iterator[list[dict[str, Any]]]:
        """Yield the cells of each row of the grid, with the classes that the board leaves possible."""
        grid, map = picture.grid, picture.map
        low, high = (0.0, 1.0) if grid.values is None else scale_of(grid.values, map)
        for row, labels in enumerate(grid.labels):
            cells = []
            for column, label in enumerate(labels):
                share = float(grid.shares[row, column])
                cell: dict[str, Any] = {"label": label, "bars": [], "text": "", "letter": "", "state": ""}
                if math.isnan(share):
                    why = f"none in the range of player {picture.view.point.player}"
                    cell |= {"state": "gone", "text": why if label in possible else "none with this board"}
                elif share <= ROUNDING:
                    cell |= {"state": "never", "text": HARDLY if share else NEVER}
                elif grid.values is not None:
                    value = float(grid.values[row, column])
                    letter, text = (value_text(value, map, width) for width in (NARROW, WIDTH))
                    colour = "" if math.isnan(value) else hexadecimal(value_colour(value, low, high))
                    bars = [_bar(0.0, 1.0, share, colour)] if colour else []
                    cell |= {"letter": letter, "text": text, "bars": bars}
                else:
                    cell |= _mixed(grid.frequencies[row, column], share, grid.actions, styles)
                cells.append(cell)
            yield cells


def _words(steps: list[dict[str, Any]]) -> str:
    """Return the actions that were taken in words, a semicolon where cards came between."""
    streets: list[list[str]] = [[]]
    for step in steps:
        if step["cards"] is None:
            streets[-1] += (action["name"] for action in step["actions"] if action["taken"])
        else:
            streets.append([])
    return "; ".join(", ".join(street) for street in streets if street)


def _classes_on(view: NodeView) -> frozenset[str]:
    """Return the labels of the classes of which the board leaves a hand possible, whatever the range."""
    point, n_cards = view.point, view.hands.shape[1]
    cards = sorted({*point.deck.cards} - {*point.board})
    hands = np.array([*combinations(cards, n_cards)], dtype=np.int64).reshape(-1, n_cards)
    labels = np.array(class_labels(point.deck, n_cards, ranks_only=point.ranks_only)).ravel()
    return frozenset(labels[class_cells(point.deck, hands, ranks_only=point.ranks_only)].tolist())


def _greys(picture: Picture, possible: frozenset[str]) -> list[str]:
    """Return what grey cells of a grid say, of the kinds that it has."""
    grid, player = picture.grid, picture.view.point.player
    grey = (grid.shares <= ROUNDING) & ~np.isnan(grid.shares)
    told = [
        (f"grey: {words}, as the strategy has played otherwise before", bool((grey & kind).any()))
        for words, kind in ((NEVER, grid.shares == 0.0), (HARDLY, grid.shares > 0.0))
    ]
    gone = np.array(grid.labels)[np.isnan(grid.shares)].tolist()
    for why, of_range in ((f"none in the range of player {player}", True), ("none with this board", False)):
        labels = [label for label in gone if (label in possible) == of_range]
        told.append((f"grey and struck through, {why}: {_listed(labels)}", bool(labels)))
    return [text for text, holds in told if holds]


def _listed(labels: list[str]) -> str:
    """Return some labels, the first of them where there are many."""
    more = len(labels) - MOST_NAMED
    return ", ".join(labels[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def grid_heads(labels: tuple[tuple[str, ...], ...]) -> tuple[list[str], list[str]]:
    """Return the headings of the grid's columns and rows: ranks, or ranks and suits; none of a single row."""
    if len(labels) == 1:
        return [], []
    if len(labels) == len(labels[0]) and all(row[k] == 2 * row[k][0] for k, row in enumerate(labels)):
        ranks = [row[k][0] for k, row in enumerate(labels)]
        return ranks, ranks
    return [label[:-1] for label in labels[0]], [row[0][-1] for row in labels]


def _mixed(
    frequencies: Floats, share: float, names: tuple[str, ...], styles: tuple[ActionStyle, ...]
) -> dict[str, Any]:
    """Return a cell of action frequencies: bars from left to right, and the letter of the most frequent."""
    parts = frequencies.tolist()
    bars, left = [], 0.0
    for part, style in reversed([*zip(parts, styles, strict=True)]):
        if part > 0:
            bars.append(_bar(left, part, share, hexadecimal(style.colour)))
            left += part
    if any(map(math.isnan, parts)):
        return {"text": "no strategy"}
    told = ", ".join(f"{name} {frequency_text(p)}" for name, p in zip(names, parts, strict=True))
    return {"letter": styles[int(np.argmax(frequencies))].letter, "text": told, "bars": bars}


def _bar(left: float, width: float, height: float, colour: str) -> tuple[str, ...]:
    """Return left, top, width and height in percent of a cell, and the colour."""
    part = min(height, 1.0)
    return *(f"{100 * one:.2f}" for one in (left, 1 - part, width, part)), colour


def _streets(game: PokerGame) -> list[int]:
    """Return the numbers of board cards after each street, the starting board's first."""
    counts = [len(game.board)]
    for n_cards in game.board_cards:
        counts.append(counts[-1] + n_cards)
    return counts
