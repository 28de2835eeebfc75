"""Consistency checks of a poker game's fields: cards, ranking, ranges."""

from typing import TYPE_CHECKING

from treeplex.games.cards.deck import Cards, Range
from treeplex.games.inputs.reading import shown
from treeplex.games.poker.rankings import CARDS_RANKED, HOLE_CARDS, RANKINGS, SUITLESS_RANKINGS

if TYPE_CHECKING:
    from treeplex.games.poker.game import PokerGame

MOST_WEIGHT = 2**62
"""Weights of flops add up to less: sums of them stay within 64 bits."""


def check_cards(game: "PokerGame") -> None:
    """Raise ValueError if the deck has too few cards or the board has cards that are not of the deck."""
    if not isinstance(game.hole_cards, int) or game.hole_cards < 1:
        raise ValueError(f"hole_cards must be an integer of at least 1, got {shown(game.hole_cards)}")
    rounds = game.betting.n_rounds
    if len(game.board_cards) != rounds:
        raise ValueError(
            f"board_cards must have {rounds} entries, one a round, got {shown(game.board_cards)}"
        )
    if any(not isinstance(n, int) or n < 0 for n in game.board_cards):
        raise ValueError(f"board_cards must be integers of at least 0, got {shown(game.board_cards)}")
    game.deck.require("the board", game.board)
    needed, there = 2 * game.hole_cards + game.n_board, len(game.deck.cards)
    if there < needed:
        raise ValueError(
            f"too few ranks or suits: two hands and the board need {needed} cards, but the deck has {there}"
        )


def check_ranking(game: "PokerGame") -> None:
    """Raise ValueError if the ranking cannot compare the hands of the game."""
    if game.ranking not in RANKINGS:
        raise ValueError(f"ranking must be one of {', '.join(RANKINGS)}, got {game.ranking!r}")
    few, many = CARDS_RANKED.get(game.ranking, (0, len(game.deck.cards)))
    compared = game.hole_cards + game.n_board
    if not few <= compared <= many:
        raise ValueError(f"ranking {game.ranking} compares {few} to {many} cards of a player, got {compared}")
    hole_cards = HOLE_CARDS.get(game.ranking, game.hole_cards)
    if game.hole_cards != hole_cards:
        raise ValueError(f"ranking {game.ranking} takes {hole_cards} hole card(s), got {game.hole_cards}")
    if not isinstance(game.suits_visible, bool):
        raise ValueError(f"suits_visible must be true or false, got {shown(game.suits_visible)}")
    suitless = game.ranking in SUITLESS_RANKINGS and game.hole_cards == 1
    if not game.suits_visible and not suitless:
        raise ValueError("suits can be invisible only with one hole card and a ranking of ranks alone")
    if game.deck.is_numbered and not (suitless and game.sees_ranks_only and game.n_board <= 1):
        raise ValueError(f"ranks must be at most 13 in a game that sees suits, got {game.ranks}")


def check_flops(game: "PokerGame", flops: tuple[tuple[Cards, int], ...]) -> None:
    """Raise ValueError unless listed flops are different deals of the first board cards, weights positive."""
    if game.board:
        raise ValueError(f"flops are listed for games without a starting board, got {shown(game.board)}")
    if game.sees_ranks_only:
        raise ValueError(f"flops are listed for games whose suits are seen, got {game.name}")
    n_cards = next((n for n in game.board_cards if n), 0)
    if not (flops and n_cards):
        raise ValueError(f"flops must be at least one deal of board cards, got {shown(flops)}")
    for cards, weight in flops:
        if len(cards) != n_cards or list(cards) != sorted({*cards}, reverse=True):
            raise ValueError(f"each flop must be {n_cards} different cards, high to low, got {shown(cards)}")
        game.deck.require("a flop", cards)
        if isinstance(weight, bool) or not isinstance(weight, int) or weight < 1:
            raise ValueError(f"the weight of a flop must be an integer of at least 1, got {shown(weight)}")
    if len(dict(flops)) < len(flops) or sum(dict(flops).values()) >= MOST_WEIGHT:
        raise ValueError(f"flops must be different, with weights below {MOST_WEIGHT:,} in all")


def check_ranges(game: "PokerGame", ranges: tuple[Range, Range]) -> None:
    """Raise ValueError if a range has an illegal hand or weight, or every pair of hands shares a card."""
    for player, one in enumerate(ranges):
        game.deck.require_range(one, game.hole_cards)
        if not game.reach[player]:
            raise ValueError(f"the range of player {player} has no hand that the board leaves possible")
    if all(set(g) & set(h) for g in game.reach[0] for h in game.reach[1]):
        raise ValueError("the ranges hold no two hands that can be dealt together")
