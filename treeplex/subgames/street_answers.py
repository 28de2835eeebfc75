"""Ways to answer an off-tree bet: by the subgame after it, or by the one from before it.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6. The
opponent's hands right after an off-tree bet or a line to the flop are tops, as gadgets read them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.boards.factored_cfr import FactoredCFR
from treeplex.gadgets.gadget import UndefinedError
from treeplex.gadgets.off_tree.off_tree import OffTree
from treeplex.gadgets.published_gadgets import Unsafe
from treeplex.seqform.boards.factored_strategy import FactoredStrategy, FactoredTree
from treeplex.seqform.boards.hand_classes import HandClasses
from treeplex.seqform.certify.betting_rows import BettingStreet
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.tops import PerReach, reach_anywhere
from treeplex.subgames.solve_subgame import solve_subgame


@dataclass(frozen=True)
class HandTops(PerReach):
    """The opponent's T hands, or classes of them, where a bet is made or a flop dealt; satisfies ``Tops``.

    Attributes
    ----------
    name : str
        The betting line after the bet, or to the flop.
    tops : tuple of T str
        Numbers: nobody reads more than that they differ.
    reach : (T,) f64
        The weight of the defender's hands that may be met, and come here.
    opponent_reach : (T,) f64
        The opponent's own.
    value : (T,) f64
        The best-response value of the infoset before the bet within the menu, or on the flop, unnormalised.
    lower_bound_gifts : (T,) f64
        Per unit of reach.
    played : (T,) f64 or None
        What the opponent gets if both play the blueprint, unnormalised; None of bets in no blueprint.
    """

    name: str
    tops: tuple[str, ...]
    reach: Floats
    opponent_reach: Floats
    value: Floats
    lower_bound_gifts: Floats
    played: Floats | None = None

    @property
    def blueprint_value(self) -> Floats:
        """The counterfactual value of each top if both play the blueprint, (T,), unnormalised."""
        if self.played is None:
            raise UndefinedError("a bet that the blueprint lacks has no value under it")
        return self.played

    def of_classes(self, classes: HandClasses, player: int) -> "HandTops":
        """Return the tops of classes of hands; reaches and values are those of all its hands by chance."""
        first, chance = classes.first[player], classes.boards.hands[player].weight
        return HandTops(
            name=self.name,
            tops=tuple(map(str, range(len(first)))),
            reach=chance * self.reach[first],
            opponent_reach=self.opponent_reach[first],
            value=chance * self.value[first],
            lower_bound_gifts=self.lower_bound_gifts[first],
            played=None if self.played is None else chance * self.played[first],
        )

    @property
    def estimated_gifts(self) -> Floats:
        """What is not computed for bets that are in no blueprint."""
        raise UndefinedError("off-tree bets have lower-bound gifts only")


Plan = NDArray[np.uint16]
"""A defender's behaviour on a flop in parts of ``WHOLE``: a row an action, a column a hand."""
WHOLE = 65_535


class Engines(Protocol):
    """The regret minimisers of an off-tree bet, root decisions still open, and the units of their stakes."""

    @property
    def tree(self) -> FactoredTree:
        """The tree of the betting after the bet."""

    def after(self) -> tuple[FactoredCFR, float]:
        """Return the one of the betting after the bet."""

    def again(self) -> tuple[FactoredCFR, float]:
        """Return the one from the choice on, the bet added as its last action."""


class StreetAnswer(NamedTuple):
    """How the hand goes on after an off-tree bet.

    own, theirs : flat tables
        The weights of the defender's actions after the bet, and of the opponent's in its own solution.
    entering : (T,) float64
        The opponent's reach after the bet by its own solution.
    """

    own: NDArray[Any]
    theirs: NDArray[Any]
    entering: Floats


class Answers(Protocol):
    """A way to answer off-tree bets."""

    def answer(self, engines: Engines, defender: int, own_reach: Floats, tops: HandTops) -> StreetAnswer:
        """Return the play after a bet.

        Parameters
        ----------
        engines : Engines
        defender : int
        own_reach : (D,) float64
            The defender's before the bet, chance included.
        tops : HandTops
        """


@dataclass(frozen=True)
class Nested:
    """Answers by subgames solved for some iterations.

    Attributes
    ----------
    way : OffTree
    iterations : int
    """

    way: OffTree
    iterations: int

    def answer(self, engines: Engines, defender: int, own_reach: Floats, tops: HandTops) -> StreetAnswer:
        """Return the play after a bet."""
        gadget, again = self.way.on_hands(), self.way.again
        engine, unit = engines.again() if again else engines.after()
        unsafe = isinstance(gadget, Unsafe)
        root = gadget.root(replace(tops, opponent_reach=reach_anywhere(tops)) if unsafe else tops)
        comes = own_reach / engine.tree.boards.hands[defender].weight
        (found,) = solve_subgame(
            engine.entered_by, tops, root, defender, comes, (self.iterations,), unit=unit
        )
        strategy, opponent = found.strategy, 1 - defender
        if not again:
            return StreetAnswer(
                strategy.weight[defender], strategy.weight[opponent], np.ones(len(tops.reach))
            )
        made = strategy.at(opponent, 0, 0)[:, -1]
        hand = engine.tree.boards.hands[opponent].hand[engine.tree.boards.hands[opponent].on(0)]
        entering = tops.opponent_reach.copy()
        entering[hand] *= made
        own, theirs = (_last_rows(strategy, engines.tree, p) for p in (defender, opponent))
        return StreetAnswer(own, theirs, entering)


@dataclass(frozen=True)
class Stored:
    """Answers read back in the order in which they were given.

    Attributes
    ----------
    plans : iterator of tables
        Of the defender's.
    """

    plans: Iterator[NDArray[Any]]

    def answer(self, engines: Engines, defender: int, own_reach: Floats, tops: HandTops) -> StreetAnswer:
        """Return the next answer; the opponent's part is not known."""
        n_theirs = int(engines.tree.base[1 - defender][-1])
        return StreetAnswer(next(self.plans), np.zeros(n_theirs, np.float32), np.zeros(len(tops.reach)))


def _last_rows(strategy: FactoredStrategy, after: FactoredTree, player: int) -> NDArray[Any]:
    """Return the part of a player's table for the betting that comes last on each street, ``after``."""
    table, tree = strategy.weight[player], strategy.tree
    part = np.empty(int(after.base[player][-1]), table.dtype)
    for board in range(after.boards.n_boards):
        lo, hi = after.base[player][board : board + 2]
        end = tree.base[player][board + 1]
        part[lo:hi] = table[end - (hi - lo) : end]
    return part


def rounded(street: BettingStreet, player: int, table: NDArray[Any]) -> Plan:
    """Return the behaviour of weights (actions, hands) in parts of ``WHOLE``; uniform where all are zero.

    Running sums over a decision's actions are rounded, so that its parts add up to ``WHOLE``: what was
    rounded once stays as it is.
    """
    plan = np.empty(table.shape, np.uint16)
    for _, first, count in street.decisions[player].tolist():
        rows = table[first : first + count].astype(np.float64)
        mass = rows.sum(axis=0)
        even = np.where(mass > 0.0, rows / np.where(mass > 0.0, mass, 1.0), 1.0 / count)
        sums = np.rint(WHOLE * np.cumsum(even, axis=0))
        plan[first : first + count] = np.diff(sums, axis=0, prepend=0.0)
    return plan
