"""The sequence form of a gadget's game: a subgame grafted below moves that the opponent makes before it."""

import numpy as np

from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.subgames.forest import NOTHING
from treeplex.seqform.subgames.root_decisions import RootDecisions
from treeplex.seqform.subgames.subgame import Subgame


def game_of(subgame: Subgame, name: str, other: Treeplex, own: Treeplex, payoff: ExactMatrix) -> SequenceForm:
    """Return a gadget game from the opponent's and the defender's side and the opponent's payoff (S, S)."""
    whole = subgame.cut.game.form
    label = f"{name} on {subgame.cut.name!r} of {whole.name}"
    if subgame.cut.opponent == 0:
        return SequenceForm(label, whole.unit, (other, own), Payoff.sparse(payoff), whole.stakes)
    turned = payoff.transpose()
    negative = ExactMatrix(turned.rows, turned.cols, -turned.num, turned.den, turned.shape)
    return SequenceForm(label, whole.unit, (own, other), Payoff.sparse(negative), whole.stakes)


def enter(subgame: Subgame, name: str, root: RootDecisions) -> SequenceForm:
    """Return the gadget game in which the opponent first makes its root decisions and then plays the subgame.

    Leaves pay as in the whole game, times chance and the blueprint's own reach: counterfactual values need
    no normalising then.

    Parameters
    ----------
    subgame : Subgame
    name : str
    root : RootDecisions
        The opponent's.
    """
    stay = root.stay
    cut, leaves = subgame.cut, subgame.cut.leaves
    own, own_to = cut.own.graft(NOTHING, np.zeros(1, dtype=np.int64))
    top = cut.root_top[leaves.root]
    local = cut.other.local(leaves.other, top)
    column = own_to[cut.own.local(leaves.own, np.zeros_like(top))]
    rows, cols, values = [stay[0]], [np.zeros(len(stay[0]), dtype=np.int64)], [stay[1]]
    other = root.header
    for entry in root.entries:
        other, other_to = cut.other.graft(other, entry.at, entry.suffix)
        played = other_to[local] >= 0
        rows.append(other_to[local][played])
        cols.append(column[played])
        values.append((subgame.amount * entry.weight[top])[played])
    payoff = ExactMatrix.of_floats(
        np.concatenate(rows),
        np.concatenate(cols),
        np.concatenate(values),
        (other.n_sequences, own.n_sequences),
    )
    return game_of(subgame, name, other, own, payoff)
