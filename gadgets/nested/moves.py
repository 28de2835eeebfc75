"""The opponent's moves that the defender's abstraction lacks: where they lead, and what they gain."""

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.core.top_report import OffTreeTop
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, Support
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.tops import SMALLEST_REACH


def off_tree_levels(game: NumberedTree, player: int, missing: NDArray[np.bool_]) -> Index:
    """Return how many off-tree moves each of a player's sequences holds, (S,)."""
    level = missing.astype(np.int64)
    parent = game.form.treeplexes[player].parent_of
    for s in range(1, len(level)):
        level[s] += level[parent[s]]
    return level


def states_after(
    game: NumberedTree, states: PublicStates, player: int, moves: NDArray[np.bool_]
) -> tuple[str, ...]:
    """Return the public states right after a player's moves of a set (S,)."""
    tree = game.tree
    acted = np.append(False, tree.player[tree.parent[1:]] == player)
    nodes = np.flatnonzero(acted & moves[game.last[player]])
    return tuple(dict.fromkeys(states.names[k] for k in states.state[nodes].tolist()))


def response_without(
    form: SequenceForm, player: int, plan: Floats, barred: NDArray[np.bool_]
) -> BestResponse:
    """Return a player's best response to the other's plan (S,) that plays nothing ``barred`` (S,)."""
    earned = form.payoff.against(player, plan)
    gradient = np.where(barred, -np.inf, earned if player == 0 else -earned)
    return form.treeplexes[player].best_response(gradient)


def off_tree_tops(
    game: NumberedTree, defender: int, strategy: Profile, missing: Support
) -> tuple[OffTreeTop, ...]:
    """Return what each off-tree move of the opponent gains against a strategy, where chance and it come.

    Parameters
    ----------
    game : NumberedTree
        The whole game.
    defender : int
    strategy : Profile
    missing : pair of (S,) bool
        Which of each player's sequences end in a move that the abstraction lacks.
    """
    opponent, states, plan = 1 - defender, PublicStates.of(game.tree), strategy.plans[defender]
    treeplex, level = game.form.treeplexes[opponent], off_tree_levels(game, opponent, missing[opponent])
    free = game.form.best_response(opponent, plan)
    rows = []
    for k in range(1, int(level.max()) + 1):
        known = response_without(game.form, opponent, plan, missing[opponent] & (level >= k))
        for name in states_after(game, states, opponent, missing[opponent] & (level == k)):
            piece = cut(states, game, [name], defender)
            reach, value = piece.reach(plan), piece.top_values(plan, free)
            before = known.value[treeplex.infoset_of[piece.entry]]
            for t in np.flatnonzero(reach > SMALLEST_REACH).tolist():
                alternative, got = float(before[t] / reach[t]), float(value[t] / reach[t])
                top, weight = piece.tops[t], float(reach[t])
                rows.append(OffTreeTop(name, k, top, weight, alternative, got, alternative - got))
    return tuple(rows)
