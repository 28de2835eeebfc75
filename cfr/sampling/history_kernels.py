"""Sampled traversals of a game tree, which update regrets and averages in place.

Kernels take arrays of records and not one array per field: numba counts references to every array passed,
which takes as long as a short traversal. ``averaged`` and ``pruned`` say which own actions external sampling
tries; compiled code has no branch for them where they are None.
"""

from typing import Any

import numpy as np
from numba import njit

from treeplex.cfr.sampling.draws import (
    drawn_child,
    explored,
    fill,
    matched,
    played,
    positive,
    try_averaged,
    try_pruned,
)
from treeplex.cfr.sampling.sampled_tree import (
    DRAW,
    EXTERNAL,
    LEAF,
    OUTCOME,
    Averaged,
    Pruned,
    Records,
    SampledMethod,
    SampledTree,
)
from treeplex.seqform.forms.treeplex import Floats


@njit(cache=True, error_model="numpy")
def opponent_child(tree: SampledTree, memory: Records, node: Any, weight: float, u: float) -> Any:
    """Sample the other player's action by u and add its strategy to the average; return the child."""
    return tree.nodes[node].first + played(memory, tree.nodes[node].base, tree.nodes[node].count, weight, u)


@njit(cache=True, error_model="numpy")
def expand(
    tree: SampledTree, player: int, memory: Records, weight: float, place: int, places: int, scratch: Records
) -> None:
    """Append a decision's children to the places; the other player's strategy is added to its average."""
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
    """Expand the sampled part of the tree, drawing in preorder.

    Children of reach 0 are not entered: the other player's strategy excludes them, or own actions are not
    tried. Return the number of places, the position in the draws, and the number of nodes visited.
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
    """Compute the values of all places from the last to the first, and the regrets of the player's actions.

    The regret of an action that was not tried because of pruning is 0.
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
    """Sample one history with exploration, and compute the regrets of the player's actions along it.

    Places hold the player's decisions alone: ``below`` is the action taken, ``value`` its probability under
    the strategy. Return the number of places, the position in the draws, and the number of nodes visited.
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
    """Add the traversal's regrets to the cumulative ones, clip these at the floor, and reset the former.

    The regrets of an infoset met several times are summed before they are clipped.
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
    method: SampledMethod,
    averaged: Averaged | None,
    pruned: Pruned | None,
    player: int,
    memory: Records,
    weight: float,
    draws: Floats,
    used: int,
    scratch: Records,
) -> tuple[int, int, int]:
    """Compute a player's regrets by one traversal, and add the other's strategy to its average with a weight.

    Return the number of places, the position in the draws, and the number of nodes visited.
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
    method: SampledMethod,
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
    """Run iterations of one traversal per player; return the position in the stream, and the nodes visited.

    ``before`` is the position at the start; ``need`` is the most numbers that a traversal takes.
    """
    used, visited = 0, 0
    fill(start, before, draws)
    for t in range(done + 1, done + iterations + 1):
        scale, weight = np.float64(t) ** method.regret_exponent, np.float64(t) ** method.exponent
        for player in range(2):
            if used + need > len(draws):
                before, used = before + used, 0
                fill(start, before, draws)
            places, used, count = gather(
                tree, method, averaged, pruned, player, memory, weight, draws, used, scratch
            )
            learn(tree, player, memory, method.floor, scale, places, scratch)
            visited += count
    return before + used, visited
