"""An agent's plan at every infoset of a game that can be walked: what it can be beaten by, and by what moves.

Its exploitability is certified by best responses; a decision against it costs what the best response at that
infoset would have won more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treeplex.core.problem import Problem
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.game import PokerGame
from treeplex.play.agents import Entrant
from treeplex.play.without_luck import MOST_HISTORIES, behaviour_in
from treeplex.seqform.certify.certificate import Certificate, certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import NumberedTree, number_tree
from treeplex.seqform.forms.treeplex import BestResponse, Floats
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.seqform.trees.walk_watch import TooManyHistoriesError


@dataclass(frozen=True)
class Cost:
    """What a decision costs against an agent.

    Attributes
    ----------
    action : str
        What was played.
    loss : float
        What the best action at the infoset wins more, on average over what may lie behind it, with the best
        play below, in the game's unit; at least 0.
    best : str
        A best action, the first among equals.
    """

    action: str
    loss: float
    best: str


@dataclass(frozen=True)
class WholePlan:
    """A walked game, and what an agent plays at every infoset of both seats.

    Attributes
    ----------
    numbered : NumberedTree
    profile : Profile
    """

    numbered: NumberedTree
    profile: Profile

    @staticmethod
    def of(problem: Problem, entrant: Entrant) -> WholePlan | None:
        """Return an agent's whole plan.

        None if it has none, it misses an infoset, or the game has more than ``MOST_HISTORIES`` histories.
        """
        if entrant.planned is None or not can_be_walked(problem):
            return None
        try:
            numbered = number_tree(build_tree(problem.game, max_nodes=MOST_HISTORIES))
            first, second = (behaviour_in(numbered, player, entrant) for player in (0, 1))
        except (TooManyHistoriesError, BadInputError):
            return None
        return WholePlan(numbered, Profile(numbered.form.treeplexes, (first, second)))

    @cached_property
    def certificate(self) -> Certificate:
        """The proved interval of the plan as a strategy of both seats."""
        return certify(self.numbered.form, self.profile)

    @property
    def exploitability(self) -> float:
        """Half of NashConv, proved: an upper bound within rounding, in the game's unit."""
        return self.certificate.nash_conv / 2.0

    def cost(self, player: int, infoset: str, action: str) -> Cost | None:
        """Return what a player's action loses against the plan; None where the plan never lets it come up."""
        values = self.values(player, infoset)
        if values is None:
            return None
        best = max(values, key=values.__getitem__)
        return Cost(action, values[best] - values[action], best)

    def values(self, player: int, infoset: str) -> dict[str, float] | None:
        """Return what each action wins against the plan, with the best play below, in the game's unit.

        It is an average over all that may lie behind the infoset; None where the plan never lets it come up.
        """
        t = self.numbered.form.treeplexes[player]
        i = t.index[infoset]
        reach = float(self._reach[player][i])
        if reach <= 0.0:
            return None
        here = slice(t.begin[i], t.end[i])
        return dict(zip(t.actions[here], (self._responses[player].q[here] / reach).tolist(), strict=True))

    @cached_property
    def _responses(self) -> tuple[BestResponse, BestResponse]:
        """Both players' best responses to the plan in the other seat."""
        form, (x, y) = self.numbered.form, self.profile.plans
        return form.best_response(0, y), form.best_response(1, x)

    @cached_property
    def _reach(self) -> tuple[Floats, Floats]:
        """How likely chance and the plan bring each player to each infoset if the player goes there, (I,)."""
        first, second = (self._reach_of(player) for player in (0, 1))
        return first, second

    def _reach_of(self, player: int) -> Floats:
        numbered, other = self.numbered, 1 - player
        likely = numbered.tree.chance_floats * self.profile.plans[other][numbered.last[other]]
        acting = numbered.acting[player]
        nodes = np.flatnonzero(acting >= 0)
        size = numbered.form.n_infosets[player]
        return np.bincount(acting[nodes], weights=likely[nodes], minlength=size).astype(np.float64)


def can_be_walked(problem: Problem, most: int = MOST_HISTORIES) -> bool:
    """Return whether a game is not known beforehand to have more histories; poker is counted first."""
    game = problem.game
    if not isinstance(game, PokerGame):
        return bool(getattr(game, "least_histories", 0) <= most)
    if len(game.reach[0]) * len(game.reach[1]) > 4 * most:  # a whole deck takes long to count
        return False
    try:
        return problem.sizes.decision_states + problem.sizes.leaf_states <= most
    except BadInputError:  # the betting is too much to be counted
        return False
