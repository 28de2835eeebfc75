"""Permutations of suits that leave a game as it is, and the orbits of boards and hands under them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.deck import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.trees.poker_deals import codes

Permutation = tuple[int, ...]
"""Where each suit goes."""
Group = tuple[Permutation, ...]
"""Permutations closed under composition; the identity comes first."""


def symmetries(game: PokerGame) -> Group:
    """Return the suit permutations that fix a game's starting board, both ranges and what is locked.

    One permutation must fix both ranges: hands of both players are renamed at once. No ranking prefers a
    suit, so these are symmetries of the game: hands and boards that one of them carries into each other,
    street by street, are played alike in some equilibrium.
    """
    every = list(permutations(range(game.suits)))
    given = (*game.reach, *(lock.play for lock in game.locks))
    return tuple(p for p in every if _fixes(p, game.board) and all(_keeps(p, one) for one in given))


def stabiliser(group: Group, cards: Cards) -> Group:
    """Return the permutations of a group that map a set of cards to itself."""
    return tuple(p for p in group if _fixes(p, cards))


def orbits(group: Group, sets: Sequence[Cards]) -> dict[Cards, int]:
    """Return one set of cards of each orbit, the first that came, and how many sets the orbit has."""
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
    """Return for each hand (H, K) the first hand of its orbit, and how many hands the orbit has.

    The hands must be closed under the group.
    """
    images = [np.sort(hands - hands % 4 + np.array(p)[hands % 4], axis=1) for p in group]
    smallest = np.stack([codes(image) for image in images]).min(axis=0)
    _, first, orbit, size = np.unique(smallest, return_index=True, return_inverse=True, return_counts=True)
    return first[orbit], size[orbit]


def _fixes(permutation: Permutation, cards: Cards) -> bool:
    return moved(permutation, cards) == tuple(sorted(cards))


def _keeps(permutation: Permutation, one: Mapping[Cards, object]) -> bool:
    return all(one.get(moved(permutation, hand)) == given for hand, given in one.items())
