"""Showdown equities of hold'em hands against a range, by enumeration of the boards to come."""

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import N_CARDS, cards_text
from treeplex.games.cards.evaluator import Tables, add_up, card_ids, strength_of, tables
from treeplex.games.cards.preflop import CLASSES, class_hands, class_of, preflop_matchups

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

HAND_BITS = 16
"""Strength and index of a hand are sorted as one integer: ``strength << HAND_BITS | index``."""
_MAX_HANDS = 1 << HAND_BITS


def equities(
    board: Sequence[int], hands: ArrayLike, villain_hands: ArrayLike, villain_weights: ArrayLike
) -> Floats:
    """Return the equity of each hand against a range: P(win) + P(tie) / 2 at showdown, over all boards.

    The probability of an opposing hand is proportional to its weight, 0 if it shares a card with the hand;
    all boards of five cards without the cards of both hands are equally likely. Cost: O(H log H) a board.

    Parameters
    ----------
    board : sequence of 0, 3, 4 or 5 card ids
        The board, all different.
    hands : (H, 2) integers
        The hands to evaluate, card ids from 0 to 51.
    villain_hands : (V, 2) integers
        The opponent's range; the weights of a repeated hand are added.
    villain_weights : (V,) floats
        Finite, not negative. On the empty board all hands of a class must have one weight.

    Returns
    -------
    (H,) float64
        From 0 to 1; nan for a hand that holds a card of the board or has no opposing hand of positive weight.
        Rounding error: below 1e-12 times the range's weight over the weight of the opposing hands.

    Raises
    ------
    TypeError
        If cards are not integers.
    ValueError
        If a board, a hand or a weight is not as above; the number of hands is limited to 65,536.
    """
    dealt = _board(board)
    mine, theirs = _hands(hands, "hands"), _hands(villain_hands, "villain_hands")
    weights = _weight_of_hands(theirs, villain_weights)
    if len(dealt) == 0:
        return _preflop(mine, weights)
    first, second = np.triu_indices(N_CARDS, 1)
    weights[dealt] = weights[:, dealt] = 0.0
    live = weights[first, second] > 0.0
    theirs = np.column_stack((first[live], second[live])).astype(np.int64)
    opposing = opposing_weight(mine, theirs, weights[theirs[:, 0], theirs[:, 1]])
    opposing[np.isin(mine, dealt).any(axis=1)] = 0.0
    won = np.zeros(len(mine))
    _add_runouts(tables(), dealt, mine, theirs, weights, won)
    # the number of runouts is the same for every pair of hands
    runouts = comb(N_CARDS - 4 - len(dealt), 5 - len(dealt))
    known = opposing > 0.0
    result = np.full(len(mine), np.nan)
    result[known] = np.clip(won[known] / (opposing[known] * runouts), 0.0, 1.0)
    return result


def _board(board: Sequence[int]) -> Ints:
    cards = card_ids(board, "board").astype(np.int64)
    if cards.ndim != 1 or len(cards) not in (0, 3, 4, 5):
        raise BadInputError(f"a board has 0, 3, 4 or 5 cards, got shape {cards.shape}")
    if len(np.unique(cards)) < len(cards):
        raise BadInputError(f"a board's cards must differ, got {cards_text(cards.tolist())}")
    return cards


def _hands(hands: ArrayLike, name: str) -> Ints:
    cards = card_ids(hands, name).astype(np.int64)
    if cards.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if cards.ndim != 2 or cards.shape[1] != 2 or len(cards) > _MAX_HANDS:
        raise BadInputError(f"{name} must have shape (H, 2) with H up to {_MAX_HANDS:,}, got {cards.shape}")
    twice = np.flatnonzero(cards[:, 0] == cards[:, 1])
    if len(twice):
        raise BadInputError(
            f"a hand's cards must differ, got {cards_text(cards[twice[0]].tolist())} in {name}"
        )
    return np.sort(cards, axis=1)


def _weight_of_hands(hands: Ints, weights: ArrayLike) -> Floats:
    """Return the weight of each hand indexed by its two cards, (52, 52), symmetric."""
    of_hand = np.asarray(weights, dtype=np.float64)
    if of_hand.shape != (len(hands),):
        raise BadInputError(f"villain_weights must have shape ({len(hands)},), got {of_hand.shape}")
    bad = np.flatnonzero(~((of_hand >= 0.0) & (of_hand < np.inf)))
    if len(bad):
        raise BadInputError(
            f"villain_weights must be finite and at least 0, got {of_hand[bad[0]]} at {bad[0]}"
        )
    by_cards = np.zeros((N_CARDS, N_CARDS))
    np.add.at(by_cards, (hands[:, 0], hands[:, 1]), of_hand)
    return by_cards + by_cards.T


def _preflop(hands: Ints, weights: Floats) -> Floats:
    """Return equities (H,) on the empty board, from the table of hand classes."""
    by_class = np.zeros(len(CLASSES))
    for c, members in enumerate(class_hands()):
        first, second = np.array(members).T
        held = weights[first, second]
        if np.any(held != held[0]):
            raise BadInputError(
                "villain_weights on an empty board must be one number for all hands of a class, got "
                f"{held.min()} to {held.max()} for {CLASSES[c]}"
            )
        by_class[c] = held[0]
    matchups = preflop_matchups()
    opposing = (matchups.wins + matchups.ties + matchups.losses) @ by_class
    won = (matchups.wins + matchups.ties / 2) @ by_class
    known = opposing > 0.0
    result = np.full(len(CLASSES), np.nan)
    result[known] = won[known] / opposing[known]
    classes = np.array([class_of((a, b)) for a, b in hands.tolist()], dtype=np.int64)
    return result[classes]


def opposing_weight(hands: Ints, others: Ints, weights: Floats) -> Floats:
    """Return for each hand the sum of the weights of others that share no card with it, by additions only.

    Parameters
    ----------
    hands, others : (H, K), (V, K) int64
        Cards by any numbers, one or two a hand.
    weights : (V,) float64

    Returns
    -------
    (H,) float64
    """
    found = np.zeros(len(hands))
    (a, b), (c, d) = (np.ascontiguousarray(cards[:, [0, -1]].T) for cards in (hands, others))
    _add_opposing(a, b, c, d, weights, found)
    return found


@njit(cache=True)
def _add_opposing(a: Ints, b: Ints, c: Ints, d: Ints, weights: Floats, found: Floats) -> None:
    """Add to ``found`` the weight of hands (c, d) that share no card with each hand (a, b)."""
    for j in range(len(c)):
        for i in range(len(a)):  # without branches, so that the compiler takes many hands at once
            shares = (a[i] == c[j]) | (a[i] == d[j]) | (b[i] == c[j]) | (b[i] == d[j])
            found[i] += 0.0 if shares else weights[j]


@njit(cache=True)
def _add_runouts(tables: Tables, dealt: Ints, mine: Ints, theirs: Ints, weights: Floats, won: Floats) -> None:
    """Add to ``won`` the weight that each hand beats plus half of what it ties, over all runouts."""
    full = np.empty(5, dtype=np.int64)
    full[: len(dealt)] = dealt
    deck = np.array([card for card in range(N_CARDS) if card not in dealt])
    my_keys, their_keys = np.empty(len(mine), dtype=np.int64), np.empty(len(theirs), dtype=np.int64)
    n, missing = len(deck), 5 - len(dealt)
    # a loop over a card that is not to come runs once
    for i in range(n if missing > 1 else 1):
        for j in range(i + 1 if missing > 1 else 0, n if missing > 0 else 1):
            if missing > 1:
                full[3] = deck[i]
            if missing > 0:
                full[4] = deck[j]
            m = sort_hands(tables, full, mine, my_keys)
            v = sort_hands(tables, full, theirs, their_keys)
            _add_showdown(mine, my_keys[:m], theirs, their_keys[:v], weights, won)


@njit(cache=True)
def sort_hands(
    tables: Tables, board: NDArray[np.integer[Any]], hands: NDArray[np.int64], keys: NDArray[np.int64]
) -> int:
    """Sort the hands without cards of a board by strength, weakest first, in place; return their number.

    Parameters
    ----------
    tables : Tables
    board : (5,) integers
    hands : (H, 2) int64
        Up to 65,536.
    keys : (H,) int64
        Out: ``strength << HAND_BITS | hand``, ascending; undefined beyond the number returned.
    """
    word, suited = add_up(tables, board)
    w, s = tables.word, tables.suited
    n = 0
    for i in range(len(hands)):
        a, b = hands[i, 0], hands[i, 1]
        held = s[a] | s[b]
        # dead hands are written too and then overwritten: numba is slow at array reads inside branches
        keys[n] = strength_of(tables, word + w[a] + w[b], suited | held) << HAND_BITS | i
        n += suited & held == 0
    keys[:n].sort()
    return n


@njit(cache=True)
def _add_showdown(
    mine: Ints, my_keys: Ints, theirs: Ints, their_keys: Ints, weights: Floats, won: Floats
) -> None:
    """Add one board's wins and half ties to ``won`` in place; keys of both ranges are sorted by strength.

    ``sums[0]`` is over the opponent's hands weaker than the own hand, ``sums[1]`` over those not stronger;
    column 52 over all of them, column c < 52 over those that hold card c.
    """
    sums = np.zeros((2, N_CARDS + 1))
    ends = np.zeros(2, dtype=np.int64)
    last = (1 << HAND_BITS) - 1
    for key in my_keys:
        i = key & last
        a, b = mine[i, 0], mine[i, 1]
        for row in range(2):
            # keys of this strength lie in ((key | last) - last - 1, key | last]
            bound = key | last if row else (key | last) - last - 1
            while ends[row] < len(their_keys) and their_keys[ends[row]] <= bound:
                j = their_keys[ends[row]] & last
                c, d = theirs[j, 0], theirs[j, 1]
                sums[row, c] += weights[c, d]
                sums[row, d] += weights[c, d]
                sums[row, N_CARDS] += weights[c, d]
                ends[row] += 1
            won[i] += (sums[row, N_CARDS] - sums[row, a] - sums[row, b]) / 2
        # the same hand in the opponent's range: subtracted once for each of its two cards
        won[i] += weights[a, b] / 2
