"""CFR+ in fixed point: 32-bit regrets and averages, increments scaled and rounded to nearest.

After Bowling, Burch, Johanson and Tammelin (Heads-up limit hold'em poker is solved, 2015) and the released
source, which rounds where the paper says that it truncates. Its parameters are scales of regrets and
averages, and the iterations before averages begin.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.boards.board_arrays import DecisionArrays, FactoredArrays, Floats, Index
from treeplex.cfr.boards.regret_matching import (
    TILE,
    BoardPart,
    FactoredMemory,
    Scratch,
    add_mean,
    apply_locks,
    clear_locked_regrets,
    match_regrets,
)
from treeplex.cfr.update_rules import share
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_tree import cards_dealt
from treeplex.seqform.boards.factored_strategy import FactoredTree

LARGEST_INTEGER = 2**31 - 1
"""The largest stored regret and average; larger ones are stored as this, and counted."""


class Fixed(NamedTuple):
    """What a player's increments are multiplied by before they are rounded; empty where tables are floats.

    Attributes
    ----------
    regret : (S,) float64
        For each street; times values in the unit of the kernels.
    average : (S,) float64
        For each street; times plans.
    """

    regret: Floats
    average: Floats

    @staticmethod
    def none() -> "Fixed":
        """Return that of a player whose tables are floats."""
        return Fixed(np.zeros(0), np.zeros(0))


@njit(cache=True, error_model="numpy")
def spread_and_average_fixed(
    steps: DecisionArrays,
    part: BoardPart,
    memory: FactoredMemory,
    scale: float,
    plan: Floats,
    play: Floats,
    scratch: Scratch,
    saturated: Index,
) -> None:
    """Write the updating player's plan and behaviour; add ``rint(scale * plan)`` to its average, if any.

    ``saturated[1]`` counts the sums that were larger than ``LARGEST_INTEGER``.
    """
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots = steps.actions, steps.slot
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit, averages = scratch.mass, scratch.unit, len(memory.total) > 0
    for step in range(part.first, part.last):
        n_actions, block = actions[step], part.slot_base + slots[step] * width
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            match_regrets(memory, 0.0, at, 1.0, width, n_actions, play, to, stride, n, scratch)
            if locks[step] >= 0:
                apply_locks(locked[locks[step] :], hand[lo : lo + n], n_actions, play, to, stride, scratch)
            above = plan[parents[step] * stride + lo :]
            for a in range(n_actions):
                i = to + a * stride
                x, below = play[i : i + n], plan[i : i + n]
                for h in range(n):
                    x[h] = share(x[h], mass[h], unit[h])
                    below[h] = above[h] * x[h]
                if averages:
                    total, over = memory.total[at + a * width : at + a * width + n], 0
                    for h in range(n):
                        sum_ = np.float64(total[h]) + np.rint(scale * below[h])
                        over += sum_ > LARGEST_INTEGER
                        total[h] = np.int32(min(sum_, np.float64(LARGEST_INTEGER)))
                    saturated[1] += over


@njit(cache=True, error_model="numpy")
def learn_fixed(
    steps: DecisionArrays,
    part: BoardPart,
    memory: FactoredMemory,
    scale: float,
    play: Floats,
    values: Floats,
    scratch: Scratch,
    saturated: Index,
) -> None:
    """Update regrets from the values of a part's rows; add values of decisions to their parent rows.

    ``R = min(max(0, R + rint(scale * (v(a) - v))), LARGEST_INTEGER)``; ``saturated[0]`` counts the regrets
    that would be larger.
    """
    firsts, parents, locks = steps.first, steps.parent, steps.lock
    actions, slots = steps.actions, steps.slot
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    for step in range(part.last - 1, part.first - 1, -1):
        n_actions, block = actions[step], part.slot_base + slots[step] * width
        for lo in range(0, width, TILE):
            n, to, at = min(TILE, width - lo), firsts[step] * stride + lo, block + lo
            mean = scratch.mean
            add_mean(play, values, to, parents[step] * stride + lo, stride, n_actions, n, mean)
            if locks[step] >= 0:
                clear_locked_regrets(
                    locked[locks[step] :], hand[lo : lo + n], n_actions, values, to, stride, mean
                )
            for a in range(n_actions):
                v, i, over = values[to + a * stride : to + a * stride + n], at + a * width, 0
                r = memory.regret[i : i + n]
                for h in range(n):
                    sum_ = np.float64(r[h]) + np.rint(scale * (v[h] - mean[h]))
                    over += sum_ > LARGEST_INTEGER
                    r[h] = np.int32(min(max(sum_, 0.0), np.float64(LARGEST_INTEGER)))
                saturated[0] += over


@njit(cache=True, error_model="numpy")
def carry_best(steps: DecisionArrays, part: BoardPart, best: Floats, scratch: Scratch) -> None:
    """Add the largest value of a decision's actions to its parent row, from the last decision to the first.

    With ``best`` the values of leaves and of best responses on later boards, this is the best response to the
    opponent's plan. Hands must not be locked.
    """
    width, stride = part.width, part.stride
    for step in range(part.last - 1, part.first - 1, -1):
        for lo in range(0, width, TILE):
            n, to = min(TILE, width - lo), steps.first[step] * stride + lo
            most = scratch.mean[:n]
            most[:] = best[to : to + n]
            for a in range(1, steps.actions[step]):
                value = best[to + a * stride : to + a * stride + n]
                for h in range(n):
                    most[h] = max(most[h], value[h])
            above = best[steps.parent[step] * stride + lo :]
            for h in range(n):
                above[h] += most[h]


EARLY_CARDS = 3
"""Board cards up to which the scales of early streets hold unless others are given: those of the flop."""
REGRETS, AVERAGES = (16.0, 0.5), (16.0, 1.0)
"""The scales of early and of later streets in the released source of Bowling et al. (2015)."""
Scales = str | Sequence[float]
"""What is taken where scales are: numbers, or text such as ``16,16,0.5,0.5``."""


@dataclass(frozen=True)
class FixedPoint:
    """How CFR+ in fixed point rounds.

    Attributes
    ----------
    scales : tuple of float, or None
        For each street, integers for one chip of regret, the opponent's hands reaching it with weight 1. None
        is 16 up to the flop and 0.5 after it, as in Bowling et al. (2015) with blinds of 10 and 5.
    average_scales : tuple of float, or None
        For each street, integers for a plan of probability 1 in an iteration of weight 1; None is 16 and 1.
    warm_up : int
        Iterations whose plans are not averaged; the weight of iteration t is that of iteration t - warm_up.
    """

    scales: tuple[float, ...] | None = None
    average_scales: tuple[float, ...] | None = None
    warm_up: int = 0

    def __post_init__(self) -> None:
        for what, scales in (("scales", self.scales), ("average_scales", self.average_scales)):
            if scales is not None and not all(0.0 < scale <= LARGEST_INTEGER for scale in scales):
                raise BadInputError(f"{what} must be above 0 and at most 2**31 - 1, got {_listed(scales)}")
        if index(self.warm_up) < 0:
            raise BadInputError(f"warm_up must be at least 0, got {self.warm_up}")

    @staticmethod
    def of(
        scales: Scales | None = None, average_scales: Scales | None = None, warm_up: int | None = None
    ) -> "FixedPoint":
        """Return the parameters as they are given by users; raises ``ValueError`` and ``TypeError``."""
        regrets, averages = _numbers("scales", scales), _numbers("average_scales", average_scales)
        return FixedPoint(regrets, averages, 0 if warm_up is None else warm_up)

    def resolved(self, game: PokerGame) -> "FixedPoint":
        """Return the same with the scales of a game's streets in place of None; raises as ``of_streets``."""
        return FixedPoint(*self.of_streets(game), self.warm_up)

    def of_streets(self, game: PokerGame) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the scales of regrets and of averages on each street of a game.

        Raises
        ------
        ValueError
            If they are not one a street.
        """
        known = len(game.board) + np.cumsum([0, *cards_dealt(game)])
        found = []
        for what, given, default in (
            ("scales", self.scales, REGRETS),
            ("average_scales", self.average_scales, AVERAGES),
        ):
            scales = tuple(default[int(n > EARLY_CARDS)] for n in known.tolist()) if given is None else given
            if len(scales) != len(known):
                raise BadInputError(
                    f"{what} must be one number a street, {len(known)} in {game.name}, got {_listed(scales)}"
                )
            found.append(scales)
        return found[0], found[1]


PAPER = FixedPoint()
"""The scales of Bowling et al. (2015), without warm-up."""


def fixed_of(tree: FactoredTree, arrays: FactoredArrays, how: FixedPoint, player: int) -> Fixed:
    """Return the factors from the kernels' values and plans to a player's integers.

    Kernels divide values by the unit, and by the number of boards of the street: they are multiplied back, so
    that an increment is not multiplied by the probability of its board.
    """
    regret, average = how.of_streets(tree.game)
    chips = arrays.units[player] * np.array(tree.boards.runouts)
    return Fixed(np.array(regret) * chips, np.array(average))


def _numbers(what: str, given: Scales | None) -> tuple[float, ...] | None:
    """Return scales from numbers or text."""
    if given is None:
        return None
    try:
        return tuple(float(one) for one in (given.split(",") if isinstance(given, str) else given))
    except (TypeError, ValueError):
        raise BadInputError(f"{what} must be numbers such as 16,16,0.5,0.5, got {given!r}") from None


def _listed(scales: Sequence[float]) -> str:
    return ",".join(f"{scale:g}" for scale in scales)
