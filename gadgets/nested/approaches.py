"""Ways to answer an off-tree move of the opponent by solving a subgame: inexpensive, expensive, unsafe.

Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (2017), section 6.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from treeplex.gadgets.core.alternatives import Alternatives
from treeplex.gadgets.core.gadget import Gadget
from treeplex.gadgets.methods.unsafe import Unsafe
from treeplex.gadgets.nested.gadget import AbstractionAlternatives, RestrictedGadget
from treeplex.gadgets.nested.moves import response_without
from treeplex.gadgets.solving.subgame import EquilibriumOf, SubgameSolution
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import Support
from treeplex.seqform.forms.tree_form import NumberedTree
from treeplex.seqform.forms.treeplex import BestResponse
from treeplex.seqform.subgames.cut import Cut, cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import SMALLEST_REACH


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
