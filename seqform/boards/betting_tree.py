"""The betting tree of a poker game: one node for each betting line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import rounded_count
from treeplex.games.base.reporting import Report, quiet, reported
from treeplex.games.counting.betting_counts import count_betting
from treeplex.games.poker.betting import HAND_OVER
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.locks import Lock
from treeplex.seqform.trees.poker_deals import narrow
from treeplex.seqform.trees.tree_arrays import Ints, children_of

MOST_LINES = 5_000_000
"""The largest number of betting lines: tables over more would not fit into memory."""
MOST_LETTERS = 1_000_000_000
"""The largest number of letters of all lines together: where raises have no end each line is longer."""
_NOTHING = Fraction(0)


@dataclass(frozen=True, repr=False)
class BettingTree(Shown):
    """All betting lines of a poker game in preorder; a public state is a betting line on a board.

    Where cards are dealt there is one ``CHANCE`` node, whose only child is the next street's first node.

    Attributes
    ----------
    parent : (N,) int32
        -1 for the root.
    player : (N,) int8
        Who acts: 0, 1, ``CHANCE`` or ``TERMINAL``.
    street : (N,) int8
        Number of deals of board cards before the node.
    action : tuple of N str
        The label of the edge from the parent, empty at the root and after chance.
    line : tuple of N str
        The betting line, as in ``PokerGame.point``.
    showdown : (N,) bool
        Whether a leaf is a showdown.
    stake : (N,) exact integers, in units of 1 / stake_den
        At a showdown the winner's payoff; at any other leaf player 0's payoff.
    stake_den : int
        The positive common denominator of the stakes.
    locks : mapping from nodes to locks
        Decisions with locked hands.
    """

    parent: NDArray[np.int32]
    player: NDArray[np.int8]
    street: NDArray[np.int8]
    action: tuple[str, ...]
    line: tuple[str, ...]
    showdown: NDArray[np.bool_]
    stake: Ints
    stake_den: int
    locks: Mapping[int, Lock] = field(default_factory=dict)

    def brief(self) -> str:
        """Return the number of betting lines."""
        return f"{self.n_nodes:,} nodes"

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.parent)

    @property
    def largest_stake(self) -> float:
        """The largest absolute payoff."""
        return max(abs(int(stake)) for stake in self.stake) / self.stake_den

    @property
    def n_streets(self) -> int:
        """Number of streets: deals of board cards, plus one."""
        return int(self.street.max()) + 1

    @cached_property
    def children(self) -> tuple[NDArray[np.int32], ...]:
        """The children of each node in the order of its actions."""
        return children_of(self.parent)

    @cached_property
    def end(self) -> NDArray[np.int64]:
        """One past the last node of each node's subtree, (N,)."""
        end = np.arange(1, self.n_nodes + 1)
        for node in range(self.n_nodes - 1, 0, -1):
            end[self.parent[node]] = max(end[self.parent[node]], end[node])
        return end

    @cached_property
    def node_of(self) -> dict[str, int]:
        """The node of each line at which somebody acts or the hand is over."""
        return {line: n for n, line in enumerate(self.line) if self.player[n] != CHANCE}

    @staticmethod
    def of(game: PokerGame, most: int = MOST_LINES, *, report: Report = quiet) -> "BettingTree":
        """List all betting lines of a game.

        Parameters
        ----------
        game : PokerGame
        most : int
            The most lines.
        report : callable, optional
            Told a few times a second how many there are so far.

        Raises
        ------
        ValueError
            If there are more than ``most``, which is known before they are listed where they can be counted,
            or they have too many letters.
        """
        least = _counted_lines(game)
        if least > most:
            lines = f"at most {most:,} betting lines, got at least {rounded_count(least)}"
            raise BadInputError(f"{game.name} must have {lines}")
        rows: list[_Row] = []
        letters = 0
        for row in reported(_lines(game), report, lambda n: f"{game.name}: {n:,} betting lines so far"):
            rows.append(row)
            letters += len(row.line)
            if len(rows) > most:
                raise BadInputError(f"{game.name} must have at most {most:,} betting lines, got more")
            if letters > MOST_LETTERS:
                raise BadInputError(
                    f"{game.name} must have betting lines of at most {MOST_LETTERS:,} letters in all, got "
                    f"more in {len(rows):,} lines"
                )
        parent, player, street, action, line, showdown, stake = zip(*rows, strict=True)
        den = lcm(*{worth.denominator for worth in stake})
        return BettingTree(
            parent=np.array(parent, np.int32),
            player=np.array(player, np.int8),
            street=np.array(street, np.int8),
            action=action,
            line=line,
            showdown=np.array(showdown),
            stake=narrow(int(worth * den) for worth in stake),
            stake_den=den,
            locks={
                n: game.locked[text] for n, text in enumerate(line) if player[n] >= 0 and text in game.locked
            },
        )


class _Row(NamedTuple):
    """The columns of a :class:`BettingTree` at one node; the stake as a Fraction, 0 at inner nodes."""

    parent: int
    player: int
    street: int
    action: str
    line: str
    showdown: bool
    stake: Fraction


def _counted_lines(game: PokerGame) -> int:
    """Return the number of lines at which somebody acts or the hand is over; 0 if it is too much to count."""
    try:
        rounds = count_betting(game.betting).rounds
    except ValueError:
        return 0
    return sum(sum(one.decisions) + one.folds + one.showdowns for one in rounds)


def _lines(game: PokerGame) -> Iterator[_Row]:
    """Yield the nodes in preorder."""
    stack, count = [(-1, 0, "", game.start(), len(game.board))], 0
    while stack:
        parent, street, action, betting, board = stack.pop()
        n_board, dealt = game.dealt(betting)
        if n_board > board:
            yield _Row(parent, CHANCE, street, action, betting.line, False, _NOTHING)
            stack.append((count, street + 1, "", dealt, n_board))
        elif betting.player == HAND_OVER:
            yield _Row(parent, TERMINAL, street, action, betting.line, betting.is_showdown, betting.stake)
        else:
            yield _Row(parent, betting.player, street, action, betting.line, False, _NOTHING)
            stack += [(count, street, a, after, board) for a, after in reversed(game.moves(betting))]
        count += 1
