"""Reach, behaviour and values of each hand at one public node."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.pictures.public_node import PublicPoint
from treeplex.seqform.forms.treeplex import Floats, Index


@dataclass(frozen=True, repr=False)
class NodeView(Shown):
    """One player's strategy at a public node, wherever it comes from.

    Attributes
    ----------
    point : PublicPoint
        Where this is, and who may do what.
    hands : (H, K) int64
        Card ids of the player's hands that the board leaves possible, increasing within a hand.
    weight : (H,) float64
        The range on this board, before any action; the largest weight is about 1.
    reach : (H,) float64
        How likely the player's own actions lead here with each hand.
    behaviour : (H, A) float64
        How often each hand takes each action; nan where there is no strategy.
    opponent_hands : (V, K) int64
    opponent_weight : (V,) float64
        The opponent's range times how likely the opponent's actions lead here.
    met : (H,) float64
        The weight of the opponent's hands here that each hand leaves possible.
    values : (H,) float64 or None
        What each hand wins on average from here on, in the game's unit: its share of the pot less what it
        still puts in, so that a fold is worth 0; nan where the hand meets nothing. None where unknown.
    """

    point: PublicPoint
    hands: Index
    weight: Floats
    reach: Floats
    behaviour: Floats
    opponent_hands: Index
    opponent_weight: Floats
    met: Floats
    values: Floats | None = None

    def brief(self) -> str:
        """Return where this is, and the number of hands."""
        point = self.point
        return f"{point.game} after {point.line!r}: player {point.player}, {len(self.hands):,} hands"

    def __post_init__(self) -> None:
        shapes = {
            "weight": (len(self.hands),),
            "reach": (len(self.hands),),
            "behaviour": (len(self.hands), len(self.point.actions)),
            "opponent_weight": (len(self.opponent_hands),),
            "met": (len(self.hands),),
        }
        for name, shape in shapes.items():
            column = getattr(self, name)
            if column.shape != shape:
                raise BadInputError(f"{name} must have shape {shape}, got {column.shape}")
            bad = ~((column >= 0) & (column < np.inf))
            if name == "behaviour" and np.isnan(column).all():
                continue
            if bad.any():
                raise BadInputError(f"{name} must be finite and at least 0, got {column[bad][0]}")
        if self.values is not None and self.values.shape != (len(self.hands),):
            raise BadInputError(f"values must have shape {(len(self.hands),)}, got {self.values.shape}")

    @property
    def here(self) -> Floats:
        """The weight with which each hand is here: range times own reach, (H,)."""
        return self.weight * self.reach

    @property
    def joint(self) -> Floats:
        """Joint reach of each hand with the opponent's compatible hands, up to a factor, (H,)."""
        return self.here * self.met


def compatible(hands: Index, others: Index) -> NDArray[np.bool_]:
    """Return which hands (H, K) and others (V, K) share no card, (H, V)."""
    shared = np.zeros((len(hands), len(others)), dtype=np.bool_)
    for mine in hands.T:
        for theirs in others.T:
            shared |= mine[:, None] == theirs[None, :]
    return ~shared
