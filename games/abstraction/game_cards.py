"""Which games an abstraction of a deck and of streets fits."""

from treeplex.games.cards.deck import Deck
from treeplex.games.poker.game import PokerGame

STREETS = ("preflop", "flop", "turn", "river")
"""Hold'em's names of streets, by how many were dealt before."""


def rounds_of(game: PokerGame) -> tuple[int, ...]:
    """Return a game's hole cards, then the board cards of each street on which any are dealt."""
    return (game.hole_cards, *(n for n in game.board_cards if n))


def street_name(street: int) -> str:
    """Return the name of a street, 0 before any board card: hold'em's, and others by number."""
    return STREETS[street] if street < len(STREETS) else f"street{street}"


def check_game(game: PokerGame, deck: Deck, rounds: tuple[int, ...]) -> None:
    """Refuse a game of another deck or other streets, or that treats suits or hands unequally.

    Parameters
    ----------
    game : PokerGame
    deck : Deck
    rounds : tuple of int
        Hole cards, then the board cards of each street.

    Raises
    ------
    ValueError
    """
    if game.deck != deck:
        raise ValueError(f"the abstraction is of {_deck_text(deck)}, {game.name} has {_deck_text(game.deck)}")
    own = rounds_of(game)
    if own != rounds:
        raise ValueError(f"the abstraction is of rounds of {rounds} cards, {game.name} deals {own}")
    for what, there in (("a starting board", game.board), ("ranges", game.ranges), ("locks", game.locks)):
        if there:
            raise ValueError(f"an abstraction is of games without {what}, which {game.name} has")
    if not _suits_are_alike(game):
        raise ValueError(
            f"an abstraction is of games whose suits are alike, flops of {game.name} tell them apart"
        )


def _suits_are_alike(game: PokerGame) -> bool:
    """Return whether listed flops have equal weights however suits are renamed: swaps make all renamings."""
    weights = {frozenset(cards): weight for cards, weight in game.flops or ()}
    for suit in range(1, game.suits):
        swap = {suit: suit - 1, suit - 1: suit}
        for cards, weight in weights.items():
            if weights.get(frozenset(c - c % 4 + swap.get(c % 4, c % 4) for c in cards)) != weight:
                return False
    return True


def _deck_text(deck: Deck) -> str:
    top = " up to the king" if deck.top_is_king else ""
    return f"a deck of {deck.ranks} ranks{top} and {deck.suits} suits"
