"""Both players' ranges at a public node under a strategy, as texts that specs take."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from treeplex.core.problem import Problem
from treeplex.games.base.display import Shown, StyledLine
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.cards.cards import cards_text
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.hand_colours import RANGES
from treeplex.pictures.node_view import NodeView, compatible
from treeplex.pictures.public_node import board_of, lines_to, shown_board
from treeplex.pictures.strategy_view import point_of, range_of
from treeplex.seqform.forms.treeplex import Floats, Index

N_CARDS_HELD = 2
"""Cards of a hand of which ranges are written."""
AS_DEALT = "both ranges as they are dealt: nobody has played yet"


@dataclass(frozen=True, repr=False)
class NodeRanges(Shown):
    """Both players' ranges at a public node: what is printed is a key of a TOML spec, or of a spec's text.

    Attributes
    ----------
    game : str
        The spec.
    board, line : str
        The node; a player acts there, or cards are dealt there next.
    hands : pair of (H, 2) int64
        Card ids of each player's hands that the board leaves possible.
    weights : pair of (H,) float64
        The weight of each hand as dealt, the largest of a player's at the start 1, times how likely the
        player's own actions lead to the node.
    source : str
        Where the strategy comes from.
    """

    game: str
    board: str
    line: str
    hands: tuple[Index, Index]
    weights: tuple[Floats, Floats]
    source: str

    def __post_init__(self) -> None:
        where = f"at the betting line {self.line!r}" + (f" on {self.board}" if self.board else "")
        for player, weights in enumerate(self.weights):
            if not weights.any():
                raise BadInputError(f"there is no range {where}: player {player} never comes there")
        here = [hands[weights > 0] for hands, weights in zip(self.hands, self.weights, strict=True)]
        if not compatible(here[0], here[1]).any():
            raise BadInputError(f"there are no ranges {where}: no two hands come there together")

    @property
    def texts(self) -> tuple[str, str]:
        """Player 0's and player 1's range, as :func:`parse_range` reads them back to the same floats."""
        first, second = map(range_text, self.hands, self.weights)
        return first, second

    def brief(self) -> str:
        """Return where this is, and the number of hands of each player."""
        first, second = (np.count_nonzero(weights) for weights in self.weights)
        return f"{self.board}:{self.line}, {first:,} and {second:,} hands"

    def blocks(self) -> tuple["_Key"]:
        """Return the one line ``ranges = ["...", "..."]``."""
        return (_Key(f"ranges = {json.dumps(self.texts)}"),)

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--json`` prints."""
        return {
            "game": self.game,
            "board": self.board,
            "line": self.line,
            "map": RANGES,
            "source": self.source,
            "ranges": list(self.texts),
        }


@dataclass(frozen=True)
class _Key:
    """A key and its value on one line, which is never wrapped."""

    text: str

    def lines(self, width: int) -> Iterator[StyledLine]:
        """Yield the line, however wide."""
        yield self.text, ""

    def html(self) -> str:
        """Return the line as code."""
        return f"<code>{escape(self.text)}</code>"


def range_text(hands: Index, weights: Floats) -> str:
    """Return hands (H, 2) and weights (H,) as :func:`parse_range` reads them, the highest hand first.

    Weights have as many digits as it takes to read the same number back; hands of weight 0 are left out, and
    rounding above 1 is cut off.

    >>> range_text(np.array([[47, 51], [48, 51]]), np.array([1e-16, 1.0]))
    'AcAs,AcKc:1e-16'
    """
    entries = {
        tuple(sorted(hand, reverse=True)): min(weight, 1.0)
        for hand, weight in zip(hands.tolist(), weights.tolist(), strict=True)
        if weight > 0
    }
    return ",".join(
        cards_text(hand) + ("" if entries[hand] == 1 else f":{entries[hand]!r}")
        for hand in sorted(entries, reverse=True)
    )


def decision_of(problem: Problem, line: str, board: str) -> tuple[str, str | None]:
    """Return the last decision on the way to a line, and the action there after which cards are dealt.

    Where a player acts at the line, or nothing comes before it, it is the line itself and no action.

    Raises
    ------
    ValueError
        If hands of the game are not two cards, cards are dealt twice on end, or the board is not that of the
        decision before cards are dealt.
    """
    game = problem.game
    if not isinstance(game, PokerGame):
        return line, None
    if game.hole_cards != N_CARDS_HELD or game.sees_ranks_only:
        raise BadInputError(f"ranges are written of hands of two cards, got {game.name}")
    if game.longest_line(line) != line or line == game.first_line or game.point(line).player != CHANCE:
        return line, None
    before = lines_to(game, line)[-2]
    point = game.point(before)
    if point.player < 0:
        raise BadInputError(f"ranges are shown where a player acts or has just acted, got {line!r}")
    shown_board(game, board, line, point.n_board)  # which names the line that was asked for
    return before, next(action for action, after in point.moves.items() if after == line)


def is_dealt(problem: Problem, line: str, unplayed: bool) -> bool:
    """Return whether ranges at a line are as dealt: nobody has played, or the game begins with cards."""
    game = problem.game
    if not isinstance(game, PokerGame):
        return unplayed and not line
    return line == game.first_line and (unplayed or game.point(line).player == CHANCE)


def ranges_as_dealt(problem: Problem, line: str, board: str) -> NodeRanges:
    """Return both ranges where a game begins; the line is its first.

    Raises
    ------
    ValueError
        If the board is not that on which the game begins.
    """
    game = problem.game
    if isinstance(game, PokerGame) and game.flops is None and game.point(line).player == CHANCE:
        cards = board_of(game, board, line, len(game.board))
        board_text = game.public_key(cards, "")[:-1]
    else:
        board_text = point_of(problem, line, board).board_text
    (first, of_first), (second, of_second) = (range_of(problem, player) for player in (0, 1))
    return NodeRanges(game.name, board_text, line, (first, second), (of_first, of_second), AS_DEALT)


def ranges_of(view: NodeView, line: str, action: str | None, source: str) -> NodeRanges:
    """Return both ranges at a line, from the view of the last decision and the action there, if any."""
    point = view.point
    weights = view.here if action is None else view.here * view.behaviour[:, point.actions.index(action)]
    mine, theirs = (view.hands, weights), (view.opponent_hands, view.opponent_weight)
    (first, of_first), (second, of_second) = (mine, theirs) if point.player == 0 else (theirs, mine)
    return NodeRanges(point.game, point.board_text, line, (first, second), (of_first, of_second), source)
