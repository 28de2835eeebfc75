"""Nested solving: a subgame is solved for every off-tree move, with earlier solutions composed.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6. The
opponent's moves that the defender's abstraction lacks: where they lead, and what they gain. Gadgets for them:
alternative values of the abstraction, and games without barred sequences. Ways to answer: inexpensive,
expensive, unsafe.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treeplex.gadgets.alternatives import AlternativeValues
from treeplex.gadgets.gadget import Gadget, known_behaviour_by_key
from treeplex.gadgets.off_tree.off_tree import OffTree
from treeplex.gadgets.own_gadgets import checked_game
from treeplex.gadgets.published_gadgets import Unsafe
from treeplex.gadgets.subgame_solvers import EquilibriumOf, SubgameSolution, compose
from treeplex.gadgets.top_report import OffTreeTop
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.profile import Profile, transferred
from treeplex.seqform.forms.sequence_form import NumberedTree, SequenceForm, Support
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index
from treeplex.seqform.subgames.cut import Cut, cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame, gifts_on_the_way, terminal
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


@dataclass(frozen=True)
class AbstractionAlternatives:
    """Alternative values: the opponent's by its best move in the abstraction.

    Attributes
    ----------
    response : BestResponse
        The opponent's, kept to moves that the defender has an answer to.
    before : (T,) int64
        The opponent's sequence before the infoset at which each top's choice is made.
    values : (T,) f64
        What the infoset is worth, unnormalised.
    scale : float
        What lower-bound gifts are multiplied by; 0 for none.
    """

    response: BestResponse
    before: Index
    values: Floats
    scale: float

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""
        return "reach-" if self.scale else ""

    def of(self, subgame: Subgame) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        q, gifts = self.response.q, np.zeros(len(subgame.cut.tops))
        if self.scale:
            rival = terminal(subgame.cut, q)
            gifts = gifts_on_the_way(subgame.cut, subgame.plan, subgame.live, self.before, q, rival)
            gifts *= self.scale
        return AlternativeValues(subgame.normalised(self.values), gifts)


@dataclass(frozen=True)
class RestrictedGadget:
    """A gadget whose game lacks some sequences.

    Attributes
    ----------
    gadget : Gadget
    barred : pair of (S,) bool
        Which of each player's sequences, numbered as in the whole game, may not be played.
    """

    gadget: Gadget
    barred: Support

    @property
    def name(self) -> str:
        """Name in reports."""
        return self.gadget.name

    def alternative_values(self, subgame: Subgame) -> AlternativeValues | None:
        """Return the alternative values of the gadget."""
        return self.gadget.alternative_values(subgame)

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the gadget's game without the barred sequences."""
        form = checked_game(self.gadget, subgame)
        allowed = []
        for p, game in enumerate(form.treeplexes):
            whole = subgame.cut.game.form.treeplexes[p]
            keep = np.ones(game.n_sequences, dtype=np.bool_)
            for j, key in enumerate(game.infosets):
                if key in whole.index:
                    lo, hi = whole.begin[whole.index[key]], whole.end[whole.index[key]]
                    keep[game.begin[j] : game.end[j]] = ~self.barred[p][lo:hi]
            allowed.append(keep)
        return form.restrict((allowed[0], allowed[1]))

    def invert(self, subgame: Subgame, solution: Profile) -> Floats:
        """Return the defender's behaviour, the blueprint's below barred sequences."""
        return known_behaviour_by_key(subgame, solution)


@dataclass(frozen=True)
class OffTreeMove:
    """A public state right after a move of the opponent that the abstraction lacks, and what is known there.

    Attributes
    ----------
    game : NumberedTree
        The whole game.
    states : PublicStates
    defender : int
    strategy : Profile
        What has been composed so far.
    missing : pair of (S,) bool
        Which of each player's sequences end in a move that the abstraction lacks.
    barred : pair of (S,) bool
        Those of them to which there is no answer yet.
    name : str
        The public state right after the move.
    """

    game: NumberedTree
    states: PublicStates
    defender: int
    strategy: Profile
    missing: Support
    barred: Support
    name: str

    def response(self) -> BestResponse:
        """Return the opponent's best response, kept to moves that the defender has an answer to."""
        opponent, plan = 1 - self.defender, self.strategy.plans[self.defender]
        return response_without(self.game.form, opponent, plan, self.barred[opponent])


def solve_off_tree(way: OffTree, move: OffTreeMove) -> SubgameSolution:
    """Solve the subgame right after an off-tree move, or the one before it again with the move added.

    Staying out is worth the best move that the abstraction knows. Unsafe solving lets the opponent come as
    its own solution so far would; where that never comes it is undefined, and all tops are taken to be as
    likely as chance and the defender make them.
    """
    response = move.response()
    piece, barred = _before(move) if way.again else _right_after(move)
    if way.again:
        before, values = piece.entry, piece.top_values(move.strategy.plans[move.defender], response)
    else:
        treeplex = piece.other.treeplex
        chosen = treeplex.infoset_of[piece.entry]
        before, values = treeplex.parent[chosen], response.value[chosen]
    gadget = way.make(AbstractionAlternatives(response, before, values, way.scale))
    subgame = Subgame.of(piece, move.strategy)
    if isinstance(gadget, Unsafe) and not np.any(subgame.opponent_reach * subgame.reach > SMALLEST_REACH):
        uniform = piece.other.treeplex.uniform()
        subgame = replace(subgame, blueprint=subgame.blueprint.exchanged(piece.opponent, uniform))
    return EquilibriumOf(RestrictedGadget(gadget, barred)).solve(subgame)


def _right_after(move: OffTreeMove) -> tuple[Cut, Support]:
    """Cut right after the move, and bar all that the abstraction lacks."""
    return cut(move.states, move.game, [move.name], move.defender), move.missing


def _before(move: OffTreeMove) -> tuple[Cut, Support]:
    """Cut where the opponent makes the move, and bar all that the abstraction lacks but this move."""
    game, opponent = move.game, 1 - move.defender
    after = move.states.roots([move.name])
    names = {move.states.names[k] for k in move.states.state[game.tree.parent[after]].tolist()}
    piece = cut(move.states, game, sorted(names), move.defender)
    barred = [mask.copy() for mask in move.missing]
    barred[opponent][game.last[opponent][after]] = False
    return piece, (barred[0], barred[1])


def solve_nested(
    game: NumberedTree, defender: int, strategy: Profile, missing: Support, way: OffTree
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
    way : OffTree

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
            raise BadInputError(
                f"missing must have shape ({t.n_sequences},) for player {p}, got {missing[p].shape}"
            )
    level = off_tree_levels(game, opponent, missing[opponent])
    for k in range(1, int(level.max()) + 1):
        later = missing[opponent] & (level >= k)
        barred = (missing[0], later) if opponent == 1 else (later, missing[1])
        solutions, theirs = [], strategy.behaviour[opponent]
        for name in states_after(game, states, opponent, missing[opponent] & (level == k)):
            solution = solve_off_tree(
                way, OffTreeMove(game, states, defender, strategy, missing, barred, name)
            )
            if solution.kept:
                continue
            below = cut(states, game, [name], defender)
            solutions.append(replace(solution, subgame=Subgame.of(below, strategy)))
            assert solution.solution is not None
            solved = solution.solution.treeplexes[opponent], solution.solution.behaviour[opponent]
            theirs = transferred(*solved, game.form.treeplexes[opponent], theirs)
        strategy = compose(strategy, solutions).exchanged(opponent, theirs)
    return strategy
