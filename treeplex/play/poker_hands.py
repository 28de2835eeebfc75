"""A hand of poker read from its moves: both players' cards, the board by street, the betting step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE
from treeplex.games.base.reading import amount_text, shown
from treeplex.games.poker.betting import Betting, BettingState
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.lines import CALL, FOLD, line_steps


@dataclass(frozen=True)
class Step:
    """An action, and the betting before and after it.

    Attributes
    ----------
    player : int
        Who acted.
    label : str
    before, after : BettingState
    """

    player: int
    label: str
    before: BettingState
    after: BettingState

    @property
    def paid(self) -> Fraction:
        """What the player put into the pot."""
        return self.after.put[self.player] - self.before.put[self.player]


def steps_of(game: PokerGame, line: str) -> Iterator[Step | None]:
    """Yield the actions of a betting line in their order, None where board cards are dealt.

    Raises
    ------
    ValueError
        If it is no line of the game.
    """
    for before, label, after in line_steps(game, line):
        point = game.point(before)
        yield None if label is None else Step(point.player, label, point.betting, game.point(after).betting)


@dataclass(frozen=True)
class PokerHand:
    """What happened in a hand.

    Attributes
    ----------
    holes : pair of str
        The physical cards of player 0 and player 1.
    streets : tuple of str
        Board cards by deal, those that were turned up after a fold left out.
    steps : tuple of Step or None
        Actions; None where the next of the streets was dealt.
    end : BettingState
        The betting when the hand was over.
    """

    holes: tuple[str, str]
    streets: tuple[str, ...]
    steps: tuple[Step | None, ...]
    end: BettingState

    @staticmethod
    def of(game: PokerGame, moves: tuple[str, ...]) -> PokerHand:
        """Return the hand of moves from the root to a leaf; the deals of a whole deck are not listed for it.

        Raises
        ------
        ValueError
            If they are none of the game.
        """
        first, bar, second = moves[0].partition("|") if moves else ("", "", "")
        here, cards, streets = game.first_line, len(game.board), list[str]()
        for move in moves[1:]:
            point = game.point(here)
            if cards < point.n_board:
                cards, here = point.n_board, point.after
                streets.append(move)
            elif move in point.moves:
                here = point.moves[move]
            else:
                bar = ""
                break
        point = game.point(here)
        if not bar or (point.nexts and point.player >= CHANCE) or cards < point.n_board:
            raise BadInputError(f"there is no hand {shown('/'.join(moves))} of {game.name}")
        steps = tuple(steps_of(game, here))
        return PokerHand((first, second), tuple(streets[: steps.count(None)]), steps, point.betting)

    @property
    def is_showdown(self) -> bool:
        """Whether nobody folded."""
        return self.end.is_showdown


def spoken(betting: Betting, step: Step) -> str:
    """Return an action as words in the third person: ``folds``, ``calls 2``, ``raises to 6, all-in``."""
    me, before = step.player, step.before
    paid = amount_text(step.paid)
    if step.label == FOLD:
        return "folds"
    if step.label == CALL:
        return f"calls {paid}{_all_in(betting, step)}" if before.put[me] < max(before.put) else "checks"
    blinds = before.round == 0 and betting.invested[0] != betting.invested[1]
    if before.put[0] == before.put[1] and not blinds:
        return f"bets {paid}{_all_in(betting, step)}"
    total = amount_text(step.after.put[me] - betting.dead_money)
    return f"raises to {total}{_all_in(betting, step)}"


def advised(betting: Betting, step: Step) -> str:
    """Return an action as words of advice: ``fold``, ``call 2``, ``raise to 6, all-in``."""
    verb, space, rest = spoken(betting, step).partition(" ")
    return verb.removesuffix("s") + space + rest


def _all_in(betting: Betting, step: Step) -> str:
    effective = betting.effective
    return ", all-in" if effective is not None and step.after.put[step.player] >= effective else ""
