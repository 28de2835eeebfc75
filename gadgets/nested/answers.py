"""Ways to answer an off-tree move of the opponent by solving a subgame: inexpensive, expensive, unsafe.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from treeplex.gadgets.core.gadget import Gadget
from treeplex.gadgets.core.gifts import gifts_on_the_way, terminal
from treeplex.gadgets.core.offers import Alternatives, AlternativeValues
from treeplex.gadgets.core.reading import known_behaviour_by_key
from treeplex.gadgets.methods.unsafe import Unsafe
from treeplex.gadgets.nested.moves import response_without
from treeplex.gadgets.solving.solve import EquilibriumOf, SubgameSolution
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, Support
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index
from treeplex.seqform.subgames.cut import Cut, cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import SMALLEST_REACH, Subgame


@dataclass(frozen=True)
class AbstractionAlternatives:
    """What the opponent could have had by the best move of the abstraction.

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
        """What it adds to a method's name."""
        return "reach-" if self.scale else ""

    def of(self, subgame: Subgame) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        q, gifts = self.response.q, np.zeros(len(subgame.cut.tops))
        if self.scale:
            gifts = self.scale * gifts_on_the_way(subgame, self.before, q, terminal(subgame, q))
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
        """What reports call it."""
        return self.gadget.name

    def alternative_values(self, subgame: Subgame) -> AlternativeValues | None:
        """Return the alternative values of the gadget."""
        return self.gadget.alternative_values(subgame)

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the gadget's game without the barred sequences."""
        form = self.gadget.apply(subgame)
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


class OffTreeMethod(Protocol):
    """A way to answer a move that the abstraction lacks."""

    def solve(self, move: OffTreeMove) -> SubgameSolution:
        """Solve a subgame that contains the move."""


@dataclass(frozen=True)
class Inexpensive:
    """Solve the subgame after the move; staying out is worth the best move that the abstraction knows.

    Attributes
    ----------
    make : callable
        From alternative values to a gadget, such as ``Resolve`` or ``Maxmargin``.
    scale : float
        What lower-bound gifts are multiplied by; 0 for none, 1 for Reach.
    """

    make: Callable[[Alternatives], Gadget]
    scale: float = 0.0

    def solve(self, move: OffTreeMove) -> SubgameSolution:
        """Solve the subgame right after the move."""
        piece = cut(move.states, move.game, [move.name], move.defender)
        treeplex, response = piece.other.treeplex, move.response()
        chosen = treeplex.infoset_of[piece.entry]
        alternatives = AbstractionAlternatives(
            response, treeplex.parent[chosen], response.value[chosen], self.scale
        )
        gadget = RestrictedGadget(self.make(alternatives), move.missing)
        return EquilibriumOf(gadget).solve(Subgame.of(piece, move.strategy))


@dataclass(frozen=True)
class Expensive:
    """Solve the subgame before the move again, with the move added.

    Attributes
    ----------
    make : callable
    scale : float
        As for :class:`Inexpensive`.
    """

    make: Callable[[Alternatives], Gadget]
    scale: float = 0.0

    def solve(self, move: OffTreeMove) -> SubgameSolution:
        """Solve the subgame in which the opponent makes the move."""
        piece, barred = _before(move)
        response = move.response()
        values = piece.top_values(move.strategy.plans[move.defender], response)
        alternatives = AbstractionAlternatives(response, piece.entry, values, self.scale)
        gadget = RestrictedGadget(self.make(alternatives), barred)
        return EquilibriumOf(gadget).solve(Subgame.of(piece, move.strategy))


@dataclass(frozen=True)
class ExpensiveUnsafe:
    """Solve the subgame before the move again, the opponent coming as its own solution so far would.

    Where that never comes there the method is undefined, and all tops are taken to be as likely as chance
    and the defender make them.
    """

    def solve(self, move: OffTreeMove) -> SubgameSolution:
        """Solve the subgame in which the opponent makes the move."""
        piece, barred = _before(move)
        subgame = Subgame.of(piece, move.strategy)
        if not np.any(subgame.opponent_reach * subgame.reach > SMALLEST_REACH):
            uniform = piece.other.treeplex.uniform()
            subgame = replace(subgame, blueprint=subgame.blueprint.exchanged(piece.opponent, uniform))
        return EquilibriumOf(RestrictedGadget(Unsafe(), barred)).solve(subgame)


def _before(move: OffTreeMove) -> tuple[Cut, Support]:
    """Cut where the opponent makes the move, and bar all that the abstraction lacks but this move."""
    game, opponent = move.game, 1 - move.defender
    after = move.states.roots([move.name])
    names = {move.states.names[k] for k in move.states.state[game.tree.parent[after]].tolist()}
    piece = cut(move.states, game, sorted(names), move.defender)
    barred = [mask.copy() for mask in move.missing]
    barred[opponent][game.last[opponent][after]] = False
    return piece, (barred[0], barred[1])
