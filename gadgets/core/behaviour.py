"""The defender's behaviour in the whole game from a solution of a gadget's game, completed off its path."""

from collections.abc import Iterator

import numpy as np

from treeplex.seqform.forms.profile import Profile, transferred
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.cut import weighted
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import SMALLEST_REACH

UNREACHED = 1e-10
"""A defender's own reach, from the subgame's start, up to which the plan of a solver in floats is noise."""


def behaviour_by_key(subgame: Subgame, solution: Profile) -> Floats:
    """Return the defender's behaviour in the whole game, read from a solution by the infosets' keys.

    Raises
    ------
    ValueError
        If the gadget's game lacks an infoset of the subgame, or has it with other actions.
    """
    cut, defender = subgame.cut, subgame.cut.defender
    game, whole = solution.treeplexes[defender], cut.own.treeplex
    for i in cut.own.infosets.tolist():
        key, actions = whole.infosets[i], whole.actions[whole.begin[i] : whole.end[i]]
        if key not in game.index:
            raise ValueError(f"the gadget's game lacks player {defender}'s infoset {key!r}")
        labels = game.actions[game.begin[game.index[key]] : game.end[game.index[key]]]
        if labels != actions:
            raise ValueError(
                f"player {defender}'s infoset {key!r} has actions {actions}, in the gadget's game {labels}"
            )
    return known_behaviour_by_key(subgame, solution)


def known_behaviour_by_key(subgame: Subgame, solution: Profile) -> Floats:
    """Return the defender's behaviour in the whole game, the blueprint's where a solution has no infoset."""
    cut, defender = subgame.cut, subgame.cut.defender
    blueprint = subgame.blueprint.behaviour[defender]
    game, played = solution.treeplexes[defender], solution.behaviour[defender]
    moved = transferred(game, played, cut.own.treeplex, blueprint)
    return np.where(cut.inside, moved, blueprint)


def complete_off_path(subgame: Subgame, behaviour: Floats, unreached: float = UNREACHED) -> Floats:
    """Return a behaviour (S,) that is sensible also where the defender's own moves do not come.

    There a gadget's solution is undefined up to noise, and a later solve would start from it. In this order,
    the first that prefers an action: a best reply to the opponent's best response to the new strategy, a best
    reply to uniform play, the blueprint.

    Parameters
    ----------
    subgame : Subgame
    behaviour : (S,) f64
        The defender's in the whole game.
    unreached : float
        The own reach from the subgame's start up to which a solution is replaced; below 0 only where the
        reach is exactly 0.
    """
    cut, whole = subgame.cut, subgame.cut.own.treeplex
    off_path = _off_path(subgame, behaviour, unreached)
    if not off_path:
        return behaviour
    completed = behaviour.copy()
    for i in off_path:
        at = slice(whole.begin[i], whole.end[i])
        completed[at] = subgame.blueprint.behaviour[cut.defender][at]
    for i, choice in _best_replies(subgame, completed, off_path):
        completed[whole.begin[i] : whole.end[i]] = 0.0
        completed[choice] = 1.0
    return completed


def _off_path(subgame: Subgame, behaviour: Floats, unreached: float) -> list[int]:
    """Return the defender's infosets inside whose own reach is at most ``unreached``."""
    cut, whole = subgame.cut, subgame.cut.own.treeplex
    inside = np.zeros(whole.n_sequences)  # own reach from the start of the subgame
    off_path = []
    for i in cut.own.infosets.tolist():
        above = int(whole.parent[i])
        entered = cut.inside[above] or subgame.plan[above] > SMALLEST_REACH
        reach = (inside[above] if cut.inside[above] else 1.0) if entered else 0.0
        if reach <= unreached or reach == 0.0:
            off_path.append(i)
        at = slice(whole.begin[i], whole.end[i])
        inside[at] = reach * behaviour[at]
    return off_path


def _best_replies(subgame: Subgame, behaviour: Floats, off_path: list[int]) -> Iterator[tuple[int, int]]:
    """Yield unreached infosets and the best sequence of each, where one is better than another."""
    cut, whole = subgame.cut, subgame.cut.own.treeplex
    response = cut.game.form.best_response(cut.opponent, whole.plan(behaviour)).behaviour()
    z, left = cut.leaves, off_path
    for theirs in (response, cut.other.treeplex.uniform()):
        paid = z.amount * cut.other.plan(theirs)[z.other]
        best = whole.best_response(weighted(z.own, -paid, whole.n_sequences))
        same = [i for i in left if np.ptp(best.q[whole.begin[i] : whole.end[i]]) == 0.0]
        yield from ((i, int(best.choice[i])) for i in left if i not in same)
        left = same
