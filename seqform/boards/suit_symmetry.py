"""Permutations of suits that are symmetries of a game, and orbits of boards and hands under them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.poker_deals import codes

Permutation = tuple[int, ...]
"""The image of each suit."""
Group = tuple[Permutation, ...]
"""Permutations closed under composition; the identity comes first."""


def symmetries(game: PokerGame) -> Group:
    """Return the suit permutations that fix a game's starting board, both ranges, all locks and listed flops.

    Each permutes the hands of both players at once. No ranking prefers a suit, so these are symmetries of the
    game: some equilibrium is invariant under them. The board is fixed street by street, so that a subgame has
    the symmetries that the whole game has there.
    """
    every = list(permutations(range(game.suits)))
    streets = game.starting_streets
    flops = {tuple(sorted(cards)): weight for cards, weight in game.flops or ()}
    invariants = (*game.reach, *(lock.play for lock in game.locks), flops)
    return tuple(
        p
        for p in every
        if all(_fixes(p, cards) for cards in streets)
        and (p == every[0] or all(_keeps(p, one) for one in invariants))
    )


def stabiliser(group: Group, cards: Cards) -> Group:
    """Return the permutations of a group that map a set of cards to itself."""
    return tuple(p for p in group if _fixes(p, cards))


def orbits(group: Group, sets: Sequence[Cards]) -> dict[Cards, int]:
    """Return the first set of cards of each orbit, and the number of sets of the orbit."""
    found: dict[Cards, int] = {}
    first: dict[Cards, Cards] = {}
    for cards in sets:
        chosen = first.setdefault(min(moved(p, cards) for p in group), cards)
        found[chosen] = found.get(chosen, 0) + 1
    return found


def renamed(permutation: Permutation, cards: Iterable[int]) -> list[int]:
    """Return cards with their suits renamed, in the order given."""
    return [card - card % 4 + permutation[card % 4] for card in cards]


def moved(permutation: Permutation, cards: Cards) -> Cards:
    """Return cards with their suits renamed, in increasing order."""
    return tuple(sorted(renamed(permutation, cards)))


def representatives(group: Group, hands: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each hand (H, K) the first hand of its orbit and the orbit's size, (H,) each.

    The hands must be closed under the group.
    """
    images = [np.sort(hands - hands % 4 + np.array(p)[hands % 4], axis=1) for p in group]
    smallest = np.stack([codes(image) for image in images]).min(axis=0)
    _, first, orbit, size = np.unique(smallest, return_index=True, return_inverse=True, return_counts=True)
    return first[orbit], size[orbit]


def _fixes(permutation: Permutation, cards: Cards) -> bool:
    return moved(permutation, cards) == tuple(sorted(cards))


def _keeps(permutation: Permutation, one: Mapping[Cards, object]) -> bool:
    for hand, given in one.items():
        there = one.get(moved(permutation, hand))
        if there is not given and there != given:
            return False
    return True
