"""The sequence form of a public tree, with a pairwise or a factored payoff."""

import numpy as np

from treeplex.games.protocol import TERMINAL
from treeplex.games.reporting import Report, quiet, reported
from treeplex.seqform.forms.numbering import Numbering
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.running_sums import factored_payoff
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.trees.public_tree import PublicTree

DENSE_HANDS = 24
"""The largest number of hands a player for which payoffs are pairwise; beyond, running sums are smaller."""


def sequence_form(tree: PublicTree, *, factored: bool | None = None, report: Report = quiet) -> SequenceForm:
    """Return the sequence form of a public tree.

    Infosets are ordered node by node in preorder, hand by hand within a node; dead hands have none. Locks are
    ignored here: ``locked_form`` removes locked infosets.

    Parameters
    ----------
    tree : PublicTree
    factored : bool, optional
        Whether showdowns are running sums over strength (nonzeros linear in hands) or one entry a pair of
        hands. By default factored beyond ``DENSE_HANDS`` hands a player.
    report : callable, optional
        Told a few times a second how far this is.
    """
    if factored is None:
        factored = max(len(h) for h in tree.hands) > DENSE_HANDS
    numberings = (Numbering.of(tree, 0, report), Numbering.of(tree, 1, report))
    payoff = (factored_payoff if factored else _pairwise)(tree, numberings, report)
    treeplexes = numberings[0].treeplex, numberings[1].treeplex
    return SequenceForm(tree.name, tree.unit, treeplexes, payoff, tree.stakes)


def _pairwise(tree: PublicTree, numberings: tuple[Numbering, Numbering], report: Report) -> Payoff:
    """Return the payoff with one entry for each leaf and pair of hands."""
    common = int(np.lcm.reduce(np.array([d.den for d in tree.deals], dtype=object)))
    weights = [d.matrix() * (common // d.den) for d in tree.deals]
    signs = [np.sign(d.strength[0][:, None] - d.strength[1][None, :]) for d in tree.deals]
    rows, cols, nums = [], [], []
    ends = tree.nodes_of(TERMINAL)
    for z in reported(ends, report, lambda n: f"{tree.name}: payoffs of {n:,} of {len(ends):,} leaves"):
        d = tree.deal[z]
        value = weights[d] * int(tree.stake[z]) * (signs[d] if tree.showdown[z] else 1)
        g, h = np.nonzero(value)
        rows.append(numberings[0].last[z, g])
        cols.append(numberings[1].last[z, h])
        nums.append(value[g, h])
    shape = (numberings[0].treeplex.n_sequences, numberings[1].treeplex.n_sequences)
    return Payoff.sparse(
        ExactMatrix.of(
            np.concatenate(rows), np.concatenate(cols), np.concatenate(nums), common * tree.stake_den, shape
        )
    )
