"""Subgames of poker games as games of their own, and games with a bet that their menus lack."""

import re
from dataclasses import replace
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.reading import amount_text
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


def with_raise(game: PokerGame, line: str, label: str) -> PokerGame:
    """Return the game in which a bet or raise may be made at a line although the menus lack it.

    Menus hold before and after it; the least raise that may follow is that of the rules.

    Parameters
    ----------
    game : PokerGame
        With menus of bet sizes.
    line : str
        A line at which somebody acts.
    label : str
        Such as ``r37.5``: the chips as in keys.

    Raises
    ------
    ValueError
        If the game has no menus, or the rules allow no such raise there.
    """
    betting, state = game.betting, game.point(line).betting
    if betting.sizes is None:
        raise BadInputError(f"a bet beside the menus is of a game with menus of bet sizes, got {game.name}")
    legal = betting.raise_range(state)
    if legal is None:
        raise BadInputError(f"no bet or raise is legal at {line!r}, got {label!r}")
    if re.fullmatch(r"r[0-9]{1,30}(\.[0-9]{1,30})?", label) is None:
        raise BadInputError(f"a bet must be r and an amount such as r37.5, got {label!r} at {line!r}")
    total, (least, most) = Fraction(label[1:]) + betting.dead_money, legal
    if not max(least, *state.put) <= total <= most or total == max(state.put):
        low, high = (f"r{amount_text(end - betting.dead_money)}" for end in legal)
        above = "above" if least == max(state.put) else "from"
        raise BadInputError(f"a bet at {line!r} must be {above} {low} to {high}, all-in, got {label!r}")
    if betting.chip is not None and total != most and Fraction(label[1:]) % betting.chip:
        raise BadInputError(
            f"a bet at {line!r} must be of chips of {amount_text(betting.chip)}, got {label!r}"
        )
    return replace(game, betting=replace(betting, added=(*betting.added, (state, total))))
