"""Hands of poker by category: binomial coefficients, and every hand of a deck evaluated."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from math import comb

import numpy as np

from treeplex.games.evaluation.evaluator import CATEGORIES, evaluate_batch
from treeplex.games.evaluation.evaluator_tables import CATEGORY_SHIFT
from treeplex.games.evaluation.preflop import equity
from treeplex.games.poker.rankings import three_card
from treeplex.theorems.effort import Effort
from treeplex.theorems.papers.figures import Figure, listed, measured
from treeplex.theorems.theorem import Comparison, Instance, Theorem, Twin

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

EQUITIES = (
    Figure("AA against KK", lambda: float(equity("AA", "KK").equity), "0.819461"),
    Figure("JTs against 22", lambda: float(equity("JTs", "22").equity), "0.538384"),
    Figure("AKs against AKo", lambda: float(equity("AKs", "AKo").equity), "0.524921"),
    Figure("AA against any hand", lambda: float(equity("AA", "random").equity), "0.852037"),
    Figure("32o against any hand", lambda: float(equity("32o", "random").equity), "0.323032"),
    Figure("any hand against itself", lambda: float(equity("random", "random").equity), "0.500000"),
)
WINS = (Figure("AA against KK", lambda: float(equity("AA", "KK").win), "0.819461"),)

PREFLOP_EQUITIES = Theorem(
    name="preflop-equities",
    plain="Equities before the flop, wins and half the ties over all boards, are the printed ones.",
    tex=r"e = P(\text{win}) + \tfrac12 P(\text{tie})",
    source="Tables of hold'em equities in general use, six digits",
    relation="==",
    instances=listed(EQUITIES),
    measure=measured(EQUITIES),
    tolerance=0.5,
    twin=Twin("They count wins alone.", measured(WINS), listed(WINS)),
)

THEOREMS = (HAND_CATEGORIES, PREFLOP_EQUITIES)
