"""Numbers of deals in each round of a poker game: physical, as seen by a player, and up to suits."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

from treeplex.games.cards.deck import Cards
from treeplex.games.counting.isomorphism import count_deals, count_orbits, count_rank_deals
from treeplex.games.poker.game import PokerGame


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
