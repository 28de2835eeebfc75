"""A subgame: a cut of a game, and what a blueprint says of it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treeplex.seqform.certify.certificate import check_profile
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.treeplex import BestResponse, Floats
from treeplex.seqform.subgames.cut import Cut, weighted

SMALLEST_REACH = 1e-290
"""Reach below this is none: quotients of such numbers would be noise."""


@dataclass(frozen=True)
class Subgame:
    """A cut and the blueprint that its defender follows outside.

    Attributes
    ----------
    cut : Cut
    blueprint : Profile
        On the whole game.
    plan : (S,) f64
        The defender's part of it.
    response : BestResponse
        The opponent's to that, counterfactual.
    reach : (T,) f64
        The probability that chance and the blueprint's defender play to each top.
    value : (T,) f64
        The opponent's counterfactual best-response value of each top, unnormalised.
    """

    cut: Cut
    blueprint: Profile
    plan: Floats
    response: BestResponse
    reach: Floats
    value: Floats

    @staticmethod
    def of(cut: Cut, blueprint: Profile) -> "Subgame":
        """Look at a cut with a blueprint.

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
    def live(self) -> NDArray[np.bool_]:
        """Which tops chance and the defender reach, (T,); the others are worth nothing to anybody."""
        return self.reach > SMALLEST_REACH

    @property
    def opponent_reach(self) -> Floats:
        """The opponent's own reach of each top under the blueprint, (T,)."""
        return self.blueprint.plans[self.cut.opponent][self.cut.entry]

    @cached_property
    def blueprint_value(self) -> Floats:
        """What the opponent gets from each top on, (T,), unnormalised, if both play the blueprint there."""
        cut, opponent = self.cut, self.cut.opponent
        theirs = cut.other.plan(self.blueprint.behaviour[opponent])
        z = cut.leaves
        paid = z.amount * self.plan[z.own] * theirs[z.other]
        return weighted(cut.root_top[z.root], paid, len(cut.tops))

    @property
    def cbv(self) -> Floats:
        """The opponent's counterfactual best-response value of each live top, (T,), NaN elsewhere."""
        return self.normalised(self.value)

    def normalised(self, values: Floats) -> Floats:
        """Return values of tops (T,) per unit of reach; NaN where there is none."""
        unknown = np.full(len(values), np.nan)
        return np.asarray(np.divide(values, self.reach, out=unknown, where=self.live))

    @cached_property
    def amount(self) -> Floats:
        """Each leaf's amount times the blueprint's own reach of its root, (L,)."""
        entered = self.cut.entry_reach(self.plan)
        leaves = self.cut.leaves
        return np.asarray(leaves.amount * np.where(entered > SMALLEST_REACH, entered, 0.0)[leaves.root])
