"""Alternative values and gifts: what the opponent gets at each top of a subgame for staying out.

A gift at a top is how much the opponent lost on the way by not playing better actions, per unit of reach.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.treeplex import Floats
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import Tops


class Gifts(Protocol):
    """Source of gifts: what the opponent gave away on the way to each top."""

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""

    def of(self, tops: Tops) -> Floats:
        """Return the gifts, (T,)."""


@dataclass(frozen=True)
class NoGifts:
    """Nothing is given away."""

    prefix: ClassVar[str] = ""

    def of(self, tops: Tops) -> Floats:
        """Return zeros, (T,)."""
        return np.zeros(len(tops.tops))


@dataclass(frozen=True)
class LowerBoundGifts:
    """Gifts that no other subgame's new strategy can take back (Brown and Sandholm 2017, section 5).

    At an infoset on the way the opponent could have had the value of an action that ends the game at once;
    with ``scale`` 1 the strategies of any number of subgames, each solved by itself, stay safe together.

    Attributes
    ----------
    scale : float
        What gifts are multiplied by; above 1 (the paper's "no split") nothing is promised.
    """

    scale: float = 1.0
    prefix: ClassVar[str] = "reach-"

    def of(self, tops: Tops) -> Floats:
        """Return the sum of the gifts on the way to each top, (T,)."""
        return self.scale * tops.lower_bound_gifts


@dataclass(frozen=True)
class EstimatedGifts:
    """Gifts as the blueprint has them: what the best action of all would have been worth.

    At a scale of 1 strategies stay safe. But another subgame's new strategy may take such a gift back, and
    then a positive margin need not make the whole strategy better.

    Attributes
    ----------
    scale : float
    """

    scale: float = 1.0
    prefix: ClassVar[str] = "reach-"

    def of(self, tops: Tops) -> Floats:
        """Return the sum of the gifts on the way to each top, (T,)."""
        return self.scale * tops.estimated_gifts


@dataclass(frozen=True)
class AlternativeValues:
    """Alternative values and gifts at the tops of a subgame, in the opponent's payoff per unit of reach.

    Attributes
    ----------
    alternative : (T,) f64
        NaN at tops without reach.
    gift : (T,) f64
        How much more than that the opponent may get inside before entering pays.
    """

    alternative: Floats
    gift: Floats

    @property
    def total(self) -> Floats:
        """Value of staying out at each top, (T,): ``alternative + gift``."""
        return self.alternative + self.gift


class Alternatives(Protocol):
    """A rule for the alternative values of a subgame."""

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""

    def of(self, tops: Any, /) -> AlternativeValues:
        """Return the alternative values at the tops of a ``Tops``; some rules need a whole ``Subgame``."""


@dataclass(frozen=True)
class BlueprintAlternatives:
    """The opponent's counterfactual best-response values against the blueprint.

    Attributes
    ----------
    gifts : Gifts
    """

    gifts: Gifts = field(default_factory=NoGifts)

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""
        return self.gifts.prefix

    def of(self, tops: Tops) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        return AlternativeValues(tops.cbv, self.gifts.of(tops))


@dataclass(frozen=True)
class PlayedAlternatives:
    """What the opponent gets if both play the blueprint, as estimates of what the best strategy concedes.

    Attributes
    ----------
    gifts : Gifts
    """

    gifts: Gifts = field(default_factory=NoGifts)

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""
        return f"{self.gifts.prefix}estimated-"

    def of(self, tops: Tops) -> AlternativeValues:
        """Return the alternative values at a subgame's tops."""
        return AlternativeValues(tops.normalised(tops.blueprint_value), self.gifts.of(tops))


@dataclass(frozen=True)
class EstimatedAlternatives:
    """Estimates of what the opponent gets against the best strategy (Brown and Sandholm 2017, Appendix C).

    Attributes
    ----------
    estimates : mapping from (subgame's name, top) to float
        Per unit of reach, in the opponent's payoff.
    gifts : Gifts
    """

    estimates: Mapping[tuple[str, str], float]
    gifts: Gifts = field(default_factory=NoGifts)

    @property
    def prefix(self) -> str:
        """Prefix of the method's name."""
        return f"{self.gifts.prefix}estimated-"

    def of(self, tops: Tops) -> AlternativeValues:
        """Return the alternative values at a subgame's tops.

        Raises
        ------
        ValueError
            If a top that is reached has no estimate, or one that is not finite.
        """
        name, alternative = tops.name, tops.cbv
        for t in np.flatnonzero(tops.live).tolist():
            key = (name, tops.tops[t])
            if key not in self.estimates:
                raise BadInputError(f"there is no estimate for the top {key[1]!r} of {name!r}")
            if not np.isfinite(self.estimates[key]):
                raise BadInputError(
                    f"estimates must be finite, got {self.estimates[key]} at {key[1]!r} of {name!r}"
                )
            alternative[t] = self.estimates[key]
        return AlternativeValues(alternative, self.gifts.of(tops))


def values_against(subgame: Subgame, behaviour: Floats) -> Floats:
    """Return what the opponent's best response to a defender's behaviour (S,) gets from each top on, (T,).

    Per unit of reach; NaN at tops without reach.
    """
    cut = subgame.cut
    plan = cut.own.treeplex.plan(behaviour)
    response = cut.game.form.best_response(cut.opponent, plan)
    return subgame.normalised(cut.top_values(plan, response))


def estimates_at(tops: Tops, values: Floats) -> dict[tuple[str, str], float]:
    """Return values (T,) at live tops by subgame and top, as :class:`EstimatedAlternatives` takes them."""
    return {(tops.name, tops.tops[t]): float(values[t]) for t in np.flatnonzero(tops.live).tolist()}
