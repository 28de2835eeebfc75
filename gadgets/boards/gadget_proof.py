"""What the judge proves of a subgame solved again on boards: the gadget's value and the error."""

from dataclasses import dataclass

import numpy as np

from treeplex.gadgets.alternatives import AlternativeValues
from treeplex.gadgets.boards.board_subgame import BoardSubgame
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_certificate import hand_rounding
from treeplex.seqform.certify.board_values import RangeJudge
from treeplex.seqform.forms.payoff import UNIT_ROUNDOFF
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.drawn import Decisions
from treeplex.seqform.subgames.tops import Tops


@dataclass(frozen=True)
class GadgetProof:
    """What best responses prove of a strategy of a gadget's game.

    Attributes
    ----------
    lower, upper : float
        An interval for the value of the gadget's game to the opponent, unnormalised, widened by the most that
        rounding may have changed.
    value : (T,) f64
        The opponent's counterfactual best-response value of each top against the defender's strategy,
        unnormalised.
    rounding : (T,) f64
        How far each of these may be off.
    """

    lower: float
    upper: float
    value: Floats
    rounding: Floats


def prove(
    subgame: BoardSubgame,
    root: Decisions,
    plan: Floats,
    strategy: FactoredStrategy,
    judge: RangeJudge | None = None,
) -> GadgetProof:
    """Return what a strategy of a gadget's game proves.

    Parameters
    ----------
    subgame : BoardSubgame
    root : RootDecisions or DrawnDecisions
        The opponent's.
    plan : (S,) or (2, T) f64
        The opponent's plan of the root decisions.
    strategy : FactoredStrategy
        Both players' inside.
    judge : RangeJudge, optional
        Of the subgame, where several strategies are proved one after the other.
    """
    defender, opponent = subgame.defender, subgame.opponent
    entered = root.entered(plan) * subgame.chance
    reaches = (subgame.own_reach, entered) if defender == 0 else (entered, subgame.own_reach)
    judge = judge or RangeJudge(subgame.game, strategy)
    values = judge.values(strategy, reaches)
    value = subgame.chance * values[opponent]
    # Each reach, and each sum over tops and sequences, takes no more roundings than there are of both.
    more = len(value) + root.n_sums
    off = [hand_rounding(subgame.game, strategy.tree, p, float(reaches[p].sum()), more) for p in (0, 1)]
    rounding = subgame.chance * off[defender]
    paid = 2.0 * more * UNIT_ROUNDOFF * root.most_outside
    conceded = float(subgame.own_reach @ values[defender])
    lower, upper = root.outside(plan) - conceded, root.best(value)
    return GadgetProof(
        lower=float(np.nextafter(lower - paid - float(subgame.own_reach.sum()) * off[opponent], -np.inf)),
        upper=float(np.nextafter(upper + paid + root.best_inside(rounding), np.inf)),
        value=value,
        rounding=rounding,
    )


def error(subgame: BoardSubgame, alternatives: AlternativeValues, proof: GadgetProof) -> float:
    """Return err_S = sum over tops of max(0, V_t - w_t (alternative_t + gift_t)), in payoffs times pairs.

    Times the number of boards that suits alone tell apart. Divided by the weight of all pairs of hands it is
    what the subgame may add to the opponent's best-response value in the whole game (Burch, Johanson and
    Bowling 2014, and Brown and Sandholm 2017, with the errors of approximate solutions). V_t and the
    blueprint's value, of which alternatives are made, are taken as far apart as rounding allows.

    Parameters
    ----------
    subgame : BoardSubgame
    alternatives : AlternativeValues
        The blueprint's, with the gifts that were added.
    proof : GadgetProof
        Of the strategy that is to be played.
    """
    whole, weight = subgame.subtree.whole, float(subgame.own_reach.sum())
    before = subgame.chance * hand_rounding(whole.game, whole, subgame.defender, weight)
    value = proof.value + np.where(subgame.live, proof.rounding + before, 0.0)
    allowed = np.where(subgame.live, subgame.reach * np.nan_to_num(alternatives.total), 0.0)
    return float(np.maximum(value - allowed, 0.0).sum()) * subgame.pairs


def reach_unit(tops: Tops, root: Decisions) -> float:
    """Return the most reach with which the opponent can enter, the unit of a gadget's value.

    It is the sum of all tops' reaches for Resolve and 1 for Maxmargin.
    """
    return root.best_inside(tops.reach)
