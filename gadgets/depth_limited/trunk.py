"""The trunk solved with the defender's blueprint below the cuts, the opponent free everywhere."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treeplex.gadgets.core.behaviour import UNREACHED
from treeplex.gadgets.core.game import game_of
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.lp.solve import solve_lp
from treeplex.seqform.subgames.cut import Cut, leaf_amounts
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.trunk import trunk_leaves, trunk_side


def trunk_game(cuts: Sequence[Cut], blueprint: Profile) -> SequenceForm:
    """Return the whole game in which the defender decides in the trunk and is the blueprint below the cuts.

    The payoff of the opponent's sequence s and the defender's trunk sequence t is the sum, over the leaves
    where t is the defender's last in the trunk, of chance times payoff times the blueprint's reach below.

    Parameters
    ----------
    cuts : sequence of Cut
        At least one; disjoint, of one tree and one defender.
    blueprint : Profile
        On the whole game, of which only the defender's part below the cuts is used.
    """
    game, defender, opponent = cuts[0].game, cuts[0].defender, cuts[0].opponent
    _, own, column = trunk_side(game, cuts, defender)
    z = trunk_leaves(game, cuts)
    rows, cols = [game.last[opponent][z]], [column[game.last[defender][z]]]
    paid = [leaf_amounts(game, opponent, z)]
    for cut in cuts:
        leaves = cut.leaves
        rows.append(leaves.other)
        cols.append(column[game.last[defender][cut.roots]][leaves.root])
        paid.append(leaves.amount * cut.own.plan(blueprint.behaviour[defender])[leaves.own])
    other = game.form.treeplexes[opponent]
    shape = other.n_sequences, own.n_sequences
    payoff = ExactMatrix.of_floats(np.concatenate(rows), np.concatenate(cols), np.concatenate(paid), shape)
    form = game_of(Subgame.of(cuts[0], blueprint), "trunk", other, own, payoff)
    return replace(form, name=f"{game.form.name} above {len(cuts)} cuts")


def trunk_optimum(cuts: Sequence[Cut], blueprint: Profile) -> Floats:
    """Return the least exploitable behaviour of the defender, (S,), that is the blueprint below the cuts.

    Parameters as for :func:`trunk_game`; raises what :func:`treeplex.seqform.lp.solve.solve_lp` raises.
    """
    return behaviour_above(cuts, blueprint, solve_lp(trunk_game(cuts, blueprint)).profile)


def behaviour_above(cuts: Sequence[Cut], blueprint: Profile, solution: Profile) -> Floats:
    """Return the defender's behaviour, (S,): the solution's where it comes, the blueprint's elsewhere.

    Parameters
    ----------
    cuts : sequence of Cut
    blueprint : Profile
        On the whole game.
    solution : Profile
        Of a game in which the defender's treeplex is that of the trunk.
    """
    defender = cuts[0].defender
    game, number = solution.treeplexes[defender], trunk_side(cuts[0].game, cuts, defender).sequences
    reached = solution.plans[defender][game.parent] > UNREACHED
    played = np.flatnonzero(number > 0)
    played = played[reached[game.infoset_of[number[played]]]]
    behaviour = blueprint.behaviour[defender].copy()
    behaviour[played] = solution.behaviour[defender][number[played]]
    return behaviour
