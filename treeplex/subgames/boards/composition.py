"""Solutions of subgames on boards that are played or not, the strategy composed of them, and its margins."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treeplex.core.progress import Progress
from treeplex.gadgets.boards.proof import error, reach_unit
from treeplex.gadgets.boards.subgame import BoardSubgame
from treeplex.gadgets.core.alternatives import BlueprintAlternatives
from treeplex.gadgets.core.gadget import RootGadget, UndefinedError
from treeplex.gadgets.core.top_report import TopReport
from treeplex.gadgets.solving.subgame import UNREACHABLE
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.subgames.boards.resolution import SolvedSubgame
from treeplex.subgames.boards.solve import BoardLimits, BoardSolution, solve_on_boards


@dataclass(frozen=True)
class Outcome:
    """What became of one subgame.

    Attributes
    ----------
    subgame : BoardSubgame
    solution : BoardSolution or None
        None where the gadget could not be applied.
    solved : SolvedSubgame or None
        Its figures.
    kept : str
        Why the blueprint stays, empty where the solution is played.
    """

    subgame: BoardSubgame
    solution: BoardSolution | None
    solved: SolvedSubgame | None
    kept: str


def outcome(
    subgame: BoardSubgame,
    gadget: RootGadget,
    limits: BoardLimits,
    promised: bool,
    pairs: float,
    progress: Progress,
) -> Outcome:
    """Solve a subgame, unless nobody comes there, and decide whether the solution is played.

    Parameters
    ----------
    subgame : BoardSubgame
    gadget : RootGadget
    limits : BoardLimits
        Solutions with a larger error than its are not played.
    promised : bool
        Whether the method's alternatives and gifts are safe to concede; else the error is measured from the
        blueprint's values.
    pairs : float
        The weight of all pairs of hands of the whole game.
    progress : callable
    """
    if not subgame.live.any():
        return Outcome(subgame, None, None, UNREACHABLE)
    try:
        solution = solve_on_boards(subgame, gadget, limits, progress)
    except UndefinedError as undefined:
        return Outcome(subgame, None, None, str(undefined))
    unit, proof, lost = reach_unit(subgame, solution.root), solution.proof, solution.error
    if not promised:
        lost = error(subgame, BlueprintAlternatives().of(subgame), proof)
    solved = SolvedSubgame(
        name=subgame.name,
        gadget_value=(proof.lower / unit, proof.upper / unit),
        error=lost / pairs,
        iterations=solution.iterations,
        seconds=solution.seconds,
    )
    kept = ""
    if lost > limits.error:
        most = limits.error / pairs
        kept = f"its error of {solved.error:.3g} is above {most:.3g} after {solution.iterations:,} iterations"
    return Outcome(subgame, solution, solved, kept)


def compose_on_boards(blueprint: FactoredStrategy, outcomes: Sequence[Outcome]) -> FactoredStrategy:
    """Return the blueprint with the solutions that are played in their places.

    Tables hold weights, of which only proportions count, so that nothing needs rescaling; the defender's
    table takes a dtype that holds the blueprint's weights and the solutions'.
    """
    played = [
        (one.subgame, one.solution.strategy) for one in outcomes if one.solution is not None and not one.kept
    ]
    if not played:
        return blueprint
    defender = played[0][0].defender
    table = blueprint.weight[defender]
    table = table.astype(np.result_type(table, *(strategy.weight[defender] for _, strategy in played)))
    for subgame, strategy in played:
        subgame.subtree.insert(defender, strategy.weight[defender], table)
    other = blueprint.weight[1 - defender]
    return FactoredStrategy(blueprint.tree, (table, other) if defender == 0 else (other, table))


def report(one: Outcome, pairs: float) -> list[TopReport]:
    """Return a report on each live top of a subgame under what is played in it.

    Parameters
    ----------
    one : Outcome
    pairs : float
        The weight of all pairs of hands of the whole game.
    """
    subgame, solution = one.subgame, None if one.kept else one.solution
    offered = None if solution is None else solution.alternatives
    cbv = subgame.cbv
    value = cbv if solution is None else subgame.normalised(solution.proof.value)
    reach = subgame.reach * subgame.board_weight / pairs
    rows = []
    for t in np.flatnonzero(subgame.live).tolist():
        alternative = None if offered is None else float(offered.alternative[t])
        gift = 0.0 if offered is None else float(offered.gift[t])
        reference = float(cbv[t]) if alternative is None else alternative
        margin = reference + gift - float(value[t])
        rows.append(
            TopReport(
                subgame.name,
                subgame.tops[t],
                float(reach[t]),
                float(cbv[t]),
                alternative,
                gift,
                float(value[t]),
                margin,
            )
        )
    return rows
