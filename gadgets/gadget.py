"""The protocol of gadgets: from a subgame to a game, and from its solution to behaviour.

The sequence form of a gadget's game is a subgame grafted below moves that the opponent makes before it. The
defender's behaviour in the whole game comes from a solution of it, completed off its path.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from treeplex.gadgets.alternatives import Alternatives, AlternativeValues, BlueprintAlternatives
from treeplex.games.base.errors import BadInputError
from treeplex.seqform.forms.payoff import ExactMatrix, Payoff
from treeplex.seqform.forms.profile import Profile, transferred
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.forms.treeplex import Floats, Treeplex
from treeplex.seqform.subgames.cut import weighted
from treeplex.seqform.subgames.drawn import Decisions, DrawnDecisions
from treeplex.seqform.subgames.forest import NOTHING
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.subgames.tops import SMALLEST_REACH, RootDecisions, Tops


class UndefinedError(BadInputError):
    """A gadget has no meaning on a subgame, as the blueprint never comes there."""


class Gadget(Protocol):
    """A way to solve a subgame again: any class with these methods will do; :class:`KeyedGadget` helps.

    Players keep their numbers in the gadget game, and payoffs are player 0's.
    """

    @property
    def name(self) -> str:
        """Name in reports."""

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the gadget game."""

    def invert(self, subgame: Subgame, solution: Profile) -> Floats:
        """Return the defender's behaviour in the whole game, (S,); only the subgame's part is used."""

    def alternative_values(self, tops: Any, /) -> AlternativeValues | None:
        """Return the alternative values at the tops, for reports; None if there are none."""


class KeyedGadget:
    """A gadget whose game names the defender's infosets as the whole game does."""

    @property
    def name(self) -> str:
        """The class's name."""
        return type(self).__name__

    def invert(self, subgame: Subgame, solution: Profile) -> Floats:
        """Read the defender's behaviour by the infosets' keys; see :func:`behaviour_by_key`."""
        return behaviour_by_key(subgame, solution)

    def alternative_values(self, tops: Tops) -> AlternativeValues | None:
        """Return None."""
        return None


class RootGadget(KeyedGadget):
    """A gadget that consists of decisions which the opponent makes before the subgame begins.

    It needs to say no more than ``root``; it then applies to subgames of enumerated games and to subgames on
    boards, where it is solved with all hands at once. ``DrawnDecisions`` are for boards alone.
    """

    def root(self, tops: Tops) -> Decisions:
        """Return the opponent's root decisions."""
        raise NotImplementedError(f"{self.name} must have a method root(tops)")

    def apply(self, subgame: Subgame) -> SequenceForm:
        """Return the gadget game; raises ``ValueError`` if it has no sequence form."""
        root = self.root(subgame)
        if isinstance(root, DrawnDecisions):
            raise BadInputError(f"{self.name} with all draws has no sequence form; give it a number of atoms")
        return enter(subgame, self.name, root)


@dataclass(frozen=True)
class AlternativesGadget(RootGadget):
    """A gadget in which the opponent may take an alternative value at each top.

    Attributes
    ----------
    alternatives : Alternatives
    """

    base: ClassVar[str]
    alternatives: Alternatives = field(default_factory=BlueprintAlternatives)

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"{self.alternatives.prefix}{self.base}"

    def alternative_values(self, tops: Tops) -> AlternativeValues:
        """Return the alternative values at the tops."""
        return self.alternatives.of(tops)


def game_of(subgame: Subgame, name: str, other: Treeplex, own: Treeplex, payoff: ExactMatrix) -> SequenceForm:
    """Return a gadget game from the opponent's and the defender's side and the opponent's payoff (S, S)."""
    whole = subgame.cut.game.form
    label = f"{name} on {subgame.cut.name!r} of {whole.name}"
    if subgame.cut.opponent == 0:
        return SequenceForm(label, whole.unit, (other, own), Payoff.sparse(payoff), whole.stakes)
    turned = payoff.transpose()
    negative = ExactMatrix(turned.rows, turned.cols, -turned.num, turned.den, turned.shape)
    return SequenceForm(label, whole.unit, (own, other), Payoff.sparse(negative), whole.stakes)


def enter(subgame: Subgame, name: str, root: RootDecisions) -> SequenceForm:
    """Return the gadget game in which the opponent first makes its root decisions and then plays the subgame.

    Leaves pay as in the whole game, times chance and the blueprint's own reach: counterfactual values need
    no normalising then.

    Parameters
    ----------
    subgame : Subgame
    name : str
    root : RootDecisions
        The opponent's.
    """
    stay = root.stay
    cut, leaves = subgame.cut, subgame.cut.leaves
    own, own_to = cut.own.graft(NOTHING, np.zeros(1, dtype=np.int64))
    top = cut.root_top[leaves.root]
    local = cut.other.local(leaves.other, top)
    column = own_to[cut.own.local(leaves.own, np.zeros_like(top))]
    rows, cols, values = [stay[0]], [np.zeros(len(stay[0]), dtype=np.int64)], [stay[1]]
    other = root.header
    for entry in root.entries:
        other, other_to = cut.other.graft(other, entry.at, entry.suffix)
        played = other_to[local] >= 0
        rows.append(other_to[local][played])
        cols.append(column[played])
        values.append((subgame.amount * entry.weight[top])[played])
    payoff = ExactMatrix.of_floats(
        np.concatenate(rows),
        np.concatenate(cols),
        np.concatenate(values),
        (other.n_sequences, own.n_sequences),
    )
    return game_of(subgame, name, other, own, payoff)


UNREACHED = 1e-10
"""A defender's own reach, from the subgame's start, up to which the plan of a solver in floats is noise."""


def behaviour_by_key(subgame: Subgame, solution: Profile) -> Floats:
    """Return the defender's behaviour in the whole game, read from a solution by the infosets' keys.

    Raises
    ------
    ValueError
        If the gadget's game lacks an infoset of the subgame, or has it with other actions.
    """
    cut, defender = subgame.cut, subgame.cut.defender
    game, whole = solution.treeplexes[defender], cut.own.treeplex
    for i in cut.own.infosets.tolist():
        key, actions = whole.infosets[i], whole.actions[whole.begin[i] : whole.end[i]]
        if key not in game.index:
            raise BadInputError(f"the gadget's game lacks player {defender}'s infoset {key!r}")
        labels = game.actions[game.begin[game.index[key]] : game.end[game.index[key]]]
        if labels != actions:
            raise BadInputError(
                f"player {defender}'s infoset {key!r} has actions {actions}, in the gadget's game {labels}"
            )
    return known_behaviour_by_key(subgame, solution)


def known_behaviour_by_key(subgame: Subgame, solution: Profile) -> Floats:
    """Return the defender's behaviour in the whole game, the blueprint's where a solution has no infoset."""
    cut, defender = subgame.cut, subgame.cut.defender
    blueprint = subgame.blueprint.behaviour[defender]
    game, played = solution.treeplexes[defender], solution.behaviour[defender]
    moved = transferred(game, played, cut.own.treeplex, blueprint)
    return np.where(cut.inside, moved, blueprint)


def complete_off_path(subgame: Subgame, behaviour: Floats, unreached: float = UNREACHED) -> Floats:
    """Return a behaviour (S,) that is sensible also where the defender's own moves do not come.

    There a gadget's solution is undefined up to noise, and a later solve would start from it. In this order,
    the first that prefers an action: a best reply to the opponent's best response to the new strategy, a best
    reply to uniform play, the blueprint.

    Parameters
    ----------
    subgame : Subgame
    behaviour : (S,) f64
        The defender's in the whole game.
    unreached : float
        The own reach from the subgame's start up to which a solution is replaced; below 0 only where the
        reach is exactly 0.
    """
    cut, whole = subgame.cut, subgame.cut.own.treeplex
    off_path = _off_path(subgame, behaviour, unreached)
    if not off_path:
        return behaviour
    completed = behaviour.copy()
    for i in off_path:
        at = slice(whole.begin[i], whole.end[i])
        completed[at] = subgame.blueprint.behaviour[cut.defender][at]
    for i, choice in _best_replies(subgame, completed, off_path):
        completed[whole.begin[i] : whole.end[i]] = 0.0
        completed[choice] = 1.0
    return completed


def _off_path(subgame: Subgame, behaviour: Floats, unreached: float) -> list[int]:
    """Return the defender's infosets inside whose own reach is at most ``unreached``."""
    cut, whole = subgame.cut, subgame.cut.own.treeplex
    inside = np.zeros(whole.n_sequences)  # own reach from the start of the subgame
    off_path = []
    for i in cut.own.infosets.tolist():
        above = int(whole.parent[i])
        entered = cut.inside[above] or subgame.plan[above] > SMALLEST_REACH
        reach = (inside[above] if cut.inside[above] else 1.0) if entered else 0.0
        if reach <= unreached or reach == 0.0:
            off_path.append(i)
        at = slice(whole.begin[i], whole.end[i])
        inside[at] = reach * behaviour[at]
    return off_path


def _best_replies(subgame: Subgame, behaviour: Floats, off_path: list[int]) -> Iterator[tuple[int, int]]:
    """Yield unreached infosets and the best sequence of each, where one is better than another."""
    cut, whole = subgame.cut, subgame.cut.own.treeplex
    response = cut.game.form.best_response(cut.opponent, whole.plan(behaviour)).behaviour()
    z, left = cut.leaves, off_path
    for theirs in (response, cut.other.treeplex.uniform()):
        paid = z.amount * cut.other.plan(theirs)[z.other]
        best = whole.best_response(weighted(z.own, -paid, whole.n_sequences))
        same = [i for i in left if np.ptp(best.q[whole.begin[i] : whole.end[i]]) == 0.0]
        yield from ((i, int(best.choice[i])) for i in left if i not in same)
        left = same
