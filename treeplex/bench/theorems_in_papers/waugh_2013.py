"""Waugh 2013: deals up to permutations of suits, by Burnside's lemma and by enumeration."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import factorial

from treeplex.bench.theorems.effort import Effort
from treeplex.bench.theorems.prepared import poker
from treeplex.bench.theorems.theorem import Comparison, Instance, Theorem, Twin
from treeplex.games.cards.cards import Cards
from treeplex.games.counting.deal_counts import count_deals, count_orbits, count_rank_deals
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.board_tree import BoardTree

SOURCE = "Waugh, A fast and optimal hand isomorphism algorithm, 2013"
Card = tuple[int, int]
"""A rank and a suit."""
Deal = tuple[frozenset[Card], ...]

PUBLISHED = {
    "2": 169,
    "2 3": 1_286_792,
    "2 3 1": 55_190_538,
    "2 3 1 1": 2_428_287_420,
    "2 4": 13_960_050,
    "2 5": 123_156_254,
    "3": 1_755,
    "3 1": 63_193,
    "3 1 1": 2_554_656,
    "4": 16_432,
    "5": 134_459,
    "7": 6_009_159,
    "1": 13,
    "1 1": 325,
    "1 1 1": 9_997,
}
"""Classes of deals of the full deck: hands, flops, turns, rivers; the last three of Rhode Island hold'em."""
QUICK_DECKS = ("2 2: 2", "3 2: 1 1", "2 3: 1 2", "3 3: 2 1", "2 4: 2 2", "3 1: 1 1")
"""Ranks and suits of a deck: how many cards are dealt together, group after group."""
MORE_DECKS = ("3 4: 2 1", "3 3: 1 2 1", "3 4: 1 1 1", "2 4: 2 2 1", "4 3: 2 2")


def _full_deck(effort: Effort) -> Iterator[Instance]:
    for groups in PUBLISHED:
        yield Instance(choice=groups)


def _groups(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _published(instance: Instance) -> Iterator[Comparison]:
    yield Comparison(count_orbits(13, 4, _groups(instance.choice)), PUBLISHED[instance.choice])


def _by_division(instance: Instance) -> Iterator[Comparison]:
    deals = count_deals(52, _groups(instance.choice))
    yield Comparison(deals // factorial(4), PUBLISHED[instance.choice])


PUBLISHED_ORBITS = Theorem(
    name="deals-up-to-suits",
    plain="Burnside's lemma counts 169 hands of hold'em up to suits, 1,286,792 with the flop, 55,190,538 "
    "with the turn, 2,428,287,420 with the river, and 1,755 flops.",
    tex=r"|X / S_4| = \frac1{24} \sum_{\pi \in S_4} |X^\pi|",
    source=SOURCE,
    relation="==",
    instances=_full_deck,
    measure=_published,
    tolerance=0.0,
    twin=Twin("They are the deals divided by the 24 permutations of suits.", _by_division),
)


def _small_decks(effort: Effort) -> Iterator[Instance]:
    for choice in effort.choose(QUICK_DECKS, MORE_DECKS):
        yield Instance(choice=choice)


def _deals(cards: Sequence[Card], groups: tuple[int, ...]) -> Iterator[Deal]:
    """Yield every deal as a tuple of sets of cards."""
    if not groups:
        yield ()
        return
    for first in combinations(cards, groups[0]):
        for rest in _deals([card for card in cards if card not in first], groups[1:]):
            yield (frozenset(first), *rest)


def _named(deal: Deal, names: Sequence[int]) -> Deal:
    return tuple(frozenset((rank, names[suit]) for rank, suit in group) for group in deal)


def _enumerated(instance: Instance) -> Iterator[Comparison]:
    deck, _, groups = instance.choice.partition(":")
    (ranks, suits), sizes = _groups(deck), _groups(groups)
    left = set(_deals([(rank, suit) for rank in range(ranks) for suit in range(suits)], sizes))
    yield Comparison(count_deals(ranks * suits, sizes), len(left), at="deals")
    seen = {tuple(tuple(sorted(rank for rank, _ in group)) for group in deal) for deal in left}
    yield Comparison(count_rank_deals([suits] * ranks, sizes), len(seen), at="by ranks")
    orbits = 0
    while left:
        deal = next(iter(left))
        left -= {_named(deal, names) for names in permutations(range(suits))}
        orbits += 1
    yield Comparison(count_orbits(ranks, suits, sizes), orbits, at="up to suits")


def _in_one_order(instance: Instance) -> Iterator[Comparison]:
    deck, _, groups = instance.choice.partition(":")
    (ranks, suits), sizes = _groups(deck), _groups(groups)
    yield Comparison(count_orbits(ranks, suits, sizes), count_orbits(ranks, suits, (sum(sizes),)))


ENUMERATED_ORBITS = Theorem(
    name="deals-up-to-suits-by-enumeration",
    plain="On small decks the numbers of deals, of deals by ranks and of deals up to suits are those of a "
    "list of all deals.",
    tex=r"|X / S_n| = |\{ S_n x : x \in X \}|",
    source=f"{SOURCE}; enumerated here",
    relation="==",
    instances=_small_decks,
    measure=_enumerated,
    tolerance=0.0,
    twin=Twin("It does not matter in which groups the cards are dealt.", _in_one_order),
)

FLOP = 'small_holdem(board="As Kh Qs",ranks=5,suits=2,ranges=["AJ,KQ","JJ,KJ,AT"])'
SUITED = 'small_holdem(board="As Ks Qs Qh",ranks=5,suits=3,ranges=["JJ,TT","JT,JJ"])'
"""The board tells suits apart, both ranges do not."""


def _boards(effort: Effort) -> Iterator[Instance]:
    quick = (SUITED, FLOP, "rhode_island(ranks=3,suits=3,raises=1)")
    for spec in effort.choose(quick, ("rhode_island(ranks=4,suits=4,raises=1)",)):
        yield Instance(spec)


def _renamed(cards: Cards, names: tuple[int, ...]) -> frozenset[int]:
    return frozenset(card - card % 4 + names[card % 4] for card in cards)


def _keeps(game: PokerGame, names: tuple[int, ...]) -> bool:
    """Return whether a renaming of suits leaves the starting board and both ranges as they are."""
    ranges = [{frozenset(hand): weight for hand, weight in one.items()} for one in game.reach]
    kept = all(
        one.get(_renamed(tuple(hand), names)) == weight for one in ranges for hand, weight in one.items()
    )
    return kept and _renamed(game.board, names) == frozenset(game.board)


def _streets(cards: Cards, sizes: tuple[int, ...]) -> Iterator[tuple[Cards, ...]]:
    """Yield the ways to deal streets of these sizes from some cards, one after the other, some or all."""
    yield ()
    if sizes:
        for street in combinations(cards, sizes[0]):
            left = tuple(card for card in cards if card not in street)
            yield from ((street, *rest) for rest in _streets(left, sizes[1:]))


def _orbits(game: PokerGame, renamings: list[tuple[int, ...]]) -> int:
    """Return the number of boards, unfinished ones too, up to some renamings of suits."""
    left = tuple(card for card in game.deck.cards if card not in game.board)
    boards = _streets(left, tuple(n for n in game.board_cards if n))
    return len(
        {
            min(tuple(tuple(sorted(_renamed(street, p))) for street in board) for p in renamings)
            for board in boards
        }
    )


def _merged_boards(instance: Instance) -> Iterator[Comparison]:
    game = poker(instance.game)
    renamings = [p for p in permutations(range(game.suits)) if _keeps(game, p)]
    yield Comparison(len(BoardTree.of(game).cards), _orbits(game, renamings))


def _boards_of_any_suits(instance: Instance) -> Iterator[Comparison]:
    game = poker(instance.game)
    yield Comparison(len(BoardTree.of(game).cards), _orbits(game, [*permutations(range(game.suits))]))


BOARDS_UP_TO_SUITS = Theorem(
    name="boards-up-to-suits",
    plain="As many boards are kept as there are up to the renamings of suits that leave the starting board "
    "and both ranges as they are.",
    tex=r"|B / G|, \quad G = \{\pi \in S_n : \pi(b_0) = b_0,\ w_i \circ \pi = w_i\}",
    source=f"{SOURCE}; with ranges derived here",
    relation="==",
    instances=_boards,
    measure=_merged_boards,
    tolerance=0.0,
    twin=Twin("So it is up to all renamings of suits.", _boards_of_any_suits),
)

THEOREMS = (PUBLISHED_ORBITS, ENUMERATED_ORBITS, BOARDS_UP_TO_SUITS)
