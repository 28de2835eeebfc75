"""Where a profile loses: what each infoset's behaviour costs against a best response."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np

from treeplex.games.base.display import Block, Columns, Shown
from treeplex.seqform.certify.certificate import check_profile, repaired
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex

MOST = 10
"""Rows of the table of losses unless another number is given."""


@dataclass(frozen=True, repr=False)
class Loss(Shown):
    """What a player's behaviour at one infoset costs.

    Attributes
    ----------
    player : int
    infoset : str
    loss : float
        The player's own reach of the infoset times (the best action's value less that of the behaviour), in
        the game's unit. Values are counterfactual, against the other player's plan, with the best play below.
    played : dict
        The probability of each action.
    best : str
        An action of the largest value, the first among equals.
    """

    player: int
    infoset: str
    loss: float
    played: dict[str, float]
    best: str

    def brief(self) -> str:
        """Return player, infoset, loss, what is played and what is best."""
        played = shares_text(self.played)
        return f"player {self.player} at {self.infoset!r} loses {self.loss:.3g}: {played}; best {self.best}"

    def as_json(self) -> dict[str, object]:
        """Return the loss as the object that ``--json`` prints."""
        return {
            "player": self.player,
            "infoset": self.infoset,
            "loss": self.loss,
            "played": self.played,
            "best": self.best,
        }


T = TypeVar("T")


class InUnit(Shown, tuple[T, ...]):
    """A tuple of losses or repairs that knows their unit.

    Attributes
    ----------
    unit : str
    """

    unit: str

    def __new__(cls, found: Iterable[T], unit: str) -> Self:
        """Return a tuple with a unit."""
        made = super().__new__(cls, found)
        made.unit = unit
        return made

    def __getnewargs__(self) -> tuple[tuple[T, ...], str]:
        return tuple(self), self.unit


class Losses(InUnit[Loss]):
    """Losses of a profile, the largest first."""

    def blocks(self, most: int = MOST) -> tuple[Block, ...]:
        """Return a row for each of the largest losses; how many there are is in the title."""
        shown = self[:most]
        of_these = f"; the largest {len(shown):,}" if len(shown) < len(self) else ""
        rows = tuple(
            (str(one.player), one.infoset, f"{one.loss:.3g}", shares_text(one.played), one.best)
            for one in shown
        )
        headers = ("player", "infoset", "loss", "played", "best")
        return (Columns(f"{self.brief()}{of_these}", headers, rows, left=("infoset", "played", "best")),)

    def brief(self) -> str:
        """Return how many infosets lose."""
        counted = f"{len(self):,} infosets lose" if len(self) != 1 else "1 infoset loses"
        return f"{counted} in {self.unit}"


def shares_text(played: Mapping[str, float]) -> str:
    """Return the actions that are played, with their probabilities."""
    return ", ".join(f"{action} {probability:.3g}" for action, probability in played.items() if probability)


def losses(form: SequenceForm, profile: Profile) -> tuple[Loss, ...]:
    """Return what each infoset's behaviour costs, the largest first; infosets that cost nothing are left out.

    A player's losses sum to what the player gains by a best response. With q the value of each sequence where
    all infosets below respond best, g the gradient, x the player's plan and I the infosets,

        sum over I of x[parent(I)] (max q over I - behaviour q over I)
            = sum over I of x[parent(I)] max q over I - sum over s > 0 of x[s] q[s],

    and q[s] is g[s] plus the maxima of the infosets right below s: these cancel, and q[0] - x g remains.

    Parameters
    ----------
    form : SequenceForm
    profile : Profile
        Of the same treeplexes.

    Raises
    ------
    ValueError
        If the profile does not fit the game or is not a strategy at some infoset, which it names.
    """
    check_profile(form, profile)
    first, second = (repaired(t, b) for t, b in zip(form.treeplexes, profile.behaviour, strict=True))
    plans = form.treeplexes[0].plan(first), form.treeplexes[1].plan(second)
    found = [
        *_of_player(form.treeplexes[0], 0, first, form.gradient(0, plans[1])),
        *_of_player(form.treeplexes[1], 1, second, form.gradient(1, plans[0])),
    ]
    return tuple(sorted(found, key=lambda one: -one.loss))


def _of_player(t: Treeplex, player: int, behaviour: Floats, gradient: Floats) -> list[Loss]:
    """Return a player's losses in the order of infosets."""
    if t.n_infosets == 0:
        return []
    response = t.best_response(gradient)
    # Differences, not a difference of sums: an infoset that plays best alone loses exactly nothing.
    behind = response.value[t.infoset_of[1:]] - response.q[1:]
    reach = t.plan(behaviour)[t.parent]
    cost = reach * np.add.reduceat(behaviour[1:] * behind, t.begin - 1)
    return [
        _loss(t, player, int(i), float(cost[i]), behaviour, response.choice) for i in np.flatnonzero(cost)
    ]


def _loss(t: Treeplex, player: int, i: int, cost: float, behaviour: Floats, choice: np.ndarray) -> Loss:
    stretch = slice(t.begin[i], t.end[i])
    played = dict(zip(t.actions[stretch], behaviour[stretch].tolist(), strict=True))
    return Loss(player, t.infosets[i], cost, played, t.actions[choice[i]])
