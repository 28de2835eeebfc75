"""Subgames on boards solved by a gadget and a regret minimiser, until values are proved narrowly.

Solutions are played or not; the strategy composed of them, and its margins.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf

import numpy as np

from treeplex.cfr.boards import factored_cfr
from treeplex.cfr.boards.board_state import FactoredConfig, FactoredState
from treeplex.cfr.boards.factored_cfr import FactoredCFR
from treeplex.cfr.variant import Average, Matching, Variant
from treeplex.core.progress import Progress, silent
from treeplex.gadgets.alternatives import AlternativeValues, BlueprintAlternatives
from treeplex.gadgets.boards.board_subgame import BoardSubgame
from treeplex.gadgets.boards.gadget_proof import GadgetProof, error, prove, reach_unit
from treeplex.gadgets.gadget import RootGadget, UndefinedError
from treeplex.gadgets.subgame_solvers import UNREACHABLE
from treeplex.gadgets.top_report import TopReport
from treeplex.games.base.threads import run_aside
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_values import RangeJudge
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.drawn import Decisions
from treeplex.subgames.resolution import SolvedSubgame
from treeplex.subgames.solve_subgame import solve_subgame

PATIENCE = 1.0
"""Seconds that an interrupted run waits for iterations under way."""
FIRST_CHECK = 100
"""After so many iterations the judge looks first, then whenever half as many again are done."""
DISCOUNTED = Matching(alpha=1.5, beta=-inf)
QUARTIC = FactoredConfig(Variant((DISCOUNTED, DISCOUNTED), average=Average(4.0, "before")))
"""Discounted regret matching+ with the average of plans weighted by t**4: the fastest of those measured, see
benchmarks/gadgets/bench_board_subgames.py."""


@dataclass(frozen=True)
class BoardLimits:
    """When the solution of a subgame on boards ends, and how many threads find it.

    Attributes
    ----------
    iterations : int
        At most so many.
    width : float
        The width of the gadget's value at which to stop, in payoffs per unit of reach; 0 for never.
    error : float
        The error at which to stop, as :func:`treeplex.gadgets.boards.gadget_proof.error`; both must be
        reached.
    threads : int
    """

    iterations: int = 1000
    width: float = 0.0
    error: float = inf
    threads: int = 1

    def rounds(self) -> Iterator[int]:
        """Yield how many iterations to run until the judge looks again, up to the most."""
        done = 0
        while done < self.iterations:
            more = min(max(FIRST_CHECK, done // 2), self.iterations - done)
            done += more
            yield more


@dataclass(frozen=True)
class BoardSolution:
    """A subgame on boards solved by a gadget.

    Attributes
    ----------
    subgame : BoardSubgame
    gadget : str
    root : RootDecisions or DrawnDecisions
        The opponent's.
    plan : (S,) or (2, T) f64
        Its average plan of them.
    strategy : FactoredStrategy
        Both players' averages inside.
    alternatives : AlternativeValues or None
        What the gadget offers at the tops; None if nothing.
    proof : GadgetProof
    error : float
        As :func:`treeplex.gadgets.boards.gadget_proof.error`, beyond the blueprint's values where none is
        offered.
    iterations : int
    seconds : float
    """

    subgame: BoardSubgame
    gadget: str
    root: Decisions
    plan: Floats
    strategy: FactoredStrategy
    alternatives: AlternativeValues | None
    proof: GadgetProof
    error: float
    iterations: int
    seconds: float


def solve_on_boards(
    subgame: BoardSubgame,
    gadget: RootGadget,
    limits: BoardLimits,
    progress: Progress = silent,
) -> BoardSolution:
    """Solve a subgame on boards by a gadget.

    Parameters
    ----------
    subgame : BoardSubgame
    gadget : RootGadget
    limits : BoardLimits
    progress : callable, optional
        Called with the stage and the width proved so far.

    Raises
    ------
    treeplex.gadgets.gadget.UndefinedError
        If the gadget has no meaning here.
    """
    clock = time.perf_counter()
    root = gadget.root(subgame)
    unit = reach_unit(subgame, root)
    alternatives = gadget.alternative_values(subgame)
    allowed = alternatives or AlternativeValues(subgame.cbv, np.zeros(len(subgame.tops)))
    width, judge = inf, None

    def advance(engine: FactoredCFR, state: FactoredState, more: int) -> FactoredState:
        look = partial(progress, f"{subgame.name}: {state.iterations:,} iterations", width)
        return run_aside(partial(engine.advance, state, more), look=look, patience=PATIENCE)

    for averages in solve_subgame(
        partial(factored_cfr.prepare, subgame.subtree.tree, QUARTIC, limits.threads),
        subgame,
        root,
        subgame.defender,
        subgame.comes,
        limits.rounds(),
        advance=advance,
    ):
        iterations, plan, strategy = averages.state.iterations, averages.plan, averages.strategy
        judge = judge or RangeJudge(subgame.game, strategy)
        proof = prove(subgame, root, plan, strategy, judge)
        width, lost = (proof.upper - proof.lower) / unit, error(subgame, allowed, proof)
        progress(f"{subgame.name}: {iterations:,} iterations", width)
        if width <= limits.width and lost <= limits.error:
            break
    return BoardSolution(
        subgame=subgame,
        gadget=gadget.name,
        root=root,
        plan=plan,
        strategy=strategy,
        alternatives=alternatives,
        proof=proof,
        error=lost,
        iterations=iterations,
        seconds=time.perf_counter() - clock,
    )


@dataclass(frozen=True)
class BoardOutcome:
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
) -> BoardOutcome:
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
        return BoardOutcome(subgame, None, None, UNREACHABLE)
    try:
        solution = solve_on_boards(subgame, gadget, limits, progress)
    except UndefinedError as undefined:
        return BoardOutcome(subgame, None, None, str(undefined))
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
    return BoardOutcome(subgame, solution, solved, kept)


def compose_on_boards(blueprint: FactoredStrategy, outcomes: Sequence[BoardOutcome]) -> FactoredStrategy:
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


def report(one: BoardOutcome, pairs: float) -> list[TopReport]:
    """Return a report on each live top of a subgame under what is played in it.

    Parameters
    ----------
    one : BoardOutcome
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
