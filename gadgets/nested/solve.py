"""Nested solving: a subgame is solved for every off-tree move, with the solutions of earlier ones composed.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6.
"""

from dataclasses import replace

from treeplex.gadgets.nested.approaches import OffTreeMethod, OffTreeMove
from treeplex.gadgets.nested.moves import off_tree_levels, states_after
from treeplex.gadgets.solving.composition import compose
from treeplex.seqform.forms.profile import Profile, transferred
from treeplex.seqform.forms.sequence_form import Support
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame


def solve_nested(
    game: NumberedTree, defender: int, strategy: Profile, missing: Support, answer: OffTreeMethod
) -> Profile:
    """Solve a subgame for every off-tree move of the opponent, first moves before those that follow them.

    Parameters
    ----------
    game : NumberedTree
        The whole game.
    defender : int
    strategy : Profile
        The defender's where the opponent keeps to the abstraction; of the rest nothing is used but where
        neither chance nor the defender ever comes.
    missing : pair of (S,) bool
        Which of each player's sequences end in a move that the abstraction lacks; the defender's own are
        never played.
    answer : OffTreeMethod

    Returns
    -------
    Profile
        On the whole game.

    Raises
    ------
    ValueError
        If ``missing`` has the wrong shape or ``strategy`` does not fit the game.
    """
    opponent, states = 1 - defender, PublicStates.of(game.tree)
    for p, t in enumerate(game.form.treeplexes):
        if missing[p].shape != (t.n_sequences,):
            raise ValueError(
                f"missing must have shape ({t.n_sequences},) for player {p}, got {missing[p].shape}"
            )
    level = off_tree_levels(game, opponent, missing[opponent])
    for k in range(1, int(level.max()) + 1):
        later = missing[opponent] & (level >= k)
        barred = (missing[0], later) if opponent == 1 else (later, missing[1])
        solutions, theirs = [], strategy.behaviour[opponent]
        for name in states_after(game, states, opponent, missing[opponent] & (level == k)):
            solution = answer.solve(OffTreeMove(game, states, defender, strategy, missing, barred, name))
            if solution.kept:
                continue
            below = cut(states, game, [name], defender)
            solutions.append(replace(solution, subgame=Subgame.of(below, strategy)))
            assert solution.solution is not None
            solved = solution.solution.treeplexes[opponent], solution.solution.behaviour[opponent]
            theirs = transferred(*solved, game.form.treeplexes[opponent], theirs)
        strategy = compose(strategy, solutions).exchanged(opponent, theirs)
    return strategy
