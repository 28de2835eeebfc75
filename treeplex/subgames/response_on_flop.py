"""The opponent's best response on one flop, every off-tree bet answered where it is met, depth first."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.boards.board_subgame import weight_met
from treeplex.seqform.certify.last_board import best_responses
from treeplex.seqform.forms.treeplex import Floats
from treeplex.subgames.flop import Flop, FlopEngines
from treeplex.subgames.street_answers import Answers, HandTops, Plan, rounded
from treeplex.subgames.street_betting import Bet, StreetForest, StreetStep


@dataclass(frozen=True)
class StreetPlay:
    """Both players' strategies on a forest on one flop.

    Attributes
    ----------
    own, theirs : (actions, hands) tables
        Weights of the defender's and of the opponent's actions.
    own_entering, theirs_entering : (entries, hands) float64
        Their reaches where the street begins; the defender's with the weights of chance.
    gifts : (entries, T) float64
        What the opponent gave away before, per unit of reach.
    """

    own: NDArray[Any]
    theirs: NDArray[Any]
    own_entering: Floats
    theirs_entering: Floats
    gifts: Floats


@dataclass(frozen=True)
class Offer:
    """What the opponent could have had, for good, instead of the bet by which it entered a forest.

    Attributes
    ----------
    ended : (T,) float64
        The value of the best action after which nobody acts; minus infinity if there is none.
    reach : (T,) float64
        The weight of the defender's hands that may be met there.
    """

    ended: Floats
    reach: Floats


@dataclass(frozen=True)
class Responder:
    """The opponent on one flop.

    Attributes
    ----------
    flop : Flop
    defender : int
    answers : Answers
    plans : list of Plan
        The answers so far, in the order in which bets are met.
    """

    flop: Flop
    defender: int
    answers: Answers
    plans: list[Plan] = field(default_factory=list)

    def values(self, forest: StreetForest, play: StreetPlay, offer: Offer | None = None) -> Floats:
        """Return the opponent's best-response values at a forest's entries, off-tree bets included.

        Parameters
        ----------
        forest : StreetForest
        play : StreetPlay
        offer : Offer, optional
            Where an off-tree bet leads here.

        Returns
        -------
        (entries, T) float64
            Unnormalised, in chips.
        """
        opponent, street = 1 - self.defender, forest.layout.street
        reach, leaves, menu = menu_values(self.flop, self.defender, forest, play.own, play.own_entering)
        theirs = self.flop.last.reach(street, opponent, play.theirs_entering, play.theirs)
        gifts = play.gifts
        if offer is not None:
            gifts = gifts + given_away(offer.ended - menu[street.entry[0]], offer.reach)
        for bet in forest.bets:
            met = reach[bet.at.reach]
            weight = self._met(met)
            given = gifts[bet.entry] + sum(self._gift(step, menu, reach) for step in bet.path)
            tops = HandTops(
                name=bet.line,
                tops=tuple(map(str, range(len(weight)))),
                reach=weight,
                opponent_reach=theirs[bet.own],
                value=menu[bet.at.value],
                lower_bound_gifts=given,
            )
            below = self._after(bet, met, tops, Offer(ended(bet.at, menu), weight))
            leaves[bet.at.value] = np.maximum(leaves[bet.at.value], below)
        return best_responses(street, opponent, leaves)[street.entry]

    def _after(self, bet: Bet, met: Floats, tops: HandTops, offer: Offer) -> Floats:
        """Return the opponent's values right after an off-tree bet, (T,)."""
        if not tops.live.any():
            return np.zeros(len(tops.reach))
        answer = self.answers.answer(FlopEngines(self.flop, bet), self.defender, met, tops)
        street = bet.below.layout.street
        plan = rounded(street, self.defender, answer.own.reshape(-1, len(met)))
        self.plans.append(plan)
        theirs = answer.theirs.reshape(-1, len(tops.reach))
        play = StreetPlay(plan, theirs, met[None], answer.entering[None], tops.lower_bound_gifts[None])
        return np.asarray(self.values(bet.below, play, offer)[0])

    def _met(self, reach: Floats) -> Floats:
        cards = self.flop.last.cards
        return weight_met(cards[1 - self.defender], cards[self.defender], reach)

    def _gift(self, step: StreetStep, menu: Floats, reach: Floats) -> Floats:
        return given_away(ended(step, menu) - menu[step.taken], self._met(reach[step.reach]))


def menu_values(
    flop: Flop, defender: int, forest: StreetForest, own: NDArray[Any], entering: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the defender's reaches, and the opponent's values at leaves and by best response in the menu.

    Parameters
    ----------
    flop : Flop
    defender : int
    forest : StreetForest
    own, entering : as in ``StreetPlay``
        The defender's.

    Returns
    -------
    (rows, D), (V, T) and (V, T) float64
    """
    street, opponent = forest.layout.street, 1 - defender
    reach = flop.last.reach(street, defender, entering, own)
    leaves = forest.unit * flop.last.leaf_values(street, opponent, reach)
    return reach, leaves, best_responses(street, opponent, leaves)


def ended(step: StreetStep, values: Floats) -> Floats:
    """Return the value of the best action of a choice after which nobody acts, (T,)."""
    rows = values[list(step.endings)]
    return np.asarray(rows.max(axis=0, initial=-np.inf))


def given_away(loss: Floats, reach: Floats) -> Floats:
    """Return a gift per unit of reach: a loss of unnormalised value, where it is one, (T,)."""
    gain = np.maximum(loss, 0.0)
    return np.asarray(np.divide(gain, reach, out=np.zeros(len(reach)), where=reach > 0.0))
