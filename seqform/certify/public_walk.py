"""The expected value of two plans of all hands in hold'em, by a walk through public states."""

from itertools import combinations
from math import comb

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.local_response import HandPlay
from treeplex.seqform.certify.public_aivat import can_be_estimated
from treeplex.seqform.certify.range_leads import Pair, RangeLeads


def expected_value(game: PokerGame, plans: tuple[HandPlay, HandPlay]) -> float:
    """Return what player 0 wins a hand on average, in the game's unit, in floats.

    It is the sum over all betting lines and boards, all pairs of hands at once: about a millisecond for each
    line on each board, beside what plans take.

    Parameters
    ----------
    game : PokerGame
        Hold'em, not of listed flops, no hands locked.
    plans : pair of HandPlay
        What both players do with all hands.

    Raises
    ------
    ValueError
        If it is no such game.
    """
    if not can_be_estimated(game):
        raise BadInputError(f"public walks are of hold'em with all flops and no locks, got {game.name}")
    leads = RangeLeads(game)

    def won(line: str, board: Cards, ranges: Pair) -> float:
        """Return the sum over pairs of hands of weight times what player 0 wins from here on."""
        point = game.point(line)
        if point.player == TERMINAL and point.betting.folded >= 0:
            return float(point.betting.stake) * leads.mass(ranges)
        if point.player == TERMINAL and len(board) == game.n_board:
            return float(point.betting.stake) * leads.lead(board, ranges)
        if point.player == CHANCE or len(board) < point.n_board:
            return dealt(line, board, ranges)
        pairs = leads.after_actions(plans[point.player], line, board, ranges)
        several = zip(point.moves.values(), pairs, strict=True)
        return sum(won(after, board, pair) for after, pair in several if leads.mass(pair) > 0)

    def dealt(line: str, board: Cards, ranges: Pair) -> float:
        """Return the same where cards are dealt, over all deals."""
        point = game.point(line)
        n_cards = point.n_board - len(board)
        left = [card for card in game.deck.cards if card not in board]
        total = 0.0
        for cards in combinations(left, n_cards):
            off = leads.off(cards)
            total += won(point.after, (*board, *cards), (ranges[0] * off, ranges[1] * off))
        return total / comb(len(left) - 4, n_cards)

    start = leads.dealt(0), leads.dealt(1)
    return won(game.first_line, game.board, start) / leads.mass(start)
