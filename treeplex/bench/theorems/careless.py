"""Alternative values that look right and break safety: the pitfalls that false twins fall into."""

from dataclasses import dataclass, replace

import numpy as np

from treeplex.gadgets.alternatives import AlternativeValues
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Treeplex
from treeplex.seqform.subgames.subgame import Subgame


@dataclass(frozen=True)
class ResponseAlternatives:
    """What the opponent's best response gets at each top, where it never comes by the first action.

    A best response need not play well at infosets that it avoids; a counterfactual one does.

    Attributes
    ----------
    prefix : str
        Prefix of the method's name.
    """

    prefix: str = "response-"

    def of(self, subgame: Subgame) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        opponent = subgame.cut.opponent
        played = best_response_alone(subgame.cut.other.treeplex, subgame.response)
        profile = subgame.blueprint.exchanged(opponent, played)
        values = replace(subgame, blueprint=profile).blueprint_value
        return AlternativeValues(subgame.normalised(values), np.zeros(len(values)))


@dataclass(frozen=True)
class MetAlternatives:
    """The blueprint's values where the opponent's blueprint comes; elsewhere so much that no top binds.

    Attributes
    ----------
    prefix : str
        Prefix of the method's name.
    """

    prefix: str = "met-"

    def of(self, subgame: Subgame) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        more_than_any_margin = 4.0 * subgame.cut.game.form.stakes[1]
        unmet = np.where(subgame.opponent_reach > 0.0, 0.0, more_than_any_margin)
        return AlternativeValues(subgame.cbv + unmet, np.zeros(len(unmet)))


def best_response_alone(treeplex: Treeplex, response: BestResponse) -> Floats:
    """Return a best response's behaviour, (S,), with the first action at every infoset that it avoids."""
    behaviour = response.behaviour()
    plan = treeplex.plan(behaviour)
    for i in np.flatnonzero(plan[treeplex.parent] == 0.0).tolist():
        behaviour[treeplex.begin[i] : treeplex.end[i]] = 0.0
        behaviour[treeplex.begin[i]] = 1.0
    return behaviour
