"""The opponent's best responses over all boards: to the blueprint, and with subgames replaced.

One subgame on a board of the last street is solved again, and a best response computed there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.alternatives import AlternativeValues
from treeplex.gadgets.boards.board_subgame import weight_met
from treeplex.gadgets.gadget import RootGadget, UndefinedError
from treeplex.seqform.boards.hand_classes import HandClasses
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.composed_trunk import ComposedTrunk, EarlyBoard, Entering, LastBetting
from treeplex.subgames.flop import Flop
from treeplex.subgames.over_all_flops import table_on
from treeplex.subgames.response_on_flop import menu_values
from treeplex.subgames.solve_subgame import solve_subgame
from treeplex.subgames.street_answers import HandTops

EXTRA = 3
"""More runs of as many iterations for subgames whose errors are too large after the first."""


@dataclass(frozen=True)
class ResolveConfig:
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


class LastSubgame(NamedTuple):
    """What follows a line to a board of the last street, as it comes there under the blueprint.

    flop : Flop
        The board.
    line : int
        Of ``Lines``.
    below : LastBetting or None
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
    below: LastBetting | None
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


def played_again(subgame: LastSubgame, defender: int, again: ResolveConfig) -> Played:
    """Solve a subgame again and return what is played in it.

    Hands that suits alone tell apart are solved as one where they come to the subgame alike; what they play
    is judged hand by hand.
    """
    flop, _, below, own_reach, tops, _ = subgame
    blueprint = Played(tops.value, 0.0)
    if below is None or not tops.live.any():
        return blueprint
    opponent = 1 - defender
    classes = flop.alike if _come_alike(flop.alike, defender, own_reach, tops) else flop.each
    inside = tops.of_classes(classes, opponent)
    try:
        root = again.gadget.root(inside)
    except UndefinedError:
        return blueprint
    forest, chance = below.forest, flop.boards.hands[opponent].weight
    engine, rounds = flop.engine(forest.layout, classes), (again.iterations,) * (1 + EXTRA)
    comes = (own_reach / flop.boards.hands[defender].weight)[classes.first[defender]]
    most = again.tolerance * below.pot * float(chance @ tops.reach) if again.promised else np.inf
    limit = allowed(tops, again)
    for found in solve_subgame(engine.entered_by, inside, root, defender, comes, rounds, unit=forest.unit):
        learned = found.strategy.weight[defender].reshape(-1, len(comes))
        table = np.take(learned, classes.number[defender], axis=1)
        _, _, best = menu_values(flop, defender, forest, table, own_reach[None])
        values = best[forest.layout.street.entry[0]]
        error = float(chance @ np.maximum(values - limit, 0.0))
        if error <= most:
            return Played(values, error, table)
    return blueprint


def _come_alike(classes: HandClasses, defender: int, own_reach: Floats, tops: HandTops) -> bool:
    """Return whether what comes to a subgame is the same for all hands of each class."""
    theirs = tops.reach, tops.opponent_reach, tops.value, tops.lower_bound_gifts, tops.blueprint_value
    return classes.are_alike(defender, own_reach) and classes.are_alike(1 - defender, *theirs)


def allowed(tops: HandTops, again: ResolveConfig) -> Floats:
    """Return what the opponent may get at each top, unnormalised, (T,): w_t (alternative_t + gift_t)."""
    offered = again.gadget.alternative_values(tops) if again.promised else None
    chosen = offered or AlternativeValues(tops.cbv, np.zeros(len(tops.tops)))
    return np.asarray(np.where(tops.live, tops.reach * np.nan_to_num(chosen.total), 0.0))


class Judged(NamedTuple):
    """A board before the last street with the opponent's best response to the blueprint.

    here : EarlyBoard
    values : (V, T) float64
        Unnormalised.
    met : (rows, T) float64
        As :meth:`ComposedTrunk.met`.
    gifts : (C, T) float64
        What the opponent gave away before each line to the next street, per unit of reach.
    """

    here: EarlyBoard
    values: Floats
    met: Floats
    gifts: Floats


def judged(trunk: ComposedTrunk, board: int, entering: Entering) -> Judged:
    """Return a board before the last street with the opponent's best response to the blueprint."""
    here = trunk.here(board, entering.reaches)
    values, met = _values(trunk, here), trunk.met(here)
    return Judged(here, values, met, here.before.gifts(values, met, entering.gifts))


def _values(trunk: ComposedTrunk, here: EarlyBoard) -> Floats:
    def below(number: int) -> Floats:
        after = int(here.nexts.boards[number])
        return trunk.up(after, _best(trunk, after, trunk.down(here, after)))

    return trunk.responded(here, trunk.total(here, "best response", below))


def _best(trunk: ComposedTrunk, board: int, entering: tuple[Floats, Floats]) -> Floats:
    """Return the opponent's best-response values at the lines to a board, (E, T)."""
    if not trunk.is_last(board):
        here = trunk.here(board, entering)
        return np.asarray(_values(trunk, here)[here.before.street.entry])
    d, whole = trunk.menus.defender, trunk.lines.whole
    table = table_on(trunk.strategy, d, board)
    found = menu_values(trunk.flop(board), d, whole, table, entering[d])[2]
    return np.asarray(found[whole.layout.street.entry])


def best_with(
    trunk: ComposedTrunk,
    board: int,
    entering: Entering,
    play: Callable[[LastSubgame], Floats],
    share: float = 1.0,
) -> Floats:
    """Return the opponent's best-response values at the lines to a board, subgames below played otherwise.

    Parameters
    ----------
    trunk : ComposedTrunk
    board : int
    entering : Entering
    play : callable
        Returns the opponent's values (T,) by best response in a subgame, under what is played in it.
    share : float
        As in ``LastSubgame``.

    Returns
    -------
    (E, T) float64
    """
    if trunk.is_last(board):
        return np.array([play(one) for one in subgames(trunk, board, entering, share)])
    here, _, _, gifts = judged(trunk, board, entering)

    def below(number: int) -> Floats:
        after, part = int(here.nexts.boards[number]), float(here.nexts.share[number])
        values = best_with(trunk, after, entering_after(trunk, here, gifts, after), play, share * part)
        return trunk.up(after, values)

    values = trunk.responded(here, trunk.total(here, "subgames solved again", below))
    return np.asarray(values[here.before.street.entry])


def entering_after(trunk: ComposedTrunk, here: EarlyBoard, gifts: Floats, after: int) -> Entering:
    """Return what comes to a board after another, from gifts (C, T) at lines to it."""
    return Entering(trunk.down(here, after), gifts[:, trunk.above(after, trunk.menus.opponent)])


def subgames(trunk: ComposedTrunk, board: int, entering: Entering, share: float) -> Iterator[LastSubgame]:
    """Yield the subgames after the lines to a board of the last street."""
    lines, d, o, flop = trunk.lines, trunk.menus.defender, trunk.menus.opponent, trunk.flop(board)
    reaches, street, cards = entering.reaches, lines.whole.layout.street, flop.last.cards
    own, theirs = table_on(trunk.strategy, d, board), table_on(trunk.estimating, o, board)
    _, leaves, best = menu_values(flop, d, lines.whole, own, reaches[d])
    played = lines.played(leaves, flop.last.reach(street, o, np.ones_like(reaches[o]), theirs))
    for line, name in enumerate(lines.names):
        tops = HandTops(
            name=f"{board}: {name}",
            tops=tuple(map(str, range(len(cards[o])))),
            reach=weight_met(cards[o], cards[d], reaches[d][line]),
            opponent_reach=reaches[o][line],
            value=best[street.entry[line]],
            lower_bound_gifts=entering.gifts[line],
            played=played[line],
        )
        yield LastSubgame(flop, line, lines.below[line], reaches[d][line], tops, share)
