"""Subgames: a cut of a game with a blueprint's reaches and counterfactual best-response values."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treeplex.games.display.shown import Shown
from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import BestResponse, Floats
from treeplex.seqform.subgames.cut import Cut, weighted
from treeplex.seqform.subgames.gifts import gifts_on_the_way, terminal
from treeplex.seqform.subgames.tops import SMALLEST_REACH, PerReach


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
    """

    cut: Cut
    blueprint: Profile
    plan: Floats
    response: BestResponse
    reach: Floats
    value: Floats

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
        return weighted(cut.root_top[z.root], paid, len(cut.tops))

    @cached_property
    def lower_bound_gifts(self) -> Floats:
        """What the opponent gave away on the way to each top by not ending the game at once, (T,)."""
        q = self.response.q
        return gifts_on_the_way(self.cut, self.plan, self.live, self.cut.entry, q, terminal(self.cut, q))

    @cached_property
    def estimated_gifts(self) -> Floats:
        """What it gave away by not playing the best action of all, (T,), if nothing else changes."""
        q = self.response.q
        return gifts_on_the_way(self.cut, self.plan, self.live, self.cut.entry, q, q)

    @cached_property
    def amount(self) -> Floats:
        """Each leaf's amount times the defender's own reach of its root under the blueprint, (L,)."""
        entered = self.cut.entry_reach(self.plan)
        leaves = self.cut.leaves
        return np.asarray(leaves.amount * np.where(entered > SMALLEST_REACH, entered, 0.0)[leaves.root])
