"""Choices taken in steps are the same game: plans of the steps are plans of the choice, and pay the same."""

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.subgames.forest import choice, choices
from treeplex.seqform.subgames.tops import Entry, RootDecisions, in_steps, nothing

TOPS = 23


def choice_of_tops():
    """A choice of one of some tops, in another order than the tops, two tops left out."""
    rng = np.random.default_rng(4)
    at = np.full(TOPS, -1)
    at[:-2] = 1 + rng.permutation(TOPS - 2)
    actions = tuple(f"top {k}" for k in range(TOPS - 2))
    stay = np.arange(1, TOPS - 1), rng.normal(size=TOPS - 2)
    return RootDecisions(choice("choose", actions), (Entry(at, rng.random(TOPS)),), stay)


def two_levels():
    """A choice of two sides, then on each a choice of tops; every top can be entered on both."""
    rng = np.random.default_rng(5)
    begin, end = np.array([1, 3, 3 + TOPS]), np.array([3, 3 + TOPS, 3 + 2 * TOPS])
    header = Treeplex(begin, end, np.array([0, 1, 2]), ("side", "left", "right"), ("",) * int(end[-1]))
    first, second = (Entry(b + rng.permutation(TOPS), rng.random(TOPS), str(b)) for b in begin[1:])
    return RootDecisions(header, (first, second), (np.array([1, 9]), np.array([0.25, -0.5])))


@over([choice_of_tops, two_levels], [2, 5, 100])
def test_steps_enter_and_pay_the_same(make, most):
    rng, root = np.random.default_rng(6), make()
    worth = np.where(np.arange(TOPS) == 3, np.nan, rng.normal(size=TOPS))
    steps = in_steps(root, worth, most)
    header = steps.decisions.header
    assert (header.end - header.begin).max() <= max(most, 2)
    behaviour = header.behaviour(header.plan(header.behaviour(rng.random(header.n_sequences))))
    plan, values = steps.plan(behaviour), rng.normal(size=TOPS)
    assert plan[root.header.begin[0] : root.header.end[0]].sum() == pytest.approx(1.0, abs=1e-12)
    whole = header.plan(behaviour)
    np.testing.assert_allclose(root.entered(plan), steps.decisions.entered(whole), atol=1e-15)
    earned = root.paid(values) @ plan
    assert earned == pytest.approx(steps.decisions.paid(values) @ whole, abs=1e-12)
    best = root.header.best_response(root.paid(values)).total
    assert best == pytest.approx(header.best_response(steps.decisions.paid(values)).total, abs=1e-12)


def test_tops_of_like_worth_come_into_one_run():
    at = np.arange(1, 10)
    root = RootDecisions(choice("choose", tuple("abcdefghi")), (Entry(at, np.ones(9)),), nothing())
    worth = np.array([5.0, 1.0, 9.0, 2.0, 8.0, 3.0, np.nan, 4.0, 7.0])
    steps = in_steps(root, worth, 3)
    runs = [
        steps.decisions.header.parent_of[steps.to[at[tops]]] for tops in ([1, 3, 5], [7, 0, 8], [4, 2, 6])
    ]
    assert [len(set(run.tolist())) for run in runs] == [1, 1, 1]
    assert len({int(run[0]) for run in runs}) == 3


def test_few_actions_are_left_as_they_are():
    header = choices(("a", "b"), ("stay", "enter"))
    root = RootDecisions(header, (Entry(header.begin + 1, np.ones(2)),), nothing())
    steps = in_steps(root, np.zeros(2), 2)
    assert steps.decisions is root
    assert steps.to.tolist() == list(range(header.n_sequences))
