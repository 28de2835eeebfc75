"""Rivers with all hands: a gadget's value by linear programs and by regret minimisers, both judged."""

import os
from pathlib import Path

import pytest

from tests.helpers.board_subgames import on_boards
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import factored_config
from treeplex.cfr.engine import average
from treeplex.core.loading import load
from treeplex.gadgets.boards.gadget_proof import reach_unit
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.subgames.program_on_boards import solve_by_program
from treeplex.subgames.solve_on_boards import BoardLimits, solve_on_boards

LIBRATUS = Path(os.environ.get("TREEPLEX_LIBRATUS", ROOT.parent / "shared" / "data" / "libratus"))
GADGETS = (Unsafe(), Resolve(), Maxmargin())
MINIMISER = 0.01
"""How wide, in pots, what three thousand iterations prove of a gadget's value may be."""
PROGRAM = 2e-5
"""The same of linear programs."""
ROUNDING = 1e-10
"""What sums over a thousand hands may be off by, in the same unit."""


def rough_blueprint(problem):
    """Return the average of a few iterations."""
    tree = problem.boards(isomorphism=False)
    return average(factored_cfr.prepare(tree, factored_config("cfr+")), 20)


def held_together(problem, line, defender, gadgets):
    subgame, pot = on_boards(rough_blueprint(problem), defender, line), float(problem.pot)
    for gadget in gadgets:
        program = solve_by_program(subgame, gadget)
        minimiser = solve_on_boards(subgame, gadget, BoardLimits(iterations=3000)).proof
        unit = pot * reach_unit(subgame, program.root)
        assert minimiser.lower <= program.proof.upper + ROUNDING * unit, gadget.name
        assert program.proof.lower <= minimiser.upper + ROUNDING * unit, gadget.name
        assert (minimiser.upper - minimiser.lower) / unit <= MINIMISER, gadget.name
        assert (program.proof.upper - program.proof.lower) / unit <= PROGRAM, gadget.name


@pytest.mark.seconds(3)
def test_the_example_river_after_a_bet():
    held_together(load(str(ROOT / "examples" / "river.toml")), "r50", 1, (Maxmargin(),))


@pytest.mark.seconds(25)
@over([("r50", 1), ("r200", 1), ("c", 0)])
def test_lines_of_the_example_river(line, defender):
    held_together(load(str(ROOT / "examples" / "river.toml")), line, defender, GADGETS)


@pytest.mark.seconds(12)
@pytest.mark.parametrize("number", [3, 4])
@over([("c", 0), ("r", 1)])
def test_libratus_rivers(line, defender, number):
    path = LIBRATUS / f"subgame{number}.txt"
    if not path.exists():
        pytest.skip(f"the published endgame {path.name} is not here; TREEPLEX_LIBRATUS names its folder")
    problem = load(str(path), bets="1,a", raises="a")
    bet = f"r{float(problem.pot):g}" if line == "r" else line
    held_together(problem, bet, defender, GADGETS)
