"""Numbers of deals in each round of a poker game: physical, as seen by a player, and up to suits.

Deals of groups of cards are counted as physical cards, up to permutations of suits, and by rank. Games with
listed flops are counted too.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations, product
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards, held
from treeplex.games.poker.game import PokerGame

Groups = tuple[int, ...]
"""How many cards are dealt together, group after group: (2, 3, 1, 1) is a hand, a flop, a turn, a river."""
Polynomial = dict[Groups, int]
"""Coefficients by exponents, one variable a group, truncated at the sizes of the groups."""


def count_deals(cards: int, groups: Sequence[int]) -> int:
    """Return the number of ways to deal groups of the given sizes from ``cards`` different cards."""
    ways = 1
    for size in _checked(groups):
        ways, cards = ways * comb(max(cards, 0), size), cards - size
    return ways


def count_orbits(ranks: int, suits: int, groups: Sequence[int]) -> int:
    """Count the orbits of deals of groups of cards under permutations of suits.

    A deal is a sequence of disjoint sets: (2, 3) is a hand and a flop, of which hold'em has 1,286,792 orbits;
    (5,) is a set of five cards. By Burnside's lemma the number is the mean, over all permutations of suits,
    of the number of deals that the permutation fixes: those in which the cards of each of its cycles, at each
    rank, are all in one group or all in none (Waugh, A fast and optimal hand isomorphism algorithm, 2013,
    numbers the same classes).

    Parameters
    ----------
    ranks, suits : int
        The deck, a card for each rank and suit.
    groups : sequence of int
        The size of each group.

    Returns
    -------
    int
        Exact; 0 where the deck has fewer cards.

    Raises
    ------
    ValueError
        If ranks, suits or a size is not an integer, or is too small.
    """
    for name, value in (("ranks", ranks), ("suits", suits)):
        if not isinstance(value, int) or value < 1:
            raise BadInputError(f"{name} must be an integer of at least 1, got {value!r}")
    sizes = _checked(groups)
    types = Counter(_cycles(permutation) for permutation in permutations(range(suits)))
    fixed = sum(n * _fixed_deals(ranks, cycles, sizes) for cycles, n in types.items())
    orbits, rest = divmod(fixed, factorial(suits))
    assert rest == 0
    return orbits


def count_rank_deals(copies: Sequence[int], groups: Sequence[int]) -> int:
    """Count the deals of groups of cards by ranks: sequences of multisets of ranks.

    Parameters
    ----------
    copies : sequence of int
        How many cards of each rank there are.
    groups : sequence of int
        The size of each group, a multiset of ranks.
    """
    sizes = _checked(groups)
    return _coefficient([_copies_of_a_rank(n, sizes) for n in copies], sizes)


def _checked(groups: Sequence[int]) -> Groups:
    if any(not isinstance(size, int) or size < 0 for size in groups):
        raise BadInputError(f"groups must be integers of at least 0, got {groups!r}")
    return tuple(groups)


def _cycles(permutation: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths of a permutation's cycles, in increasing order."""
    lengths, seen = [], set[int]()
    for start in permutation:
        length, place = 0, start
        while place not in seen:
            seen.add(place)
            length, place = length + 1, permutation[place]
        lengths += [length] if length else []
    return tuple(sorted(lengths))


def _fixed_deals(ranks: int, cycles: Sequence[int], sizes: Groups) -> int:
    """Count the deals that a permutation of suits with cycles of these lengths fixes."""
    factors = [
        {(0,) * len(sizes): 1} | {_in_group(sizes, g, n): 1 for g in range(len(sizes))} for n in cycles
    ]
    one_rank = {(0,) * len(sizes): 1}
    for cycle in factors:
        one_rank = _times(one_rank, cycle, sizes)
    return _coefficient([one_rank] * ranks, sizes)


def _in_group(sizes: Groups, group: int, cards: int) -> Groups:
    return tuple(cards * (g == group) for g in range(len(sizes)))


def _copies_of_a_rank(copies: int, sizes: Groups) -> Polynomial:
    """Return the generating function of the numbers of cards of one rank in each group."""
    return {taken: 1 for taken in product(*(range(n + 1) for n in sizes)) if sum(taken) <= copies}


def _coefficient(factors: Sequence[Polynomial], sizes: Groups) -> int:
    """Return the coefficient of the monomial with exponents ``sizes`` in a product of polynomials."""
    result: Polynomial = {(0,) * len(sizes): 1}
    for factor in factors:
        result = _times(result, factor, sizes)
    return result.get(sizes, 0)


def _times(left: Polynomial, right: Polynomial, sizes: Groups) -> Polynomial:
    result: Polynomial = {}
    for (a, n), (b, m) in product(left.items(), right.items()):
        power = tuple(map(sum, zip(a, b, strict=True)))
        if all(p <= size for p, size in zip(power, sizes, strict=True)):
            result[power] = result.get(power, 0) + n * m
    return result


@dataclass(frozen=True)
class RoundDeals:
    """Numbers of deals of hands and board in one round.

    Attributes
    ----------
    known : pair of int
        What each player can see: pairs of an own hand and a board as a sequence of streets; by ranks if suits
        are not seen. A hand counts if the opponent can hold a disjoint one at the start, a board if it leaves
        two disjoint hands possible.
    canonical : int or None
        The same up to permutations of suits, equal for both players; None if there is a starting board or
        ranges, which may not be symmetric.
    dealt : int
        Triples of two hands and a board, of physical cards.
    paid : int
        Triples on which a hand that ends in the round is paid: these, or those after a listed flop.
    """

    known: tuple[int, int]
    canonical: int | None
    dealt: int
    paid: int


def count_round_deals(game: PokerGame) -> tuple[RoundDeals, ...]:
    """Return the numbers of deals in each round of a game whose flops are not listed."""
    streets = [
        tuple(n for n in game.board_cards[: number + 1] if n) for number in range(len(game.board_cards))
    ]
    if game.ranges is None:
        return tuple(_every_hand(game, groups) for groups in streets)
    ranged = _Ranged.of(game)
    return tuple(ranged.deals(groups) for groups in streets)


def _every_hand(game: PokerGame, streets: Cards) -> RoundDeals:
    hole = game.hole_cards
    live = [card for card in game.deck.cards if card not in game.board]
    if game.sees_ranks_only:
        copies = Counter(card // 4 for card in live)
        known = count_rank_deals(list(copies.values()), (hole, *streets))
    else:
        known = count_deals(len(live), (hole, *streets))
    canonical = known if game.sees_ranks_only else count_orbits(game.ranks, game.suits, (hole, *streets))
    dealt = count_deals(len(live), (hole, hole, *streets))
    return RoundDeals((known, known), None if game.board else canonical, dealt, dealt)


@dataclass(frozen=True)
class _Ranged:
    """A game with ranges or a starting board, and the hands possible at the start.

    Attributes
    ----------
    game : PokerGame
    live : frozenset of int
        The cards not on the starting board.
    hands : pair of lists
        The hands of each player that are disjoint from some hand of the other.
    pairs : int
        Pairs of hands that share no card.
    """

    game: PokerGame
    live: frozenset[int]
    hands: tuple[list[Cards], list[Cards]]
    pairs: int

    @staticmethod
    def of(game: PokerGame) -> "_Ranged":
        first, second = game.reach
        partners = _partners(first, second), _partners(second, first)
        hands = [hand for hand, n in partners[0].items() if n], [hand for hand, n in partners[1].items() if n]
        return _Ranged(game, frozenset(game.deck.cards) - set(game.board), hands, sum(partners[0].values()))

    def deals(self, streets: Cards) -> RoundDeals:
        both = 2 * self.game.hole_cards
        of_ranks = self.game.sees_ranks_only and self.game.suits > 1
        count = self._ranks_known if of_ranks else self._cards_known
        known = count(0, streets), count(1, streets)
        dealt = self.pairs * count_deals(len(self.live) - both, streets)
        return RoundDeals(known, None, dealt, dealt)

    def _cards_known(self, player: int, streets: Cards) -> int:
        """Count pairs of a hand and a board: sets of cards first, then their deals as streets."""
        cards = sum(streets)
        sets = len(self.hands[player]) * comb(len(self.live) - self.game.hole_cards, cards)
        for included, excluded in self._impossible(cards):
            free = self.live - included - excluded
            for hand in self.hands[player]:
                if included.isdisjoint(hand):
                    sets -= comb(len(free.difference(hand)), cards - len(included))
        return sets * count_deals(cards, streets)

    def _ranks_known(self, player: int, streets: Cards) -> int:
        """Count pairs of ranks; games without visible suits have at most one board card."""
        ranks = {card // 4 for (card,) in self.hands[player]}
        if not streets:
            return len(ranks)
        boards = {card // 4 for card in self.live if self._two_hands({card})}
        hands = [card for (card,) in self.hands[player]]
        return len({(g // 4, c // 4) for g in hands for c in self.live if g != c and c // 4 in boards})

    def _impossible(
        self, cards: int, included: frozenset[int] = frozenset(), excluded: frozenset[int] = frozenset()
    ) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
        """Yield a partition of the boards of ``cards`` cards that leave no two disjoint hands possible.

        A part is (included, excluded): all boards with the cards of the first set and none of the second.
        Such a board contains a card of every two disjoint hands; cases branch on the first such card.
        """
        pair = self._two_hands(included)
        if pair is None:
            yield included, excluded
        elif len(included) < cards:
            for i, card in enumerate(pair):
                if card not in excluded:
                    yield from self._impossible(cards, included | {card}, excluded.union(pair[:i]))

    def _two_hands(self, removed: Collection[int]) -> Cards | None:
        """Return the cards of two disjoint hands without the cards removed, None if there are none."""
        first, second = ((hand for hand in hands if not set(hand) & set(removed)) for hands in self.hands)
        others = list(second)
        return next((g + h for g in first for h in others if set(g).isdisjoint(h)), None)


def _partners(hands: Collection[Cards], others: Collection[Cards]) -> dict[Cards, int]:
    """Return for each hand the number of ``others`` disjoint from it, by inclusion-exclusion."""
    holding = Counter(cards for other in others for cards in _subsets(other))
    return {hand: sum((-1) ** len(s) * holding[s] for s in _subsets(hand)) for hand in hands}


def _subsets(hand: Cards) -> Iterator[Cards]:
    return chain.from_iterable(combinations(hand, n) for n in range(len(hand) + 1))


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
    met = np.array([_compatible(g, second, deciding) for g in first])
    return (int(met.any(axis=1).sum()), int(met.any(axis=0).sum())), int(met.sum())


def _compatible(hand: np.uint64, others: Masks, flops: Masks) -> NDArray[np.bool_]:
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
