"""Player 0's program of a game in integers, and the exact check of plans."""

from math import lcm

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.certify.exact_certificate import ExactPlan
from treeplex.seqform.forms.payoff import ExactMatrix
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.trees.deal import Ints


def integer_program(form: SequenceForm) -> ExactMatrix:
    """Return the matrix of player 0's program (see ``sequence_program``), unscaled, every row in integers.

    Values are measured in units of 1 / d, with d a common denominator of the payoff, and running sums in
    units of the left factor's denominator; bases do not depend on units.
    """
    payoff, (own, other) = form.payoff, form.treeplexes
    k, d = len(payoff.link), lcm(payoff.base.den, payoff.left.den * payoff.right.den)
    flow, values = _integer_constraints(own), _integer_constraints(other)
    q, s = own.n_sequences, own.n_sequences + 1 + other.n_infosets  # first columns of values and of sums
    chain, last = 1 + own.n_infosets, 1 + own.n_infosets + k  # first rows of sums and of sequences
    linked = np.flatnonzero(payoff.link)
    ones, minus = np.ones(k, dtype=object), np.full(len(linked), -1, dtype=object)
    blocks = [
        (flow.rows, flow.cols, flow.num),  # E x = e
        (chain + payoff.left.cols, payoff.left.rows, -payoff.left.num),  # M' s = left' x
        (chain + np.arange(k), s + np.arange(k), ones),
        (chain + linked - 1, s + linked, minus),
        (last + values.cols, q + values.rows, values.num),  # F' q <= base' x + right s
        (last + payoff.base.cols, payoff.base.rows, -payoff.base.num.astype(object) * (d // payoff.base.den)),
        (
            last + payoff.right.rows,
            s + payoff.right.cols,
            -payoff.right.num.astype(object) * (d // (payoff.left.den * payoff.right.den)),
        ),
    ]
    rows, cols, nums = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return ExactMatrix.of(rows, cols, nums.astype(object), 1, (last + other.n_sequences, s + k))


def _integer_constraints(treeplex: Treeplex) -> ExactMatrix:
    """Return E (1 + I, S) in integers."""
    n, s = treeplex.n_infosets, np.arange(1, treeplex.n_sequences)
    rows = np.concatenate(([0], 1 + treeplex.infoset_of[1:], 1 + np.arange(n)))
    cols = np.concatenate(([0], s, treeplex.parent))
    num = np.concatenate(([1], np.ones(len(s), dtype=np.int64), np.full(n, -1))).astype(object)
    return ExactMatrix.of(rows, cols, num, 1, (1 + n, treeplex.n_sequences))


def is_plan(treeplex: Treeplex, plan: ExactPlan) -> bool:
    """Whether a plan is nonnegative and satisfies all flow equations, exactly."""
    flow: Ints = _integer_constraints(treeplex).dot(plan.num)
    nonnegative: NDArray[np.bool_] = plan.num >= 0
    return bool(flow[0] == plan.den and not flow[1:].any() and nonnegative.all())
