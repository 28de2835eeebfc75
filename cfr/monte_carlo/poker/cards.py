"""The cards of a poker game as flat arrays: deck, board, ranges, and symbols of cards under suit symmetry."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.games.evaluation.evaluator_tables import Tables, tables
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import RANKINGS
from treeplex.seqform.factored.suit_symmetry import renamed, symmetries
from treeplex.seqform.forms.treeplex import Floats, Index

MOST_PAIRS = 1 << 25
"""Limit on the pairs of hands of two ranges; full ranges of hold'em have 1,758,276."""
Flags = NDArray[np.bool_]


class CardArrays(NamedTuple):
    """The cards of a poker game as kernels read them; decks hold indices of ``live``, not card ids.

    Attributes
    ----------
    live : (n,) int64
        The ids of the cards that are not on the starting board.
    board : (b,) int64
        The ids of the starting board.
    streets : (R,) int64
        Number of cards dealt before each round.
    n_dealt : int
        Number of board cards dealt in all.
    hole : int
        Private cards of each player.
    symbol : (P, n) int64
        Image of each card under each permutation of suits that leaves the game invariant: its index in
        ``live``, or its rank if players see ranks only.
    bits : int
        Bits per symbol.
    first, second : (H, hole) int64
        The hands of either player's range; empty if all hands have equal weight.
    chances : (H,) f64
        Cumulative weights of player 0's hands, unnormalised.
    answers : (H, H') f64
        For each of player 0's hands, cumulative weights of player 1's hands that share no card with it.
    flops : (F, cards) int64
        The possible first deals of board cards as indices of ``live``; empty if all are equally likely.
    odds : (F,) f64
        Their cumulative weights.
    ranking : int
        Index in ``treeplex.games.poker.rankings.RANKINGS``.
    tables : Tables
        Of the hold'em evaluator.
    """

    live: Index
    board: Index
    streets: Index
    n_dealt: int
    hole: int
    symbol: Index
    bits: int
    first: Index
    second: Index
    chances: Floats
    answers: Floats
    flops: Index
    odds: Floats
    ranking: int
    tables: Tables


def card_arrays(game: PokerGame) -> CardArrays:
    """Lay out the cards of a game.

    Cumulative weights are floats: hands of probability below 2**-53 may never be drawn.

    Raises
    ------
    ValueError
        If the ranges have more than ``MOST_PAIRS`` pairs, or flops are listed beside them.
    """
    if game.flops is not None and game.ranges is not None:
        raise ValueError(f"{game.name}: hands are sampled from ranges or with listed flops, got both")
    live = [card for card in game.deck.cards if card not in game.board]
    place = {card: k for k, card in enumerate(live)}
    symbol = _symbols(game, live, place)
    (first, weight), (second, other) = (_hands(game, p, place) for p in (0, 1))
    if len(first) * len(second) > MOST_PAIRS:
        raise ValueError(f"ranges must have at most {MOST_PAIRS:,} pairs, got {len(first) * len(second):,}")
    answers = np.zeros((len(first), len(second)))
    flops = game.flops or ()
    _write_answers(first, second, other, np.zeros(len(live), dtype=np.bool_), answers)
    return CardArrays(
        live=np.array(live),
        board=np.array(game.board, dtype=np.int64),
        streets=np.array(game.board_cards),
        n_dealt=sum(game.board_cards),
        hole=game.hole_cards,
        symbol=symbol,
        bits=max(1, int(symbol.max()).bit_length()),
        first=first,
        second=second,
        chances=np.cumsum(weight * answers[:, -1]) if len(second) else np.zeros(0),
        answers=answers,
        flops=np.array([[place[card] for card in cards] for cards, _ in flops], np.int64).reshape(
            len(flops), sum(len(cards) for cards, _ in flops[:1])
        ),
        odds=np.cumsum([float(weight) for _, weight in flops]),
        ranking=tuple(RANKINGS).index(game.ranking),
        tables=tables(),
    )


def _hands(game: PokerGame, player: int, place: dict[int, int]) -> tuple[Index, Floats]:
    """Return the hands of a player's range as indices, and weights over the largest; empty without ranges."""
    one = game.reach[player] if game.ranges is not None else {}
    heaviest = max(one.values(), default=1)
    hands = [[place[card] for card in hand] for hand in one]
    weights = [float(weight / heaviest) for weight in one.values()]
    return np.array(hands, dtype=np.int64).reshape(-1, game.hole_cards), np.array(weights)


def _symbols(game: PokerGame, live: list[int], place: dict[int, int]) -> Index:
    if game.sees_ranks_only:
        lowest = min(live) // 4
        return np.array([[card // 4 - lowest for card in live]])
    return np.array([[place[c] for c in renamed(suits, live)] for suits in symmetries(game)])


@njit(cache=True)
def _write_answers(first: Index, second: Index, weight: Floats, taken: Flags, answers: Floats) -> None:
    """Write cumulative weights of second hands without a card of each first one; ``taken`` is scratch."""
    for g in range(len(first)):
        taken[first[g]] = True
        mass = 0.0
        for h in range(len(second)):
            if not taken[second[h]].any():
                mass += weight[h]
            answers[g, h] = mass
        taken[first[g]] = False
