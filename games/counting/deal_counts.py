"""Numbers of deals in each round of a poker game: physical, as a player sees them, and up to suits."""

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
    """The cards that lie in one round.

    Attributes
    ----------
    known : pair of int
        What each player can see: pairs of an own hand and a board, the streets of the board kept apart.
        Where suits are not seen these are ranks. A hand counts if the opponent could hold some other hand
        when hands were dealt, on all boards that it does not meet and that leave two hands possible.
    canonical : int or None
        The same up to a renaming of suits, of either player; None where a board or ranges break it.
    dealt : int
        Two hands and a board of physical cards.
    """

    known: tuple[int, int]
    canonical: int | None
    dealt: int


def count_round_deals(game: PokerGame) -> tuple[RoundDeals, ...]:
    """Return what can lie in each round of a game."""
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
    return RoundDeals((known, known), None if game.board else canonical, dealt)


@dataclass(frozen=True)
class _Ranged:
    """A game with ranges: who can hold what at the start.

    Attributes
    ----------
    game : PokerGame
    live : frozenset of int
        The cards off the starting board.
    hands : pair of lists
        The hands of each player beside which the other has a hand.
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
        return RoundDeals(known, None, self.pairs * count_deals(len(self.live) - both, streets))

    def _cards_known(self, player: int, streets: Cards) -> int:
        """Count pairs of a hand and a board by counting boards as sets of cards first."""
        cards = sum(streets)
        sets = len(self.hands[player]) * comb(len(self.live) - self.game.hole_cards, cards)
        for gone, kept in self._impossible(cards):
            free = self.live - gone - kept
            for hand in self.hands[player]:
                if gone.isdisjoint(hand):
                    sets -= comb(len(free.difference(hand)), cards - len(gone))
        return sets * count_deals(cards, streets)

    def _ranks_known(self, player: int, streets: Cards) -> int:
        """Count pairs of ranks; rankings that may be played without suits know one board card at most."""
        ranks = {card // 4 for (card,) in self.hands[player]}
        if not streets:
            return len(ranks)
        boards = {card // 4 for card in self.live if self._two_hands({card})}
        hands = [card for (card,) in self.hands[player]]
        return len({(g // 4, c // 4) for g in hands for c in self.live if g != c and c // 4 in boards})

    def _impossible(
        self, cards: int, gone: frozenset[int] = frozenset(), kept: frozenset[int] = frozenset()
    ) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
        """Yield, without overlap, boards of at most so many cards beside which no two hands are possible.

        All boards are meant that hold the cards ``gone`` and none of ``kept``. Each must hold a card of
        any two hands that are possible together: which of them is the first tells the cases apart.
        """
        held = self._two_hands(gone)
        if held is None:
            yield gone, kept
        elif len(gone) < cards:
            for i, card in enumerate(held):
                if card not in kept:
                    yield from self._impossible(cards, gone | {card}, kept.union(held[:i]))

    def _two_hands(self, gone: Collection[int]) -> Cards | None:
        """Return the cards of two hands that can be held together without some cards, if there are any."""
        first, second = ((hand for hand in hands if not set(hand) & set(gone)) for hands in self.hands)
        others = list(second)
        return next((g + h for g in first for h in others if set(g).isdisjoint(h)), None)


def _partners(hands: Collection[Cards], others: Collection[Cards]) -> dict[Cards, int]:
    """Return for each hand how many of the others share no card with it, by inclusion and exclusion."""
    holding = Counter(cards for other in others for cards in _subsets(other))
    return {hand: sum((-1) ** len(s) * holding[s] for s in _subsets(hand)) for hand in hands}


def _subsets(hand: Cards) -> Iterator[Cards]:
    return chain.from_iterable(combinations(hand, n) for n in range(len(hand) + 1))
