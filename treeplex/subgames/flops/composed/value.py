"""A blueprint with every subgame after the flop solved again: its opponent's best-response value, exactly."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.boards.subgame import weight_met
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flops.composed.again import Again, Played, played_again
from treeplex.subgames.flops.composed.lines import Lines
from treeplex.subgames.flops.early import Within, within_menu
from treeplex.subgames.flops.layout.flop import Flop
from treeplex.subgames.flops.layout.tops import HandTops
from treeplex.subgames.flops.respond import menu_values
from treeplex.subgames.flops.seat import Seat

ROUNDING = 1e-9
"""Best responses may differ by so much, in parts of the largest stake, by rounding alone."""


class OnFlop(NamedTuple):
    """The subgames of one flop after they were solved again; E lines to it.

    values : (E, H) float64
        The opponent's best-response values, unnormalised, by hand of its range.
    error : (E,) float64
        As ``Played.error``.
    solved : (E,) bool
        Whether the solution is played.
    """

    values: Floats
    error: Floats
    solved: NDArray[np.bool_]


@dataclass(frozen=True)
class Composed:
    """What becomes of one seat's blueprint, in chips a hand.

    Attributes
    ----------
    before, after : float
        What the opponent's best response gets against the blueprint, and against it with subgames solved
        again.
    error : float
        The most that ``after`` can be above ``before``.
    solved, subgames : int
        The subgames in which solutions are played, and all in which the defender decides anything.
    """

    before: float
    after: float
    error: float
    solved: int
    subgames: int


@dataclass(frozen=True)
class Blueprint:
    """One seat's blueprint, judged.

    Attributes
    ----------
    seat : Seat
        Of a game whose full menu is the blueprint's.
    lines : Lines
    within : Within
        The opponent's best response.
    """

    seat: Seat
    lines: Lines
    within: Within

    @staticmethod
    def of(seat: Seat) -> "Blueprint":
        """Judge a seat's blueprint.

        Raises
        ------
        ValueError
            If the blueprint lacks any of the game's bets.
        """
        if seat.menus.full != seat.menus.coarse:
            raise ValueError(f"the blueprint must be of {seat.menus.full.name}, got {seat.menus.coarse.name}")
        nothing = np.zeros(seat.flops.images.shape[1])
        return Blueprint(seat, Lines.of(seat), within_menu(seat, seat.base, nothing))

    @property
    def pairs(self) -> float:
        """The weight of all pairs of hands, with flops they leave."""
        return float(self.weight @ self.within.met[0])

    @property
    def best_response(self) -> float:
        """What the opponent's best response gets, in chips a hand."""
        return float(self.weight @ self.within.root) / self.pairs

    def on_flop(self, number: int, again: Again) -> OnFlop:
        """Return the subgames of a flop after they were solved again."""
        flop = self.seat.flop(number)
        found = [self.played(flop, line, tops, again) for line, tops in enumerate(self.tops(flop))]
        values = self.seat.on_range(flop, np.array([one.values for one in found]))
        errors, solved = [one.error for one in found], [one.table is not None for one in found]
        return OnFlop(values, np.array(errors), np.array(solved))

    def played(self, flop: Flop, line: int, tops: HandTops, again: Again) -> Played:
        """Return what is played in the subgame after one line to a flop, from its tops."""
        below, defender = self.lines.below[line], self.seat.menus.defender
        if below is None:
            return Played(tops.value, 0.0)
        row = self.within.part.street.chance_reach[defender][line]
        own_reach = self.within.reaches[defender][row][flop.hand[defender]]
        return played_again(flop, below, defender, own_reach, tops, again)

    def tops(self, flop: Flop) -> list[HandTops]:
        """Return the opponent's hands after each line to a flop."""
        lines, opponent = self.lines, self.seat.menus.opponent
        play = self.within.part.play(flop, self.within.reaches, self.within.gifts)
        street = lines.whole.layout.street
        _, leaves, best = menu_values(flop, 1 - opponent, lines.whole, play.own, play.own_entering)
        ones = np.ones_like(play.theirs_entering)
        played = lines.played(leaves, flop.last.reach(street, opponent, ones, play.theirs))
        cards, number = flop.last.cards, flop.number
        return [
            HandTops(
                name=f"{number}: {name}",
                tops=tuple(map(str, range(len(value)))),
                reach=weight_met(cards[opponent], cards[1 - opponent], own),
                opponent_reach=theirs,
                value=value,
                lower_bound_gifts=gifts,
                played=mean,
            )
            for name, own, theirs, value, gifts, mean in zip(
                lines.names,
                play.own_entering,
                play.theirs_entering,
                best[street.entry],
                play.gifts,
                played,
                strict=True,
            )
        ]

    @property
    def weight(self) -> Floats:
        """The weight of each of the opponent's hands in its range, (H,)."""
        seat = self.seat
        return seat.base.strategy.tree.boards.hands[seat.menus.opponent].weight


def composed(blueprint: Blueprint, again: Again, run: Callable[[int], OnFlop] | None = None) -> Composed:
    """Solve every subgame after the flop again, and return what that does to the blueprint.

    The play before the flop stays what it is. Of each subgame only the opponent's best-response values are
    kept, which add up before the flop to its best response to the whole.

    Parameters
    ----------
    blueprint : Blueprint
    again : Again
    run : callable, optional
        Returns the subgames of a flop by its number, as ``Blueprint.on_flop``, where they may be kept.
    """
    seat, within = blueprint.seat, blueprint.within
    share, errors, solved = (
        seat.flops.share,
        np.zeros(len(seat.flops.share)),
        np.zeros(len(seat.flops.share), int),
    )
    on_flop = run or partial(blueprint.on_flop, again=again)

    def values(number: int) -> Floats:
        found = on_flop(number)
        errors[number], solved[number] = found.error.sum(), found.solved.sum()
        return found.values

    total = seat.total("subgames solved again", values)
    part, weight = within.part, blueprint.weight
    best = part.best(part.values(within.reaches[seat.menus.defender], total))[part.street.entry[0]]
    result = Composed(
        before=blueprint.best_response,
        after=float(weight @ best) / blueprint.pairs,
        error=float(share @ errors) / blueprint.pairs,
        solved=int(solved.sum()),
        subgames=len(share) * sum(below is not None for below in blueprint.lines.below),
    )
    slack = ROUNDING * part.strategy.tree.betting.largest_stake
    assert result.after <= result.before + result.error + slack, result
    return result
