"""What the judge proves of a subgame solved again on boards: the gadget's value and the error."""

from dataclasses import dataclass, replace

import numpy as np

from treeplex.gadgets.boards.subgame import BoardSubgame
from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.values import RangeJudge
from treeplex.seqform.subgames.root_decisions import RootDecisions, nothing
from treeplex.seqform.subgames.tops import Tops


@dataclass(frozen=True)
class GadgetProof:
    """What best responses prove of a strategy of a gadget's game.

    Attributes
    ----------
    lower, upper : float
        An interval for the value of the gadget's game to the opponent, unnormalised.
    value : (T,) f64
        The opponent's counterfactual best-response value of each top against the defender's strategy,
        unnormalised.
    """

    lower: float
    upper: float
    value: Floats


def prove(
    subgame: BoardSubgame,
    root: RootDecisions,
    plan: Floats,
    strategy: FactoredStrategy,
    judge: RangeJudge | None = None,
) -> GadgetProof:
    """Return what a strategy of a gadget's game proves.

    Parameters
    ----------
    subgame : BoardSubgame
    root : RootDecisions
        The opponent's.
    plan : (S,) f64
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
    upper = root.header.best_response(root.paid(value)).total
    conceded = float(subgame.own_reach @ values[defender])
    lower = float(root.paid(np.zeros(len(value))) @ plan) - conceded
    return GadgetProof(lower, float(upper), value)


def error(subgame: BoardSubgame, alternatives: AlternativeValues, value: Floats) -> float:
    """Return err_S = sum over tops of max(0, V_t - w_t (alternative_t + gift_t)), in payoffs times pairs.

    Times the number of boards that suits alone tell apart. Divided by the weight of all pairs of hands it is
    what the subgame may add to the opponent's best-response value in the whole game (Burch, Johanson and
    Bowling 2014, and Brown and Sandholm 2017, with the errors of approximate solutions).

    Parameters
    ----------
    subgame : BoardSubgame
    alternatives : AlternativeValues
        The blueprint's, with the gifts that were added.
    value : (T,) f64
        As in ``GadgetProof``.
    """
    allowed = np.where(subgame.live, subgame.reach * np.nan_to_num(alternatives.total), 0.0)
    return float(np.maximum(value - allowed, 0.0).sum()) * subgame.pairs


def reach_unit(tops: Tops, root: RootDecisions) -> float:
    """Return the most reach with which the opponent can enter, the unit of a gadget's value.

    It is the sum of all tops' reaches for Resolve and 1 for Maxmargin.
    """
    entered = replace(root, stay=nothing()).paid(tops.reach)
    return float(root.header.best_response(entered).total)
