"""One subgame on boards solved by a gadget and linear programs: a second witness of minimisers."""

import time

import numpy as np

from treeplex.gadgets.alternatives import AlternativeValues
from treeplex.gadgets.boards.board_subgame import BoardSubgame
from treeplex.gadgets.boards.gadget_program import GadgetProgram
from treeplex.gadgets.boards.gadget_proof import error, prove
from treeplex.gadgets.gadget import RootGadget
from treeplex.games.base.errors import NotSolvedError
from treeplex.seqform.certify.certificate import NARROW, Target
from treeplex.seqform.programs.guided_program import solve_guided
from treeplex.seqform.programs.lp_solution import narrowest
from treeplex.solving.linear_program import GUIDED_SEQUENCES, sequence_guide
from treeplex.subgames.solve_on_boards import BoardSolution


def solve_by_program(subgame: BoardSubgame, gadget: RootGadget) -> BoardSolution:
    """Solve a subgame on boards by a gadget and linear programs, all hands at once.

    Parameters
    ----------
    subgame : BoardSubgame
        A river, or few hands; its boards not merged under permutations of suits.
    gadget : RootGadget

    Raises
    ------
    ValueError
        If the boards are merged.
    treeplex.gadgets.gadget.UndefinedError
        If the gadget has no meaning here.
    NotSolvedError
        If no certificate is as narrow as ``NARROW`` parts of the game's scale.
    """
    clock = time.perf_counter()
    program = GadgetProgram.of(subgame, gadget.root(subgame), gadget.name)
    form = program.form
    target = Target.part(NARROW, form)
    guided = sum(form.n_sequences) > GUIDED_SEQUENCES
    solution = solve_guided(form, sequence_guide(form), target) if guided else narrowest(form, target=target)
    if not target.is_met(solution.certificate):
        raise NotSolvedError(f"{form.name}: {target.missed(solution.certificate, form.unit)}")
    plan, strategy = program.plan(solution.profile), program.strategy(solution.profile)
    proof = prove(subgame, program.root, plan, strategy)
    alternatives = gadget.alternative_values(subgame)
    allowed = alternatives or AlternativeValues(subgame.cbv, np.zeros(len(subgame.tops)))
    return BoardSolution(
        subgame=subgame,
        gadget=gadget.name,
        root=program.root,
        plan=plan,
        strategy=strategy,
        alternatives=alternatives,
        proof=proof,
        error=error(subgame, allowed, proof),
        iterations=solution.iterations,
        seconds=time.perf_counter() - clock,
    )
