"""Subgames of poker games as games of their own."""

from dataclasses import replace

from treeplex.games.base.errors import BadInputError
from treeplex.games.cards.cards import Cards
from treeplex.games.poker.betting import HAND_OVER, BettingState
from treeplex.games.poker.game import PokerGame


def subgame_of(game: PokerGame, state: BettingState, board: Cards) -> PokerGame:
    """Return the game that begins at a betting state on a board, all hands dealt by the whole game's ranges.

    Betting lines, infosets and public states keep the keys that they have in the whole game.

    Parameters
    ----------
    game : PokerGame
        Without locks.
    state : BettingState
        A state at which somebody acts, or the next cards are dealt.
    board : tuple of card ids
        The board at that state, in the order of dealing.

    Raises
    ------
    ValueError
        If the game has locks, the hand is over at the state, or the board is none of its round.
    """
    if game.locks:
        raise BadInputError(f"subgames are of games without locks, got {game.name}")
    if state.player == HAND_OVER:
        raise BadInputError(f"a subgame begins before the hand is over, got the line {state.line!r}")
    dealt = sum(game.board_cards[: state.round + 1])
    known = board[: len(game.board)] == game.board and len(board) == len(game.board) + dealt
    if not known or len({*board}) < len(board) or not {*board} <= {*game.deck.cards}:
        raise BadInputError(f"the board must be one of {game.name} at {state.line!r}, got {board}")
    rest = game.board_cards[state.round + 1 :]
    first, second = (dict(one) for one in game.reach)
    return replace(
        game,
        name=f"{game.name} at {game.public_key(board, state.line)}",
        betting=replace(game.betting, start=state),
        board=board,
        board_cards=(0,) * (state.round + 1) + rest,
        ranges=(first, second),
        flops=None if board else game.flops,
    )
