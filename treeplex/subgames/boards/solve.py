"""One subgame on boards solved by a gadget and a regret minimiser, until its value is proved narrowly."""

import time
from dataclasses import dataclass
from functools import partial
from math import inf

import numpy as np

from treeplex.cfr.factored import factored_cfr
from treeplex.cfr.factored.state import FactoredConfig
from treeplex.cfr.variants.variant import Average, Matching, Variant
from treeplex.core.progress import Progress, silent
from treeplex.gadgets.boards.proof import GadgetProof, error, prove, reach_unit
from treeplex.gadgets.boards.subgame import BoardSubgame
from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.gadgets.core.gadget import RootGadget
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.judge.values import RangeJudge
from treeplex.seqform.lp.aside import run_aside
from treeplex.seqform.subgames.root_decisions import RootDecisions
from treeplex.seqform.subgames.steps import in_steps

PATIENCE = 1.0
"""Seconds that an interrupted run waits for iterations under way."""
FIRST_CHECK = 100
"""After so many iterations the judge looks first, then whenever half as many again are done."""
MOST_ACTIONS = 8
"""The most actions among which the opponent chooses at a time: Maxmargin's choice of a top takes steps."""
DISCOUNTED = Matching(alpha=1.5, beta=-inf)
QUARTIC = FactoredConfig(Variant((DISCOUNTED, DISCOUNTED), average=Average(4.0, "before")))
"""Discounted regret matching+ with the average of plans weighted by t**4: the fastest of those measured, see
benchmarks/gadgets/bench_board_subgames.py."""


@dataclass(frozen=True)
class BoardLimits:
    """When the solution of a subgame on boards ends, and by which regret minimiser it is found.

    Attributes
    ----------
    config : FactoredConfig
    iterations : int
        At most so many.
    width : float
        The width of the gadget's value at which to stop, in payoffs per unit of reach; 0 for never.
    error : float
        The error at which to stop, as :func:`treeplex.gadgets.boards.proof.error`; both must be reached.
    threads : int
    """

    config: FactoredConfig = QUARTIC
    iterations: int = 1000
    width: float = 0.0
    error: float = inf
    threads: int = 1


@dataclass(frozen=True)
class BoardSolution:
    """A subgame on boards solved by a gadget.

    Attributes
    ----------
    subgame : BoardSubgame
    gadget : str
    root : RootDecisions
        The opponent's.
    plan : (S,) f64
        Its average plan of them.
    strategy : FactoredStrategy
        Both players' averages inside.
    alternatives : AlternativeValues or None
        What the gadget offers at the tops; None if nothing.
    proof : GadgetProof
    error : float
        As :func:`treeplex.gadgets.boards.proof.error`, beyond the blueprint's values where none is offered.
    iterations : int
    seconds : float
    """

    subgame: BoardSubgame
    gadget: str
    root: RootDecisions
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
    treeplex.gadgets.core.gadget.UndefinedError
        If the gadget has no meaning here.
    """
    clock = time.perf_counter()
    root = gadget.root(subgame)
    steps = in_steps(root, subgame.cbv, MOST_ACTIONS)
    roots = subgame.roots(steps.decisions)
    engine = factored_cfr.prepare(subgame.subtree.tree, limits.config, limits.threads, roots)
    unit = reach_unit(subgame, root)
    alternatives = gadget.alternative_values(subgame)
    allowed = alternatives or AlternativeValues(subgame.cbv, np.zeros(len(subgame.tops)))
    state, width, lost = engine.start(), inf, inf
    judge = RangeJudge(subgame.game, engine.strategy(state))
    while state.iterations < limits.iterations and (width > limits.width or lost > limits.error):
        more = min(max(FIRST_CHECK, state.iterations // 2), limits.iterations - state.iterations)
        look = partial(progress, f"{subgame.name}: {state.iterations:,} iterations", width)
        state = run_aside(partial(engine.advance, state, more), look=look, patience=PATIENCE)
        plan = steps.plan(engine.root_behaviour(state, subgame.opponent))
        strategy = engine.strategy(state)
        proof = prove(subgame, root, plan, strategy, judge)
        width, lost = (proof.upper - proof.lower) / unit, error(subgame, allowed, proof)
        progress(f"{subgame.name}: {state.iterations:,} iterations", width)
    return BoardSolution(
        subgame=subgame,
        gadget=gadget.name,
        root=root,
        plan=plan,
        strategy=strategy,
        alternatives=alternatives,
        proof=proof,
        error=lost,
        iterations=state.iterations,
        seconds=time.perf_counter() - clock,
    )
