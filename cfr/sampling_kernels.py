"""Sampled traversals of a game tree: what one of them adds to regrets and averages, written in place.

Kernels take records and not one array a field: numba counts references to every array that is handed on, and
a traversal is so short that the counting would take as long.
"""

from typing import Any

import numpy as np
from numba import njit

from cfr.sampling_arrays import DRAW, EXTERNAL, LEAF, OUTCOME, Method, Records, SampledTree
from seqform.treeplex import Floats

GAMMA, FIRST, SECOND = (np.uint64(k) for k in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
S11, S27, S30, S31 = (np.uint64(k) for k in (11, 27, 30, 31))


@njit(cache=True)
def mixed(z: Any) -> Any:
    """Return the output of splitmix64 for a state, both uint64.

    Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
    """
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@njit(cache=True)
def fill(start: Any, drawn: int, draws: Floats) -> None:
    """Write a stream's numbers after the first ``drawn``: uniform on [0, 1), multiples of 2**-53.

    Splitmix64's state only counts, so a stream goes on from anywhere without the numbers before.
    """
    state = start + np.uint64(drawn) * GAMMA
    for k in range(len(draws)):
        state += GAMMA
        draws[k] = np.float64(mixed(state) >> S11) * 2.0**-53


@njit(cache=True, error_model="numpy")
def drawn_child(tree: SampledTree, node: Any, u: float) -> Any:
    """Return the first child of a draw whose cumulative probability exceeds u."""
    cell = np.uint32(u * np.float64(1 << tree.nodes[node].bits))
    child = tree.nodes[node].first + tree.guide[tree.nodes[node].base + cell]
    while tree.nodes[child].cumulative <= u:
        child += np.uint32(1)
    return child


@njit(cache=True, error_model="numpy")
def positive(memory: Records, lo: Any, n: Any) -> float:
    """Return the sum of the positive regrets of an infoset of n actions whose first sequence is ``lo``."""
    mass = 0.0
    for s in range(lo, lo + n):
        mass += max(memory[s].regret, 0.0)
    return mass


@njit(cache=True, error_model="numpy")
def matched(regret: float, mass: float, n: Any) -> float:
    """Return an action's probability by regret matching, uniform where no regret is positive."""
    return max(regret, 0.0) / mass if mass > 0.0 else 1.0 / n


@njit(cache=True, error_model="numpy")
def chosen(memory: Records, mass: float, lo: Any, n: Any, explored: float, u: float) -> Any:
    """Return the action that u picks, by regret matching or, a share ``explored`` of the time, uniformly.

    Rounding never picks an action of probability zero.
    """
    rest, choice = u, np.uint32(0)
    for a in range(n):
        p = explored / n + (1.0 - explored) * matched(memory[lo + a].regret, mass, n)
        if rest >= 0.0 and p > 0.0:
            choice = np.uint32(a)
            rest -= p
    return choice


@njit(cache=True, error_model="numpy")
def average(memory: Records, mass: float, lo: Any, n: Any, weight: float) -> None:
    """Add the strategy at an infoset to the average with a weight."""
    for s in range(lo, lo + n):
        memory[s].total += weight * matched(memory[s].regret, mass, n)


@njit(cache=True, error_model="numpy")
def answered(tree: SampledTree, memory: Records, node: Any, weight: float, u: float) -> Any:
    """Return the child that u picks where the other player acts, who averages its strategy."""
    lo, n = tree.nodes[node].base, tree.nodes[node].count
    mass = positive(memory, lo, n)
    average(memory, mass, lo, n, weight)
    return tree.nodes[node].first + chosen(memory, mass, lo, n, 0.0, u)


@njit(cache=True, error_model="numpy")
def expand(
    tree: SampledTree, player: int, memory: Records, weight: float, place: int, places: int, room: Records
) -> None:
    """Give a decision's children the places from ``places`` on; the other player averages its strategy."""
    node, reach = room[place].node, room[place].reach
    lo, n, own = tree.nodes[node].base, tree.nodes[node].count, tree.nodes[node].kind == player
    mass = positive(memory, lo, n)
    if not own:
        average(memory, mass, lo, n, weight * reach)
    room[place].below = places
    for a in range(n):
        room[places + a].node = tree.nodes[node].first + a
        room[places + a].below = 0
        room[places + a].value = 0.0
        room[places + a].reach = reach if own else reach * matched(memory[lo + a].regret, mass, n)


@njit(cache=True, error_model="numpy")
def grow(
    tree: SampledTree,
    scheme: int,
    player: int,
    memory: Records,
    weight: float,
    draws: Floats,
    used: int,
    room: Records,
) -> tuple[int, int]:
    """Lay out the sampled part of the tree, drawing in preorder; return places taken and draws used.

    What the other player's strategy excludes is worth nothing and is not entered.
    """
    places, height = 1, 1
    room[0].node, room[0].below, room[0].stack, room[0].reach = 0, 0, 0, 1.0
    while height > 0:
        height -= 1
        place = room[height].stack
        node = room[place].node
        while tree.nodes[node].kind == DRAW or (scheme == EXTERNAL and tree.nodes[node].kind == 1 - player):
            if tree.nodes[node].kind == DRAW:
                node = drawn_child(tree, node, draws[used])
            else:
                node = answered(tree, memory, node, weight, draws[used])
            used += 1
        room[place].node = node
        if tree.nodes[node].kind == LEAF:
            payoff = tree.nodes[node].payoff if player == 0 else -tree.nodes[node].payoff
            room[place].value = room[place].reach * payoff
        else:
            expand(tree, player, memory, weight, place, places, room)
            n = tree.nodes[node].count
            for below in range(places + n - 1, places - 1, -1):
                if room[below].reach > 0.0:
                    room[height].stack = below
                    height += 1
            places += n
    return places, used


@njit(cache=True, error_model="numpy")
def settle(tree: SampledTree, player: int, memory: Records, places: int, room: Records) -> None:
    """Value all places from the last to the first, and gather the regrets of the player's actions."""
    for place in range(places - 1, -1, -1):
        below = room[place].below
        if below > 0:
            node, value = room[place].node, 0.0
            lo, n = tree.nodes[node].base, tree.nodes[node].count
            if tree.nodes[node].kind == player:
                mass = positive(memory, lo, n)
                for a in range(n):
                    value += matched(memory[lo + a].regret, mass, n) * room[below + a].value
                for a in range(n):
                    memory[lo + a].gain += room[below + a].value - value
            else:
                for a in range(n):
                    value += room[below + a].value
            room[place].value = value


@njit(cache=True, error_model="numpy")
def follow(
    tree: SampledTree,
    exploration: float,
    player: int,
    memory: Records,
    weight: float,
    draws: Floats,
    used: int,
    room: Records,
) -> tuple[int, int]:
    """Walk one history, the player exploring, and gather the regrets of its actions along it.

    The player's decisions alone take places: ``below`` is then the action taken, ``value`` how likely the
    strategy is to take it. Return places taken and draws used.
    """
    places, node, likely = 0, np.uint64(0), 1.0
    while tree.nodes[node].kind != LEAF:
        if tree.nodes[node].kind == DRAW:
            node = np.uint64(drawn_child(tree, node, draws[used]))
        elif tree.nodes[node].kind != player:
            node = np.uint64(answered(tree, memory, node, weight / likely, draws[used]))
        else:
            lo, n = tree.nodes[node].base, tree.nodes[node].count
            mass = positive(memory, lo, n)
            a = chosen(memory, mass, lo, n, exploration, draws[used])
            p = matched(memory[lo + a].regret, mass, n)
            room[places].node, room[places].below, room[places].value = node, a, p
            likely *= exploration / n + (1.0 - exploration) * p
            node, places = np.uint64(tree.nodes[node].first + a), places + 1
        used += 1
    worth = (tree.nodes[node].payoff if player == 0 else -tree.nodes[node].payoff) / likely
    for place in range(places - 1, -1, -1):
        node, value = np.uint64(room[place].node), worth * room[place].value
        lo, n = tree.nodes[node].base, tree.nodes[node].count
        for s in range(lo, lo + n):
            memory[s].gain -= value
        memory[lo + room[place].below].gain += worth
        worth = value
    return places, used


@njit(cache=True, error_model="numpy")
def learn(
    tree: SampledTree,
    player: int,
    memory: Records,
    floor: float,
    weight: float,
    places: int,
    room: Records,
) -> None:
    """Add what was gathered to the player's regrets, none below the floor, and clear it.

    An infoset that was met several times has its regret clipped once: what was gathered is then zero.
    """
    for place in range(places):
        node = room[place].node
        if tree.nodes[node].kind == player:
            lo, n = tree.nodes[node].base, tree.nodes[node].count
            for s in range(lo, lo + n):
                memory[s].regret = max(memory[s].regret + weight * memory[s].gain, floor)
                memory[s].gain = 0.0


@njit(cache=True, error_model="numpy")
def update(
    tree: SampledTree,
    method: Method,
    player: int,
    memory: Records,
    weights: tuple[float, float],
    draws: Floats,
    used: int,
    room: Records,
) -> int:
    """Update a player's regrets and the other's average by one traversal; return how many draws are used.

    ``weights`` are those of the regrets and of the average.
    """
    scale, weight = weights
    if method.scheme == OUTCOME:
        places, used = follow(tree, method.exploration, player, memory, weight, draws, used, room)
    else:
        places, used = grow(tree, method.scheme, player, memory, weight, draws, used, room)
        settle(tree, player, memory, places, room)
    learn(tree, player, memory, method.floor, scale, places, room)
    return used


@njit(cache=True, error_model="numpy")
def iterate(
    tree: SampledTree,
    method: Method,
    memory: Records,
    done: int,
    iterations: int,
    start: Any,
    before: int,
    draws: Floats,
    need: int,
    room: Records,
) -> int:
    """Run iterations of one traversal for each player; return how far the stream is used up.

    ``before`` is how far it was; ``need``, how many numbers a traversal can take.
    """
    used = 0
    fill(start, before, draws)
    for t in range(done + 1, done + iterations + 1):
        weights = np.float64(t) ** method.regret_exponent, np.float64(t) ** method.exponent
        for player in range(2):
            if used + need > len(draws):
                before, used = before + used, 0
                fill(start, before, draws)
            used = update(tree, method, player, memory, weights, draws, used, room)
    return before + used
