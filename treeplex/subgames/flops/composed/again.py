"""One subgame on a board of the last street solved again, and what a best response gets there."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.gadgets.core.gadget import RootGadget, UndefinedError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flops.answers import entered
from treeplex.subgames.flops.composed.lines import Below
from treeplex.subgames.flops.layout.flop import Flop
from treeplex.subgames.flops.layout.tops import HandTops
from treeplex.subgames.flops.respond import menu_values

EXTRA = 3
"""More runs of as many iterations for subgames whose errors are too large after the first."""


@dataclass(frozen=True)
class Again:
    """How subgames are solved again.

    Attributes
    ----------
    gadget : RootGadget
    promised : bool
        Whether the gadget's alternatives and gifts are safe to concede; else errors are measured from the
        blueprint's values.
    iterations : int
        Of the regret minimiser; where the error is too large then, up to ``EXTRA`` times as many follow.
    tolerance : float
        The largest error, in pots for each pair of hands that comes there, at which the solution of a method
        that promises is played.
    """

    gadget: RootGadget
    promised: bool
    iterations: int
    tolerance: float


class Subgame(NamedTuple):
    """What follows a line to a board of the last street, as it comes there under the blueprint.

    flop : Flop
        The board.
    line : int
        Of ``Lines``.
    below : Below or None
        None where the defender decides nothing.
    own_reach : (D,) float64
        The defender's, chance included.
    tops : HandTops
        The opponent's hands.
    share : float
        The board's part of all that may follow its flop.
    """

    flop: Flop
    line: int
    below: Below | None
    own_reach: Floats
    tops: HandTops
    share: float


class Played(NamedTuple):
    """What the opponent gets in a subgame under what is played in it.

    values : (T,) float64
        By its best response, unnormalised, in chips.
    error : float
        The sum over its hands of how much that is above what it was allowed.
    table : (actions, D) array or None
        The weights of the defender's actions in the solution; None where the blueprint is played.
    """

    values: Floats
    error: float
    table: NDArray[Any] | None = None


def played_again(subgame: Subgame, defender: int, again: Again) -> Played:
    """Solve a subgame again and return what is played in it."""
    flop, _, below, own_reach, tops, _ = subgame
    blueprint = Played(tops.value, 0.0)
    if below is None or not tops.live.any():
        return blueprint
    try:
        root = again.gadget.root(tops)
    except UndefinedError:
        return blueprint
    forest, chance = below.forest, flop.boards.hands[1 - defender].weight
    engine = entered(flop.engine(forest.layout), forest.unit, defender, own_reach, root, tops)
    most = again.tolerance * below.pot * float(chance @ tops.reach) if again.promised else np.inf
    state, limit = engine.start(), allowed(tops, again)
    for more in (again.iterations, *EXTRA * [again.iterations]):
        state = engine.advance(state, more)
        table = engine.strategy(state).weight[defender].reshape(-1, len(own_reach))
        _, _, best = menu_values(flop, defender, forest, table, own_reach[None])
        values = best[forest.layout.street.entry[0]]
        error = float(chance @ np.maximum(values - limit, 0.0))
        if error <= most:
            return Played(values, error, table)
    return blueprint


def allowed(tops: HandTops, again: Again) -> Floats:
    """Return what the opponent may get at each top, unnormalised, (T,): w_t (alternative_t + gift_t)."""
    offered = again.gadget.alternative_values(tops) if again.promised else None
    chosen = offered or AlternativeValues(tops.cbv, np.zeros(len(tops.tops)))
    return np.asarray(np.where(tops.live, tops.reach * np.nan_to_num(chosen.total), 0.0))
