"""Direct programs of gadgets: worth what the sequence form of the gadget's game is worth."""

import numpy as np
import pytest

from tests.helpers.cells import over
from treeplex.bench.theorems.solved_subgames import subgames
from treeplex.bench.theorems_on_subgames.derived import WITNESSES
from treeplex.gadgets.direct_programs import ProgramBlock
from treeplex.seqform.programs.lp_solution import solve_lp


@pytest.mark.seconds(2)
@over(list(WITNESSES), [0, 1])
def test_a_program_is_worth_what_the_gadgets_game_is(method, seat):
    """In Leduc poker stakes are up to 13, and the blueprint comes to tops with very different weights."""
    gadget, units, uneven = WITNESSES[method], set(), 0
    for piece in list(subgames("leduc_poker", seat, "cfr+:5"))[::9]:
        value = float(solve_lp(gadget.apply(piece)).certificate.value) * (
            1 if piece.cut.opponent == 0 else -1
        )
        assert gadget.program(piece).solve().value == pytest.approx(value, abs=1e-8)
        units.add(ProgramBlock.of(piece).unit)
        reach = piece.reach[piece.live]
        uneven += np.ptp(reach) > 0.1 * reach.mean()
    assert units != {1.0}
    assert uneven > 0
