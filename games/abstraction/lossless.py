"""The abstraction of a game that loses nothing."""

from treeplex.games.abstraction.card_abstraction import CardAbstraction, street_rounds
from treeplex.games.abstraction.game_cards import check_game, rounds_of
from treeplex.games.abstraction.street_buckets import LOSSLESS, StreetBuckets
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame


def lossless(game: PokerGame) -> CardAbstraction:
    """Return the abstraction of a game in which each deal up to suits is a bucket, with perfect recall.

    Raises
    ------
    ValueError
        If the game has a starting board, ranges or locks.
    """
    rounds = rounds_of(game)
    check_game(game, game.deck, rounds)
    sizes = [HandIndex(game.deck, one).size for one in street_rounds(rounds, "perfect")]
    streets = tuple(StreetBuckets(LOSSLESS, size, None, None) for size in sizes)
    return CardAbstraction(game.deck, rounds, "perfect", streets, 0, LOSSLESS)
