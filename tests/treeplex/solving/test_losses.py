"""Losses of strategies from any source: files, mappings, locked hands, and what has none."""

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.core.loading import load
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.solving.check import check, losses
from treeplex.solving.solve import solve


@over(["kuhn_poker(ranks=5)", "coin_toss", "example:locked_river"])
def test_they_sum_to_the_gains_of_check(spec):
    problem = load(spec)
    result = solve(problem, method="cfr+", iterations=5)
    found = losses(problem, result)
    sums = [sum(one.loss for one in found if one.player == player) for player in (0, 1)]
    assert sums == pytest.approx(check(problem, result).gains, abs=1e-9)
    assert max(sums) > 0.0


def test_a_mapping_may_lack_infosets_where_this_is_asked_for():
    table = {(1, "K:r"): {"f": 1.0, "c": 0.0}}
    with pytest.raises(ValueError, match="is missing"):
        losses("kuhn_poker", table)
    found = losses("kuhn_poker", table, missing="uniform")
    folded = next(one for one in found if (one.player, one.infoset) == (1, "K:r"))
    assert (folded.played, folded.best) == ({"f": 1.0, "c": 0.0}, "c")


def test_a_strategy_on_boards_has_none():
    problem = load("leduc_poker(raises=1)")
    tree = problem.boards()
    uniform = FactoredStrategy(tree, (np.ones(tree.base[0][-1]), np.ones(tree.base[1][-1])))
    with pytest.raises(ValueError, match="of tables, got a strategy on boards"):
        losses(problem, uniform)
