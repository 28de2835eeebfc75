"""Games with bets beside their menus: where such bets stand in a betting line, and the game that has them."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import TERMINAL
from treeplex.games.base.reading import amount_text, shown
from treeplex.games.poker.game import PokerGame


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

    @property
    def after(self) -> str:
        """The line that ends in the bet."""
        return self.line + self.label


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
    _, found = _walked(game, line)
    if len({bet.player for bet in found}) > 1:
        both = " and ".join(repr(bet.after) for bet in found)
        raise BadInputError(f"bets that menus lack must be one player's, whom the other answers, got {both}")
    return found


def with_bets(game: PokerGame, lines: tuple[str, ...]) -> PokerGame:
    """Return the game that also has the bets in which lines end; its name is the game's, + and each line.

    Parameters
    ----------
    game : PokerGame
        With menus of bet sizes.
    lines : tuple of str
        Each ends in a bet that the game, with those of the lines before, lacks, and has no other such bet.

    Raises
    ------
    ValueError
        If a line is none of the rules, or has not exactly one such bet, its last.

    Examples
    --------
    >>> from treeplex.games.formats.specs import load_game
    >>> river = load_game("example:river")
    >>> larger = with_bets(river, ("cr37",))
    >>> [*larger.point("c").moves]
    ['c', 'r37', 'r50', 'r100', 'r200']
    """
    for line in lines:
        larger, found = _walked(game, line)
        if len(found) > 1:
            first = found[0].after
            raise BadInputError(f"{game.name} has no {first!r}, which must be added before {line!r}")
        game = replace(larger, name=f"{game.name} + {found[0].after}")
    return game


def _walked(game: PokerGame, line: str) -> tuple[PokerGame, tuple[BetBeside, ...]]:
    """Return the game with the bets of a line that its menus lack, and these, the last at the line's end."""
    name = game.name
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
    if not found or found[-1].after != here:
        raise BadInputError(f"a line must end in a bet that the menus of {name} lack, got {shown(line)}")
    return game, tuple(found)


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
        raise BadInputError(f"{line!r} is no betting line of {game.name}: nothing fits after {here!r}")
    return "r" + amount_text(Fraction(amount[1]))


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
