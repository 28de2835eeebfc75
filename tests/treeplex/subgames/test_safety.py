"""Safe methods on boards: a best response gains no more than the errors that are told; unsafe ones may."""

import numpy as np
import pytest

from tests.helpers.board_subgames import board_tree, on_boards, random_blueprint
from tests.helpers.cells import over
from treeplex.core.problem import Problem
from treeplex.core.progress import silent
from treeplex.gadgets.methods_by_name import GadgetOptions
from treeplex.games.formats.specs import load_game
from treeplex.subgames.resolve_on_boards import BoardEffort, board_gadget, resolve_on_boards
from treeplex.subgames.solve_on_boards import BoardLimits, outcome

SAFE = ("resolve", "maxmargin", "reach-resolve", "reach-maxmargin")
OTHERS = ("unsafe", "estimated-maxmargin", "distributional")
SPOT = 'small_holdem(board="As Kh Qs Jh",ranks=5)'
BLUEPRINTS = {
    SPOT: 50,
    "flop_holdem(ranks=4,suits=2)": 2,
    "turn_holdem(ranks=4,suits=2,raises=[1,1,1])": 2,
    "turn_holdem(ranks=3,suits=3,raises=[1,1,1])": 1,
    "example:turn": 1,
}
"""How many random blueprints of each game: a whole game takes seconds for each."""
ROUNDING = 1e-9
EFFORT = BoardEffort(iterations=300, tolerance=1e-3)


def gains(spec, method, seed, defender, effort=EFFORT):
    """What a best response gains by the composed strategy, and the error that is told."""
    problem = Problem(load_game(spec))
    blueprint = random_blueprint(problem.boards(), seed)
    options = GadgetOptions(estimates="blueprint") if "estimated" in method else None
    found = resolve_on_boards(
        problem, defender, "all", method, blueprint=blueprint, options=options, effort=effort
    )
    assert found.promised == (method in SAFE)
    return found.best_response_after - found.best_response_before, found.error


@pytest.mark.seconds(2)
@over([*((SPOT, method) for method in SAFE), ("flop_holdem(ranks=4,suits=2,raises=[1,1])", "resolve")])
def test_nothing_is_lost_but_the_error(spec, method):
    gained, error = gains(spec, method, 1, 0, BoardEffort(iterations=100, tolerance=1e-3))
    assert gained <= error + ROUNDING
    assert gained < -1e-3


@pytest.mark.seconds(190)
@over(SAFE, BLUEPRINTS.items())
def test_nothing_is_lost_but_the_error_with_any_blueprint(method, spec, blueprints):
    for seed in range(blueprints):
        gained, error = gains(spec, method, seed, seed % 2)
        assert gained <= error + ROUNDING, seed


@over(OTHERS)
def test_the_error_bounds_every_method(method):
    gained, error = gains(SPOT, method, 1, 1)
    assert gained <= error + ROUNDING


def test_errors_of_methods_that_promise_nothing_are_measured_from_the_blueprint():
    """Those of others from what was offered: the same solution has both errors."""
    subgame = on_boards(random_blueprint(board_tree(SPOT), 1), 1, "c")
    gadget = board_gadget("estimated-maxmargin", GadgetOptions(estimates="blueprint"))
    errors = []
    for promised in (True, False):
        found = outcome(subgame, gadget, BoardLimits(iterations=100), promised, 10.0, silent)
        offered = found.solution.alternatives.total if promised else subgame.cbv
        value = found.solution.proof.value[subgame.live]
        lost = np.maximum(value - (subgame.reach * offered)[subgame.live], 0.0).sum() * subgame.pairs
        assert 10.0 * found.solved.error == pytest.approx(lost, rel=1e-6)
        errors.append(lost)
    assert errors[0] != pytest.approx(errors[1], rel=0.01)
