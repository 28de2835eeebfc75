"""Subgames: a cut of a game with a blueprint's reaches and counterfactual best-response values.

Gifts on the way to tops: how much the opponent lost by not playing better actions, per unit of reach.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeplex.games.base.display import Shown
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree
from treeplex.seqform.forms.treeplex import BestResponse, Floats, Index
from treeplex.seqform.subgames.cut import Cut, weighted
from treeplex.seqform.subgames.tops import SMALLEST_REACH, PerReach, read_only


def gifts_on_the_way(
    cut: Cut, plan: Floats, live: NDArray[np.bool_], last: Index, q: Floats, rival: Floats
) -> Floats:
    """Sum (best rival - value of the sequence taken) / reach over the sequences up to ``last``, (T,).

    Normalised by the reach of the infoset where the choice is made, not of the top: all tops below one
    choice then gain together no more than that choice gave away.

    Parameters
    ----------
    cut : Cut
    plan : (S,) f64
        The defender's.
    live : (T,) bool
        Tops that are reached; others get 0.
    last : (T,) int64
        The opponent's sequence before each top at which to start upwards.
    q : (S,) f64
        What each of the opponent's sequences is worth, unnormalised.
    rival : (S,) f64
        The same of what could have been played instead; -inf where that does not count.
    """
    treeplex = cut.other.treeplex
    reach = infoset_reach(cut.game, cut.opponent, plan)
    gifts = np.zeros(len(cut.tops))
    for t in np.flatnonzero(live).tolist():
        s = int(last[t])
        while s > 0:
            i = int(treeplex.infoset_of[s])
            best = float(rival[treeplex.begin[i] : treeplex.end[i]].max())
            gifts[t] += max(best - float(q[s]), 0.0) / reach[i]
            s = int(treeplex.parent[i])
    return gifts


def terminal(cut: Cut, q: Floats) -> Floats:
    """Return the values of sequences that end the game wherever they are played, (S,), -inf elsewhere."""
    return np.where(cut.game.final[cut.opponent], q, -np.inf)


def infoset_reach(game: NumberedTree, player: int, plan: Floats) -> Floats:
    """Return the probability that chance and the other player's plan (S,) play to each infoset, (I,)."""
    nodes = np.flatnonzero(game.acting[player] >= 0)
    together = game.tree.chance_floats[nodes] * plan[game.last[1 - player][nodes]]
    return weighted(game.acting[player][nodes], together, game.form.treeplexes[player].n_infosets)


@dataclass(frozen=True, repr=False)
class Subgame(PerReach, Shown):
    """A cut with the blueprint that the defender follows outside.

    Attributes
    ----------
    cut : Cut
    blueprint : Profile
        On the whole game.
    plan : (S,) f64
        The defender's part of it.
    response : BestResponse
        The opponent's counterfactual best response to it.
    reach : (T,) f64
        The reach of each top by chance and the defender's blueprint.
    value : (T,) f64
        The opponent's counterfactual best-response value of each top, unnormalised.

    The plan, reaches, values, gifts and amounts cannot be written to.
    """

    cut: Cut
    blueprint: Profile
    plan: Floats
    response: BestResponse
    reach: Floats
    value: Floats

    def __post_init__(self) -> None:
        for name in ("plan", "reach", "value"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def brief(self) -> str:
        """Return the game, where it begins, and who solves it again."""
        return self.cut.brief()

    @staticmethod
    def of(cut: Cut, blueprint: Profile) -> "Subgame":
        """Return the subgame of a cut and a blueprint.

        Raises
        ------
        ValueError
            If the blueprint does not fit the game.
        """
        check_profile(cut.game.form, blueprint)
        plan = blueprint.plans[cut.defender]
        response = cut.game.form.best_response(cut.opponent, plan)
        return Subgame(cut, blueprint, plan, response, cut.reach(plan), cut.top_values(plan, response))

    @property
    def name(self) -> str:
        """The public states at which it begins."""
        return self.cut.name

    @property
    def tops(self) -> tuple[str, ...]:
        """What the opponent knows at each top."""
        return self.cut.tops

    @property
    def opponent_reach(self) -> Floats:
        """The opponent's own reach of each top under the blueprint, (T,)."""
        return self.blueprint.plans[self.cut.opponent][self.cut.entry]

    @cached_property
    def blueprint_value(self) -> Floats:
        """The opponent's counterfactual value of each top under the blueprint, (T,), unnormalised."""
        cut, opponent = self.cut, self.cut.opponent
        theirs = cut.other.plan(self.blueprint.behaviour[opponent])
        z = cut.leaves
        paid = z.amount * self.plan[z.own] * theirs[z.other]
        return read_only(weighted(cut.root_top[z.root], paid, len(cut.tops)))

    @cached_property
    def lower_bound_gifts(self) -> Floats:
        """What the opponent gave away on the way to each top by not ending the game at once, (T,)."""
        q = self.response.q
        rival = terminal(self.cut, q)
        return read_only(gifts_on_the_way(self.cut, self.plan, self.live, self.cut.entry, q, rival))

    @cached_property
    def estimated_gifts(self) -> Floats:
        """What it gave away by not playing the best action of all, (T,), if nothing else changes."""
        q = self.response.q
        return read_only(gifts_on_the_way(self.cut, self.plan, self.live, self.cut.entry, q, q))

    @cached_property
    def amount(self) -> Floats:
        """Each leaf's amount times the defender's own reach of its root under the blueprint, (L,)."""
        entered = self.cut.entry_reach(self.plan)
        leaves = self.cut.leaves
        return read_only(leaves.amount * np.where(entered > SMALLEST_REACH, entered, 0.0)[leaves.root])
