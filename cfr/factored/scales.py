"""Parameters of fixed point: scales of regrets and averages, and the iterations before averages begin."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index

import numpy as np

from treeplex.cfr.factored.fixed_point import LARGEST_INTEGER, Fixed
from treeplex.cfr.factored.layout.arrays import FactoredArrays
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.factored.board_hands import cards_dealt
from treeplex.seqform.factored.strategy import FactoredTree

EARLY_CARDS = 3
"""Board cards up to which the scales of early streets hold unless others are given: those of the flop."""
REGRETS, AVERAGES = (16.0, 0.5), (16.0, 1.0)
"""The scales of early and of later streets in the released source of Bowling et al. (2015)."""
Scales = str | Sequence[float]
"""What is taken where scales are: numbers, or text such as ``16,16,0.5,0.5``."""


@dataclass(frozen=True)
class FixedPoint:
    """How CFR+ in fixed point rounds.

    Attributes
    ----------
    scales : tuple of float, or None
        For each street, integers for one chip of regret, the opponent's hands reaching it with weight 1. None
        is 16 up to the flop and 0.5 after it, as in Bowling et al. (2015) with blinds of 10 and 5.
    average_scales : tuple of float, or None
        For each street, integers for a plan of probability 1 in an iteration of weight 1; None is 16 and 1.
    warm_up : int
        Iterations whose plans are not averaged; the weight of iteration t is that of iteration t - warm_up.
    """

    scales: tuple[float, ...] | None = None
    average_scales: tuple[float, ...] | None = None
    warm_up: int = 0

    def __post_init__(self) -> None:
        for what, scales in (("scales", self.scales), ("average_scales", self.average_scales)):
            if scales is not None and not all(0.0 < scale <= LARGEST_INTEGER for scale in scales):
                raise ValueError(f"{what} must be above 0 and at most 2**31 - 1, got {_listed(scales)}")
        if index(self.warm_up) < 0:
            raise ValueError(f"warm_up must be at least 0, got {self.warm_up}")

    @staticmethod
    def of(
        scales: Scales | None = None, average_scales: Scales | None = None, warm_up: int | None = None
    ) -> "FixedPoint":
        """Return the parameters as they are given by users; raises ``ValueError`` and ``TypeError``."""
        regrets, averages = _numbers("scales", scales), _numbers("average_scales", average_scales)
        return FixedPoint(regrets, averages, 0 if warm_up is None else warm_up)

    def resolved(self, game: PokerGame) -> "FixedPoint":
        """Return the same with the scales of a game's streets in place of None; raises as ``of_streets``."""
        return FixedPoint(*self.of_streets(game), self.warm_up)

    def of_streets(self, game: PokerGame) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the scales of regrets and of averages on each street of a game.

        Raises
        ------
        ValueError
            If they are not one a street.
        """
        known = len(game.board) + np.cumsum([0, *cards_dealt(game)])
        found = []
        for what, given, default in (
            ("scales", self.scales, REGRETS),
            ("average_scales", self.average_scales, AVERAGES),
        ):
            scales = tuple(default[int(n > EARLY_CARDS)] for n in known.tolist()) if given is None else given
            if len(scales) != len(known):
                raise ValueError(
                    f"{what} must be one number a street, {len(known)} in {game.name}, got {_listed(scales)}"
                )
            found.append(scales)
        return found[0], found[1]


PAPER = FixedPoint()
"""The scales of Bowling et al. (2015), without warm-up."""


def fixed_of(tree: FactoredTree, arrays: FactoredArrays, how: FixedPoint, player: int) -> Fixed:
    """Return the factors from the kernels' values and plans to a player's integers.

    Kernels divide values by the unit, and by the number of boards of the street: they are multiplied back, so
    that an increment is not multiplied by the probability of its board.
    """
    regret, average = how.of_streets(tree.game)
    chips = arrays.units[player] * np.array(tree.boards.runouts)
    return Fixed(np.array(regret) * chips, np.array(average))


def _numbers(what: str, given: Scales | None) -> tuple[float, ...] | None:
    """Return scales from numbers or text."""
    if given is None:
        return None
    try:
        return tuple(float(one) for one in (given.split(",") if isinstance(given, str) else given))
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers such as 16,16,0.5,0.5, got {given!r}") from None


def _listed(scales: Sequence[float]) -> str:
    return ",".join(f"{scale:g}" for scale in scales)
