"""What a picture writes of one history of a game tree: key, payoff, move, probability, path.

Numbers of one picture are written in one way: as fractions if each is short, else as decimals.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.seqform.trees.game_tree import GameTree

LARGEST_DENOMINATOR = 999
"""Of a fraction that is written as one."""
LONGEST_FRACTION = 8
"""Characters."""
NEAR = 1e-9
"""Floats that are as near to a short fraction, relative to 1 or their size, are taken for it."""


def near_fraction(value: float) -> Fraction:
    """Return the short fraction that a float is the rounding of; the float exactly where there is none.

    >>> near_fraction(1 / 3)
    Fraction(1, 3)
    """
    short = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return short if abs(float(short) - value) <= NEAR * max(1.0, abs(value)) else Fraction(value)


@dataclass(frozen=True)
class NumberStyle:
    """How the numbers of a picture are written.

    Attributes
    ----------
    fractions : bool
        Whether as fractions; else as decimals of four digits.
    """

    fractions: bool

    @staticmethod
    def of(numbers: Iterable[Fraction]) -> "NumberStyle":
        """Return fractions if each of these numbers is short as one."""
        short = (n.denominator <= LARGEST_DENOMINATOR and len(str(n)) <= LONGEST_FRACTION for n in numbers)
        return NumberStyle(all(short))

    def odds(self, probability: Fraction) -> str:
        """Return a probability, as ``p = 1/6``."""
        return f"p = {self._text(probability)}"

    def payoff(self, payoff: Fraction) -> str:
        """Return a payoff, with its sign unless it is 0: ``+1``, ``−1/2``."""
        if payoff == 0:
            return "0"
        return f"{'+' if payoff > 0 else '−'}{self._text(abs(payoff))}"

    def _text(self, number: Fraction) -> str:
        return str(number) if self.fractions else f"{float(number):.4g}"


def key_of(tree: GameTree, history: int) -> str:
    """Return the infoset's key of who acts; empty at leaves and where chance moves."""
    player = int(tree.player[history])
    return tree.keys[player][tree.infoset[history, player]] if player >= 0 else ""


def payoff_of(tree: GameTree, history: int) -> Fraction | None:
    """Return what player 0 gets at a leaf, None elsewhere."""
    is_leaf = tree.player[history] == TERMINAL
    return Fraction(int(tree.payoff[history]), tree.payoff_den) if is_leaf else None


def chance_odds(tree: GameTree, history: int) -> Fraction | None:
    """Return the probability with which chance moved to a history; None where it did not move."""
    above = int(tree.parent[history])
    if history == 0 or tree.player[above] != CHANCE:
        return None
    return Fraction(int(tree.chance[history]), int(tree.chance[above]))


def path_of(tree: GameTree, history: int) -> tuple[str, ...]:
    """Return the moves to a history, chance's too."""
    moves: list[str] = []
    while history > 0:
        moves.append(tree.move(history))
        history = int(tree.parent[history])
    return tuple(reversed(moves))


def distinct_paths(tree: GameTree, histories: Sequence[int]) -> list[str]:
    """Return for each of some histories the moves, joined by slashes, that not all of them share.

    A single history has the empty text.
    """
    paths = [path_of(tree, history) for history in histories]
    shared = {k for k, moves in enumerate(zip(*paths, strict=False)) if len(set(moves)) == 1}
    return ["/".join(move for k, move in enumerate(path) if k not in shared) for path in paths]


def children_of(tree: GameTree, history: int) -> list[int]:
    """Return the histories one move below, in order."""
    children, child = [], history + 1
    while child < tree.end[history]:
        children.append(child)
        child = int(tree.end[child])
    return children
