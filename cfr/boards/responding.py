"""Best responses on boards: the best action of each hand at each decision, found in one traversal."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.boards.board_arrays import (
    BoardArrays,
    BoardPlayer,
    DecisionArrays,
    Floats,
    Index,
    starts_of,
)
from treeplex.cfr.boards.regret_matching import TILE, BoardPart
from treeplex.games.base.errors import BadInputError

MOST_ACTIONS = 256
"""Most actions of a decision: choices are stored in bytes."""


class BestActions(NamedTuple):
    """The pure strategy of a player who best responds; empty for a player who learns.

    Attributes
    ----------
    best : (.,) uint8
        The action of each hand at each decision on each board.
    base : (D + 1,) int64
        The first entry of each board, where there is a row of hands for each decision.
    """

    best: NDArray[np.uint8]
    base: Index

    @staticmethod
    def none() -> "BestActions":
        """Return that of a player who learns."""
        return BestActions(np.zeros(0, np.uint8), np.zeros(0, np.int64))

    @staticmethod
    def of(boards: BoardArrays, side: BoardPlayer) -> "BestActions":
        """Allocate for a player: everybody takes the first action."""
        base = starts_of(np.diff(side.step_base) * np.diff(side.hands.start))
        return BestActions(np.zeros(int(base[-1]), np.uint8), base)


def check_actions(side: BoardPlayer) -> None:
    """Refuse decisions of more than ``MOST_ACTIONS`` actions with ``ValueError``."""
    most = int(side.betting.steps.actions.max(initial=1))
    if most > MOST_ACTIONS:
        raise BadInputError(f"best responses take at most {MOST_ACTIONS} actions a decision, got {most}")


@njit(cache=True, error_model="numpy")
def spread_choices(
    steps: DecisionArrays, part: BoardPart, choices: BestActions, board: int, plan: Floats
) -> None:
    """Write a player's realization plan below the roots of a part on a board, given the rows of the roots."""
    width, stride = part.width, part.stride
    for step in range(part.first, part.last):
        at, above = choices.base[board] + steps.rank[step] * width, plan[steps.parent[step] * stride :]
        best = choices.best[at : at + width]
        for a in range(steps.actions[step]):
            below = plan[(steps.first[step] + a) * stride :]
            for h in range(width):
                below[h] = above[h] if best[h] == a else 0.0


@njit(cache=True, error_model="numpy")
def respond(
    steps: DecisionArrays,
    part: BoardPart,
    choices: BestActions,
    board: int,
    noise: float,
    values: Floats,
    most: Floats,
) -> None:
    """Choose the best action of each hand, the first of equal ones; add its value to the parent row.

    Parameters
    ----------
    steps : DecisionArrays
    part : BoardPart
    choices : BestActions
        The part's rows on the board are overwritten.
    board : int
    noise : float
        An action is better if its value is larger by more than this, so that exact ties stay ties.
    values : float64
        By row.
    most : (TILE,) float64
        Overwritten.
    """
    width, stride = part.width, part.stride
    for step in range(part.last - 1, part.first - 1, -1):
        at = choices.base[board] + steps.rank[step] * width
        for lo in range(0, width, TILE):
            n, to = min(TILE, width - lo), steps.first[step] * stride + lo
            best = choices.best[at + lo : at + lo + n]
            for h in range(n):
                most[h] = values[to + h]
                best[h] = 0
            for a in range(1, steps.actions[step]):
                value = values[to + a * stride : to + a * stride + n]
                for h in range(n):
                    if value[h] > most[h] + noise:
                        most[h], best[h] = value[h], a
            above = values[steps.parent[step] * stride + lo :]
            for h in range(n):
                above[h] += most[h]
