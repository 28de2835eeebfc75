"""Hands of poker by category, counted by binomial coefficients; the best five of seven cards."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from math import comb
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import poker
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.cards.cards import cards_text
from treeplex.games.cards.evaluator import CATEGORIES, CATEGORY_SHIFT, evaluate_batch
from treeplex.games.poker.game import PokerState
from treeplex.games.poker.rankings import three_card

RANKS = "23456789TJQKA"
THREE_CARDS = ("high card", "pair", "flush", "straight", "trips", "straight flush")


def _decks(effort: Effort) -> Iterator[Instance]:
    for ranks in effort.choose(("23456A", "89TJQKA", "2345TJA"), (RANKS,)):
        yield Instance(choice=f"five cards of {ranks}")
    for ranks in effort.choose(("234A", RANKS), ("9TJQKA",)):
        yield Instance(choice=f"three cards of {ranks}")


def _straights(ranks: str, size: int) -> int:
    """Return the number of straights by rank: runs of so many ranks, the ace also below the two."""
    return sum(set(("A" + RANKS)[k : k + size]) <= set(ranks) for k in range(15 - size))


def _five(n: int, runs: int) -> dict[str, int]:
    """Return how many hands of five cards of n ranks are in each category."""
    unpaired = comb(n, 5) - runs
    return {
        "straight flush": 4 * runs,
        "quads": n * (n - 1) * 4,
        "full house": n * 4 * (n - 1) * 6,
        "flush": 4 * unpaired,
        "straight": runs * (4**5 - 4),
        "trips": n * 4 * comb(n - 1, 2) * 4**2,
        "two pair": comb(n, 2) * 6**2 * (n - 2) * 4,
        "pair": n * 6 * comb(n - 1, 3) * 4**3,
        "high card": unpaired * (4**5 - 4),
    }


def _three(n: int, runs: int) -> dict[str, int]:
    """Return the same of three cards, as in Rhode Island hold'em."""
    unpaired = comb(n, 3) - runs
    return {
        "straight flush": 4 * runs,
        "trips": n * 4,
        "straight": runs * (4**3 - 4),
        "flush": 4 * unpaired,
        "pair": n * 6 * (n - 1) * 4,
        "high card": unpaired * (4**3 - 4),
    }


def _deck(ranks: str) -> list[int]:
    return [4 * RANKS.index(rank) + suit for rank in ranks for suit in range(4)]


def _by_formula(instance: Instance) -> dict[str, int]:
    size, _, _, ranks = instance.choice.split()
    count, cards = (_five, 5) if size == "five" else (_three, 3)
    return count(len(ranks), _straights(ranks, cards))


def _by_enumeration(instance: Instance) -> dict[str, int]:
    size, _, _, ranks = instance.choice.split()
    if size == "five":
        flat = chain.from_iterable(combinations(_deck(ranks), 5))
        strengths = evaluate_batch(np.fromiter(flat, dtype=np.uint8).reshape(-1, 5))
        counts = np.bincount(strengths >> CATEGORY_SHIFT, minlength=len(CATEGORIES)).tolist()
        return dict(zip(CATEGORIES, counts, strict=True))
    found = Counter(three_card((a,), (b, c)) >> 12 for a, b, c in combinations(_deck(ranks), 3))
    return {name: found[place] for place, name in enumerate(THREE_CARDS)}


def _categories(instance: Instance) -> Iterator[Comparison]:
    found = _by_enumeration(instance)
    for name, count in _by_formula(instance).items():
        yield Comparison(found[name], count, at=name)


def _with_straight_flushes(instance: Instance) -> Iterator[Comparison]:
    expected = _by_formula(instance)
    yield Comparison(_by_enumeration(instance)["flush"], expected["flush"] + expected["straight flush"])


HAND_CATEGORIES = Theorem(
    name="hands-by-category",
    plain="Of all hands of a deck as many are in each category as binomial coefficients say: 40 straight "
    "flushes, 624 quads, 3,744 full houses and so on of 2,598,960; 48 straight flushes and 52 trips of three "
    "cards.",
    tex=r"|\text{flush}| = 4 \Big(\tbinom{13}{5} - 10\Big)",
    source="Counted by formula; three cards as Shi and Littman 2001",
    relation="==",
    instances=_decks,
    measure=_categories,
    tolerance=0.0,
    twin=Twin("There are 4 C(n, 5) flushes.", _with_straight_flushes),
)


def _many_cards(effort: Effort) -> Iterator[Instance]:
    for cards in (6, 7):
        for seed in effort.seeds(quick=2, full=20):
            yield Instance(seed=seed, choice=f"hands of {cards} cards")


def _drawn(instance: Instance) -> NDArray[np.int64]:
    """Return 500 random hands of as many cards as the instance says, (500, 6 or 7), cards ascending."""
    rng, cards = np.random.default_rng(instance.seed), int(instance.choice.split()[2])
    return np.sort(rng.permuted(np.tile(np.arange(52), (500, 1)), axis=1)[:, :cards], axis=1)


def _compared(hands: NDArray[np.int64], expected: NDArray[np.integer[Any]]) -> Iterator[Comparison]:
    found = evaluate_batch(hands)
    for hand, mine, best in zip(hands.tolist(), found.tolist(), expected.tolist(), strict=True):
        yield Comparison(mine, best, at=cards_text(tuple(hand)))


def _best_five(instance: Instance) -> Iterator[Comparison]:
    hands = _drawn(instance)
    fives = combinations(range(hands.shape[1]), 5)
    best = np.max([evaluate_batch(hands[:, five]) for five in fives], axis=0)
    yield from _compared(hands, best)


def _without_the_lowest(instance: Instance) -> Iterator[Comparison]:
    hands = _drawn(instance)
    yield from _compared(hands, evaluate_batch(hands[:, 1:]))


BEST_FIVE = Theorem(
    name="best-five-of-seven",
    plain="A hand of six or seven cards is worth as much as the best five of them.",
    tex=r"s(C) = \max_{F \subset C,\, |F| = 5} s(F)",
    source="Rules of hold'em",
    relation="==",
    instances=_many_cards,
    measure=_best_five,
    tolerance=0.0,
    twin=Twin("The lowest card never counts.", _without_the_lowest),
)


def _leduc_decks(effort: Effort) -> Iterator[Instance]:
    yield Instance("leduc_poker(ranks=13)", effort.seed)
    for seed in effort.seeds(quick=3, full=40):
        rng = Random(seed)
        yield Instance(f"leduc_poker(ranks={rng.randrange(2, 21)},suits={rng.randrange(2, 5)})", seed)


def _beaten(instance: Instance, pairs: Callable[[int], float]) -> Iterator[Comparison]:
    """Compare how many hands the pair, and a hand drawn at random, beat on the board of each rank.

    On the left are payoffs of showdowns in the game, on the right scores: a pair's by a function of its rank,
    otherwise the rank.
    """
    game, rng = poker(instance.game), Random(instance.seed)
    ranks, suits = game.ranks, game.suits
    cards = np.array(game.deck.cards).reshape(ranks, suits).tolist()
    for b in range(ranks):
        board = cards[b][0]
        for r in (b, rng.choice([r for r in range(ranks) if r != b])):
            hand = cards[r][1]
            others = [card for card in game.deck.cards if card not in (board, hand)]
            shown = (PokerState(((hand,), (card,)), (board,), "cc/cc") for card in others)
            scores = [pairs(h) if h == b else h for h in range(ranks)]
            fewer = sum(suits for score in scores if score < scores[r])
            fewer -= scores[b] < scores[r]
            at = f"rank {r} on a board of rank {b}"
            yield Comparison(sum(game.payoff(state) > 0 for state in shown), fewer, at=at)


def _pair_beats(instance: Instance) -> Iterator[Comparison]:
    yield from _beaten(instance, lambda rank: math.inf)


def _rank_plus_ten(instance: Instance) -> Iterator[Comparison]:
    yield from _beaten(instance, lambda rank: rank + 10)


PAIRS_WIN = Theorem(
    name="pairs-beat-high-cards",
    plain="In Leduc hold'em, however many ranks and suits, a pair with the board beats every hand without "
    "one; other hands beat those of lower ranks but pairs.",
    tex=r"|\{h : (r, b) \text{ beats } (h, b)\}| = n_s \, |\{h \ne b : h < r \text{ or } r = b\}|",
    source="Southey and others, Bayes' bluff, 2005 (rules of Leduc hold'em)",
    relation="==",
    instances=_leduc_decks,
    measure=_pair_beats,
    tolerance=0.0,
    erratum="A value of -0.0904 that circulates for 13 ranks scores a pair as its rank plus 10.",
    twin=Twin("A pair may be scored as its rank plus 10.", _rank_plus_ten),
)

THEOREMS = (HAND_CATEGORIES, BEST_FIVE, PAIRS_WIN)
