"""Read a defender's strategy back from a gadget game, and answer sensibly where the game says nothing."""

import numpy as np

from seqform.cut import weighted
from seqform.profile import Profile
from seqform.subgame import Subgame
from seqform.treeplex import Floats

UNREACHED = 1e-13
"""A defender's own reach, from the subgame's start, below which a solver's plan says nothing."""


def by_key(subgame: Subgame, solution: Profile) -> Floats:
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
        found = game.actions[game.begin[game.index[key]] : game.end[game.index[key]]]
        if found != actions:
            raise ValueError(
                f"player {defender}'s infoset {key!r} has actions {actions}, in the gadget's game {found}"
            )
    return by_key_where_known(subgame, solution)


def by_key_where_known(subgame: Subgame, solution: Profile) -> Floats:
    """Return the defender's behaviour in the whole game: the solution's where it says something.

    Where the defender's own moves, before the subgame or in it, exclude an infoset, a solution says nothing
    there, and a later solve would inherit noise. There the defender answers the opponent's best response to
    the new strategy; where even that does not come by, and at infosets and actions that the solution does
    not know, the blueprint stays.
    """
    cut, defender = subgame.cut, subgame.cut.defender
    game, whole = solution.treeplexes[defender], cut.own.treeplex
    reached = game.plan(solution.behaviour[defender])[game.parent] > UNREACHED
    entered = _entered(subgame)
    behaviour = subgame.blueprint.behaviour[defender].copy()
    silent = []
    for i in cut.own.infosets.tolist():
        j = game.index.get(whole.infosets[i])
        if j is None:
            continue
        if not (entered[i] and reached[j]):
            silent.append(i)
            continue
        played = dict(
            zip(
                game.actions[game.begin[j] : game.end[j]],
                solution.behaviour[defender][game.begin[j] : game.end[j]].tolist(),
                strict=True,
            )
        )
        for s in range(whole.begin[i], whole.end[i]):
            behaviour[s] = played.get(whole.actions[s], 0.0)
    _answer(subgame, behaviour, silent)
    return behaviour


def _entered(subgame: Subgame) -> Floats:
    """Return the blueprint's own reach of the root above each of the defender's infosets, (I,)."""
    cut = subgame.cut
    entered = np.zeros(cut.own.treeplex.n_infosets)
    for i, parent in zip(cut.own.infosets.tolist(), cut.own.parent.tolist(), strict=True):
        above = int(cut.own.treeplex.parent[i])
        entered[i] = subgame.plan[above] if parent == 0 else entered[cut.own.treeplex.infoset_of[above]]
    return entered


def _answer(subgame: Subgame, behaviour: Floats, silent: list[int]) -> None:
    """Write best answers to the opponent's best response into ``behaviour`` at the silent infosets."""
    if not silent:
        return
    cut, whole = subgame.cut, subgame.cut.own.treeplex
    response = cut.trunk.form.best_response(cut.opponent, whole.plan(behaviour))
    theirs = response.behaviour()
    plan = np.zeros(len(theirs))
    plan[cut.entry] = 1.0  # every top enters
    for s in cut.other.sequences.tolist():
        plan[s] = theirs[s] * plan[cut.other.treeplex.parent_of[s]]
    z = cut.leaves
    best = whole.best_response(weighted(z.own, -z.amount * plan[z.other], whole.n_sequences))
    for i in silent:
        lo, hi = whole.begin[i], whole.end[i]
        if np.ptp(best.q[lo:hi]) > 0.0:
            behaviour[lo:hi] = 0.0
            behaviour[best.choice[i]] = 1.0
