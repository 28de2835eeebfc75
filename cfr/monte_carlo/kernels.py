"""Sampled traversals of a game tree: what one of them adds to regrets and averages, written in place.

Kernels take records and not one array a field: numba counts references to every array that is handed on, and
a traversal is so short that the counting would take as long. ``averaged`` and ``pruned`` say which own
actions external sampling tries; where they are None the compiler leaves no test for them.
"""

from typing import Any

import numpy as np
from numba import njit

from treeplex.cfr.monte_carlo.arrays import (
    DRAW,
    EXTERNAL,
    LEAF,
    OUTCOME,
    Averaged,
    Method,
    Pruned,
    Records,
    SampledTree,
)
from treeplex.cfr.monte_carlo.draws import drawn_child, fill
from treeplex.cfr.monte_carlo.play import explored, matched, played, positive, try_averaged, try_pruned
from treeplex.seqform.forms.treeplex import Floats


@njit(cache=True, error_model="numpy")
def opponent_child(tree: SampledTree, memory: Records, node: Any, weight: float, u: float) -> Any:
    """Return the child that u picks where the other player acts, who averages its strategy."""
    return tree.nodes[node].first + played(memory, tree.nodes[node].base, tree.nodes[node].count, weight, u)


@njit(cache=True, error_model="numpy")
def expand(
    tree: SampledTree, player: int, memory: Records, weight: float, place: int, places: int, scratch: Records
) -> None:
    """Give a decision's children the places from ``places`` on; the other player averages its strategy."""
    node, reach = scratch[place].node, scratch[place].reach
    lo, n, own = tree.nodes[node].base, tree.nodes[node].count, tree.nodes[node].kind == player
    mass = 0.0 if own else positive(memory, lo, n)
    scratch[place].below = places
    for a in range(n):
        scratch[places + a].node = tree.nodes[node].first + a
        scratch[places + a].below = 0
        scratch[places + a].value = 0.0
        scratch[places + a].reach = reach
        if not own:
            p = matched(memory[lo + a].regret, mass, n)
            memory[lo + a].total += weight * reach * p
            scratch[places + a].reach = reach * p


@njit(cache=True, error_model="numpy")
def grow(
    tree: SampledTree,
    scheme: int,
    averaged: Averaged | None,
    pruned: Pruned | None,
    player: int,
    memory: Records,
    weight: float,
    draws: Floats,
    used: int,
    scratch: Records,
) -> tuple[int, int, int]:
    """Lay out the sampled part of the tree, drawing in preorder.

    What the other player's strategy excludes is worth nothing and is not entered, nor are own actions that
    are not tried. Return places taken, draws used and nodes visited.
    """
    places, height, visited = 1, 1, 0
    scratch[0].node, scratch[0].below, scratch[0].stack, scratch[0].reach = 0, 0, 0, 1.0
    while height > 0:
        height -= 1
        visited += 1
        place = scratch[height].stack
        node, reach = scratch[place].node, scratch[place].reach
        while tree.nodes[node].kind == DRAW or (scheme == EXTERNAL and tree.nodes[node].kind == 1 - player):
            if tree.nodes[node].kind == DRAW:
                node = drawn_child(tree, node, draws[used])
            else:
                node = opponent_child(tree, memory, node, weight * reach, draws[used])
            used += 1
            visited += 1
        scratch[place].node = node
        if tree.nodes[node].kind == LEAF:
            payoff = tree.nodes[node].payoff if player == 0 else -tree.nodes[node].payoff
            scratch[place].value = reach * payoff
        else:
            expand(tree, player, memory, weight, place, places, scratch)
            lo, n = tree.nodes[node].base, tree.nodes[node].count
            if averaged is not None:
                used = try_averaged(averaged, memory, lo, n, draws, used, scratch, places)
            if pruned is not None:
                used = try_pruned(pruned, memory, lo, n, draws, used, scratch, places)
            for below in range(places + n - 1, places - 1, -1):
                if scratch[below].reach > 0.0:
                    scratch[height].stack = below
                    height += 1
            places += n
    return places, used, visited


@njit(cache=True, error_model="numpy")
def back_up(
    tree: SampledTree, pruned: Pruned | None, player: int, memory: Records, places: int, scratch: Records
) -> None:
    """Value all places from the last to the first, and gather the regrets of the player's actions.

    An own action that was pruned away gathers nothing.
    """
    for place in range(places - 1, -1, -1):
        below = scratch[place].below
        if below > 0:
            node, value = scratch[place].node, 0.0
            lo, n = tree.nodes[node].base, tree.nodes[node].count
            if tree.nodes[node].kind == player:
                mass = positive(memory, lo, n)
                for a in range(n):
                    value += matched(memory[lo + a].regret, mass, n) * scratch[below + a].value
                for a in range(n):
                    share = value
                    if pruned is not None:
                        share = value * (scratch[below + a].reach / scratch[place].reach)
                    memory[lo + a].gain += scratch[below + a].value - share
            else:
                for a in range(n):
                    value += scratch[below + a].value
            scratch[place].value = value


@njit(cache=True, error_model="numpy")
def follow(
    tree: SampledTree,
    exploration: float,
    player: int,
    memory: Records,
    weight: float,
    draws: Floats,
    used: int,
    scratch: Records,
) -> tuple[int, int, int]:
    """Walk one history, the player exploring, and gather the regrets of its actions along it.

    The player's decisions alone take places: ``below`` is then the action taken, ``value`` how likely the
    strategy is to take it. Return places taken, draws used and nodes visited.
    """
    places, node, likely, before = 0, np.uint64(0), 1.0, used
    while tree.nodes[node].kind != LEAF:
        if tree.nodes[node].kind == DRAW:
            node = np.uint64(drawn_child(tree, node, draws[used]))
        elif tree.nodes[node].kind != player:
            node = np.uint64(opponent_child(tree, memory, node, weight / likely, draws[used]))
        else:
            lo, n = tree.nodes[node].base, tree.nodes[node].count
            a, p, picked = explored(memory, lo, n, exploration, draws[used])
            scratch[places].node, scratch[places].below, scratch[places].value = node, a, p
            likely *= picked
            node, places = np.uint64(tree.nodes[node].first + a), places + 1
        used += 1
    worth = (tree.nodes[node].payoff if player == 0 else -tree.nodes[node].payoff) / likely
    for place in range(places - 1, -1, -1):
        node, value = np.uint64(scratch[place].node), worth * scratch[place].value
        lo, n = tree.nodes[node].base, tree.nodes[node].count
        for s in range(lo, lo + n):
            memory[s].gain -= value
        memory[lo + scratch[place].below].gain += worth
        worth = value
    return places, used, used - before + 1


@njit(cache=True, error_model="numpy")
def learn(
    tree: SampledTree,
    player: int,
    memory: Records,
    floor: float,
    weight: float,
    places: int,
    scratch: Records,
) -> None:
    """Add what was gathered to the player's regrets, none below the floor, and clear it.

    An infoset that was met several times has its regret clipped once: what was gathered is then zero.
    """
    for place in range(places):
        node = scratch[place].node
        if tree.nodes[node].kind == player:
            lo, n = tree.nodes[node].base, tree.nodes[node].count
            for s in range(lo, lo + n):
                memory[s].regret = max(memory[s].regret + weight * memory[s].gain, floor)
                memory[s].gain = 0.0


@njit(cache=True, error_model="numpy")
def gather(
    tree: SampledTree,
    method: Method,
    averaged: Averaged | None,
    pruned: Pruned | None,
    player: int,
    memory: Records,
    weight: float,
    draws: Floats,
    used: int,
    scratch: Records,
) -> tuple[int, int, int]:
    """Gather a player's regrets in one traversal, in which the other averages its strategy with a weight.

    Return places taken, draws used and nodes visited.
    """
    if method.scheme == OUTCOME:
        places, used, visited = follow(tree, method.exploration, player, memory, weight, draws, used, scratch)
    else:
        places, used, visited = grow(
            tree, method.scheme, averaged, pruned, player, memory, weight, draws, used, scratch
        )
        back_up(tree, pruned, player, memory, places, scratch)
    return places, used, visited


@njit(cache=True, error_model="numpy", nogil=True)
def iterate(
    tree: SampledTree,
    method: Method,
    averaged: Averaged | None,
    pruned: Pruned | None,
    memory: Records,
    done: int,
    iterations: int,
    start: Any,
    before: int,
    draws: Floats,
    need: int,
    scratch: Records,
) -> tuple[int, int]:
    """Run iterations of one traversal for each player; return how far the stream is used up, nodes visited.

    ``before`` is how far it was; ``need``, how many numbers a traversal can take.
    """
    used, visited = 0, 0
    fill(start, before, draws)
    for t in range(done + 1, done + iterations + 1):
        scale, weight = np.float64(t) ** method.regret_exponent, np.float64(t) ** method.exponent
        for player in range(2):
            if used + need > len(draws):
                before, used = before + used, 0
                fill(start, before, draws)
            places, used, seen = gather(
                tree, method, averaged, pruned, player, memory, weight, draws, used, scratch
            )
            learn(tree, player, memory, method.floor, scale, places, scratch)
            visited += seen
    return before + used, visited
