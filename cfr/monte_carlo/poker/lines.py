"""The betting of a poker game as flat records, cards left out: what sampled traversals walk."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.poker.betting import HAND_OVER, ROUND_OVER, Betting, BettingState

Records = NDArray[np.void]
SHOWDOWN, FOLDED = 2, 3
"""What a node is where no player acts."""
MOST_LINES = 2_000_000
"""How many nodes are enumerated at most."""
LINE = np.dtype(
    [("kind", "u1"), ("round", "u1"), ("count", "u2"), ("first", "u4"), ("payoff", "f8")], align=True
)
"""A betting line that leaves a choice, or ends the hand.

``kind`` is 0 or 1 where a player acts, ``SHOWDOWN`` or ``FOLDED``; ``round``, whose board cards lie then. The
children are ``first`` to ``first + count - 1``. ``payoff`` is player 0's where one folded, else what the
better hand wins.
"""


@dataclass(frozen=True)
class BettingLines:
    """All lines of a betting, parents before children; lines with a single continuation are passed over.

    Attributes
    ----------
    nodes : (N,) records of ``LINE``
        Children are neighbours, in preorder of their parents.
    names : tuple of N str
        The betting line as infosets are keyed by it; empty at leaves.
    actions : tuple of N tuples of str
        The labels of the legal actions; none at leaves.
    """

    nodes: Records
    names: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]

    @cached_property
    def index(self) -> dict[str, int]:
        """The node of each line with a choice."""
        return {self.names[n]: n for n, actions in enumerate(self.actions) if actions}


def betting_lines(betting: Betting) -> BettingLines:
    """Enumerate the lines of a betting.

    Raises
    ------
    ValueError
        If there are more than ``MOST_LINES``.
    OverflowError
        If a payoff is too large for a float.
    """
    rows: list[tuple[int, int, int, int, float]] = []
    names: list[str] = []
    actions: list[tuple[str, ...]] = []
    waiting, known = [(0, betting.root())], 1
    while waiting:
        n, state = waiting.pop()
        state, moves = _choice(betting, state)
        if known + len(moves) > MOST_LINES:
            raise ValueError(
                f"the betting must have at most {MOST_LINES:,} lines, got more; allow fewer bets"
            )
        _put(rows, n, (*_kind(state), len(moves), known, _payoff(state)), (0, 0, 0, 0, 0.0))
        _put(names, n, state.line if moves else "", "")
        _put(actions, n, tuple(label for label, _ in moves), ())
        waiting += [(known + k, after) for k, (_, after) in enumerate(moves)][::-1]
        known += len(moves)
    return BettingLines(np.array(rows, dtype=LINE), tuple(names), tuple(actions))


def _choice(betting: Betting, state: BettingState) -> tuple[BettingState, list[tuple[str, BettingState]]]:
    """Pass over what leaves no choice; return the state then and its moves, none where the hand is over."""
    while state.player != HAND_OVER:
        if state.player == ROUND_OVER:
            state = betting.next_round(state)
        else:
            moves = list(betting.moves(state))
            if len(moves) > 1:
                return state, moves
            state = moves[0][1]
    return state, []


def _put(rows: list[Any], n: int, row: object, filler: object) -> None:
    """Write a row; children get their numbers before they are visited."""
    rows += [filler] * (n + 1 - len(rows))
    rows[n] = row


def _kind(state: BettingState) -> tuple[int, int]:
    if state.player != HAND_OVER:
        return state.player, state.round
    return (FOLDED if state.folded >= 0 else SHOWDOWN), state.round


def _payoff(state: BettingState) -> float:
    return float(state.stake) if state.player == HAND_OVER else 0.0


@njit(cache=True)
def line_needs(nodes: Records, player: int) -> tuple[int, int, int]:
    """Return how many infosets, actions and places a traversal of a player takes at most.

    The player tries all actions and the other takes one.
    """
    infosets, actions, places = np.zeros((3, len(nodes)), dtype=np.int64)
    for n in range(len(nodes) - 1, -1, -1):
        kind, lo, hi = nodes[n].kind, nodes[n].first, nodes[n].first + nodes[n].count
        if kind == player:
            infosets[n] = 1 + infosets[lo:hi].sum()
            actions[n] = hi - lo + actions[lo:hi].sum()
            places[n] = hi - lo + places[lo:hi].sum()
        elif kind == 1 - player:
            infosets[n] = 1 + infosets[lo:hi].max()
            actions[n] = hi - lo + actions[lo:hi].max()
            places[n] = places[lo:hi].max()
    return infosets[0], actions[0], 1 + places[0]
