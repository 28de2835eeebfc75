"""Maps of the buckets that a card abstraction puts the hands of a board into."""

from itertools import combinations
from math import inf

import numpy as np

from treeplex.core.progress import Progress
from treeplex.files.abstraction_file import CardAbstractionLike, card_abstraction_of
from treeplex.games.base.errors import BadInputError
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.games.buckets.features import Features
from treeplex.games.cards.cards import Cards
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame
from treeplex.pictures.bucket_grid import bucket_grid
from treeplex.pictures.bucket_picture import BucketPicture
from treeplex.seqform.forms.treeplex import Floats, Index

HOLE_CARDS = 2
"""Of games whose equities are known."""


def bucket_picture(
    game: object, abstraction: CardAbstractionLike | None, board: str, progress: Progress
) -> BucketPicture:
    """Return the map of the buckets of all hands of a board.

    Parameters
    ----------
    game : object
        Of hold'em.
    abstraction : CardAbstraction, str or Path
    board : str
        Such as ``KsTh7s``, in the order of dealing; its length says the street.
    progress : callable

    Raises
    ------
    ValueError
        If the game is another, the abstraction is not of the game, or no street has such a board.
    """
    if abstraction is None:
        raise BadInputError("a map of buckets is of an abstraction, got none")
    if not isinstance(game, PokerGame) or not has_bucket_map(game):
        raise BadInputError(
            f"buckets are shown of hold'em with two hole cards, got {getattr(game, 'name', game)}"
        )
    known = isinstance(abstraction, CardAbstraction)
    read = card_abstraction_of(abstraction, game)
    street, cards = _board(game, read, board)
    progress("comparing hands on all boards to come", inf)
    hands, equity = _equities(game, cards, read.rounds)
    bucket = read.buckets(street, cards, hands)
    name = f"{'' if known else f'{abstraction}: '}{read.text}, {read.recall} recall"
    grid = bucket_grid(game.deck, hands, bucket, equity)
    return BucketPicture(
        game.name, name, game.deck, street, read.counts[street], cards, hands, bucket, equity, grid
    )


def has_bucket_map(game: PokerGame) -> bool:
    """Return whether buckets are shown of a game: hold'em with two hole cards, whose equities are known."""
    return (game.ranking, game.hole_cards) == ("holdem", HOLE_CARDS)


def _board(game: PokerGame, abstraction: CardAbstraction, text: str) -> tuple[int, Cards]:
    """Return the street that has such a board, and its cards."""
    try:
        cards = game.deck.parse("".join(text.split()))
    except ValueError as error:
        raise BadInputError(f"{error} of {game.name}, in the board {text!r}") from None
    game.deck.require("the board", cards)
    sizes = [sum(abstraction.rounds[1 : street + 1]) for street in range(len(abstraction.rounds))]
    if len(cards) not in sizes:
        legal = ", ".join(map(str, sizes))
        raise BadInputError(f"a board of {game.name} must have {legal} cards, got {len(cards)} in {text!r}")
    return sizes.index(len(cards)), cards


def _equities(game: PokerGame, board: Cards, rounds: tuple[int, ...]) -> tuple[Index, Floats]:
    """Return the hands that a board leaves, (H, 2), and their equities over the cards to come, (H,)."""
    features = Features.of(game.deck, sum(rounds[1:]), "equity")
    if board:
        deals, points = features.on(np.array([board], np.int64))
        order = np.lexsort((deals[:, 1], deals[:, 0]))
        return np.sort(deals[order, :HOLE_CARDS], axis=1), points[order, 0].astype(np.float64)
    hands = np.array([*combinations(game.deck.cards, HOLE_CARDS)])
    return hands, features.before_boards()[HandIndex(game.deck, (HOLE_CARDS,)).of(hands), 0].astype(
        np.float64
    )
