"""The opponent's best responses over all boards: to the blueprint, and with subgames played otherwise."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from treeplex.gadgets.boards.subgame import weight_met
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flops.composed.again import Subgame
from treeplex.subgames.flops.composed.trunk import Entering, Here, Trunk
from treeplex.subgames.flops.layout.tops import HandTops
from treeplex.subgames.flops.part import table_on
from treeplex.subgames.flops.respond import menu_values


class Judged(NamedTuple):
    """A board before the last street with the opponent's best response to the blueprint.

    here : Here
    values : (V, T) float64
        Unnormalised.
    met : (rows, T) float64
        As :meth:`Trunk.met`.
    gifts : (C, T) float64
        What the opponent gave away before each line to the next street, per unit of reach.
    """

    here: Here
    values: Floats
    met: Floats
    gifts: Floats


def judged(trunk: Trunk, board: int, entering: Entering) -> Judged:
    """Return a board before the last street with the opponent's best response to the blueprint."""
    here = trunk.here(board, entering.reaches)
    values, met = _values(trunk, here), trunk.met(here)
    return Judged(here, values, met, here.before.gifts(values, met, entering.gifts))


def _values(trunk: Trunk, here: Here) -> Floats:
    def below(number: int) -> Floats:
        after = int(here.nexts.boards[number])
        return trunk.up(after, _best(trunk, after, trunk.down(here, after)))

    return trunk.responded(here, trunk.total(here, "best response", below))


def _best(trunk: Trunk, board: int, entering: tuple[Floats, Floats]) -> Floats:
    """Return the opponent's best-response values at the lines to a board, (E, T)."""
    if not trunk.is_last(board):
        here = trunk.here(board, entering)
        return np.asarray(_values(trunk, here)[here.before.street.entry])
    d, whole = trunk.menus.defender, trunk.lines.whole
    table = table_on(trunk.strategy, d, board)
    found = menu_values(trunk.flop(board), d, whole, table, entering[d])[2]
    return np.asarray(found[whole.layout.street.entry])


def best_with(
    trunk: Trunk, board: int, entering: Entering, play: Callable[[Subgame], Floats], share: float = 1.0
) -> Floats:
    """Return the opponent's best-response values at the lines to a board, subgames below played otherwise.

    Parameters
    ----------
    trunk : Trunk
    board : int
    entering : Entering
    play : callable
        Returns the opponent's values (T,) by best response in a subgame, under what is played in it.
    share : float
        As in ``Subgame``.

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


def entering_after(trunk: Trunk, here: Here, gifts: Floats, after: int) -> Entering:
    """Return what comes to a board after another, from gifts (C, T) at lines to it."""
    return Entering(trunk.down(here, after), gifts[:, trunk.above(after, trunk.menus.opponent)])


def subgames(trunk: Trunk, board: int, entering: Entering, share: float) -> Iterator[Subgame]:
    """Yield the subgames after the lines to a board of the last street."""
    lines, d, o, flop = trunk.lines, trunk.menus.defender, trunk.menus.opponent, trunk.flop(board)
    reaches, street, cards = entering.reaches, lines.whole.layout.street, flop.last.cards
    own, theirs = (table_on(trunk.strategy, p, board) for p in (d, o))
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
        yield Subgame(flop, line, lines.below[line], reaches[d][line], tops, share)
