"""A player's root decisions, before the betting of a factored tree begins: plans and regrets.

Regret matching, or where amounts are drawn the choices of ``cfr.drawn_choices``.
"""

import numpy as np
from numba import njit

from treeplex.cfr.boards.board_arrays import Floats, Root
from treeplex.cfr.boards.regret_matching import FactoredMemory, Rule
from treeplex.cfr.drawn_choices import KEPT, LEARNED, learn_entering
from treeplex.cfr.update_rules import NOISE, discounted, predicted, share, unit_of


@njit(cache=True, error_model="numpy", nogil=True)
def enter(
    root: Root,
    memory: FactoredMemory,
    prediction: float,
    keep: float,
    weight: float,
    plans: Floats,
    play: Floats,
) -> None:
    """Write a player's plan at the root, as itself and as the other player sees it.

    Parameters
    ----------
    root : Root
    memory : FactoredMemory
    prediction, keep, weight : float
        As in ``Rule``.
    plans : (2, H) float64
        The plan of each hand; and what the other player sees of it: times the weight of the range.
    play : (S,) float64
        The behaviour at the root decisions.
    """
    if len(root.drawn.mean) > 0:
        enter_drawn(root, memory, keep, weight, plans)
        return
    plan = np.ones(len(play))
    regret, gain, total = memory.root_regret, memory.root_gain, memory.root_total
    for i in range(len(root.begin)):
        begin, end = root.begin[i], root.end[i]
        mass = 0.0
        for s in range(begin, end):
            play[s] = predicted(regret[s], gain[s], prediction) if prediction > 0.0 else max(regret[s], 0.0)
            mass += play[s]
        unit = unit_of(1.0, mass, end - begin)
        for s in range(begin, end):
            play[s] = share(play[s], mass, unit)
            plan[s] = plan[root.parent[i]] * play[s]
            total[s] = keep * total[s] + weight * plan[s]
    plans[0] = root.base
    plans[1] = 0.0
    for e in range(len(root.at)):
        for h in range(len(root.base)):
            if root.at[e, h] >= 0:
                x = plan[root.at[e, h]]
                plans[0, h] += root.own[e, h] * x
                plans[1, h] += root.weight[e, h] * x


@njit(cache=True, error_model="numpy", nogil=True)
def enter_drawn(root: Root, memory: FactoredMemory, keep: float, weight: float, plans: Floats) -> None:
    """Write a player's plan at the root, as :func:`enter`, where amounts are drawn."""
    learned, total = memory.root_regret, memory.root_total
    total[0] = keep * total[0] + weight
    plans[0] = root.base
    plans[1] = 0.0
    for h in range(len(root.base)):
        k = root.at[0, h]
        if k >= 0:
            at, to = 1 + LEARNED * k, 1 + KEPT * k
            p, z = (learned[at + 3], learned[at + 4]) if learned[0] > 0.0 else (0.5, 0.0)
            plans[0, h] += p
            plans[1, h] += root.weight[0, h] * p
            total[to] = keep * total[to] + weight * p
            total[to + 1] = keep * total[to + 1] + weight * z


@njit(cache=True, error_model="numpy", nogil=True)
def learn_drawn(root: Root, memory: FactoredMemory, values: Floats) -> None:
    """Update a player's choices where amounts are drawn; parameters as of :func:`learn_root`."""
    learned, drawn = memory.root_regret, root.drawn
    learned[0] += 1.0
    for h in range(len(root.base)):
        k = root.at[0, h]
        if k >= 0:
            at = 1 + LEARNED * k
            learn_entering(
                learned[at : at + LEARNED],
                learned[0],
                root.weight[0, h] * values[h],
                drawn.mean[k],
                drawn.deviation[k],
                drawn.by_hedge,
            )


@njit(cache=True, error_model="numpy", nogil=True)
def learn_root(root: Root, memory: FactoredMemory, rule: Rule, play: Floats, values: Floats) -> None:
    """Update the regrets of root decisions.

    Parameters
    ----------
    root : Root
    memory : FactoredMemory
    rule : Rule
    play : (S,) float64
        The behaviour that :func:`enter` wrote.
    values : (H,) float64
        What each hand is worth at the start of the betting.
    """
    if len(root.drawn.mean) > 0:
        learn_drawn(root, memory, values)
        return
    worth = root.stay.copy()
    for e in range(len(root.at)):
        for h in range(len(root.base)):
            if root.at[e, h] >= 0:
                worth[root.at[e, h]] += root.weight[e, h] * values[h]
    largest = 0.0
    for s in range(1, len(worth)):
        largest = max(largest, abs(worth[s]))
    for i in range(len(root.begin) - 1, -1, -1):
        begin, end = root.begin[i], root.end[i]
        mean = 0.0
        for s in range(begin, end):
            mean += play[s] * worth[s]
        worth[root.parent[i]] += mean
        for s in range(begin, end):
            gain = worth[s] - mean
            memory.root_regret[s] = discounted(
                memory.root_regret[s] + gain, NOISE * largest, rule.positive, rule.negative
            )
            if rule.prediction > 0.0:
                memory.root_gain[s] = gain
