"""Faults that challenges find: gadgets, averages, strategies, rules and estimates, each with one thing wrong.

``treeplex challenge treeplex.examples.faults:Careless --claim safe`` shows a small game in which it matters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from treeplex.gadgets.alternatives import AlternativeValues, BlueprintAlternatives, EstimatedGifts
from treeplex.gadgets.gadget import RootGadget, UndefinedError
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve
from treeplex.games.base.protocol import Game
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.forest import choice, choices
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Entry, RootDecisions, Tops

Table = Mapping[tuple[int, str], Mapping[str, float]]


class HalfTrusting(RootGadget):
    """A coin decides whether the opponent comes as the blueprint says, or chooses to."""

    def root(self, tops: Tops) -> RootDecisions:
        """Return the opponent's root decisions."""
        live = np.flatnonzero(tops.live)
        header = choices(tuple(f"enter {tops.tops[k]}" for k in live), ("stay", "enter"))
        chosen = np.full(len(tops.reach), -1)
        chosen[live] = header.begin + 1
        half = np.full(len(tops.reach), 0.5)
        entries = (
            Entry(chosen, half),
            Entry(np.where(tops.live, 0, -1), half * tops.opponent_reach, " as the blueprint"),
        )
        stay = header.begin, 0.5 * (tops.reach * tops.cbv)[live]
        return RootDecisions(header, entries, stay)


@dataclass(frozen=True)
class NinetyPercent:
    """Alternative values of nine tenths of the blueprint's."""

    prefix: ClassVar[str] = "careless-"

    def of(self, tops: Tops) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        return AlternativeValues(0.9 * tops.cbv, np.zeros(len(tops.reach)))


class Careless(Resolve):
    """Resolve with 90% of the alternative values."""

    def __init__(self) -> None:
        super().__init__(NinetyPercent())


class TripledGifts(Maxmargin):
    """Reach-Maxmargin with three times the gifts of the blueprint, which other subgames may take back."""

    def __init__(self) -> None:
        super().__init__(BlueprintAlternatives(EstimatedGifts(3.0)))


@dataclass(frozen=True)
class OnPathValues:
    """Values of a best response that answers only where it comes itself, and elsewhere is the blueprint."""

    prefix: ClassVar[str] = "on-path-"

    def of(self, subgame: Subgame) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        cut, response = subgame.cut, subgame.response
        treeplex = cut.other.treeplex
        comes = treeplex.plan(response.behaviour())[treeplex.parent] > 0.0
        own = np.concatenate(([True], np.repeat(comes, treeplex.end - treeplex.begin)))
        behaviour = np.where(own, response.behaviour(), subgame.blueprint.behaviour[cut.opponent])
        sign = 1 if cut.opponent == 0 else -1
        gradient = sign * cut.game.form.payoff.against(cut.opponent, subgame.plan)
        _, value = treeplex.evaluate(behaviour, gradient)
        values = cut.top_values(subgame.plan, replace(response, value=value))
        return AlternativeValues(subgame.normalised(values), np.zeros(len(values)))


class BestResponseValues(Resolve):
    """Resolve with values of a best response in place of a counterfactual best response."""

    def __init__(self) -> None:
        super().__init__(OnPathValues())


class IgnoresUnreached(RootGadget):
    """Maxmargin over those tops alone to which the opponent's own blueprint comes."""

    def root(self, tops: Tops) -> RootDecisions:
        """Return the opponent's root decisions."""
        come = np.flatnonzero(tops.live & (tops.opponent_reach > 0.0))
        if not len(come):
            raise UndefinedError(f"the blueprint never comes to {tops.name!r}")
        header = choice("choose a top", tuple(tops.tops[t] for t in come.tolist()))
        at, weight = np.full(len(tops.reach), -1), np.zeros(len(tops.reach))
        at[come], weight[come] = 1 + np.arange(len(come)), 1.0 / tops.reach[come]
        return RootDecisions(header, (Entry(at, weight),), (at[come], -tops.cbv[come]))


@dataclass(frozen=True)
class PlayerZeroValues:
    """Alternative values always as player 0 counts them, also where player 1 is the opponent."""

    prefix: ClassVar[str] = "one-seat-"

    def of(self, subgame: Subgame) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        sign = 1.0 if subgame.cut.opponent == 0 else -1.0
        return AlternativeValues(sign * subgame.cbv, np.zeros(len(subgame.reach)))


class OneSeat(Maxmargin):
    """Maxmargin that is safe for player 1 only: against player 1 the alternatives have the wrong sign."""

    def __init__(self) -> None:
        super().__init__(PlayerZeroValues())


def average_behaviour(game: Game[Any], strategies: Sequence[Table], weights: Sequence[float]) -> Table:
    """Average probabilities at each infoset, without the players' own reach of it."""
    return {
        key: {a: sum(w * s[key][a] for w, s in zip(weights, strategies, strict=True)) for a in row}
        for key, row in strategies[0].items()
    }


class PrintedCoinToss:
    """What section 5 of "Safe and Nested Subgame Solving" prints as optimal in Coin Toss; 1/4-3/4 is."""

    game = "coin_toss"

    def __call__(self, game: Game[Any]) -> Table:
        """Return player 1's strategy."""
        return {(1, "?:Play"): {"Heads": 0.75, "Tails": 0.25, "Forfeit": 0.0}}


class FollowTheLeader:
    """Plays the action that would have earned most so far, and states the bound of regret matching."""

    def __init__(self, n_actions: int) -> None:
        self.totals = [0.0] * n_actions

    def recommend(self) -> list[float]:
        """Return the probability of each action."""
        leader = self.totals.index(max(self.totals))
        return [float(a == leader) for a in range(len(self.totals))]

    def observe(self, utilities: Sequence[float]) -> None:
        """Add what each action would have earned."""
        self.totals = [total + u for total, u in zip(self.totals, utilities, strict=True)]

    def bound(self, utilities: Sequence[Sequence[float]]) -> float:
        """Return L sqrt(A T), L the largest difference of two utilities of one step."""
        largest = max(max(step) - min(step) for step in utilities)
        return float(largest * (len(self.totals) * len(utilities)) ** 0.5)


class CertainOfTheBlueprint:
    """Takes what the blueprint's own play pays the opponent for its value against the best strategy."""

    def estimates(self, subgame: Subgame) -> Floats:
        """Return a value for each top, (T,)."""
        return subgame.normalised(subgame.blueprint_value)

    def error(self, subgame: Subgame) -> float:
        """Return 0: the estimates are said to be exact."""
        return 0.0
