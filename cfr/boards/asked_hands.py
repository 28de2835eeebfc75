"""Users' local regret minimisers on one part of the betting on one board, a decision's hands at a time."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from treeplex.cfr.asked_rules import NOBODY
from treeplex.cfr.boards.board_arrays import DecisionArrays, Floats
from treeplex.cfr.boards.regret_matching import (
    TILE,
    BoardPart,
    Rule,
    Scratch,
    add_mean,
    apply_locks,
    clear_locked_regrets,
)
from treeplex.cfr.update_rules import share, unit_of


class AskedHands(NamedTuple):
    """A player's rule and its arrays; empty where no rule is asked.

    observe, strategy : functions
        As in ``treeplex.cfr.asked_rules.Asked``.
    memory : (k slots hands,) float64
        The rule's k arrays one after another, each laid out as regrets are.
    failed : (1,) float64
        As in ``Asked``; threads write to it alike.
    """

    observe: Any
    strategy: Any
    memory: Floats
    failed: Floats

    @staticmethod
    def none() -> "AskedHands":
        """Return that of a player who is asked for no rule."""
        return AskedHands(NOBODY.observe, NOBODY.strategy, np.zeros(0), np.zeros(1))


@njit(cache=True, error_model="numpy", inline="always")
def ask_hands(
    asked: AskedHands,
    at: int,
    width: int,
    n_actions: int,
    rows: Floats,
    to: int,
    stride: int,
    n: int,
    scratch: Scratch,
) -> None:
    """Write the weights of ``n`` hands' actions, their sum and the probability per unit of it."""
    mass, unit = scratch.mass[:n], scratch.unit[:n]
    asked.strategy(asked.memory, at, width, n_actions, n, rows, to, stride, asked.failed)
    mass[:] = 0.0
    for a in range(n_actions):
        x = rows[to + a * stride : to + a * stride + n]
        for h in range(n):
            mass[h] += x[h]
    for h in range(n):
        unit[h] = unit_of(1.0, mass[h], n_actions)


@njit(cache=True, error_model="numpy")
def spread_asked_plan(
    steps: DecisionArrays, part: BoardPart, asked: AskedHands, plan: Floats, scratch: Scratch
) -> None:
    """Write a player's realization plan below the roots of a part, given the rows of the roots."""
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit = scratch.mass, scratch.unit
    for step in range(part.first, part.last):
        n_actions, lock = steps.actions[step], steps.lock[step]
        for lo in range(0, width, TILE):
            n, to = min(TILE, width - lo), steps.first[step] * stride + lo
            at = part.slot_base + steps.slot[step] * width + lo
            ask_hands(asked, at, width, n_actions, plan, to, stride, n, scratch)
            if lock >= 0:
                apply_locks(locked[lock:], hand[lo : lo + n], n_actions, plan, to, stride, scratch)
            above = plan[steps.parent[step] * stride + lo :]
            for a in range(n_actions):
                x = plan[to + a * stride : to + a * stride + n]
                for h in range(n):
                    x[h] = share(x[h], mass[h], unit[h] * above[h])


@njit(cache=True, error_model="numpy")
def spread_and_average_asked_plan(
    steps: DecisionArrays,
    part: BoardPart,
    asked: AskedHands,
    total: Floats,
    rule: Rule,
    plan: Floats,
    play: Floats,
    scratch: Scratch,
) -> None:
    """Write the updating player's plan and behaviour, and add the plan to its average."""
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    mass, unit = scratch.mass, scratch.unit
    for step in range(part.first, part.last):
        n_actions, lock = steps.actions[step], steps.lock[step]
        for lo in range(0, width, TILE):
            n, to = min(TILE, width - lo), steps.first[step] * stride + lo
            at = part.slot_base + steps.slot[step] * width + lo
            ask_hands(asked, at, width, n_actions, play, to, stride, n, scratch)
            if lock >= 0:
                apply_locks(locked[lock:], hand[lo : lo + n], n_actions, play, to, stride, scratch)
            above = plan[steps.parent[step] * stride + lo :]
            for a in range(n_actions):
                i, j = to + a * stride, at + a * width
                for h in range(n):
                    play[i + h] = share(play[i + h], mass[h], unit[h])
                    plan[i + h] = above[h] * play[i + h]
                    total[j + h] = rule.keep * total[j + h] + rule.weight * plan[i + h]


@njit(cache=True, error_model="numpy")
def learn_asked(
    steps: DecisionArrays,
    part: BoardPart,
    asked: AskedHands,
    number: float,
    noise: float,
    play: Floats,
    values: Floats,
    scratch: Scratch,
) -> None:
    """Let the rule observe the values of a part's rows; add values of decisions to their parent rows."""
    width, stride, hand, locked = part.width, part.stride, part.hand, part.locked
    for step in range(part.last - 1, part.first - 1, -1):
        n_actions, parent = steps.actions[step], steps.parent[step] * stride
        for lo in range(0, width, TILE):
            n, to = min(TILE, width - lo), steps.first[step] * stride + lo
            at = part.slot_base + steps.slot[step] * width + lo
            mean = scratch.mean[:n]
            mean[:] = 0.0
            add_mean(play, values, to, parent + lo, stride, n_actions, mean)
            clear_locked_regrets(
                locked, steps.lock[step], hand[lo : lo + n], n_actions, values, to, stride, mean
            )
            asked.observe(
                asked.memory,
                at,
                width,
                n_actions,
                n,
                values,
                to,
                stride,
                scratch.mean,
                number,
                noise,
                asked.failed,
            )
