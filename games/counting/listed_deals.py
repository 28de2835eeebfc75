"""Numbers of deals in each round of a poker game with listed flops."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treeplex.games.cards.deck import Cards, held
from treeplex.games.counting.deal_counts import RoundDeals, count_round_deals
from treeplex.games.poker.game import PokerGame

Masks = NDArray[np.uint64]
"""Sets of cards as bits, (., )."""


def count_listed_deals(game: PokerGame) -> tuple[RoundDeals, ...]:
    """Return the numbers of deals in each round of a game with listed flops.

    Before the flop a pair of hands counts if some flop shares no card with it. What is canonical is not
    counted. A hand that ends before the flop is paid on each flop.
    """
    before, pairs = _possible(game)
    after = _after_flops(game)
    paid = next(deals.dealt for deals in after if deals is not None)
    return tuple(RoundDeals(before, None, pairs, paid) if deals is None else deals for deals in after)


def _after_flops(game: PokerGame) -> list[RoundDeals | None]:
    """Return the sums over the flops of each round's numbers; None for rounds before the flop."""
    assert game.flops is not None
    number = next(k for k, n in enumerate(game.board_cards) if n)
    flops = [cards for cards, _ in game.flops]
    # Where all hands are possible, every flop leaves as many.
    chosen, times = (flops[:1], len(flops)) if game.ranges is None else (flops, 1)
    rounds = [count_round_deals(_on(game, flop)) for flop in chosen if _leaves_hands(game, flop)]
    sums: list[RoundDeals | None] = [None] * number
    for deals in list(zip(*rounds, strict=True))[number:]:
        known = [times * sum(one.known[p] for one in deals) for p in (0, 1)]
        dealt = times * sum(one.dealt for one in deals)
        sums.append(RoundDeals((known[0], known[1]), None, dealt, dealt))
    return sums


def _on(game: PokerGame, flop: Cards) -> PokerGame:
    """Return a game with a flop as the starting board."""
    number = next(k for k, n in enumerate(game.board_cards) if n)
    left = tuple(0 if k == number else n for k, n in enumerate(game.board_cards))
    return replace(game, board=flop, board_cards=left, flops=None, locks=())


def _leaves_hands(game: PokerGame, flop: Cards) -> bool:
    first, second = (held(one, flop) for one in game.reach)
    return any(set(g).isdisjoint(h) for g in first for h in second)


def _possible(game: PokerGame) -> tuple[tuple[int, int], int]:
    """Return how many hands of each player can be dealt, and how many pairs of hands."""
    assert game.flops is not None
    flops = _masks([cards for cards, _ in game.flops])
    # If so many flops share no cards among them, no two hands meet them all: a few of them decide.
    apart = _apart(flops, 2 * game.hole_cards + 1)
    deciding = apart if len(apart) > 2 * game.hole_cards else flops
    first, second = (_masks([*one]) for one in game.reach)
    met = np.array([_partners(g, second, deciding) for g in first])
    return (int(met.any(axis=1).sum()), int(met.any(axis=0).sum())), int(met.sum())


def _partners(hand: np.uint64, others: Masks, flops: Masks) -> NDArray[np.bool_]:
    """Return which of the other player's hands share no card with a hand, nor both with some flop."""
    off = flops[(flops & hand) == 0]
    return np.asarray(((others & hand) == 0) & ((others[:, None] & off) == 0).any(axis=1))


def _apart(flops: Masks, most: int) -> Masks:
    """Return at most so many flops that share no cards, each the first that fits."""
    found: list[np.uint64] = []
    taken = np.uint64(0)
    for flop in flops:
        if len(found) < most and flop & taken == 0:
            found.append(flop)
            taken |= flop
    return np.array(found, np.uint64)


def _masks(sets: list[Cards]) -> Masks:
    return np.array([sum(1 << card for card in cards) for cards in sets], np.uint64)
