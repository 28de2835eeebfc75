"""From a public tree to its sequence form: hand by hand, or factored with nonzeros linear in hands."""

import numpy as np

from treeplex.games.protocol import TERMINAL
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.running_sums import factored_payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.side import Numbering
from treeplex.seqform.trees.public_tree import PublicTree

DENSE_HANDS = 24
"""Up to this many hands a side every pair is written out; beyond, running sums are smaller."""


def sequence_form(tree: PublicTree, *, factored: bool | None = None) -> SequenceForm:
    """Number the sequences of a public tree and write its payoff.

    Infosets are ordered node by node in preorder, hand by hand within a node; dead hands have none. Locked
    hands choose like all others here: ``locked_form`` takes their choices away.

    Parameters
    ----------
    tree : PublicTree
    factored : bool, optional
        Whether showdowns are running sums over strength (nonzeros linear in hands) or one entry a pair of
        hands. Unless given, pairs up to ``DENSE_HANDS`` hands a side.
    """
    if factored is None:
        factored = max(len(h) for h in tree.hands) > DENSE_HANDS
    sides = (Numbering.of(tree, 0), Numbering.of(tree, 1))
    payoff = factored_payoff(tree, sides) if factored else _pairwise(tree, sides)
    return SequenceForm(tree.name, tree.unit, (sides[0].treeplex, sides[1].treeplex), payoff)


def _pairwise(tree: PublicTree, sides: tuple[Numbering, Numbering]) -> Payoff:
    """Write one entry a leaf and pair of hands."""
    common = int(np.lcm.reduce(np.array([d.den for d in tree.deals], dtype=object)))
    weights = [d.matrix() * (common // d.den) for d in tree.deals]
    signs = [np.sign(d.strength[0][:, None] - d.strength[1][None, :]) for d in tree.deals]
    rows, cols, nums = [], [], []
    for z in tree.nodes_of(TERMINAL):
        d = tree.deal[z]
        value = weights[d] * int(tree.stake[z]) * (signs[d] if tree.showdown[z] else 1)
        g, h = np.nonzero(value)
        rows.append(sides[0].last[z, g])
        cols.append(sides[1].last[z, h])
        nums.append(value[g, h])
    shape = (sides[0].treeplex.n_sequences, sides[1].treeplex.n_sequences)
    return Payoff.sparse(
        ExactMatrix.of(
            np.concatenate(rows), np.concatenate(cols), np.concatenate(nums), common * tree.stake_den, shape
        )
    )
