"""Where a profile is mistaken: by how much NashConv falls if the behaviour at one infoset alone is replaced.

Losses (``losses.py``) lie with the player who could exploit the other; repairs lie where the mistake is.
NashConv is the sum of two best-response values. With behaviour w at an infoset of a player, only the other's
depends on w: it is the maximum of functions linear in w, as the player's plan is linear in w. Its minimum is
found by cutting planes: each best response is one of these functions, and the least of the maxima of those
found is a lower bound.
"""

from dataclasses import dataclass
from heapq import nlargest

import numpy as np
from scipy.optimize import linprog

from treeplex.games.base.display import Block, Columns, Shown
from treeplex.games.base.errors import NotSolvedError
from treeplex.seqform.certify.certificate import certify, repaired
from treeplex.seqform.certify.losses import MOST, InUnit, Loss, losses, shares_text
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats

MOST_CUTS = 100
"""Best responses at one infoset, at most; three to ten are usual."""
CLOSE = 1e-12
"""Bounds from both sides are one number if they differ by at most this part of the largest payoff."""
TWO = 2
"""Actions of an infoset whose mixtures are a line segment."""


@dataclass(frozen=True, repr=False)
class Repair(Shown):
    """What can be gained by replacing a player's behaviour at one infoset, all else kept.

    Attributes
    ----------
    loss : Loss
        Player, infoset, what is played, and what that costs against a best response.
    repair : float
        By how much NashConv falls with ``instead``, in the game's unit; at least 0 and at most NashConv.
        What is within four times the rounding of the certificate counts as 0.
    instead : dict
        A behaviour that does it: the probability of each action.
    """

    loss: Loss
    repair: float
    instead: dict[str, float]

    def brief(self) -> str:
        """Return player, infoset, repair, what is played and what should be."""
        one = self.loss
        return (
            f"player {one.player} at {one.infoset!r} repairs {self.repair:.3g}: {shares_text(one.played)}; "
            f"instead {shares_text(self.instead)}"
        )

    def as_json(self) -> dict[str, object]:
        """Return the repair as the object that ``--json`` prints."""
        return {**self.loss.as_json(), "repair": self.repair, "instead": self.instead}


class Repairs(InUnit[Repair]):
    """The largest repairs of a profile, the largest first."""

    def blocks(self) -> tuple[Block, ...]:
        """Return a row for each."""
        rows = tuple(
            (
                str(one.loss.player),
                one.loss.infoset,
                f"{one.repair:.3g}",
                f"{one.loss.loss:.3g}",
                shares_text(one.loss.played),
                one.loss.best,
                shares_text(one.instead) if one.repair else "",
            )
            for one in self
        )
        headers = ("player", "infoset", "repair", "loss", "played", "best", "instead")
        return (Columns(self.brief(), headers, rows, left=("infoset", "played", "best", "instead")),)

    def brief(self) -> str:
        """Return how many infosets are shown."""
        if not self:
            return "no infoset can be played better"
        counted = f"{len(self):,} infosets" if len(self) != 1 else "1 infoset"
        return f"{counted} in {self.unit}, the largest repairs first"


def repairs(form: SequenceForm, profile: Profile, most: int = MOST) -> tuple[Repair, ...]:
    """Return the largest repairs, then the largest losses of other infosets, ``most`` of both together.

    A bound on all repairs of a player comes from one best response b of the opponent: replacing the behaviour
    at I lowers what b earns by at most the player's reach of I times (the best action's value against b, with
    the player's own behaviour below I, less the value of what is played). Infosets are searched in the order
    of this bound, until no other repair can be among the largest.

    Parameters
    ----------
    form : SequenceForm
    profile : Profile
        Of the same treeplexes.
    most : int
        At least 1.

    Raises
    ------
    ValueError
        If the profile does not fit the game or is not a strategy at some infoset, which it names.
    """
    noise = 4.0 * certify(form, profile).rounding
    sides = [_Side(form, p, repaired(t, profile.behaviour[p])) for p, t in enumerate(form.treeplexes)]
    bounds = [(float(bound), side, i) for side in sides for i, bound in enumerate(side.bounds())]
    found: list[tuple[float, _Side, int, Floats]] = []
    for bound, side, i in sorted(bounds, key=lambda one: -one[0]):
        if bound <= noise or (len(found) >= most and nlargest(most, found, _repair)[-1][0] >= bound):
            break
        repair, instead = side.search(i)
        if repair > noise:
            found.append((repair, side, i, instead))
    lost = {(one.player, one.infoset): one for one in losses(form, profile)}
    rows = [side.row(i, repair, instead, lost) for repair, side, i, instead in nlargest(most, found, _repair)]
    named = {(one.loss.player, one.loss.infoset) for one in rows}
    rest = [Repair(one, 0.0, dict(one.played)) for key, one in lost.items() if key not in named]
    return tuple([*rows, *rest][:most])


def _repair(one: "tuple[float, _Side, int, Floats]") -> float:
    return one[0]


class _Side:
    """One player's behaviour, and the opponent's best response to it."""

    def __init__(self, form: SequenceForm, player: int, behaviour: Floats) -> None:
        self.form, self.player, self.behaviour = form, player, behaviour
        self.own, self.other = form.treeplexes[player], form.treeplexes[1 - player]
        self.plan = self.own.plan(behaviour)
        self.scale = max(form.largest)

    def bounds(self) -> Floats:
        """Return a number for each infoset that its repair does not exceed, (I,)."""
        t = self.own
        if t.n_infosets == 0:
            return np.zeros(0)
        response = self.form.best_response(1 - self.player, self.plan)
        gradient = self.form.gradient(self.player, self.other.plan(response.behaviour()))
        q, value = t.evaluate(self.behaviour, gradient)
        bounds: Floats = self.plan[t.parent] * (np.maximum.reduceat(q, t.begin) - value)
        return bounds

    def search(self, i: int) -> tuple[float, Floats]:
        """Return the repair of an infoset and a behaviour there that does it, one probability an action."""
        here = slice(int(self.own.begin[i]), int(self.own.end[i]))
        start = self.behaviour[here]
        gradients = np.array([self._gradient(here, a) for a in range(len(start))])
        cuts: list[Floats] = []

        def earned(mixture: Floats) -> float:
            response = self.other.best_response(mixture @ gradients)
            cuts.append(gradients @ self.other.plan(response.behaviour()))
            return response.total

        before = least = earned(start)
        best = start
        for _ in range(MOST_CUTS):
            mixture, below = lowest(np.array(cuts))
            if least - below <= CLOSE * self.scale:
                break
            now = earned(mixture)
            if now < least:
                least, best = now, mixture
            if any(np.array_equal(cuts[-1], cut) for cut in cuts[:-1]):  # the program cannot do better
                break
        return before - least, best

    def _gradient(self, here: slice, action: int) -> Floats:
        """Return the opponent's gradient if one action is always taken at an infoset."""
        behaviour = self.behaviour.copy()
        behaviour[here] = 0.0
        behaviour[here.start + action] = 1.0
        return self.form.gradient(1 - self.player, self.own.plan(behaviour))

    def row(self, i: int, repair: float, instead: Floats, lost: dict[tuple[int, str], Loss]) -> Repair:
        """Return what is said of an infoset."""
        t = self.own
        here, key = slice(t.begin[i], t.end[i]), (self.player, t.infosets[i])
        actions = t.actions[here]
        played = dict(zip(actions, self.behaviour[here].tolist(), strict=True))
        largest = max(played, key=lambda action: played[action])
        loss = lost.get(key, Loss(*key, 0.0, played, largest))
        return Repair(loss, repair, dict(zip(actions, instead.tolist(), strict=True)))


def lowest(cuts: Floats) -> tuple[Floats, float]:
    """Return the point of the simplex at which the largest of some linear functions is least, and its value.

    Parameters
    ----------
    cuts : (K, A) f64
        The value of each function at each corner.
    """
    n = cuts.shape[1]
    if n == TWO:
        at, slope = cuts[:, 0], cuts[:, 1] - cuts[:, 0]
        steeper = slope[:, None] - slope[None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossings = (at[None, :] - at[:, None]) / steeper
        points = np.concatenate([[0.0, 1.0], crossings[(crossings > 0.0) & (crossings < 1.0)]])
        highest = (at[:, None] + slope[:, None] * points).max(axis=0)
        best = int(np.argmin(highest))
        return np.array([1.0 - points[best], points[best]]), float(highest[best])
    least, scale = float(cuts.min()), float(np.ptp(cuts)) or 1.0
    program = linprog(
        [*[0.0] * n, 1.0],
        A_ub=np.column_stack([(cuts - least) / scale, -np.ones(len(cuts))]),
        b_ub=np.zeros(len(cuts)),
        A_eq=[[*[1.0] * n, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0.0, 1.0)] * n, (None, None)],
    )
    if program.x is None or program.fun is None:
        raise NotSolvedError(
            f"the program of {len(cuts)} functions of {n} actions was not solved: {program.message}"
        )
    mixture = np.maximum(program.x[:n], 0.0)
    mixture /= mixture.sum()
    return mixture, float(program.fun) * scale + least
