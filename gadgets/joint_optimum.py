"""The least exploitable strategy that differs from a blueprint only in a set of subgames, by one program."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treeplex.gadgets.alternatives import estimates_at, values_against
from treeplex.gadgets.gadget import behaviour_by_key, complete_off_path, game_of
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.programs.lp_solution import LPSolution, solve_lp
from treeplex.seqform.subgames.cut import check_disjoint, leaf_amounts
from treeplex.seqform.subgames.forest import NOTHING
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import SMALLEST_REACH


@dataclass(frozen=True)
class JointOptimum:
    """The least exploitable strategy that differs from a blueprint only in some subgames.

    Attributes
    ----------
    behaviour : (S,) f64
        The defender's, in the whole game.
    solution : LPSolution
        Of the game in which the defender decides only in the subgames.
    """

    behaviour: Floats
    solution: LPSolution

    def estimates(self, subgame: Subgame) -> dict[tuple[str, str], float]:
        """Return what the opponent gets at each live top against this strategy, per unit of reach.

        At tops where the opponent never enters the joint optimum is not unique; these values are those of
        the one found.
        """
        return estimates_at(subgame, values_against(subgame, self.behaviour))


def joint_optimum(subgames: Sequence[Subgame]) -> JointOptimum:
    """Solve a set of disjoint subgames together (the comparator of Brown and Sandholm 2018, Theorem 1).

    Parameters
    ----------
    subgames : sequence of Subgame
        At least one, all of one defender and blueprint.

    Raises
    ------
    ValueError
        If they overlap.
    """
    form = joint_game(subgames)
    solution = solve_lp(form)
    behaviour = subgames[0].blueprint.behaviour[subgames[0].cut.defender].copy()
    for subgame in subgames:
        inside = subgame.cut.inside
        behaviour[inside] = complete_off_path(subgame, behaviour_by_key(subgame, solution.profile))[inside]
    return JointOptimum(behaviour, solution)


def joint_game(subgames: Sequence[Subgame]) -> SequenceForm:
    """Return the whole game in which the defender decides in the subgames and is the blueprint elsewhere."""
    check_disjoint([subgame.cut for subgame in subgames])
    cut, plan = subgames[0].cut, subgames[0].plan
    whole, defender = cut.game, cut.defender
    z = whole.tree.leaves
    amount = leaf_amounts(whole, 1 - defender, z)
    entered, column = plan[whole.last[defender][z]], np.zeros(len(z), dtype=np.int64)
    own = NOTHING
    for subgame in subgames:
        own, to = subgame.cut.own.graft(own, np.zeros(1, dtype=np.int64))
        leaves = subgame.cut.leaves
        at = np.searchsorted(z, leaves.node)
        entered[at] = subgame.cut.entry_reach(plan)[leaves.root]
        column[at] = to[subgame.cut.own.local(leaves.own, np.zeros_like(leaves.own))]
    entered[entered < SMALLEST_REACH] = 0.0
    other = whole.form.treeplexes[1 - defender]
    payoff = ExactMatrix.of_floats(
        whole.last[1 - defender][z], column, amount * entered, (other.n_sequences, own.n_sequences)
    )
    game = game_of(subgames[0], "joint", other, own, payoff)
    return replace(game, name=f"{len(subgames)} subgames of {whole.form.name} together")
