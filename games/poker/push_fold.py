"""Push or fold: heads-up hold'em in which the small blind pushes or folds and the big blind may call."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.base.reading import Number, amount_text, exact, shown
from treeplex.games.cards.preflop import CLASSES, N_BOARDS, preflop_matchups

SMALL_BLIND = Fraction(1, 2)
"""In big blinds."""
BIG_BLIND, SMALL = 0, 1

Line = tuple[str, ...]
"""A history: the classes of both hands as one label, what the small blind did, what the big blind did."""


@dataclass(frozen=True)
class PushFold:
    """Push-or-fold hold'em: blinds 1/2 and 1; player 1, the small blind, pushes or folds, player 0 may call.

    Player 0 is the big blind, as in the hold'em games: the value is the big blind's, and the small blind's is
    its negative. Hands are dealt as classes, AA, AKs, ..., with probability proportional to the number of
    pairs of disjoint hands. A called push pays its expectation over these pairs and all boards. This is
    exact: the game is symmetric under permutations of suits, and nobody acts after seeing more cards.

    Keys are class, colon, line: ``AKs:push`` for either player, ``:push`` for the public state; everything is
    ``start`` before the deal.

    Attributes
    ----------
    stack : Fraction
        Big blinds of each player, the blinds included; at least 1.
    """

    stack: Fraction = Fraction(10)

    @property
    def name(self) -> str:
        """The spec of this game."""
        return "push_fold" if self == PushFold() else f"push_fold(stack={amount_text(self.stack)})"

    @property
    def unit(self) -> str:
        """The unit of payoffs."""
        return "big blinds"

    def root(self) -> Line:
        """Return the state before the deal."""
        return ()

    def player(self, state: Line) -> int:
        """Return who acts: chance, the small blind, and the big blind after a push."""
        if len(state) < 2:
            return SMALL if state else CHANCE
        return BIG_BLIND if state[1:] == ("push",) else TERMINAL

    def actions(self, state: Line) -> Sequence[str]:
        """Return the two actions of the player who acts."""
        return ("fold", "call") if len(state) == 2 else ("fold", "push")

    def chance(self, state: Line) -> Sequence[tuple[str, Fraction]]:
        """Return the deals: player 0's class and player 1's, each pair of disjoint hands equally likely."""
        return [(label, weight) for label, (weight, _) in _deals().items()]

    def child(self, state: Line, action: str) -> Line:
        """Return the state after an action's or a deal's label."""
        return (*state, action)

    def infoset(self, state: Line, player: int) -> str:
        """Return what ``player`` knows: the class of the own hand, and the line."""
        return state[0].split()[player] + self.public(state) if state else "start"

    def public(self, state: Line) -> str:
        """Return the line."""
        return ":" + "/".join(state[1:]) if state else "start"

    def payoff(self, state: Line) -> Fraction:
        """Return what the big blind wins at a leaf, on average over the hands and boards of a showdown."""
        if state[1] == "fold":
            return SMALL_BLIND
        return Fraction(-1) if state[2] == "fold" else self.stack * _deals()[state[0]][1]


@cache
def _deals() -> dict[str, tuple[Fraction, Fraction]]:
    """Return for each pair of classes, player 0's first: its probability, and (wins - losses) / showdowns."""
    table = preflop_matchups()
    total, gap, showdowns = int(table.pairs.sum()), table.wins - table.losses, table.pairs * N_BOARDS
    return {
        f"{CLASSES[c]} {CLASSES[d]}": (
            Fraction(int(table.pairs[c, d]), total),
            Fraction(int(gap[c, d]), int(showdowns[c, d])),
        )
        for c, d in product(range(len(CLASSES)), repeat=2)
    }


def push_fold(stack: Number = 10) -> PushFold:
    """Return push-or-fold hold'em; player 0 is the big blind.

    Parameters
    ----------
    stack : number
        Big blinds of each player, the blinds included; at least 1. A float stands for its shortest decimal.

    Raises
    ------
    ValueError
        If the stack is not a finite number of at least 1.
    """
    chips = exact(stack, "push_fold: stack")
    if chips < 1:
        raise BadInputError(f"push_fold: stack must be at least the big blind of 1, got {shown(stack)}")
    return PushFold(chips)
