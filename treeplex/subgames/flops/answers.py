"""Ways to answer an off-tree bet on one flop: by the subgame after it, or from before it.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treeplex.cfr.factored.factored_cfr import FactoredCFR
from treeplex.cfr.factored.state import FactoredConfig
from treeplex.gadgets.core.gadget import RootGadget
from treeplex.gadgets.methods.unsafe import Unsafe
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.betting_rows import BettingStreet
from treeplex.seqform.subgames.root_decisions import RootDecisions
from treeplex.seqform.subgames.subgame import SMALLEST_REACH
from treeplex.subgames.flops.flop import Flop
from treeplex.subgames.flops.forest import Bet
from treeplex.subgames.flops.tops import HandTops

Plan = NDArray[np.uint16]
"""A defender's behaviour in parts of ``WHOLE``: a row an action, a column a hand."""
WHOLE = 65_535


class Answer(NamedTuple):
    """How the hand goes on after an off-tree bet.

    plan : (actions, D) uint16
        The defender's behaviour.
    theirs : (actions, T) float
        Weights of the opponent's actions in its own solution.
    entering : (T,) float64
        The opponent's reach after the bet by its own solution.
    """

    plan: Plan
    theirs: NDArray[np.floating]
    entering: Floats


class Answers(Protocol):
    """A way to answer off-tree bets."""

    def answer(self, flop: Flop, defender: int, bet: Bet, own_reach: Floats, tops: HandTops) -> Answer:
        """Return the play after a bet.

        Parameters
        ----------
        flop : Flop
        defender : int
        bet : Bet
        own_reach : (D,) float64
            The defender's before the bet, chance included.
        tops : HandTops
            In the unit of ``bet.below``'s layout.
        """


@dataclass(frozen=True)
class Solve:
    """How a regret minimiser is run.

    Attributes
    ----------
    config : FactoredConfig
    iterations : int
    """

    config: FactoredConfig
    iterations: int

    def run(
        self, engine: FactoredCFR, defender: int, own_reach: Floats, root: RootDecisions, unit: float
    ) -> tuple[Floats, ...]:
        """Return both players' average tables, (actions, hands) each, of an engine entered by a gadget.

        Parameters
        ----------
        engine : FactoredCFR
        defender : int
        own_reach : (D,) float64
        root : RootDecisions
            The opponent's, paid in chips.
        unit : float
            Chips in the unit of the engine's stakes.
        """
        weight = engine.tree.boards.hands[defender].weight
        own, paid = RootDecisions.fixed(own_reach / weight), replace(root, stay=(root.stay[0], root.stay[1] / unit))
        entered = engine.entered_by((own, paid) if defender == 0 else (paid, own))
        strategy = entered.strategy(entered.advance(entered.start(), self.iterations))
        return tuple(
            table.reshape(-1, len(one.weight))
            for table, one in zip(strategy.weight, engine.tree.boards.hands, strict=True)
        )


@dataclass(frozen=True)
class Inexpensive:
    """Solve the subgame right after the bet; staying out is worth the best move within the menu.

    Attributes
    ----------
    gadget : RootGadget
    solve : Solve
    """

    gadget: RootGadget
    solve: Solve

    def answer(self, flop: Flop, defender: int, bet: Bet, own_reach: Floats, tops: HandTops) -> Answer:
        """Return the play after a bet."""
        forest, root = bet.below, self.gadget.root(tops)
        engine = flop.engine(forest.layout, self.solve.config)
        tables = self.solve.run(engine, defender, own_reach, root, forest.unit)
        plan = rounded(forest.layout.street, defender, tables[defender])
        return Answer(plan, tables[1 - defender], np.ones(len(tops.reach)))


@dataclass(frozen=True)
class Expensive:
    """Solve the subgame from before the bet again, with the bet added to the menu.

    Attributes
    ----------
    gadget : RootGadget
    solve : Solve
    """

    gadget: RootGadget
    solve: Solve

    def answer(self, flop: Flop, defender: int, bet: Bet, own_reach: Floats, tops: HandTops) -> Answer:
        """Return the play after a bet."""
        root = self.gadget.root(_anywhere(tops) if isinstance(self.gadget, Unsafe) else tops)
        engine = flop.engine(bet.again, self.solve.config)
        tables = self.solve.run(engine, defender, own_reach, root, bet.again_unit)
        street, opponent = bet.below.layout.street, 1 - defender
        after = [tables[p][len(tables[p]) - street.n_actions[p] :] for p in (0, 1)]
        n_actions = len(engine.tree.betting.children[0])
        made = tables[opponent][n_actions - 1] / np.maximum(tables[opponent][:n_actions].sum(axis=0), 1e-300)
        plan = rounded(street, defender, after[defender])
        return Answer(plan, after[opponent], tops.opponent_reach * made)


@dataclass(frozen=True)
class Stored:
    """Answers read back in the order in which they were given.

    Attributes
    ----------
    plans : iterator of Plan
        Of one flop.
    """

    plans: Iterator[Plan]

    def answer(self, flop: Flop, defender: int, bet: Bet, own_reach: Floats, tops: HandTops) -> Answer:
        """Return the next answer; the opponent's part is not known."""
        n_actions = bet.below.layout.street.n_actions[1 - defender]
        nothing = np.zeros((n_actions, len(tops.reach)))
        return Answer(next(self.plans), nothing, np.zeros(len(tops.reach)))


def rounded(street: BettingStreet, player: int, table: NDArray[np.floating]) -> Plan:
    """Return the behaviour of weights (actions, hands) in parts of ``WHOLE``; uniform where all are zero."""
    plan = np.empty(table.shape, np.uint16)
    for _, first, count in street.decisions[player].tolist():
        rows = table[first : first + count].astype(np.float64)
        mass = rows.sum(axis=0)
        even = np.where(mass > 0.0, rows / np.where(mass > 0.0, mass, 1.0), 1.0 / count)
        plan[first : first + count] = np.rint(WHOLE * even)
    return plan


def _anywhere(tops: HandTops) -> HandTops:
    """Return tops that the opponent comes to: all alike where its own solution never does."""
    if np.any(tops.opponent_reach * tops.reach > SMALLEST_REACH):
        return tops
    return replace(tops, opponent_reach=np.ones(len(tops.reach)))
