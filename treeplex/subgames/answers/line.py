"""Betting lines with bets that menus lack: where such bets are, and the game that has them."""

import re
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.inputs.reading import amount_text
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.subgame import with_raise
from treeplex.games.protocol import TERMINAL


@dataclass(frozen=True)
class BetBeside:
    """A bet or raise that no menu has.

    Attributes
    ----------
    line : str
        The line before it.
    label : str
        Such as ``r37``, as keys spell it.
    player : int
        Who bets.
    n_board : int
        Number of board cards then.
    """

    line: str
    label: str
    player: int
    n_board: int


def bets_beside(game: PokerGame, line: str) -> tuple[BetBeside, ...]:
    """Return the bets of a line that the menus of a game lack, in order.

    Parameters
    ----------
    game : PokerGame
        With menus of bet sizes.
    line : str
        Ends in such a bet; all of them are one player's.

    Raises
    ------
    ValueError
        If it is no line of the rules, does not end in such a bet, or both players make them.
    """
    here, found, rest = game.first_line, list[BetBeside](), line.removeprefix(game.first_line)
    while rest:
        step = _step(game, here, rest)
        if step is None:
            label = _label(game, here, rest, line)
            point = game.point(here)
            game = with_raise(game, here, label)
            if label not in point.moves:
                found.append(BetBeside(here, label, point.player, point.n_board))
            step = game.point(here).moves[label], len(re.match(r"r[0-9.]+", rest)[0])  # type: ignore[index]
        here, rest = step[0], rest[step[1] :]
    if not found or found[-1].line + found[-1].label != here:
        raise ValueError(f"a line must end in a bet that the menus of {game.name} lack, got {line!r}")
    if len({bet.player for bet in found}) > 1:
        both = " and ".join(repr(bet.line + bet.label) for bet in found)
        raise ValueError(f"bets that menus lack must be one player's, whom the other answers, got {both}")
    return tuple(found)


def _step(game: PokerGame, here: str, rest: str) -> tuple[str, int] | None:
    """Return the next line of the game that a text goes on to, and how many letters that takes."""
    fitting = [after for after in game.point(here).nexts if _goes_on(after[len(here) :], rest)]
    after = max(fitting, key=len, default=None)
    return None if after is None else (after, len(after) - len(here))


def _goes_on(letters: str, rest: str) -> bool:
    """Return whether a text begins with an action and not within a longer amount."""
    return rest.startswith(letters) and re.match(r"[0-9.]", rest[len(letters) :]) is None


def _label(game: PokerGame, here: str, rest: str, line: str) -> str:
    """Return the bet with which a text goes on, as keys spell it."""
    amount = re.match(r"r([0-9]{1,30}(?:\.[0-9]{1,30})?)(?![0-9.])", rest)
    if amount is None or game.point(here).player == TERMINAL:
        raise ValueError(f"{line!r} is no betting line of {game.name}: nothing fits after {here!r}")
    return "r" + amount_text(Fraction(amount[1]))
