"""Gadgets for off-tree moves: alternative values of the abstraction, and games without barred sequences."""

from dataclasses import dataclass

import numpy as np

from treeplex.gadgets.core.alternatives import AlternativeValues
from treeplex.gadgets.core.behaviour import known_behaviour_by_key
from treeplex.gadgets.core.gadget import Gadget
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm, Support
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index
from treeplex.seqform.subgames.gifts import gifts_on_the_way, terminal
from treeplex.seqform.subgames.subgame import Subgame


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
