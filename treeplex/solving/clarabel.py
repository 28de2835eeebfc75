"""A second implementation of the sequence-form program, in cvxpy and solved by Clarabel."""

import cvxpy as cp
import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array
from scipy.sparse.linalg import spsolve

from treeplex.games.base.errors import NotSolvedError
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.programs.sequence_program import divided


def solve_with_clarabel(form: SequenceForm) -> tuple[int, Profile]:
    """Model both players' programs in cvxpy, solve them with Clarabel; return (iterations, profile).

    ``max q[0]`` subject to ``E x = e, F' q <= A' x, x >= 0`` for player 0, and the mirror image for
    player 1, with the payoff matrix multiplied out and its largest entry scaled to about one.

    Raises
    ------
    NotSolvedError
        If Clarabel ends without a plan.
    """
    a = _matrix(form)
    a = divided(a, float(np.max(np.abs(a.data), initial=0.0)) or 1.0)
    e, f = (_constraints(t) for t in form.treeplexes)
    x = cp.Variable(a.shape[0], nonneg=True)
    q = cp.Variable(f.shape[0])
    guarantee = cp.Problem(cp.Maximize(q[0]), [e @ x == _unit(e), f.T @ q <= a.T @ x])
    y = cp.Variable(a.shape[1], nonneg=True)
    p = cp.Variable(e.shape[0])
    concession = cp.Problem(cp.Minimize(p[0]), [f @ y == _unit(f), e.T @ p >= a @ y])
    iterations = 0
    for problem in (guarantee, concession):
        try:
            problem.solve(solver=cp.CLARABEL)
        except cp.SolverError as error:
            raise NotSolvedError(f"{form.name}: {error}") from error
        if x.value is None or (problem is concession and y.value is None):
            raise NotSolvedError(f"{form.name}: Clarabel ended {problem.status!r} without a plan")
        iterations += int(problem.solver_stats.num_iters)
    plans = np.asarray(x.value), np.asarray(y.value)
    behaviour = [t.behaviour(plan) for t, plan in zip(form.treeplexes, plans, strict=True)]
    return iterations, Profile(form.treeplexes, (behaviour[0], behaviour[1]))


def _matrix(form: SequenceForm) -> csr_array:
    """Multiply the payoff out: base + left inv(M) right'."""
    payoff = form.payoff
    k = len(payoff.link)
    if k == 0:
        return payoff.base.csr
    below = diags_array(-payoff.link[1:].astype(np.float64), offsets=-1, shape=(k, k))
    sums = spsolve((eye_array(k) + below).tocsc(), payoff.right.csr.T.tocsc())
    return csr_array(payoff.base.csr + payoff.left.csr @ sums)


def _constraints(treeplex: Treeplex) -> csr_array:
    """Return E: row 0 takes the empty sequence, row 1 + i the flow through infoset i."""
    n, s = treeplex.n_infosets, treeplex.n_sequences
    into = csr_array((np.ones(s - 1), (1 + treeplex.infoset_of[1:], np.arange(1, s))), shape=(1 + n, s))
    out = csr_array((np.ones(n), (1 + np.arange(n), treeplex.parent)), shape=(1 + n, s))
    root = csr_array((np.ones(1), (np.zeros(1, dtype=int), np.zeros(1, dtype=int))), shape=(1 + n, s))
    return csr_array(root + into - out)


def _unit(constraints: csr_array) -> np.ndarray:
    return np.eye(1, constraints.shape[0]).ravel()
