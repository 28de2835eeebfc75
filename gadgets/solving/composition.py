"""A strategy composed of a blueprint and subgames' solutions, and the margins at their tops."""

from collections.abc import Sequence

import numpy as np

from treeplex.gadgets.core.top_report import TopReport
from treeplex.gadgets.solving.subgame import SubgameSolution
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import BestResponse, Floats
from treeplex.seqform.subgames.cut import check_disjoint


def compose(blueprint: Profile, solutions: Sequence[SubgameSolution]) -> Profile:
    """Return the blueprint with the subgames' solutions in their places.

    Profiles are behaviour, so nothing needs rescaling: plans inside were relative to the entry.

    Raises
    ------
    ValueError
        If two subgames overlap or have different defenders.
    """
    if not solutions:
        return blueprint
    check_disjoint([solution.subgame.cut for solution in solutions])
    defender = solutions[0].subgame.cut.defender
    behaviour = blueprint.behaviour[defender].copy()
    for solution in solutions:
        inside = solution.subgame.cut.inside
        behaviour[inside] = solution.behaviour[inside]
    return blueprint.exchanged(defender, behaviour)


def report(solutions: Sequence[SubgameSolution], composed: Profile) -> tuple[TopReport, ...]:
    """Return a report on each live top under a composed strategy, computed by a best response."""
    if not solutions:
        return ()
    piece = solutions[0].subgame.cut
    plan = composed.plans[piece.defender]
    response = piece.game.form.best_response(piece.opponent, plan)
    return tuple(row for solution in solutions for row in _rows(solution, plan, response))


def _rows(solution: SubgameSolution, plan: Floats, response: BestResponse) -> list[TopReport]:
    subgame, offered = solution.subgame, solution.alternative_values
    cbv, value = subgame.cbv, subgame.normalised(subgame.cut.top_values(plan, response))
    rows = []
    for t in np.flatnonzero(subgame.live).tolist():
        alternative = None if offered is None else float(offered.alternative[t])
        gift = 0.0 if offered is None else float(offered.gift[t])
        reference = float(cbv[t]) if alternative is None else alternative
        rows.append(
            TopReport(
                subgame.cut.name,
                subgame.cut.tops[t],
                float(subgame.reach[t]),
                float(cbv[t]),
                alternative,
                gift,
                float(value[t]),
                reference + gift - float(value[t]),
            )
        )
    return rows
