"""Gifts in Leduc poker: where there are any, and that they improve on Maxmargin."""

from itertools import product

import numpy as np

from tests.helpers.cells import over
from treeplex.bench.theorems.solved_subgames import blueprint, composed_value, solutions, subgames
from treeplex.gadgets.alternatives import LowerBoundGifts

LEDUCS = ("leduc_poker", "leduc_poker(bets=[8,8])", "leduc_poker(bets=[10,4])")
ZERO = 1e-9


def gifts_of(spec, defender, start):
    pieces = subgames(spec, defender, start)
    return sum(int((LowerBoundGifts().of(piece) > ZERO).sum()) for piece in pieces)


@over(list(zip(LEDUCS, (0, 9, 12), strict=True)))
def test_only_bets_that_make_folding_good_leave_gifts_near_equilibrium(spec, least):
    found = [
        gifts_of(spec, defender, f"near:{seed}:{noise}")
        for seed, noise, defender in product(range(4), (0.02, 0.05, 0.1), (0, 1))
    ]
    assert min(found) == least
    assert (max(found) > 0) == (least > 0)


@over(zip(LEDUCS[1:], (0, 1), strict=True))
def test_gifts_improve_on_maxmargin_on_average(spec, defender):
    def mean(method):
        starts = [f"near:{seed}:0.05" for seed in range(2)]
        return np.mean(
            [composed_value(blueprint(spec, s), solutions(spec, defender, s, method)) for s in starts]
        )

    assert mean("reach-maxmargin") < mean("maxmargin")
