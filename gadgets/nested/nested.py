"""Nested solving: every move that the defender's abstraction lacks is answered, and every later one too."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.nested.answers import Answer, Situation
from treeplex.gadgets.solving.composition import compose
from treeplex.gadgets.solving.solve import SubgameSolution
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import Support
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import Floats, Index
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame


def solve_nested(
    trunk: NumberedTree, defender: int, strategy: Profile, missing: Support, answer: Answer
) -> Profile:
    """Answer every move of the opponent that the abstraction lacks, and every later one after that.

    Parameters
    ----------
    trunk : NumberedTree
        The whole game.
    defender : int
    strategy : Profile
        The defender's where the opponent keeps to the abstraction; of the rest nothing is used but where
        neither chance nor the defender ever comes.
    missing : pair of (S,) bool
        Which of each player's sequences end in a move that the abstraction lacks; the defender's own are
        never played.
    answer : Answer

    Returns
    -------
    Profile
        On the whole game.

    Raises
    ------
    ValueError
        If ``missing`` has the wrong shape or ``strategy`` does not fit the game.
    """
    opponent, states = 1 - defender, PublicStates.of(trunk.tree)
    for p, t in enumerate(trunk.form.treeplexes):
        if missing[p].shape != (t.n_sequences,):
            raise ValueError(
                f"missing must have shape ({t.n_sequences},) for player {p}, got {missing[p].shape}"
            )
    level = _levels(trunk, opponent, missing[opponent])
    for k in range(1, int(level.max()) + 1):
        open_ = missing[opponent] & (level >= k)
        barred = (missing[0], open_) if opponent == 1 else (open_, missing[1])
        solutions, theirs = [], strategy.behaviour[opponent].copy()
        for name in _states_after(trunk, states, opponent, missing[opponent] & (level == k)):
            solution = answer.solve(Situation(trunk, states, defender, strategy, missing, barred, name))
            if solution.kept:
                continue
            below = cut(states, trunk, [name], defender)
            solutions.append(replace(solution, subgame=Subgame.of(below, strategy)))
            _read_other(solution, theirs)
        strategy = compose(strategy, solutions).exchanged(opponent, theirs)
    return strategy


def _levels(trunk: NumberedTree, player: int, missing: NDArray[np.bool_]) -> Index:
    """Return how many moves that the abstraction lacks each of a player's sequences holds, (S,)."""
    level = missing.astype(np.int64)
    parent = trunk.form.treeplexes[player].parent_of
    for s in range(1, len(level)):
        level[s] += level[parent[s]]
    return level


def _states_after(
    trunk: NumberedTree, states: PublicStates, player: int, moves: NDArray[np.bool_]
) -> tuple[str, ...]:
    """Return the public states right after a player's moves of a set (S,)."""
    tree = trunk.tree
    acted = np.append(False, tree.player[tree.parent[1:]] == player)
    nodes = np.flatnonzero(acted & moves[trunk.last[player]])
    return tuple(dict.fromkeys(states.names[k] for k in states.state[nodes].tolist()))


def _read_other(solution: SubgameSolution, theirs: Floats) -> None:
    """Write the opponent's part of a gadget game's solution into ``theirs`` (S,), by the infosets' keys."""
    assert solution.solution is not None
    cut_ = solution.subgame.cut
    whole, game = cut_.other.treeplex, solution.solution.treeplexes[cut_.opponent]
    played = solution.solution.behaviour[cut_.opponent]
    for j, key in enumerate(game.infosets):
        if key in whole.index:
            lo, hi = whole.begin[whole.index[key]], whole.end[whole.index[key]]
            found = dict(
                zip(
                    game.actions[game.begin[j] : game.end[j]],
                    played[game.begin[j] : game.end[j]],
                    strict=True,
                )
            )
            theirs[lo:hi] = [found.get(whole.actions[s], 0.0) for s in range(lo, hi)]
