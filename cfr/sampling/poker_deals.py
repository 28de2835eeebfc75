"""Random deals of a poker game, the players' observations of them, and showdowns.

The cards of the game are flat arrays: deck, board, ranges, and symbols of cards under suit symmetry.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treeplex.cfr.sampling.draws import GAMMA, S11, mixed
from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.evaluator import NO_CARDS, Tables, strength_of, tables
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.rankings import RANKINGS
from treeplex.seqform.boards.suit_symmetry import renamed, symmetries
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
        raise BadInputError(f"{game.name}: hands are sampled from ranges or with listed flops, got both")
    live = [card for card in game.deck.cards if card not in game.board]
    place = {card: k for k, card in enumerate(live)}
    symbol = _symbols(game, live, place)
    (first, weight), (second, other) = (_hands(game, p, place) for p in (0, 1))
    if len(first) * len(second) > MOST_PAIRS:
        raise BadInputError(
            f"ranges must have at most {MOST_PAIRS:,} pairs, got {len(first) * len(second):,}"
        )
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


DRAWN, INFOSETS, ENTRIES = 0, 1, 2
"""Indices of the counters: random numbers used, infosets in the table, and entries in use."""
PAIR_WITH_BOARD, THREE_CARD, HOLDEM, TRIPS_OR_PAIR = (
    tuple(RANKINGS).index(name) for name in ("pair_with_board", "three_card", "holdem", "trips_or_pair")
)
_PAIRED = 1 << 32
_ACE = 12


class Deal(NamedTuple):
    """One deal, with scratch arrays.

    Attributes
    ----------
    deck : (n,) int64
        Player 0's hand, player 1's, the board as it is dealt; then what is left.
    codes : (2, R) uint64
        Code of each player's observation in each round.
    sorted : (m,) int64
        Room for the symbols of a street or a hand.
    """

    deck: Index
    codes: NDArray[np.uint64]
    sorted: Index


def empty_deal(cards: CardArrays) -> Deal:
    """Allocate a deal."""
    n, longest = len(cards.live), max(cards.hole, int(cards.streets.max()))
    codes = np.zeros((2, len(cards.streets)), dtype=np.uint64)
    return Deal(np.arange(n), codes, np.zeros(longest, dtype=np.int64))


@njit(cache=True)
def uniform(stream: Any, counts: Index) -> Any:
    """Return the stream's next number, as in ``treeplex.cfr.sampling.draws.fill``."""
    counts[DRAWN] += 1
    return np.float64(mixed(stream + np.uint64(counts[DRAWN]) * GAMMA) >> S11) * 2.0**-53


@njit(cache=True)
def first_above(sums: Floats, x: float) -> Any:
    """Return the first index at which cumulative sums exceed x, by bisection; x is below the last sum."""
    lo, hi = 0, len(sums) - 1
    while lo < hi:
        middle = (lo + hi) // 2
        if sums[middle] > x:
            hi = middle
        else:
            lo = middle + 1
    return lo


@njit(cache=True)
def _bring(deck: Index, k: int, card: int) -> None:
    """Swap a card into position k of the deck."""
    at = k
    while deck[at] != card:
        at += 1
    deck[k], deck[at] = deck[at], deck[k]


@njit(cache=True)
def shuffle(cards: CardArrays, deal: Deal, stream: Any, counts: Index) -> None:
    """Shuffle player 0's hand, player 1's and the board to the front of the deck.

    Cards are drawn uniformly without replacement; with ranges, the two hands are drawn as a pair; of listed
    flops one is drawn first by its weight, and hands from the other cards.
    """
    deck, first, second, hole = deal.deck, cards.first, cards.second, cards.hole
    n, begin = len(deck), 0
    for k in range(n):
        deck[k] = k
    if len(cards.flops) > 0:
        flop = cards.flops[first_above(cards.odds, uniform(stream, counts) * cards.odds[-1])]
        begin = len(flop)
        for k in range(begin):
            _bring(deck, k, flop[k])
    if len(first) > 0:
        chances, answers = cards.chances, cards.answers
        g = first_above(chances, uniform(stream, counts) * chances[-1])
        h = first_above(answers[g], uniform(stream, counts) * answers[g, -1])
        for k in range(hole):
            _bring(deck, k, first[g, k])
        for k in range(hole):
            _bring(deck, hole + k, second[h, k])
        begin = 2 * hole
    for k in range(begin, 2 * hole + cards.n_dealt):
        at = k + int(uniform(stream, counts) * (n - k))
        deck[k], deck[at] = deck[at], deck[k]
    if len(cards.flops) > 0:  # it was in front of the hands
        for k in range(2 * hole):
            deck[k] = deck[begin + k]
        for k in range(begin):
            deck[2 * hole + k] = flop[k]


@njit(cache=True)
def packed(symbol: Index, bits: int, deck: Index, line: Index, lo: int, hi: int, code: Any) -> Any:
    """Append the sorted symbols of cards lo to hi - 1 of the deck to a code; ``line`` is room."""
    for k in range(lo, hi):
        s, j = symbol[deck[k]], k - lo
        while j > 0 and line[j - 1] > s:
            line[j] = line[j - 1]
            j -= 1
        line[j] = s
    for j in range(hi - lo):
        code = code << np.uint64(bits) | np.uint64(line[j])
    return code


@njit(cache=True)
def write_observations(cards: CardArrays, deal: Deal) -> None:
    """Write the code of hand and dealt board for each player and round, the smallest over suit symmetries."""
    hole, bits, symbols, streets = cards.hole, cards.bits, cards.symbol, cards.streets
    deck, codes, line = deal.deck, deal.codes, deal.sorted
    for player in range(2):
        for q in range(len(symbols)):
            symbol, at = symbols[q], 2 * hole
            code = packed(symbol, bits, deck, line, player * hole, (player + 1) * hole, np.uint64(0))
            for r in range(len(streets)):
                code = packed(symbol, bits, deck, line, at, at + streets[r], code)
                at += streets[r]
                codes[player, r] = code if q == 0 else min(codes[player, r], code)


@njit(cache=True)
def _three_card(a: int, b: int, c: int) -> Any:
    """Return the strength of a hole card and two board cards; see ``three_card``."""
    flush = a % 4 == b % 4 == c % 4
    high, middle, low = a // 4, b // 4, c // 4
    if high < middle:
        high, middle = middle, high
    if middle < low:
        middle, low = low, middle
    if high < middle:
        high, middle = middle, high
    if middle == low:
        high, low = low, high
    if high == _ACE and middle == 1 and low == 0:
        high, middle, low = 1, 0, -1
    straight = high == middle + 1 and middle == low + 1
    pair = 1 if high == middle else 0
    category = (
        5 if straight and flush else 4 if high == middle == low else 3 if straight else 2 if flush else pair
    )
    return category << 12 | (high + 1) << 8 | (middle + 1) << 4 | (low + 1)


@njit(cache=True)
def _trips_or_pair(a: int, b: int, c: int) -> Any:
    """Return the strength of two hole cards and a board card; see ``trips_or_pair``."""
    a, b, c = a // 4, b // 4, c // 4
    high, low = max(a, b, c), min(a, b, c)
    middle = a + b + c - high - low
    if middle == low:
        high, low = low, high
    category = 2 if high == low else 1 if high == middle else 0
    return category << 12 | high << 8 | middle << 4 | low


@njit(cache=True)
def _small_strength(ranking: int, hole: int, first: int, last: int) -> Any:
    """Return the strength of a hole card with the first and the last board card, on the ranking's scale."""
    if ranking == THREE_CARD:
        return _three_card(hole, first, last)
    paired = ranking == PAIR_WITH_BOARD and hole // 4 == first // 4
    return hole // 4 + (_PAIRED if paired else 0)


@njit(cache=True)
def outcome(cards: CardArrays, deal: Deal) -> Any:
    """Return 1 if player 0 has the better hand on the full board, -1 if the worse, 0 if they tie."""
    # Arrays are read from tuples once: numba counts references at each read in a loop or branch.
    deck, live, board, hole = deal.deck, cards.live, cards.board, cards.hole
    words, suits, end = cards.tables.word, cards.tables.suited, 2 * hole + cards.n_dealt
    if cards.ranking == TRIPS_OR_PAIR:
        card = board[0] if len(board) > 0 else live[deck[4]]
        mine = _trips_or_pair(live[deck[0]], live[deck[1]], card)
        other = _trips_or_pair(live[deck[2]], live[deck[3]], card)
        return (mine > other) - (mine < other)
    if cards.ranking != HOLDEM:
        first, last = (board[0], board[-1]) if len(board) > 0 else (0, 0)
        if cards.n_dealt > 0:
            first, last = first if len(board) > 0 else live[deck[2]], live[deck[end - 1]]
        mine = _small_strength(cards.ranking, live[deck[0]], first, last)
        other = _small_strength(cards.ranking, live[deck[1]], first, last)
        return (mine > other) - (mine < other)
    word, suited = NO_CARDS, 0
    for card in board:
        word, suited = word + words[card], suited | suits[card]
    for k in range(2 * hole, end):
        word, suited = word + words[live[deck[k]]], suited | suits[live[deck[k]]]
    w0, s0, w1, s1 = word, suited, word, suited
    for k in range(hole):
        a, b = live[deck[k]], live[deck[hole + k]]
        w0, s0, w1, s1 = w0 + words[a], s0 | suits[a], w1 + words[b], s1 | suits[b]
    mine, other = strength_of(cards.tables, w0, s0), strength_of(cards.tables, w1, s1)
    return (mine > other) - (mine < other)
